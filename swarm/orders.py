"""What is asked of everybody, checked: commands in m/s to actions in the unit ball, and back."""

from __future__ import annotations

from typing import Any

import numpy as np

from swarm.command import Actions, NotFinite, to_action, to_command
from swarm.errors import SimulationError
from swarm.state import Floats, State


def as_action(wanted: Any, state: State, limit: float, step: int) -> Actions:
    """A command as the action that stands for it.

    Args:
        wanted: (A, D) m/s, whatever a controller or caller gave.
        state: Of everybody now.
        limit: m/s that an action of norm 1 asks for.
        step: Number of the command step, for messages.

    Raises:
        SimulationError: These are no (A, D) finite numbers; names step, time and agent.
    """
    try:
        given = np.asarray(wanted)
        if np.iscomplexobj(given):
            raise TypeError("complex numbers")
        command = np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise SimulationError(
            f"{when(step, state)}: expected commands as numbers in m/s, got {type(wanted).__name__}: {error}"
        ) from None
    if command.shape != state.position.shape:
        raise SimulationError(
            f"{when(step, state)}: expected commands of shape (agents, dimensions) {state.position.shape} in m/s, "
            f"got {command.shape}"
        )
    try:
        return to_action(np.ascontiguousarray(command), limit, state.alive)
    except NotFinite as bad:
        raise _not_finite(bad.agent, command[bad.agent], state, step) from None


def as_command(action: Actions, state: State, limit: float, step: int) -> Floats:
    """An action (A, D) as the command in m/s that it stands for; arguments and faults as of `as_action`."""
    if action.shape != state.position.shape or action.dtype != np.float32:
        raise SimulationError(
            f"step {step}: expected float32 actions of shape {state.position.shape}, "
            f"got {action.dtype} of shape {action.shape}"
        )
    try:
        return to_command(action, limit, state.alive)
    except NotFinite as bad:
        raise _not_finite(bad.agent, action[bad.agent], state, step) from None


def when(step: int, state: State) -> str:
    """Step and time, as messages begin."""
    return f"step {step}, t = {state.time:.3f} s"


def _not_finite(agent: int, value: Any, state: State, step: int) -> SimulationError:
    found = np.asarray(value).tolist()
    return SimulationError(f"{when(step, state)}: agent {agent}: expected a finite command, got {found}")
