"""Headings of walkers at walls: along them, and back where there is no way along."""

from __future__ import annotations

import numpy as np

from swarm.compiled import kernel
from swarm.state import Floats, Ints


@kernel
def turned_from_walls(
    heading: Floats, indptr: Ints, clearance: Floats, normal: Floats, distance: float, side: Floats
) -> None:
    """Turn headings (A, 2) that point at a near surface along it, and out of corners; they stay unit vectors.

    Args:
        heading: (A, 2), written.
        indptr, clearance, normal: Near surfaces in compressed rows, m and unit vectors.
        distance: m, within which a surface counts.
        side: (A,) to which side who comes straight at a wall turns: > 0 is left.
    """
    for i in range(len(heading)):
        first, last = indptr[i], indptr[i + 1]
        for sweep in range(4):
            x, y, held = heading[i, 0], heading[i, 1], True
            for edge in range(first, last):
                into = x * normal[edge, 0] + y * normal[edge, 1]
                if clearance[edge] >= distance or into >= -1e-9:
                    continue
                held = False
                if into < -0.999:
                    turn = 1.0 if side[i] > 0.0 else -1.0
                    x, y = -turn * y, turn * x
                    into = x * normal[edge, 0] + y * normal[edge, 1]
                # A little more than along it, so as to come off it.
                x, y = x - 1.05 * into * normal[edge, 0], y - 1.05 * into * normal[edge, 1]
                size = np.sqrt(x * x + y * y)
                x, y = x / size, y / size
            heading[i, 0], heading[i, 1] = x, y
            if held:
                break
            if sweep == 2:  # a corner: out of it
                x, y = 0.0, 0.0
                for edge in range(first, last):
                    if clearance[edge] < distance:
                        x, y = x + normal[edge, 0], y + normal[edge, 1]
                size = np.sqrt(x * x + y * y)
                if size > 1e-9:
                    heading[i, 0], heading[i, 1] = x / size, y / size
                break
