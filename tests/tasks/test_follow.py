"""A path is followed from point to point, and is done when the last one was passed with nobody lost."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import swarm
from swarm.errors import BadInput
from swarm.tasks.follow import Follow

PATH = ((1.0, 1.0, 1.5), (5.0, 1.0, 1.5), (5.0, 4.0, 1.5))
START = [[0.5, 1.0, 1.5], [0.5, 1.4, 1.5]]


@pytest.fixture(scope="module")
def begin(make_room, make_scene):
    return lambda **keys: Follow(**{"path": PATH, **keys}).begin(make_scene(make_room(), START))


def test_the_points_are_passed_in_order(begin, make_state):
    goal, passed = begin(radius=0.5), []
    for place in ([5, 4, 1.5], [1, 1, 1.5], [5, 4, 1.5], [5, 1, 1.5], [5, 4, 1.5]):
        passed.append(goal.target.tolist())
        met = goal.met(make_state([place, place]))
    assert passed == [list(PATH[k]) for k in (0, 0, 1, 1, 2)]
    assert met


def test_one_lost_spoils_it(begin, make_state):
    goal = begin()
    for place in PATH:
        met = goal.met(make_state([place, place], alive=[True, False]))
    assert not met


@given(st.lists(st.tuples(st.floats(0, 10), st.floats(0, 6), st.floats(0, 3)), max_size=10))
def test_remaining_is_the_way_to_the_next_point_and_on(begin, make_state, places):
    goal = begin(radius=0.7)
    for place in [*places, (0.5, 1.2, 1.5)]:
        state = make_state([place, place])
        goal.met(state)
        ahead = np.array([place, *PATH[goal._next :]])
        assert goal.remaining(state) == pytest.approx(np.linalg.norm(np.diff(ahead, axis=0), axis=1).sum())


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ({"path": ((1.0, 1.0, 1.5), (5.0, 1.0))}, r"task\.path\[1\]: expected 3 numbers, got 2"),
        ({"path": ((1.0, 1.0, 1.5), (5.0, 1.0, 4.0))}, r"task\.path\[1\]: expected a place in the world"),
        ({"speed": (1.0,)}, "speed: expected one for each of the 2 legs, got 1"),
    ],
)
def test_faults_name_the_point(begin, keys, message):
    with pytest.raises(BadInput, match=message):
        begin(**keys)


@pytest.mark.parametrize("controller", ["formation", "boids"])
def test_drones_pass_all_points(controller):
    path = [[4.0, 0.0, 1.5], [4.0, 4.0, 1.5], [0.0, 4.0, 2.0]]
    mission = swarm.load_mission(
        "five-drone-open",
        {"controller": {"use": controller}, "criteria": {}, "task": {"kind": "follow", "path": path, "radius": 0.8}},
    )
    nearest = np.full(3, np.inf)
    with swarm.Simulation(mission, 0) as sim:
        targets = []
        while not sim.done:
            if not targets or sim.view.target.tolist() != targets[-1]:
                targets.append(sim.view.target.tolist())
            sim.step()
            nearest = np.minimum(nearest, np.linalg.norm(sim.state.position.mean(axis=0) - path, axis=1))
        assert sim.success
        assert not sim.contacts
    assert targets == path
    assert (nearest <= 0.8).all()
