"""Lines of sight through a grid of clearances; all lengths are in cells, places from the first node."""

from __future__ import annotations

import math

from swarm.compiled import kernel
from swarm.state import Floats

STRIDE = 0.5  # shortest step along a line


@kernel
def interpolated(clearance: Floats, x: float, y: float, z: float) -> float:
    """Trilinear interpolation of node values, constant beyond the grid.

    Args:
        clearance: (X, Y, Z) of each node; Z is 1 in the plane.
        x, y, z: Where.
    """
    nx, ny, nz = clearance.shape
    i, j, k = int(min(max(x, 0.0), nx - 1.0)), int(min(max(y, 0.0), ny - 1.0)), int(min(max(z, 0.0), nz - 1.0))
    u, v, w = min(max(x - i, 0.0), 1.0), min(max(y - j, 0.0), 1.0), min(max(z - k, 0.0), 1.0)
    a, b, c = min(i + 1, nx - 1), min(j + 1, ny - 1), min(k + 1, nz - 1)
    low = (clearance[i, j, k] * (1.0 - v) + clearance[i, b, k] * v) * (1.0 - u)
    low += (clearance[a, j, k] * (1.0 - v) + clearance[a, b, k] * v) * u
    if nz == 1:
        return float(low)
    high = (clearance[i, j, c] * (1.0 - v) + clearance[i, b, c] * v) * (1.0 - u)
    high += (clearance[a, j, c] * (1.0 - v) + clearance[a, b, c] * v) * u
    return float(low * (1.0 - w) + high * w)


@kernel
def clear(
    clearance: Floats, margin: float, x: float, y: float, z: float, ex: float, ey: float, ez: float, spared: float
) -> bool:
    """Whether a straight line keeps a margin from every obstacle.

    Clearance changes by at most one per cell, so where there is much of it the line is followed in long steps
    (sphere tracing; Hart 1996).

    Args:
        clearance: (X, Y, Z) of each node.
        margin: To keep.
        x, y, z, ex, ey, ez: The two ends.
        spared: Length at the second end that is taken to be free.
    """
    dx, dy, dz = ex - x, ey - y, ez - z
    length = math.sqrt(dx * dx + dy * dy + dz * dz)
    along = STRIDE
    while along < length - spared:
        share = along / length
        room = interpolated(clearance, x + share * dx, y + share * dy, z + share * dz) - margin
        if room < 0.0:
            return False
        along += max(room, STRIDE)
    return True
