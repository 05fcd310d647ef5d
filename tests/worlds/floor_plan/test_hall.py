"""Worlds without a floor plan, walked in."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import swarm
from swarm.errors import BadInput
from swarm.simulation import Simulation
from swarm.worlds import build_world
from swarm.worlds.floor_plan.hall import as_hall


def square(obstacles=(), side=10.0, **more):
    return build_world({"dim": 2, "bounds": [[0, 0], [side, side]], "obstacles": list(obstacles)} | more, "test")


def test_cells_that_an_obstacle_covers_a_part_of_are_obstacles():
    hall = as_hall(square([{"kind": "sphere", "center": [4.0, 6.0], "radius": 1.5}]))
    plan = hall.floor_plan
    rows, columns = np.mgrid[: plan.shape[0], : plan.shape[1]]
    nearest = np.maximum(np.abs(plan.center_of(rows, columns) - [4.0, 6.0]) - 0.125, 0.0)
    away = np.hypot(nearest[..., 0], nearest[..., 1])
    sure = np.abs(away - 1.5) > 1e-3
    np.testing.assert_array_equal(plan.walkable[sure], (away > 1.5)[sure])
    assert (plan.cell, plan.shape) == (0.25, (40, 40))


def test_a_wall_thinner_than_a_cell_holds_walkers_back():
    plan = as_hall(square([{"kind": "box", "center": [5.0, 5.0], "size": [0.05, 10.0]}])).floor_plan
    assert not plan.walkable[:, plan.cell_of([5.0, 5.0])[1]].any()


def test_a_torus_becomes_walls_and_that_is_said():
    hall = as_hall(square(boundary="torus"))
    assert hall.boundary == "walls"
    assert hall.notices[-1].endswith("a hall of 40 x 40 cells of 0.25 m, and the torus boundary becomes walls")


@given(st.floats(0.5, 3000.0), st.floats(0.5, 3000.0))
@settings(max_examples=60, deadline=None)
def test_the_hall_is_no_larger_than_the_world_and_lacks_less_than_a_cell(width, height):
    world = build_world({"dim": 2, "bounds": [[-1.0, 2.0], [-1.0 + width, 2.0 + height]]}, "test")
    if max(width, height) / min(width, height) > 300.0:
        return
    hall = as_hall(world)
    lacking = (world.bounds[1] - world.bounds[0]) - (hall.bounds[1] - hall.bounds[0])
    assert (lacking > -1e-5).all()
    assert (lacking < hall.floor_plan.cell + 1e-6).all()
    np.testing.assert_allclose(hall.bounds, hall.floor_plan.bounds)


def test_what_moves_takes_its_cells_with_it():
    hall = as_hall(
        square([{"kind": "box", "center": [2.0, 5.0], "size": [1, 1], "motion": {"path": [[8.0, 5.0]], "speed": 1.0}}])
    )
    for time, x in ((0.0, 2.0), (3.0, 5.0)):
        plan = hall.at(time).floor_plan
        assert not plan.walkable[plan.cell_of([x, 5.0])]
        assert plan.walkable[plan.cell_of([7.0 - x, 5.0])]


def test_a_world_that_is_one_obstacle_has_no_room():
    with pytest.raises(BadInput, match="expected room for walkers"):
        as_hall(square([{"kind": "box", "center": [5, 5], "size": [12, 12]}]))


def test_a_mission_for_points_is_walked():
    with Simulation(
        swarm.load_mission("netlogo-obstacles", {"measure.from": 5.0, "duration": 20.0}), 0, body="walker"
    ) as sim:
        while not sim.done:
            sim.step()
        plan = sim.world.floor_plan
        assert plan.walkable[plan.cell_of(sim.trajectory.position)].all()
        assert (np.abs(sim.trajectory.velocity).max(axis=(0, 1)) > 0.5).all()
