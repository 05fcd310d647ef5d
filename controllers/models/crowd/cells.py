"""The cells of a crowd automaton: which can be stood on, who stands where, and what walkers left behind."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from swarm.errors import BadInput
from swarm.state import Bools, Floats, Ints
from swarm.worlds.world import World

MOST = 4_000_000  # cells
AROUND = np.array([(0, 0), (1, 0), (0, 1), (-1, 0), (0, -1)], dtype=np.int64)  # stay, then +x, +y, −x, −y


@dataclass(frozen=True, eq=False)
class Cells:
    """Squares over the level bounds of a world; cell (i, j) is the i-th along x and the j-th along y.

    On a torus they are stretched so that a whole number fits.
    """

    low: Floats  # (2,) m
    side: Floats  # (2,) m
    free: Bools  # (columns, rows) whose middle has room for a hull
    wraps: Bools  # (2,) whether the world is one around along x and y

    def center(self, cell: Ints) -> Floats:
        """(..., 2) m, middles of cells (..., 2)."""
        return np.asarray(self.low + self.side * (cell + 0.5))

    def of(self, points: Floats) -> Ints:
        """(..., 2) cells that points (..., 2) m are in; the nearest of those outside."""
        cell = np.floor((points - self.low) / self.side).astype(np.int64)
        return np.clip(cell, 0, np.array(self.free.shape) - 1)

    def settled(self, points: Floats, world_index: Ints) -> Ints:
        """(A, 2) cells for walkers at points (A, 2) m, one a cell: the nearest free one that nobody before has taken.

        Raises:
            BadInput: There are more walkers than free cells.
        """
        middles = np.argwhere(self.free)
        places, taken, cells = self.center(middles), set[tuple[int, int, int]](), np.empty((len(points), 2), np.int64)
        period = np.where(self.wraps, self.side * np.array(self.free.shape), np.inf)
        for agent, point in enumerate(points):
            away = np.abs(places - point)
            away = np.minimum(away, np.abs(period - away))
            for nearest in np.argsort((away * away).sum(axis=1), kind="stable").tolist():
                key = (int(world_index[agent]), int(middles[nearest, 0]), int(middles[nearest, 1]))
                if key not in taken:
                    break
            else:
                raise BadInput(f"floor-field: expected at most as many walkers as free cells, {len(middles)}")
            taken.add(key)
            cells[agent] = key[1:]
        return cells


def cells_of(world: World, side: float, radius: float, height: float) -> Cells:
    """The cells of a world.

    Args:
        world: Where.
        side: m.
        radius: m, of a hull, for which a free cell has room.
        height: m, of the walkers in a world of three dimensions.

    Raises:
        BadInput: More cells than can be kept.
    """
    low, size = world.bounds[0, :2], world.bounds[1, :2] - world.bounds[0, :2]
    wraps = np.full(2, world.boundary == "torus")
    shape = np.maximum(1, np.where(wraps, np.rint(size / side), np.floor(size / side + 1e-6))).astype(np.int64)
    if shape.prod() > MOST:
        raise BadInput(f"floor-field: expected at most {MOST:,} cells in the bounds, got {shape[0]} x {shape[1]}")
    sides = np.where(wraps, size / shape, side)
    grid = np.stack(np.meshgrid(*(np.arange(n) for n in shape), indexing="ij"), axis=-1)
    points = np.full((*shape, world.dim), height)
    points[..., :2] = low + sides * (grid + 0.5)
    room = np.concatenate([world.clearance(row)[0] for row in points]).reshape(tuple(shape))
    return Cells(low, sides, room >= radius - 1e-6, wraps)
