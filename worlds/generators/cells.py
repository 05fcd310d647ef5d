"""Cells of a square grid, some of them solid: so many at random, as a NetLogo world has them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated

import numpy as np
from msgspec import Meta

from swarm.errors import BadInput
from swarm.state import Floats, Ints
from swarm.worlds.generators.filling import Filling
from swarm.worlds.generators.keys import MOST, Corner, Seed
from swarm.worlds.obstacles import Obstacle


@dataclass(frozen=True)
class Cells:
    """Keys of `[generator] kind = "cells"`.

    The grid begins in the lowest corner of the world; what is left over at the far side stays free. Free cells hang
    together by their sides, so nobody starts in a pocket that he cannot leave.
    """

    kind: str
    count: Annotated[int, Meta(ge=0, le=MOST)] = 50
    cell: Annotated[float, Meta(gt=0, le=1e6)] = 1.0  # m, edge
    keep_clear: list[Corner] = field(default_factory=list)  # m, spots whose cells stay free
    clear: Annotated[float, Meta(ge=0)] = 0.0  # m around them as well
    seed: Seed | None = None

    def fill(self, bounds: Floats, rng: np.random.Generator) -> Filling:
        """The solid cells; in three dimensions columns all the way up.

        Args:
            bounds: (2, D) m of the world.
            rng: Where chance comes from.

        Raises:
            BadInput: There are not so many cells, or no way to leave the free ones connected was found.
        """
        low = bounds[0, :2]
        wide, deep = (int(n) for n in np.floor((bounds[1, :2] - low) / self.cell + 1e-9))
        if wide * deep > 1_000_000:
            raise BadInput(f"cell: expected at most a million cells in the world, got {wide * deep:,}")
        across = low + self.cell * (np.indices((wide, deep)).reshape(2, -1).T + 0.5)
        gap = np.full(len(across), np.inf)
        for spot in self.keep_clear:
            beside = np.maximum(np.abs(across - np.asarray(spot)) - self.cell / 2, 0.0)
            gap = np.minimum(gap, np.hypot(beside[:, 0], beside[:, 1]))
        allowed = np.flatnonzero(gap > self.clear)
        if self.count > len(allowed):
            raise BadInput(f"count: expected at most the {len(allowed)} cells that may be solid, got {self.count}")
        solid = drawn(allowed, self.count, wide, deep, rng)
        if solid is None:
            raise BadInput(f"count: found no {self.count} cells that leave the free ones connected; use fewer")
        return Filling([self._column(across[c], k, bounds) for k, c in enumerate(solid.tolist())])

    def _column(self, middle: Floats, number: int, bounds: Floats) -> Obstacle:
        x, y = middle.tolist()
        if bounds.shape[1] == 2:
            return Obstacle("box", (x, y), f"cell {number}", size=(self.cell, self.cell))
        low, high = bounds[:, 2].tolist()
        return Obstacle("box", (x, y, (low + high) / 2), f"cell {number}", size=(self.cell, self.cell, high - low))


def drawn(allowed: Ints, count: int, wide: int, deep: int, rng: np.random.Generator) -> Ints | None:
    """So many cells at random; where they shut some free ones in, one side of each pocket is another cell instead.

    Args:
        allowed: (M,) the cells that may be solid, each x * deep + y.
        count: At most M.
        wide, deep: Cells along x and y.
        rng: Where chance comes from.

    Returns:
        (count,) in order, or None where cells to try instead ran out.
    """
    order = rng.permutation(allowed)
    solid, following = order[:count], count
    while True:
        sides = sides_of_pockets(solid, wide, deep)
        if len(sides) == 0:
            return np.sort(solid)
        if following + len(sides) > len(order):
            return None
        solid = np.concatenate([solid[~np.isin(solid, sides)], order[following : following + len(sides)]])
        following += len(sides)


def sides_of_pockets(solid: Ints, wide: int, deep: int) -> Ints:
    """One solid cell beside each part of the free cells but the largest; a boundary that wraps connects nothing."""
    from scipy import ndimage  # on demand: most worlds have no cells

    walls = np.zeros((wide, deep), np.bool_)
    walls.flat[solid] = True
    parts, found = ndimage.label(~walls)
    if found <= 1:
        return np.empty(0, np.int64)
    size = np.bincount(parts.ravel())[1:]
    chosen = []
    for pocket in range(1, found + 1):
        if pocket != size.argmax() + 1:
            chosen.append(int(np.flatnonzero(ndimage.binary_dilation(parts == pocket) & walls)[0]))
    return np.unique(np.array(chosen, np.int64))
