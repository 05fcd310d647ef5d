"""Shapes a swarm can start in or keep: slots with their centroid at the origin, +x forward."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np

from swarm.errors import BadInput
from swarm.state import Floats

Shape = Literal["v", "line", "ring", "grid", "wedge", "points"]
SHAPES: tuple[str, ...] = ("v", "line", "ring", "grid", "wedge", "points")


def slots(
    shape: str, count: int, spacing: float, dim: int = 3, points: Sequence[Sequence[float]] | None = None
) -> Floats:
    """Places of a formation in its own frame.

    Args:
        shape: `v` (half-angle 45 degrees, spacing along the arms, tip first), `line` (abreast), `ring` (spacing along
            the chord), `grid` (rows across the way), `wedge` (a filled V: rows of 1, 2, 3, ...) or `points`.
        count: Number of slots, N.
        spacing: m between neighbours.
        dim: 2 or 3; the shapes lie level.
        points: For `points`: N rows of 2 or 3 coordinates, m.

    Returns:
        (N, dim) m, centroid at the origin.

    Raises:
        BadInput: Unknown shape, or `points` that are not N rows of `dim` numbers.
    """
    level = np.zeros((count, 3))
    if shape == "v":
        rank = (np.arange(count) + 1) // 2
        side = np.where(np.arange(count) % 2 == 1, 1.0, -1.0)
        level[:, 0] = -rank * spacing * np.sqrt(0.5)
        level[:, 1] = side * rank * spacing * np.sqrt(0.5)
    elif shape == "line":
        level[:, 1] = -np.arange(count) * spacing
    elif shape == "ring":
        if count > 1:
            angle = 2 * np.pi * np.arange(count) / count
            radius = spacing / (2 * np.sin(np.pi / count))
            level[:, 0], level[:, 1] = radius * np.cos(angle), radius * np.sin(angle)
    elif shape == "grid":
        across = int(np.ceil(np.sqrt(count)))
        level[:, 0] = -(np.arange(count) // across) * spacing
        level[:, 1] = -(np.arange(count) % across) * spacing
    elif shape == "wedge":
        row = ((np.sqrt(8 * np.arange(count) + 1) - 1) / 2).astype(int)
        seat = np.arange(count) - row * (row + 1) / 2
        level[:, 0] = -row * spacing * np.sqrt(0.75)
        level[:, 1] = (row / 2 - seat) * spacing
    elif shape == "points":
        if len({len(point) for point in points or ()}) > 1:
            raise BadInput("points: expected all of 2 numbers, or all of 3")
        given = np.asarray(points if points is not None else [], dtype=float)
        if given.ndim != 2 or given.shape[0] != count or given.shape[1] not in (2, 3):
            raise BadInput(f"points: expected {count}, one for each agent, of 2 or 3 numbers, got {_counted(given)}")
        level[:, : given.shape[1]] = given
    else:
        raise BadInput(f'shape: expected {", ".join(SHAPES)}, got "{shape}"')
    placed = level[:, :dim] - level[:, :dim].mean(axis=0)
    return np.ascontiguousarray(placed)


def _counted(points: Floats) -> str:
    """How many of how many numbers, in words."""
    if points.size == 0:
        return "none"
    return f"{len(points)} of {points.shape[1]} numbers" if points.ndim == 2 else f"an array of shape {points.shape}"
