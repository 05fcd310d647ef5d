"""Clearance on a level grid, to be looked up instead of asked for."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from swarm.compiled import kernel
from swarm.state import Floats

if TYPE_CHECKING:
    from swarm.worlds.world import World

FAR = 10.0  # m, clearance beyond which no one asks how much
MOST_CELLS = 24_000  # grid points asked for in all; a larger world gets larger cells


@dataclass(frozen=True, eq=False)
class Field:
    """Clearance of a hull at the points of a level grid; levels are the heights at which slots fly."""

    origin: Floats  # (2,) m, the point (0, 0)
    cell: float  # m
    clearance: Floats  # (L, X, Y) m


def clearance_field(
    world: World, radius: float, low: Floats, high: Floats, levels: list[Floats], finest: float
) -> Field:
    """Ask a world for its clearance on a grid.

    Args:
        world: 2D or 3D.
        radius: m, of a hull.
        low, high: (2,) m, corners of the area.
        levels: For each level the heights (H,) m at which it will be flown; the clearance is the least over them.
        finest: m, smallest cell.

    Returns:
        The field; FAR where nothing is near.
    """
    asked = sum(len(heights) for heights in levels)
    area = float(np.prod(high - low))
    cell = max(finest, math.sqrt(area * asked / MOST_CELLS))
    x = np.arange(low[0], high[0] + cell, cell)
    y = np.arange(low[1], high[1] + cell, cell)
    clearance = np.full((len(levels), len(x), len(y)), FAR)
    points = np.empty((len(x) * len(y), world.dim))
    points[:, 0], points[:, 1] = np.repeat(x, len(y)), np.tile(y, len(x))
    for level, heights in enumerate(levels):
        for height in heights:
            if world.dim == 3:
                points[:, 2] = height
            distance = world.clearance(points)[0].reshape(len(x), len(y))
            np.minimum(clearance[level], distance - radius, out=clearance[level])
    return Field(np.array([x[0], y[0]]), cell, clearance)


@kernel
def look_up(clearance: Floats, level: int, x: float, y: float) -> tuple[float, float, float]:
    """Bilinear clearance at grid coordinates x, y (in cells), and its slope along x and y per cell."""
    columns, rows = clearance.shape[1], clearance.shape[2]
    x, y = min(max(x, 0.0), columns - 1.001), min(max(y, 0.0), rows - 1.001)
    i, j = int(x), int(y)
    a, b = x - i, y - j
    c00, c01 = clearance[level, i, j], clearance[level, i, j + 1]
    c10, c11 = clearance[level, i + 1, j], clearance[level, i + 1, j + 1]
    value = (1 - a) * ((1 - b) * c00 + b * c01) + a * ((1 - b) * c10 + b * c11)
    return value, (1 - b) * (c10 - c00) + b * (c11 - c01), (1 - a) * (c01 - c00) + a * (c11 - c10)
