"""Turn caps: rules turn the heading in turn, each by so much at most."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from swarm.controllers import RULES, TurnCaps, make_controller
from swarm.controllers.combiners.turning import turn
from swarm.errors import BadInput

DT = 1 / 48  # s, of the views made here
numbers = st.floats(-3, 3, allow_subnormal=False)


def constant(*velocity):
    return lambda view: np.tile(np.array(velocity, dtype=float), (len(view.position), 1))


def angle(a, b):
    return np.arctan2(a[0] * b[1] - a[1] * b[0], a @ b)


def test_each_rule_turns_by_its_own_angle_and_the_later_has_the_last_word(make_view):
    rules = [{"use": constant(0, 9), "max_turn": 480.0}, {"use": constant(0, -0.1), "max_turn": 144.0}]
    command = TurnCaps(rules, speed=2.0)(make_view([[0, 0]], [[1.0, 0.0]]))[0]
    assert np.degrees(angle(np.array([1.0, 0.0]), command)) == pytest.approx(480 * DT - 144 * DT)
    assert np.linalg.norm(command) == pytest.approx(2.0)


def test_a_contribution_nearer_than_the_cap_is_taken_whole_and_one_of_zero_turns_nothing(make_view):
    near = constant(1.0, 0.01)
    rules = [{"use": near, "max_turn": 480.0}, {"use": constant(0, 0), "max_turn": 480.0}]
    command = TurnCaps(rules)(make_view([[0, 0]], [[1.0, 0.0]]))[0]
    assert command == pytest.approx(3.0 * np.array([1.0, 0.01]) / np.hypot(1.0, 0.01))  # the speed limit of the view


def test_half_a_circle_is_turned_to_the_right():
    turned = turn(np.array([[1.0, 0.0]]), np.array([[-2.0, 0.0]]), np.pi / 2)
    assert turned[0] == pytest.approx([0.0, -1.0], abs=1e-12)


@given(
    direction=arrays(float, (4, 3), elements=numbers), wanted=arrays(float, (4, 3), elements=numbers),
    most=st.floats(0, 3.2),
)  # fmt: skip
def test_a_turn_is_of_the_angle_allowed_or_ends_at_the_wish(direction, wanted, most):
    length = np.linalg.norm(direction, axis=1)
    if length.min() < 0.01 or np.linalg.norm(wanted, axis=1).min() < 0.01:
        return
    direction = direction / length[:, None]
    turned = turn(direction, wanted, most)
    assert np.linalg.norm(turned, axis=1) == pytest.approx(1.0)
    unit = wanted / np.linalg.norm(wanted, axis=1)[:, None]
    apart = np.arctan2(np.linalg.norm(np.cross(direction, unit), axis=1), (direction * unit).sum(axis=1))
    made = np.arctan2(np.linalg.norm(np.cross(direction, turned), axis=1), (direction * turned).sum(axis=1))
    assert made == pytest.approx(np.minimum(apart, most), abs=1e-7)
    left = np.arctan2(np.linalg.norm(np.cross(turned, unit), axis=1), (turned * unit).sum(axis=1))
    assert left == pytest.approx(np.maximum(apart - most, 0.0), abs=1e-6)


@pytest.mark.parametrize("dim", [2, 3])
def test_every_registered_rule_can_steer(dim, make_view, make_briefing):
    faults = []
    rules = [{"use": name, "max_turn": 90.0} for name in RULES]
    controller = make_controller("turn-caps", {"rules": rules, "speed": 1.5}, "test", faults)
    assert not faults
    position = np.random.default_rng(0).uniform(-2, 2, (6, dim))
    controller.reset(make_briefing(position, target=[9.0] * dim))
    command = controller(make_view(position, target=[9.0] * dim))
    assert np.linalg.norm(command, axis=1) == pytest.approx(1.5)


def test_faults_are_one_line_each():
    with pytest.raises(BadInput) as refused:
        TurnCaps([{"use": "separation"}, {"use": "cohesion", "max_turn": -1.0}, constant(1, 0)])
    lines = refused.value.faults
    assert lines[0] == "rules[0].max_turn: expected degrees/s, 0 or more, got None"
    assert lines[1] == "rules[1].max_turn: expected degrees/s, 0 or more, got -1.0"
    assert lines[2].startswith("rules[2]: expected a table with `use` and `max_turn`")
    with pytest.raises(BadInput, match=r'did you mean "separation"'):
        TurnCaps([{"use": "seperation", "max_turn": 1.0}])
