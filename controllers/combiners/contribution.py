"""What a rule asks for, checked before it is added to what others ask for."""

from __future__ import annotations

from typing import Any

import numpy as np

from swarm.errors import SimulationError
from swarm.state import Floats
from swarm.view import View


def contribution(rule: Any, view: View) -> Floats:
    """The answer of one rule, (A, D) m/s.

    Raises:
        SimulationError: It has another shape, or holds no numbers; names the rule.
    """
    asked = rule(view)
    name = getattr(rule, "__name__", type(rule).__name__)
    try:
        array = np.asarray(asked)
    except ValueError as error:
        raise SimulationError(f"rule {name}: expected numbers of shape {view.position.shape}: {error}") from None
    if array.shape != view.position.shape or array.dtype.kind not in "fiu":
        raise SimulationError(
            f"rule {name}: expected numbers of shape (agents, dimensions) {view.position.shape} in m/s, "
            f"got {array.dtype} of shape {array.shape}"
        )
    if not np.isfinite(array).all():
        agent = int(np.argmin(np.isfinite(array).all(axis=1)))
        raise SimulationError(f"rule {name}: agent {agent}: expected finite numbers, got {array[agent].tolist()}")
    return array.astype(np.float64, copy=False)
