"""Plans: smooth, around obstacles, within what bodies can do."""

from __future__ import annotations

import numpy as np
import pytest

from swarm.controllers import Formation
from swarm.controllers.planning.centreline import headings, resample, smooth
from swarm.controllers.planning.field import clearance_field, look_up
from swarm.controllers.planning.lanes import _solve
from swarm.controllers.planning.passage import cost_to_go
from swarm.formations import slots

POST = {"kind": "cylinder", "center": [5.0, 0.1, 2.0], "radius": 0.3, "height": 4.0}
WALL = [
    {"kind": "box", "center": [5.0, -6.0, 2.0], "size": [0.3, 9.0, 4.0]},
    {"kind": "box", "center": [5.0, 7.5, 2.0], "size": [0.3, 10.0, 4.0]},
]  # a gap from y = -1.5 to 2.5


def planned(make_briefing, start=(0.0, 0.0, 1.5), shape="v", count=5, params=None, **briefing):
    formation = slots(shape, count, 1.0, len(start))
    controller = Formation(**(params or {}))
    controller.reset(make_briefing(np.array(start) + formation, formation=formation, **briefing))
    return controller.plan


@pytest.mark.parametrize("count", [2, 3, 4, 30])
def test_the_banded_solver_solves(count):
    rng = np.random.default_rng(count)
    diagonal, right, bending = rng.uniform(1, 3, count), rng.normal(size=count), 2.5
    bands = (
        6 * np.eye(count) - 4 * (np.eye(count, k=1) + np.eye(count, k=-1)) + np.eye(count, k=2) + np.eye(count, k=-2)
    )
    expected = np.linalg.solve(np.diag(diagonal) + bending * bands, right)
    _solve(diagonal, bending, np.empty(count), np.empty(count), right)
    assert right == pytest.approx(expected)


def test_resampling_keeps_ends_and_spacing():
    even, leg, spacing = resample(np.array([[0.0, 0], [3, 0], [3, 4]]), 0.5)
    assert np.array_equal(even[[0, -1]], [[0, 0], [3, 4]])
    assert spacing == pytest.approx(0.5)
    assert np.linalg.norm(np.diff(even, axis=0), axis=1) == pytest.approx(0.5)
    assert leg[[0, 5, 6, -1]].tolist() == [0, 0, 1, 1]


def test_smoothing_leaves_straight_lines_and_ends_alone():
    line = np.linspace([0.0, 1.0], [9.0, 4.0], 40)
    assert smooth(line, 5.0, fixed_ends=True) == pytest.approx(line)
    corner = np.concatenate([np.linspace([0, 0], [5, 0], 30), np.linspace([5, 0], [5, 5], 30)])
    assert smooth(corner, 5.0, fixed_ends=True)[[0, -1]] == pytest.approx(corner[[0, -1]])


def test_headings_turn_without_a_jump():
    angle = np.linspace(0, 3 * np.pi, 200)
    heading = headings(np.stack([np.cos(angle), np.sin(angle)], axis=1), 2.0)
    assert heading[10:-10] == pytest.approx(angle[10:-10] + np.pi / 2, abs=0.05)


def test_the_field_is_the_worlds_clearance(make_world):
    world = make_world(3, [POST], half=10.0)
    field = clearance_field(world, 0.06, np.array([0.0, -3.0]), np.array([10.0, 3.0]), [np.array([1.5])], 0.2)
    rng = np.random.default_rng(0)
    for x, y in rng.uniform([0.5, -2.5], [9.5, 2.5], (50, 2)):
        value, _, _ = look_up(
            field.clearance, 0, (x - field.origin[0]) / field.cell, (y - field.origin[1]) / field.cell
        )
        assert value == pytest.approx(np.hypot(x - 5.0, y - 0.1) - 0.36, abs=0.03)


def test_cost_to_go_is_the_shortest_way_on_the_grid():
    price = np.ones((5, 5))
    price[2, :4] = np.inf
    cost = cost_to_go(price, 0, 0)
    # around the free end of the wall: 3 across, 1 straight to (1, 4); 2 across the gap's row; then back down
    assert cost[1, 3] == pytest.approx(2 + np.sqrt(2))
    assert cost[2, 4] == pytest.approx(2 + 2 * np.sqrt(2))
    assert np.isinf(cost[2, 0])
    assert cost[4, 0] == pytest.approx(cost[2, 4] + 2 + 2 * np.sqrt(2))


