"""Scents on the cells of a plane: laid, spreading around walls, and fading."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from swarm.compiled import kernel
from swarm.errors import BadInput
from swarm.state import Bools, Floats, Ints

if TYPE_CHECKING:
    from swarm.worlds.world import World

MOST = 4_000_000  # cells
STABLE = 0.2  # share of the difference to a neighbour that flows in one go; 0.25 would be the most
MOST_PARTS = 1_000  # of a step, as which diffusion may have to be counted


class Field:
    """Amounts of scent in square cells (nearly square: they fill the bounds)::

        dc/dt = diffusion * laplacian(c) - evaporation * c

    Between two neighbouring cells something flows only if both middles are free and nothing solid stands between them.
    Diffusion takes from one cell what it gives to the other, so it keeps the total; fading by exp(-evaporation dt) is
    exact.

    Source: the heat equation by the explicit five-point scheme, in as many parts of a step as keep it stable.

    Args:
        world: A torus wraps.
        cell: m, edge of a cell.
        kinds: Number of scents.
        height: m, of the plane in a world of three dimensions; points stand for those above and below.

    Attributes:
        amount: (K, rows, columns), row 0 at the smallest y.
        free: (rows, columns) bool.

    Raises:
        BadInput: Too many cells.
    """

    def __init__(self, world: World, cell: float, kinds: int = 1, height: float = 0.0) -> None:
        size = (world.bounds[1] - world.bounds[0])[:2]
        columns, rows = (max(round(float(length) / cell), 1) for length in size)
        if rows * columns > MOST:
            raise BadInput(f"cell: {cell:g} m makes {rows * columns:,} cells of this world, expected at most {MOST:,}")
        self._low, self._cell = world.bounds[0, :2], size / [columns, rows]
        self._wraps = world.boundary == "torus"
        self.amount = np.zeros((kinds, rows, columns))
        x, y = np.meshgrid(np.arange(columns) + 0.5, np.arange(rows) + 0.5)
        middle = self._low + np.stack([x, y], axis=-1) * self._cell
        if world.dim == 3:
            middle = np.concatenate([middle, np.full((rows, columns, 1), height)], axis=-1)
        self.free: Bools = world.clearance(middle)[0] > 0.0
        self._east = self._open(world, middle, 1)
        self._north = self._open(world, middle, 0)

    def _open(self, world: World, middle: Floats, axis: int) -> Bools:
        """(rows, columns) whether scent flows to the next cell along an axis."""
        open_ = self.free & np.roll(self.free, -1, axis=axis)
        last = [slice(None), slice(None)]
        last[axis] = slice(-1, None)
        if not self._wraps or self.free.shape[axis] < 3:  # round two cells it would flow twice
            open_[tuple(last)] = False
        if open_.any():
            open_[open_] = world.visible(middle[open_], np.roll(middle, -1, axis=axis)[open_])
        return np.asarray(open_)

    def cells(self, points: Floats) -> tuple[Ints, Ints]:
        """Row and column (...,) of points (..., D) m; -1 outside."""
        place = np.floor((points[..., :2] - self._low) / self._cell).astype(np.int64)
        rows, columns = self.free.shape
        column, row = place[..., 0], place[..., 1]
        if self._wraps:
            return row % rows, column % columns
        inside = (column >= 0) & (column < columns) & (row >= 0) & (row < rows)
        return np.where(inside, row, -1), np.where(inside, column, -1)

    def at(self, kind: Ints | int, points: Floats) -> Floats:
        """Amounts (...,) per cell at points (..., D) m, of one kind or each of its own; 0 outside."""
        row, column = self.cells(points)
        return np.asarray(np.where(row >= 0, self.amount[kind, row, column], 0.0))

    def deposit(self, kind: Ints | int, points: Floats, amount: Floats) -> None:
        """Add amounts (A,) of kinds (A,) at points (A, D) m; outside and in walls it is lost."""
        row, column = self.cells(points)
        there = (row >= 0) & self.free[row, column]
        kinds = np.broadcast_to(kind, row.shape)
        np.add.at(self.amount, (kinds[there], row[there], column[there]), amount[there])

    def parts(self, dt: float, diffusion: float) -> int:
        """In how many parts a step of `dt` s spreads by `diffusion` m^2/s, so that it is stable.

        Raises:
            BadInput: In more than a step can take; within so long a step scent is all over dozens of cells anyway.
        """
        finest = float(self._cell.min())
        wanted = diffusion / finest * dt / finest / STABLE
        if not wanted <= MOST_PARTS:
            most = MOST_PARTS * STABLE * finest / dt * finest
            raise BadInput(
                f"diffusion: expected at most {most:g} m^2/s for cells of {finest:g} m and steps of {dt:g} s, "
                f"got {diffusion:g}"
            )
        return max(math.ceil(wanted), 1)

    def step(self, dt: float, diffusion: float, evaporation: float) -> None:
        """Spread and fade for `dt` s, with diffusion in m^2/s and evaporation in 1/s.

        Raises:
            BadInput: As for `parts`.
        """
        parts = self.parts(dt, diffusion)
        share = diffusion * dt / self._cell**2
        for scent in self.amount:
            if diffusion > 0.0:
                spread(scent, self._east, self._north, share[0] / parts, share[1] / parts, parts)
        self.amount *= math.exp(-evaporation * dt)


@kernel
def spread(amount: Floats, east: Bools, north: Bools, share_east: float, share_north: float, parts: int) -> None:
    """Let shares of the differences between open neighbours flow, `parts` times; `amount` (rows, columns) changes."""
    rows, columns = amount.shape
    change = np.empty((rows, columns))
    for _ in range(parts):
        change[:] = 0.0
        for r in range(rows):
            above = (r + 1) % rows
            for c in range(columns):
                if east[r, c]:
                    beside = (c + 1) % columns
                    flow = share_east * (amount[r, beside] - amount[r, c])
                    change[r, c] += flow
                    change[r, beside] -= flow
                if north[r, c]:
                    flow = share_north * (amount[above, c] - amount[r, c])
                    change[r, c] += flow
                    change[above, c] -= flow
        for r in range(rows):
            for c in range(columns):
                amount[r, c] += change[r, c]
