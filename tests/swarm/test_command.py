"""A command survives the way to an action and back without losing a bit."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from swarm.command import NotFinite, to_action, to_command

finite = st.floats(-1e6, 1e6, allow_nan=False)
commands = arrays(np.float64, st.tuples(st.integers(1, 6), st.integers(2, 3)), elements=finite)


@given(commands, st.sampled_from([0.03, 1.0, 3.0, 7.3]))
def test_action_command_action_is_the_identity(command: np.ndarray, limit: float) -> None:  # type: ignore[type-arg]
    alive = np.ones(len(command), bool)
    action = to_action(command, limit, alive)
    assert action.dtype == np.float32
    assert np.abs(action).max() <= 1.0
    back = to_command(action, limit, alive)
    assert to_action(back, limit, alive).tobytes() == action.tobytes()
    assert np.linalg.norm(back, axis=1).max() <= limit * (1 + 1e-6)


@given(commands)
def test_direction_is_kept_and_short_commands_are_not_changed(command: np.ndarray) -> None:  # type: ignore[type-arg]
    alive = np.ones(len(command), bool)
    back = to_command(to_action(command, 2.0, alive), 2.0, alive)
    length = np.linalg.norm(command, axis=1)
    wanted = command * np.minimum(1.0, 2.0 / np.maximum(length, 1e-300))[:, None]
    np.testing.assert_allclose(back, wanted, rtol=2e-6, atol=1e-6)


def test_the_lost_get_zero() -> None:
    action = to_action(np.ones((2, 3)), 3.0, np.array([True, False]))
    assert (action[0] != 0).all()
    assert (action[1] == 0).all()


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_first_agent_without_a_finite_command_is_named(bad: float) -> None:
    command = np.zeros((4, 3))
    command[2, 1] = bad
    alive = np.ones(4, bool)
    with pytest.raises(NotFinite) as caught:
        to_action(command, 3.0, alive)
    assert caught.value.agent == 2
    with pytest.raises(NotFinite) as caught:
        to_command(command.astype(np.float32), 3.0, alive)
    assert caught.value.agent == 2