def test_open_ground_is_crossed_straight_in_shape(make_briefing):
    plan = planned(make_briefing, target=[10.0, 0, 1.5])
    shape = slots("v", 5, 1.0)
    assert plan.lanes == pytest.approx(np.linspace([0, 0, 1.5], [10, 0, 1.5], len(plan.lanes))[:, None] + shape)
    assert plan.speed.max() == pytest.approx(1.5)
    assert plan.speed[-1] == 0.0


def test_lanes_keep_their_clearance(make_briefing, make_world):
    world = make_world(3, [POST], half=12.0)
    plan = planned(make_briefing, world=world, target=[10.0, 0, 1.5])
    assert world.clearance(plan.lanes)[0].min() - 0.06 >= 0.35 - 0.08


def test_lanes_do_not_meet(make_briefing, make_world):
    plan = planned(make_briefing, world=make_world(3, WALL, half=12.0), target=[10.0, 0, 1.5])
    apart = np.linalg.norm(plan.lanes[:, :, None] - plan.lanes[:, None], axis=-1) + 9 * np.eye(5)
    assert apart.min() > 0.4


def test_the_whole_formation_goes_through_the_gap(make_briefing, make_world):
    world = make_world(3, WALL, half=12.0, boundary="walls")
    plan = planned(make_briefing, start=(0.0, -5.0, 1.5), world=world, target=[10.0, -5.0, 1.5])
    assert world.clearance(plan.lanes)[0].min() > 0.06
    assert plan.lanes[-1].mean(axis=0) == pytest.approx([10.0, -5.0, 1.5], abs=0.1)


def test_the_pace_respects_barrier_speed_and_bends(make_briefing, make_world):
    world = make_world(3, WALL, half=12.0)
    plan = planned(make_briefing, world=world, target=[10.0, 0, 1.5], params={"cruise": 2.5, "sideways": 3.0})
    velocity = np.gradient(plan.lanes, plan.spacing, axis=0) * plan.speed[:, None, None]
    assert np.linalg.norm(velocity, axis=-1).max() <= 0.9 * 3.0 + 1e-6
    curve = np.diff(plan.lanes, 2, axis=0) / plan.spacing**2
    assert (np.linalg.norm(curve, axis=-1).max(axis=1) * plan.speed[1:-1] ** 2).max() <= 3.0 + 1e-6
    distance, normal = world.clearance(plan.lanes)
    room = np.maximum(distance - 0.06 - 0.1, 0.0)
    closing = -(normal * velocity).sum(axis=-1)
    slow = plan.speed[:, None] <= 0.15  # the pace never falls below a walk
    assert ((closing <= -6 * 0.02 + np.sqrt((6 * 0.02) ** 2 + 12 * room) + 0.1) | slow).all()


def test_speeds_of_a_path_hold_on_its_legs(make_briefing):
    plan = planned(make_briefing, path=[[0, 0, 1.5], [10, 0, 1.5], [20, 0, 1.5]], path_speed=[0.5, 1.2])
    stations = np.arange(len(plan.speed)) * plan.spacing
    assert plan.speed[(stations > 1) & (stations < 9)] == pytest.approx(0.5)
    assert plan.speed[(stations > 11) & (stations < 18)] == pytest.approx(1.2)


def test_the_same_task_in_the_same_world_has_the_same_plan(make_briefing, make_world):
    world = make_world(3, [POST], half=12.0)
    first, again = (planned(make_briefing, world=world, target=[10.0, 0, 1.5]) for _ in range(2))
    assert first is again
    assert planned(make_briefing, world=world, target=[9.0, 0, 1.5]) is not first


def test_a_plan_climbs_to_its_target(make_briefing):
    plan = planned(make_briefing, target=[10.0, 0, 3.0])
    assert plan.lanes[[0, -1], 0, 2] == pytest.approx([1.5, 3.0])
    assert (np.diff(plan.lanes[:, 0, 2]) >= -1e-12).all()
