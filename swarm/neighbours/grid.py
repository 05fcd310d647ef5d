"""How wide the cells are, and how many: a cell is no narrower than the range, and there are no more than pay."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import NamedTuple

import numpy as np

from swarm.state import Floats, Ints

SLACK = 1e-6  # relative, by which a cell is wider than the range, so that rounding puts nobody one cell too far
FINEST = 1e-9  # of the extent of an axis: narrower cells could not be told apart in 64 bits


class Grid(NamedTuple):
    """Cells of one world. Axes are padded in front to three; each is a ring of `shape` cells.

    On an axis that wraps, the ring goes once or a whole number of times round the torus; on one that does not, the
    agent's cell is taken modulo the ring, so that a few far away cost no cells. Those that share a cell without being
    near are told apart by their distance.
    """

    box: Floats  # (3,) m, period, 0 where an axis does not wrap
    origin: Floats  # (3,) m, where cell 0 begins
    per_metre: Floats  # (3,) 1/m, cells on a metre
    across: Ints  # (3,) cells on a period
    shape: Ints  # (3,) cells of the ring
    tight: bool  # whether the nearest image must be found for each pair, not for each cell
    inside: bool  # whether all agents are within the period, so that cells off the seam need no images

    @property
    def cells(self) -> int:
        """Number of cells of a world."""
        first, second, third = self.shape.tolist()
        return int(first * second * third)


def make_grid(box: Floats, reach: float, low: Sequence[float], high: Sequence[float], room: float) -> Grid:
    """The grid for agents between two corners.

    Args:
        box: (D,) m, period of each axis, 0 where it does not wrap.
        reach: m, a cell and those around it hold all within this range; may be inf.
        low, high: Three each, m, corners of the box about all agents, of which the first D count.
        room: Cells there may be at most, or 27 where it is less.
    """
    # Plain numbers: for as few as three axes arrays would take longer than sorting a thousand agents.
    pad, inside = 3 - len(box), True
    period, origin, per_metre, across, shape = [0.0] * 3, [0.0] * 3, [0.0] * 3, [1] * 3, [1] * 3
    for g, length, first, last in zip(range(pad, 3), box.tolist(), low, high):
        width = max(reach * (1 + SLACK), max(last - first, abs(first), abs(last)) * FINEST)
        period[g] = length
        if length > 0.0:
            shape[g] = int(max(1.0, min(length / width, 1 / FINEST)))
            inside &= first >= 0.0 and last < length
        else:
            origin[g], per_metre[g] = first, 1 / width
            # One cell that stays empty keeps the two ends of the ring apart.
            shape[g] = int((last - first) / width) + 2 if width < inf else 1
    wanted = shape.copy()
    while shape[0] * shape[1] * shape[2] > room and max(shape) > 3:
        widest = shape.index(max(shape))
        shape[widest] = max(3, shape[widest] // 2)
    tight = False
    for g in range(pad, 3):
        if period[g] > 0.0:
            turns = -(-wanted[g] // shape[g])
            shape[g] = max(wanted[g] // turns, min(wanted[g], 3))
            across[g] = shape[g] * (wanted[g] // shape[g])
            per_metre[g] = across[g] / period[g]
            tight |= across[g] <= 3 or across[g] > shape[g]
    sizes = np.array([across, shape])
    return Grid(np.array(period), np.array(origin), np.array(per_metre), sizes[0], sizes[1], tight, inside)
