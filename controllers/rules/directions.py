"""Lengths and directions of vectors, with a defined result where there is none."""

from __future__ import annotations

import numpy as np

from swarm.state import Floats

SHORTEST = 1e-9  # m or m/s, below which a vector has no direction


def length(vectors: Floats) -> Floats:
    """(...,) of vectors (..., D)."""
    return np.asarray(np.sqrt((vectors * vectors).sum(axis=-1)))


def unit(vectors: Floats, otherwise: Floats | float = 0.0) -> Floats:
    """(..., D) unit vectors; `otherwise`, zero by default, in place of those too short to have a direction."""
    size = length(vectors)[..., None]
    return np.asarray(np.where(size > SHORTEST, vectors / np.maximum(size, SHORTEST), otherwise))


def along(dim: int) -> Floats:
    """(dim,) unit vector of +x, the direction of what has none of its own."""
    result = np.zeros(dim)
    result[0] = 1.0
    return result


def to_the_left(vectors: Floats) -> Floats:
    """(..., D) unit vectors square to the left of vectors (..., D), level; +y for those straight up, down or zero."""
    left = np.zeros_like(vectors)
    left[..., 0], left[..., 1] = -vectors[..., 1], vectors[..., 0]
    otherwise = np.zeros(vectors.shape[-1])
    otherwise[1] = 1.0
    return unit(left, otherwise)


def capped(vectors: Floats, most: float | Floats) -> Floats:
    """(..., D) vectors cut to a length."""
    size = length(vectors)
    return np.asarray(vectors * np.minimum(1.0, most / np.maximum(size, 1e-300))[..., None])
