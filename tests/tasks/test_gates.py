"""Gates count in order, in their direction and for every agent; what cannot be flown is said before the run."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import swarm
from swarm.errors import BadInput
from swarm.tasks.gates import Gates

FRAMES = [
    {"kind": "gate", "order": 1, "center": [3.0, 3.0, 1.5], "size": [1.0, 1.0]},
    {"kind": "gate", "order": 2, "center": [6.0, 3.0, 1.5], "size": [1.0, 1.0], "name": "far"},
    {"kind": "area", "center": [8.0, 3.0, 1.5], "size": [1.0, 1.0, 1.0], "name": "yard"},
]
START = [[0.5, 3.0, 1.5], [0.5, 3.2, 1.5]]


@pytest.fixture(scope="module")
def world(make_room):
    return make_room(zones=FRAMES)


@pytest.fixture(scope="module")
def begin(world, make_scene):
    return lambda start=START, **keys: Gates(**keys).begin(make_scene(world, start))


def fly(goal, make_state, world, *places, alive=None):
    """Put the swarm at one place after the other; each is one (D,) for all or (A, D)."""
    agents = len(goal.crossed)
    for place in places:
        state = make_state(np.broadcast_to(place, (agents, 3)), alive=alive)
        goal.update(world, state)
    return state


def test_met_only_when_all_crossed_all_and_are_at_the_target(begin, make_state, world):
    goal = begin(target=(9.0, 3.0, 1.5), radius=0.5)
    state = fly(goal, make_state, world, [2.5, 3, 1.5], [3.5, 3, 1.5], [5.5, 3, 1.5], [6.5, 3, 1.5])
    assert goal.crossed.tolist() == [2, 2]
    assert not goal.met(state)
    assert goal.met(fly(goal, make_state, world, [8.6, 3, 1.5]))


def test_without_a_target_the_end_is_behind_the_last_gate(begin):
    goal = begin(approach=1.0)
    expected = [[2, 3, 1.5], [4, 3, 1.5], [5, 3, 1.5], [7, 3, 1.5]]
    assert goal.path == pytest.approx(np.array(expected))
    assert goal.target.tolist() == [2, 3, 1.5]


def test_the_target_goes_from_place_to_place(begin, make_state, world):
    goal = begin(approach=1.0, radius=0.3)
    seen = [goal.target[0]]
    for x in np.arange(0.5, 7.4, 0.25):
        fly(goal, make_state, world, [x, 3, 1.5])
        if goal.target[0] != seen[-1]:
            seen.append(goal.target[0])
    # 4, behind the first gate, is done with once all are through, which is at 3
    assert seen == [2, 4, 5, 7]


def test_the_wrong_direction_does_not_count(begin, make_state, world):
    goal = begin()
    goal._before = np.tile([3.5, 3.0, 1.5], (2, 1))
    fly(goal, make_state, world, [2.5, 3, 1.5])
    assert goal.crossed.tolist() == [0, 0]


def test_a_gate_that_is_missed_does_not_count(begin, make_state, world):
    goal = begin()
    fly(goal, make_state, world, [2.5, 3, 1.5], [[3.5, 3, 1.5], [3.5, 4.5, 1.5]])
    assert goal.crossed.tolist() == [1, 0]


def test_one_that_skips_a_gate_has_to_come_back_for_it(begin, make_state, world):
    goal = begin(radius=5.0)
    around = [[2.5, 3, 1.5], [2.5, 5, 1.5]], [[3.5, 3, 1.5], [3.5, 5, 1.5]], [5.5, 3, 1.5], [6.5, 3, 1.5]
    assert not goal.met(fly(goal, make_state, world, *around))
    assert goal.crossed.tolist() == [2, 0]
    again = [5, 5, 1.5], [2.5, 5, 1.5], [2.5, 3, 1.5], [3.5, 3, 1.5], [5.5, 3, 1.5], [6.5, 3, 1.5]
    assert goal.met(fly(goal, make_state, world, *again))


def test_two_gates_in_one_step_count_both(begin, make_state, world):
    goal = begin()
    fly(goal, make_state, world, [2.5, 3, 1.5], [6.5, 3, 1.5])
    assert goal.crossed.tolist() == [2, 2]


def test_one_lost_is_not_waited_for_but_the_goal_is_not_met(begin, make_state, world):
    goal = begin(radius=5.0)
    alive = [True, False]
    fly(goal, make_state, world, [[2.5, 3, 1.5], [1, 3, 0.1]], alive=alive)
    fly(goal, make_state, world, [[3.5, 3, 1.5], [1, 3, 0.1]], alive=alive)
    assert goal.target[0] > 4
    state = fly(goal, make_state, world, [[5.5, 3, 1.5], [1, 3, 0.1]], [[6.5, 3, 1.5], [1, 3, 0.1]], alive=alive)
    assert goal._next == len(goal.path) - 1
    assert not goal.met(state)


def test_all_lost_at_once_is_no_error(begin, make_state, world):
    goal = begin()
    state = fly(goal, make_state, world, [1.0, 3, 1.5], alive=[False, False])
    assert not goal.met(state)
    assert not np.isnan(goal.remaining(state))


@given(st.lists(st.tuples(st.floats(0.2, 9.8), st.floats(0.2, 5.8), st.floats(0.2, 2.8)), min_size=1, max_size=12))
def test_what_was_crossed_stays_crossed_and_the_way_never_goes_back(begin, make_state, world, places):
    goal = begin()
    crossed, at = goal.crossed.copy(), goal._next
    for place in places:
        fly(goal, make_state, world, place)
        assert (goal.crossed >= crossed).all()
        assert (goal.crossed - crossed <= 2).all()
        assert goal._next >= at
        crossed, at = goal.crossed.copy(), goal._next


def test_remaining_is_the_way_along_the_path(begin, make_state):
    goal = begin(approach=1.0)
    # 1.5 to the first place before the gate, then 2 + 1 + 2 along the axis
    assert goal.remaining(make_state([[0.5, 3, 1.5], [0.5, 3, 1.5]])) == pytest.approx(1.5 + 5.0)


def test_gates_can_be_chosen_by_name_in_another_order(begin, make_state, world):
    goal = begin(gates=("far", "gate 1"), radius=9.0)
    fly(goal, make_state, world, [2.5, 3, 1.5], [3.5, 3, 1.5])
    assert goal.crossed.tolist() == [0, 0]
    fly(goal, make_state, world, [6.5, 3, 1.5], [2.5, 5, 1.5], [2.5, 3, 1.5], [3.5, 3, 1.5])
    assert goal.crossed.tolist() == [2, 2]


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ({"gates": ("fra",)}, r'task\.gates\[0\].*did you mean "far"'),
        ({"gates": ("far", "yard")}, r'task\.gates\[1\]: expected gate 1, far, got "yard"'),
        ({"approach": 3.1}, r"task\.approach: the place 3\.1 m before gate 1 is in or at wall x-"),
        ({"target": (1.0, 1.0)}, r"task\.target: expected 3 numbers"),
        ({"target": (11.0, 1.0, 1.0)}, r"task\.target: expected a place in the world"),
    ],
)
def test_what_is_wrong_is_said_with_its_key(begin, keys, message):
    with pytest.raises(BadInput, match=message):
        begin(**keys)


def test_a_world_without_gates_is_refused(make_room, make_scene):
    with pytest.raises(BadInput, match=r"task\.kind: the world .* has no gates"):
        Gates().begin(make_scene(make_room(), START))


def test_a_gate_behind_a_wall_is_refused_before_the_run(make_room, make_scene):
    wall = {"kind": "box", "center": [4.5, 3.0, 1.5], "size": [0.2, 6.0, 3.0]}
    with pytest.raises(BadInput, match=r"task\.gates: far: .*walled in"):
        Gates(approach=1.0).begin(make_scene(make_room([wall], FRAMES), START))


def test_a_target_behind_a_wall_is_refused_before_the_run(make_room, make_scene):
    wall = {"kind": "box", "center": [8.0, 3.0, 1.5], "size": [0.2, 6.0, 3.0]}
    with pytest.raises(BadInput, match=r"task\.target: .*walled in"):
        Gates(approach=1.0, target=(9.0, 3.0, 1.5)).begin(make_scene(make_room([wall], FRAMES), START))


@pytest.mark.parametrize("controller", ["formation", "boids"])
def test_drones_fly_through_all_gates(controller):
    mission = swarm.load_mission("five-drone-gates", {"controller.use": controller, "criteria": {}})
    with swarm.Simulation(mission, 0) as sim:
        targets = [sim.view.target]
        while not sim.done:
            sim.step()
            if sim.view.target is not targets[-1]:
                targets.append(sim.view.target)
        assert sim.success
        assert (sim.goal.crossed == len(sim.world.gates)).all()
        assert not sim.contacts
    assert np.array_equal(targets, [p for p in sim.goal.path if any(np.array_equal(p, t) for t in targets)])
    assert len(targets) > len(sim.world.gates)
