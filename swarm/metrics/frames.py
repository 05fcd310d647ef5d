"""Bring what a caller gives, one instant or a recording, into the shape the kernels take."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from swarm.errors import BadInput
from swarm.state import Bools, Floats

Value = float | Floats


def frames(name: str, values: ArrayLike) -> Floats:
    """(T, N, D) float64, contiguous, from (N, D) or (T, N, D).

    Raises:
        BadInput: Another shape, or numbers that are not finite.
    """
    array = np.ascontiguousarray(values, dtype=np.float64)
    if array.ndim == 2:
        array = array[None]
    if array.ndim != 3 or array.shape[2] not in (2, 3):
        raise BadInput(f"{name}: expected shape (N, 2 or 3) or (T, N, 2 or 3), got {np.shape(values)}")
    check_finite(name, array)
    return array


def check_finite(name: str, array: Floats) -> None:
    """Refuse a recording with a number that is not finite, and say where the first one is."""
    if not np.isfinite(array).all():
        t, agent = np.argwhere(~np.isfinite(array))[0][:2]
        raise BadInput(f"{name}: expected finite numbers, got {array[t, agent].tolist()} at sample {t}, agent {agent}")


def living(alive: ArrayLike | None, like: Floats) -> Bools:
    """(T, N) mask from None, (N,) or (T, N)."""
    if alive is None:
        return np.ones(like.shape[:2], bool)
    try:
        return np.ascontiguousarray(np.broadcast_to(np.asarray(alive, bool), like.shape[:2]))
    except ValueError:
        raise BadInput(f"alive: expected shape {like.shape[1:2]} or {like.shape[:2]}, got {np.shape(alive)}") from None


def period(box: ArrayLike | None, dim: int) -> Floats:
    """(D,) m period of each axis, 0 where it does not wrap."""
    if box is None:
        return np.zeros(dim)
    array = np.ascontiguousarray(box, dtype=np.float64)
    if array.shape != (dim,) or not (array >= 0).all() or not np.isfinite(array).all():
        raise BadInput(
            f"box: expected {dim} lengths in m, 0 for an axis that does not wrap, got {np.asarray(box).tolist()}"
        )
    return array


def shortest(step: Floats, box: Floats) -> Floats:
    """Displacements (..., D) the shortest way round; `box` (D,) m, 0 where an axis does not wrap."""
    wraps = box > 0
    if wraps.any():
        step[..., wraps] -= box[wraps] * np.floor(step[..., wraps] / box[wraps] + 0.5)
    return step


def unpack(values: Floats, given: ArrayLike) -> Value:
    """The (T,) values as they are, or the one of an instant as a number."""
    return float(values[0]) if np.ndim(given) == 2 else values
