"""The nearest surface of many places on a floor plan, by the few that can be nearest in the cell that each is in."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from swarm.compiled import kernel
from swarm.state import Floats, Ints
from swarm.worlds.primitives import signed_distance

if TYPE_CHECKING:
    from swarm.worlds.world import World

MOST = 5_000_000  # cells times surfaces, looked at once for a world
SLACK = 1e-6  # m, far above what rounding does to a distance


class Shelves(NamedTuple):
    """The surfaces that can be the nearest of some place in a cell; for cell c near[first[c] : first[c + 1]]."""

    items: Floats  # (S, 17), see `primitives`
    first: Ints  # (cells + 1,) row by row from below
    near: Ints  # (K,) rows of `items`
    columns: int
    cell: float  # m
    low_x: float  # m, left edge of the plan
    low_y: float  # m, lower edge


def shelves_of(world: World) -> Shelves | None:
    """Those of a world; None where something moves, is a mesh or is round a torus, or there would be too much to do."""
    plan = world.floor_plan
    if plan is None or world.moving or len(world.geometry.meshes) or world.boundary == "torus":
        return None
    items, (rows, columns) = world.geometry.items, plan.shape
    if len(items) == 0 or len(items) * rows * columns > MOST:
        return None
    low = plan.bounds[0].tolist()
    first, near = _fill(items, rows, columns, float(plan.cell), *low)
    return Shelves(items, first, near, columns, float(plan.cell), *low)


@kernel
def _fill(items: Floats, rows: int, columns: int, cell: float, low_x: float, low_y: float) -> tuple[Ints, Ints]:
    """From the middle of a cell to anywhere in it a distance changes by no more than half the cell's diagonal."""
    first, near, filled = np.zeros(rows * columns + 1, np.int64), np.empty(rows * columns * 4, np.int64), 0
    away, across = np.empty(len(items)), cell * math.sqrt(2.0)
    for c in range(rows * columns):
        nearest = math.inf
        for s in range(len(items)):
            x, y = low_x + (c % columns + 0.5) * cell, low_y + (c // columns + 0.5) * cell
            away[s] = signed_distance(items, s, x, y, 0.0)[0]
            nearest = min(nearest, away[s])
        if filled + len(items) > len(near):
            longer = np.empty(2 * (filled + len(items)), np.int64)
            longer[:filled] = near[:filled]
            near = longer
        for s in range(len(items)):
            if away[s] <= nearest + across + SLACK:
                near[filled] = s
                filled += 1
        first[c + 1] = filled
    return first, near[:filled]


@kernel
def clearance(points: Floats, shelves: Shelves) -> Floats:
    """Signed distances (A,) m of points (A, 2) to the nearest surface, as of `World.nearest`.

    To the bit, but for places inside and at a surface, where the world may look at fewer of those that meet there.
    """
    rows = (len(shelves.first) - 1) // shelves.columns
    distance = np.full(len(points), math.inf)
    for i in range(len(points)):
        x, y = points[i, 0], points[i, 1]
        column, up = math.floor((x - shelves.low_x) / shelves.cell), math.floor((y - shelves.low_y) / shelves.cell)
        if 0 <= column < shelves.columns and 0 <= up < rows:
            c = int(up) * shelves.columns + int(column)
            for k in range(shelves.first[c], shelves.first[c + 1]):
                distance[i] = min(distance[i], signed_distance(shelves.items, shelves.near[k], x, y, 0.0)[0])
        else:
            for s in range(len(shelves.items)):
                distance[i] = min(distance[i], signed_distance(shelves.items, s, x, y, 0.0)[0])
    return distance
