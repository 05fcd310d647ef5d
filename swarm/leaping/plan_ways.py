"""Ways over a floor plan for compiled code."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from swarm.compiled import kernel
from swarm.state import Bools, Floats, Ints
from swarm.worlds.floor_plan.downhill import Downhill, ahead, remaining
from swarm.worlds.floor_plan.places import Ground, ground_of, up_and_column


class Downhills(NamedTuple):
    """What `downhill.ahead` needs."""

    ground: Ground
    walkable: Bools
    onward: Ints
    length: Floats  # (rows, columns) m
    cell: float  # m
    x: float  # m, middle of the lower left cell
    y: float


def downhills(ways: Downhill) -> Downhills:
    """Ways for compiled code."""
    plan = ways.plan
    return Downhills(ground_of(plan), plan.walkable, ways.onward, plan.geodesic, *plan.packed[1:])


@kernel
def cells_of(ways: Downhills, position: Floats) -> tuple[Ints, Ints]:
    """Rows and columns of the cells that positions (A, 2) m are in."""
    row, column = np.empty(len(position), np.int64), np.empty(len(position), np.int64)
    for i in range(len(position)):
        up, column[i] = up_and_column(position, i, ways.ground)
        row[i] = len(ways.walkable) - 1 - up
    return row, column


@kernel
def left(ways: Downhills, position: Floats) -> Floats:
    """Ways to go (A,) m, as of `Downhill.left`."""
    row, column = cells_of(ways, position)
    return remaining(position, row, column, ways.onward, ways.length, ways.cell, ways.x, ways.y)


@kernel
def lead(ways: Downhills, position: Floats, direction: Floats) -> None:
    """Write unit directions (A, 2) of the ways from positions (A, 2) m; zero at the goal, and where there is none."""
    row, column = cells_of(ways, position)
    direction[:] = ahead(position, row, column, ways.walkable, ways.onward, ways.length, ways.cell, ways.x, ways.y)[1]
