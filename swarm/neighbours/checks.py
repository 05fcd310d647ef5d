"""What the compiled kernels take for granted: they read as far as one array says, whatever the length of another."""

from __future__ import annotations

from numbers import Integral
from typing import Any

import numpy as np

from swarm.errors import BadInput
from swarm.state import Bools, Floats, Ints


def check_swarm(
    position: Floats, velocity: Floats, alive: Bools, world_index: Ints, box: Floats, field_of_view: float
) -> None:
    """Refuse arrays that do not belong together, and a torus or a field of view that does not exist.

    Args:
        position, velocity, alive, world_index, box, field_of_view: As for `swarm.neighbours.graph`.

    Raises:
        BadInput: Names the first that is wrong.
    """
    shape = getattr(position, "shape", None)
    if shape is None or len(shape) != 2 or shape[1] not in (2, 3):
        raise BadInput(f"position: expected an array of shape (A, 2 or 3), got {_shape(position)}")
    if getattr(velocity, "shape", None) != shape:
        raise BadInput(f"velocity: expected an array of shape {shape}, got {_shape(velocity)}")
    agents, dim = shape
    if getattr(alive, "shape", None) != (agents,):
        raise BadInput(f"alive: expected an array of shape ({agents},), got {_shape(alive)}")
    if getattr(world_index, "shape", None) != (agents,):
        raise BadInput(f"world_index: expected an array of shape ({agents},), got {_shape(world_index)}")
    if getattr(box, "shape", None) != (dim,):
        raise BadInput(f"box: expected an array of shape ({dim},), got {_shape(box)}")
    for period in box.tolist():
        if not 0.0 <= period < np.inf:
            raise BadInput(f"box: expected lengths in m, 0 for an axis that does not wrap, got {box.tolist()}")
    if not field_of_view >= 0.0:
        raise BadInput(f"field_of_view: expected 0 rad or more, got {field_of_view}")


def check_number(number: Any) -> None:
    """Refuse a number of neighbours that is not 1, 2, 3 ...

    Raises:
        BadInput: Says what it is.
    """
    if isinstance(number, bool) or not isinstance(number, Integral) or int(number) < 1:
        raise BadInput(f"number: expected neighbours to count, 1 or more, got {number!r}")


def _shape(given: Any) -> str:
    shape = getattr(given, "shape", None)
    return type(given).__name__ if shape is None else str(shape)
