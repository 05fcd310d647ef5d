"""Speed by local order, as a measure and as a combiner for any controller."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from swarm.controllers import make_controller
from swarm.controllers.combiners.pace_by_order import PaceByOrder
from swarm.controllers.models.local_order import local_order
from swarm.errors import BadInput


def order_of(view, direction, nearest=0.0, furthest=100.0, alone=1.0):
    graph = view.neighbours
    start = np.full(len(direction), alone)
    return local_order(
        graph.indptr, graph.indices, graph.distance, np.array(direction, float), nearest, furthest, start
    )


@given(swarm=arrays(float, (2, 6, 3), elements=st.floats(-3, 3)))
def test_local_order_is_its_formula(swarm, look):
    position, direction = swarm
    found = order_of(look(position), direction, 0.5, 3.0)
    for i in range(6):
        apart = np.linalg.norm(position - position[i], axis=1)
        near = [j for j in range(6) if j != i and 0.5 <= apart[j] <= 3.0]
        lengths = np.linalg.norm(direction[near], axis=1).sum()
        expected = np.linalg.norm(direction[near].sum(axis=0)) / lengths if lengths > 0 else 1.0
        assert found[i] == pytest.approx(expected, abs=1e-9)


def test_those_who_see_nobody_keep_the_value_given(look):
    view = look([[0.0, 0.0], [90.0, 0.0]], reach=5.0)
    assert order_of(view, [[1, 0], [0, 1]], alone=0.3) == pytest.approx([0.3, 0.3])


def test_commands_keep_their_direction_and_slow_down_by_the_order(look):
    view = look([[5.0, 5.0], [6.0, 5.0], [4.0, 5.0]], [[1.0, 0.0], [0.0, 1.0], [0.0, -1.0]])

    def forwards(view):
        return np.tile([2.0, 0.0], (len(view.position), 1))

    commands = PaceByOrder(controller=forwards, sharpness=5.0)(view)
    # The first sees two that fly apart, Φ = 0; the others see it and one another, Φ = 2^-1/2 of what two alike make.
    assert commands[:, 0] == pytest.approx(2.0 * np.exp(5.0 * (np.array([0.0, 2**-0.5, 2**-0.5]) - 1.0)))
    assert not commands[:, 1].any()
    assert PaceByOrder(controller=forwards, sharpness=0.0)(view)[:, 0] == pytest.approx([2.0] * 3)


def test_the_controller_inside_is_given_as_in_a_mission_file_and_told_of_a_new_run(look, brief):
    faults = []
    made = make_controller("pace_by_order", {"controller": {"use": "vicsek", "params": {"speed": 1.0}}}, "test", faults)
    assert not faults
    view = look([[5.0, 5.0], [6.0, 5.0]])
    made.reset(brief(view, seed=3))
    assert np.linalg.norm(made(view), axis=1) == pytest.approx([1.0, 1.0])


def test_a_controller_that_is_not_there_is_refused():
    with pytest.raises(BadInput, match="controller"):
        PaceByOrder(controller={"use": "no-such"})
    with pytest.raises(BadInput, match=r"controller\.speed: unknown key"):
        PaceByOrder(controller={"use": "boids", "speed": 1.0})
