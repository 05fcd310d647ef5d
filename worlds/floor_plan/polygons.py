"""Shapes on a grid of cells: a cell is in a shape when its middle is."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from swarm.errors import BadInput
from swarm.state import Bools, Floats
from swarm.worlds.floor_plan.plan import MOST

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
        self._nudge = 1e-6 * cell  # a middle on an edge is in the shape to the right of it, or above
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

    def disc(self, center: Sequence[float], radius: float) -> Bools:
        """Cells inside a circle, (rows, columns)."""
        x, y = self.x + self._nudge - center[0], self.y + self._nudge - center[1]
        return np.asarray(x * x + (y * y)[:, None] < radius * radius)


def box(low: Sequence[float], high: Sequence[float]) -> Ring:
    """The corners of a rectangle between two corners, counter-clockwise."""
    return [(low[0], low[1]), (high[0], low[1]), (high[0], high[1]), (low[0], high[1])]
