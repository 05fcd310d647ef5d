"""One way to store a command and turn it back, so that every path gives the same bits."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from swarm.compiled import kernel
from swarm.state import Bools, Floats

Actions = NDArray[np.float32]


@kernel
def _clip(action: Actions, alive: Bools) -> None:
    for i in range(action.shape[0]):
        square = 0.0
        for k in range(action.shape[1]):
            if not alive[i]:
                action[i, k] = np.float32(0.0)
            square += np.float64(action[i, k]) * np.float64(action[i, k])
        # The margin makes clipping idempotent: a row scaled onto the ball and rounded is not scaled again.
        if square > 1.0 + 1e-6:
            scale = 1.0 / np.sqrt(square)
            for k in range(action.shape[1]):
                action[i, k] = np.float32(action[i, k] * scale)
        for k in range(action.shape[1]):
            action[i, k] = min(max(action[i, k], np.float32(-1.0)), np.float32(1.0))


@kernel
def _to_action(command: Floats, limit: float, alive: Bools) -> tuple[int, Actions]:
    action = np.empty(command.shape, np.float32)
    for i in range(command.shape[0]):
        for k in range(command.shape[1]):
            if not np.isfinite(command[i, k]):
                return i, action
            action[i, k] = np.float32(min(max(command[i, k] / limit, -1e18), 1e18))
    _clip(action, alive)
    return -1, action


@kernel
def _to_command(action: Actions, limit: float, alive: Bools) -> tuple[int, Floats]:
    command = np.empty(action.shape, np.float64)
    for i in range(action.shape[0]):
        for k in range(action.shape[1]):
            if not np.isfinite(action[i, k]):
                return i, command
    clipped = action.copy()
    _clip(clipped, alive)
    for i in range(action.shape[0]):
        for k in range(action.shape[1]):
            command[i, k] = np.float64(clipped[i, k]) * limit
    return -1, command


class NotFinite(ValueError):
    """A command that is NaN or infinite; `agent` is the first that has one."""

    def __init__(self, agent: int) -> None:
        self.agent = agent
        super().__init__(f"agent {agent} has a command that is not finite")


def to_action(command: Floats, limit: float, alive: Bools) -> Actions:
    """Velocity command to action: command / speed limit, clipped to the unit ball, as float32.

    Args:
        command: (A, D) m/s.
        limit: m/s.
        alive: (A,); the lost get zero.

    Returns:
        (A, D) float32, norm at most 1.

    Raises:
        NotFinite: Some entry is NaN or infinite.
    """
    bad, action = _to_action(command, limit, alive)
    if bad >= 0:
        raise NotFinite(bad)
    return action


def to_command(action: Actions, limit: float, alive: Bools) -> Floats:
    """Action to velocity command: clipped to the unit ball, times the speed limit; the inverse of `to_action`.

    Args:
        action: (A, D) float32.
        limit: m/s.
        alive: (A,); the lost get zero.

    Returns:
        (A, D) float64 m/s.

    Raises:
        NotFinite: Some entry is NaN or infinite.
    """
    bad, command = _to_command(action, limit, alive)
    if bad >= 0:
        raise NotFinite(bad)
    return command
