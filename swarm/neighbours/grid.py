"""How wide the cells are, and how many: enough that a cell is no narrower than the range, never more than agents need."""

from __future__ import annotations

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

    @property
    def cells(self) -> int:
        """Number of cells of a world."""
        return int(self.shape.prod())


def make_grid(box: Floats, reach: float, low: Floats, high: Floats, room: float) -> Grid:
    """The grid for agents between two corners.

    Args:
        box: (D,) m, period of each axis, 0 where it does not wrap.
        reach: m, a cell and those around it hold all within this range; may be inf.
        low, high: (3,) m, corners of the box about all agents, of which the first D count.
        room: Cells there may be at most, or 27 where it is less.
    """
    dim, pad = len(box), 3 - len(box)
    period, origin, per_metre = np.zeros(3), np.zeros(3), np.zeros(3)
    across, shape = np.ones(3, np.int64), np.ones(3, np.int64)
    for k in range(dim):
        g = k + pad
        extent = max(high[k] - low[k], abs(low[k]), abs(high[k]))
        width = max(reach * (1 + SLACK), extent * FINEST)
        period[g] = box[k]
        if box[k] > 0.0:
            across[g] = max(1.0, min(box[k] / width, 1e9))
            shape[g] = across[g]
        else:
            origin[g] = low[k]
            # One cell that stays empty keeps the two ends of the ring apart.
            shape[g] = (high[k] - low[k]) / width + 2 if np.isfinite(reach) else 1
            per_metre[g] = 1 / width
    wanted = shape.copy()
    while float(shape[0]) * float(shape[1]) * float(shape[2]) > room and shape.max() > 3:
        widest = int(shape.argmax())
        shape[widest] = max(3, shape[widest] // 2)
    for g in range(pad, 3):
        if period[g] > 0.0:
            turns = -(-wanted[g] // shape[g])
            shape[g] = max(wanted[g] // turns, min(wanted[g], 3))
            across[g] = shape[g] * max(1, wanted[g] // shape[g])
            per_metre[g] = across[g] / period[g]
    tight = bool(((period > 0.0) & ((across <= 3) | (across > shape))).any())
    return Grid(period, origin, per_metre, across, shape, tight)
