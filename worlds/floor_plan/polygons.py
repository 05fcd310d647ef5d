"""Shapes on a grid of cells: those whose middle is in a shape, those that lie wholly in it, and those that it touches.

Sources and goals go by the middles of cells. What is solid takes every cell that it covers a part of, so that no wall,
however thin, vanishes or has a gap.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from swarm.errors import BadInput
from swarm.state import Bools, Floats, Ints
from swarm.worlds.floor_plan.plan import MOST

NUDGE = 1e-6  # cells; a matter of rounding
Ring = Sequence[Sequence[float]]  # (K, 2) m; the last corner may repeat the first


class Raster:
    """The middles of the cells that cover a box.

    Args:
        low, high: (2,) m, corners of the box; the grid begins at the lower left one.
        cell: m.

    Raises:
        BadInput: The box is empty, or needs more than 4,000 rows or columns.
    """

    def __init__(self, low: Sequence[float], high: Sequence[float], cell: float) -> None:
        spans = [(last - first) / cell for first, last in zip(low, high)]
        if not all(0.0 < span < math.inf for span in spans):
            raise BadInput(f"expected an area wider and higher than 0, got {list(low)} to {list(high)}")
        columns, rows = (max(1, math.ceil(min(span, 1e9) - 1e-6)) for span in spans)
        if rows > MOST or columns > MOST:
            raise BadInput(
                f"expected at most {MOST:,} rows and columns of cells, got {rows:,} rows of {columns:,} with cells of "
                f"{cell:g} m"
            )
        self.shape = rows, columns
        self.origin = float(low[0]) + cell / 2.0, float(low[1]) + cell / 2.0
        self._cell = cell
        self._nudge = NUDGE * cell  # a middle on an edge is in the shape to the right of it, or above
        self.x: Floats = np.asarray(self.origin[0] + cell * np.arange(columns))  # (columns,)
        self.y: Floats = np.asarray(self.origin[1] + cell * np.arange(rows)[::-1])  # (rows,), the largest first

    def within(self, rings: Sequence[Ring]) -> Bools:
        """Cells inside a polygon with holes: those whose middle has an odd number of edges to its left.

        Args:
            rings: The outline and the holes, in any order, none of them crossing.

        Returns:
            (rows, columns).
        """
        inside = np.zeros(self.shape, dtype=np.bool_)
        rounds = [np.asarray(ring, dtype=np.float64)[:, :2] for ring in rings]
        start = np.concatenate(rounds)
        end = np.concatenate([np.roll(corners, -1, axis=0) for corners in rounds])
        lowest, highest = np.minimum(start[:, 1], end[:, 1]), np.maximum(start[:, 1], end[:, 1])
        x = self.x + self._nudge
        for row, y in enumerate((self.y + self._nudge).tolist()):
            met = (lowest <= y) & (y < highest)
            if met.any():
                a, b = start[met], end[met]
                crossings = np.sort(a[:, 0] + (y - a[:, 1]) / (b[:, 1] - a[:, 1]) * (b[:, 0] - a[:, 0]))
                inside[row] = np.searchsorted(crossings, x) % 2 == 1
        return inside

    def touched(self, rings: Sequence[Ring]) -> Bools:
        """Cells that a polygon with holes covers a part of, (rows, columns)."""
        return self.within(rings) | self._cut(rings)

    def filled(self, rings: Sequence[Ring]) -> Bools:
        """Cells that lie wholly in a polygon with holes, (rows, columns)."""
        return self.within(rings) & ~self._cut(rings)

    def _cut(self, rings: Sequence[Ring]) -> Bools:
        """Cells through which a side of a polygon goes, more than along their edges, (rows, columns).

        Of a valid polygon a part of such a cell is inside and a part outside; any other cell lies on one side whole.
        """
        rows, columns = self.shape
        rounds = [np.asarray(ring, dtype=np.float64)[:, :2] for ring in rings]
        low = np.array([self.x[0], self.y[-1]]) / self._cell - 0.5
        start = np.concatenate(rounds) / self._cell - low  # cells from the grid's corner
        end = np.concatenate([np.roll(corners, -1, axis=0) for corners in rounds]) / self._cell - low
        first, last = _spans(np.minimum(start[:, 1], end[:, 1]), np.maximum(start[:, 1], end[:, 1]), rows)
        count = np.maximum(last - first, 0)
        side = np.repeat(np.arange(len(start)), count)
        up = first[side] + np.arange(len(side)) - np.repeat(np.cumsum(count) - count, count)
        (a_x, a_y), (b_x, b_y) = start[side].T, end[side].T
        rise = np.where(a_y == b_y, 1.0, b_y - a_y)  # a level side is in its row whole
        shares = np.stack([(up + NUDGE - a_y) / rise, (up + 1.0 - NUDGE - a_y) / rise])
        shares = np.where(a_y == b_y, [[0.0], [1.0]], np.clip(shares, 0.0, 1.0))
        x = a_x + shares * (b_x - a_x)
        left, right = _spans(x.min(axis=0), x.max(axis=0), columns)
        some = right > left
        marks = np.zeros((rows, columns + 1), np.int64)
        np.add.at(marks, (rows - 1 - up[some], left[some]), 1)
        np.add.at(marks, (rows - 1 - up[some], right[some]), -1)
        return np.asarray(np.cumsum(marks, axis=1)[:, :columns] > 0)

    def touched_by_disc(self, center: Sequence[float], radius: float) -> Bools:
        """Cells that a circle covers a part of, (rows, columns)."""
        x, y = (
            np.maximum(np.abs(middles - at) - self._cell / 2.0, 0.0) for middles, at in zip((self.x, self.y), center)
        )
        own = (x == 0.0) & (y == 0.0)[:, None]  # of one smaller than the rounding
        return np.asarray((np.hypot(x, y[:, None]) < radius - self._nudge) | own)

    def disc(self, center: Sequence[float], radius: float) -> Bools:
        """Cells inside a circle, (rows, columns)."""
        x, y = self.x + self._nudge - center[0], self.y + self._nudge - center[1]
        return np.asarray(x * x + (y * y)[:, None] < radius * radius)


def _spans(low: Floats, high: Floats, count: int) -> tuple[Ints, Ints]:
    """First cell, and cell after the last, of `count` in a line, that what reaches from low to high (in cells) is in."""
    first = np.ceil(np.clip(low, -1.0, count + 1.0) - 1.0 + NUDGE).astype(np.int64)
    last = np.floor(np.clip(high, -1.0, count + 1.0) - NUDGE).astype(np.int64) + 1
    return np.clip(first, 0, count), np.clip(last, 0, count)


def box(low: Sequence[float], high: Sequence[float]) -> Ring:
    """The corners of a rectangle between two corners, counter-clockwise."""
    return [(low[0], low[1]), (high[0], low[1]), (high[0], high[1]), (low[0], high[1])]
