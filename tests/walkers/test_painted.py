"""A plan that is painted while people walk: nobody is in a wall, ways follow at once, and the recording has it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import swarm
from swarm.simulation import Simulation
from swarm.worlds.floor_plan import FREE, GOAL, OBSTACLE, SOURCE, FloorPlan

TROLLEY = {
    "kind": "box", "name": "trolley", "center": [-6.0, 6.0], "size": [3.0, 2.0],
    "motion": {"path": [[8.0, 6.0], [8.0, -6.0]], "speed": 0.4},
}  # fmt: skip


def in_walls(plan, position):
    """(A,) who is in an obstacle cell or out of the plan."""
    outside = ((position < plan.bounds[0]) | (position > plan.bounds[1])).any(axis=1)
    return outside | ~plan.walkable[plan.cell_of(position)]


@pytest.mark.parametrize("controller", ["hadimassa", "boids"])
@pytest.mark.parametrize("variant", ["repaired", "literal"])
@settings(max_examples=5, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), trolley=st.booleans())
def test_nobody_is_in_a_wall_whatever_is_painted(variant, controller, seed, trolley):
    if (controller, variant) == ("boids", "literal"):
        return  # boids have no variants
    changed = {"duration": 60.0, "world.obstacles": [TROLLEY] if trolley else [], "swarm.count": 80}
    if controller == "hadimassa":
        changed["controller.params.variant"] = variant
    else:
        changed["controller"] = {"use": "boids"}
    rng = np.random.default_rng(seed)
    with Simulation(swarm.load_mission("hadimassa", {"criteria": {}}).changed(changed), seed=seed % 1000) as sim:
        while not sim.done:
            if rng.random() < 0.4:
                row, column = rng.integers(0, 30, 2)
                kind = rng.choice([OBSTACLE, OBSTACLE, FREE, SOURCE, GOAL])
                block = np.mgrid[row : row + rng.integers(1, 4), column : column + rng.integers(1, 4)].reshape(2, -1).T
                sim.paint(np.column_stack([block, np.full(len(block), kind)]))
                plan = sim.world.floor_plan
                assert not in_walls(plan, sim.state.position).any()
                assert (plan.cells[tuple(block.T)] == kind).all() or trolley
                np.testing.assert_array_equal(sim.view.floor_plan.distance, FloorPlan(plan.cells).distance)
            sim.leap() if rng.random() < 0.3 else sim.step()
            now = sim.world.at(sim.state.time).floor_plan
            assert not in_walls(now, sim.state.position[sim.state.alive]).any()
            assert np.isfinite(sim.state.position).all()


def test_the_recording_tells_what_was_painted_and_a_new_run_begins_unpainted(tmp_path):
    mission = swarm.load_mission("hadimassa", {"duration": 20.0, "swarm.count": 5})
    with Simulation(mission, 0) as sim:
        before = sim.world.floor_plan.cells
        sim.step()
        sim.paint([[0, 0, OBSTACLE], [3, 4, GOAL]])
        sim.step()
        sim.step()
        sim.paint([[0, 0, FREE]])
        sim.step()
        trajectory = sim.trajectory
        assert trajectory.painted.tolist() == [[2, 0, 0, OBSTACLE], [2, 3, 4, GOAL], [4, 0, 0, FREE]]
        trajectory.save(tmp_path / "t.npz", {})
        with np.load(tmp_path / "t.npz") as read:
            np.testing.assert_array_equal(read["painted"], trajectory.painted)
        sim.reset(0)
        np.testing.assert_array_equal(sim.world.floor_plan.cells, before)
        assert len(sim.trajectory.painted) == 0
        sim.trajectory.save(tmp_path / "t.npz", {})
        with np.load(tmp_path / "t.npz") as read:
            assert "painted" not in read


@pytest.mark.parametrize("body", ["walker", "point", pytest.param("drone", marks=pytest.mark.slow)])
def test_on_every_body_the_way_is_round_the_trolley_where_it_is_now(body):
    mission = swarm.load_mission("hadimassa").changed(
        {"duration": 40.0, "world.obstacles": [TROLLEY], "swarm.count": 3, "criteria": {}}
    )
    with Simulation(mission, 0, body=body) as sim:
        while not sim.done:
            sim.step()
        way = sim.goal.way
        plan = mission.build_world(0).at(sim.state.time).floor_plan
        row, column = np.nonzero(plan.walkable)
        away = way.reachable(way.up(plan.center_of(*np.nonzero(~plan.walkable))))
        assert not away.any()
        left = way.left(way.up(plan.center_of(row, column))) / way.scale
        np.testing.assert_allclose(left, plan.geodesic[row, column], rtol=1e-9, atol=1e-9)
        assert (sim.world.ground_plan.cells == plan.cells).all()
        assert (plan.cells != mission.build_world(0).floor_plan.cells).any()
