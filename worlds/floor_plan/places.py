"""Where a point is on a floor plan, and the nearest walkable place, for compiled code."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from swarm.compiled import kernel
from swarm.state import Floats
from swarm.worlds.floor_plan.plan import OBSTACLE, FloorPlan

Cells = NDArray[np.int8]
SKIN = 1e-9  # cells by which what is put beside a wall stays off it, where coordinates are that fine


class Ground(NamedTuple):
    """A plan as walkers have it under their feet. Compiled code counts its rows `up` from the lowest."""

    cells: Cells  # (rows, columns), row 0 is the largest y
    distance: Floats  # (rows, columns) m to the goal, inf where there is no way
    cell: float  # m
    low_x: float  # m, left edge of the plan
    low_y: float  # m, lower edge of the plan
    skin: float  # cells by which what is put beside a wall stays off it


def ground_of(plan: FloorPlan) -> Ground:
    """A plan for compiled code."""
    packed = plan.packed
    fine = float(np.spacing(np.abs(plan.bounds).max()))  # m between the coordinates that there are
    skin = max(SKIN, 4.0 * fine / packed.cell)
    return Ground(packed.cells, plan.distance, packed.cell, float(plan.bounds[0, 0]), float(plan.bounds[0, 1]), skin)


@kernel
def number_of(x: float, low: float, cell: float, count: int) -> int:
    """The cell, of `count` in a line from `low` on, that x is in; what is beyond counts as in the nearest of them."""
    return int(min(max(math.floor((x - low) / cell), 0), count - 1))


@kernel
def up_and_column(position: Floats, i: int, ground: Ground) -> tuple[int, int]:
    """Row from below and column of the cell that position i is in, as `FloorPlan.cell_of` has it."""
    rows, columns = ground.cells.shape
    return (
        number_of(position[i, 1], ground.low_y, ground.cell, rows),
        number_of(position[i, 0], ground.low_x, ground.cell, columns),
    )


@kernel
def put_free(position: Floats, i: int, ground: Ground) -> None:
    """Put position i on the nearest walkable place; where nothing is walkable, nothing changes.

    Of several that are as near, it takes the first, from below and then from the left, of the innermost ring of cells.
    """
    rows, columns = ground.cells.shape
    x, y = (position[i, 0] - ground.low_x) / ground.cell, (position[i, 1] - ground.low_y) / ground.cell
    skin = ground.skin
    x, y = min(max(x, skin), columns - skin), min(max(y, skin), rows - skin)
    column, up = int(x), int(y)
    nearest, best_x, best_y = math.inf, x, y
    for ring in range(max(rows, columns)):
        if (ring - 1.0) ** 2 > nearest:  # all that lies further out is at least so far
            break
        for at in range(max(up - ring, 0), min(up + ring, rows - 1) + 1):
            whole_row = ring == 0 or abs(at - up) == ring
            for other in range(column - ring, column + ring + 1, 1 if whole_row else 2 * ring):
                if other < 0 or other >= columns or ground.cells[rows - 1 - at, other] == OBSTACLE:
                    continue
                there_x = min(max(x, other + skin), other + 1.0 - skin)
                there_y = min(max(y, at + skin), at + 1.0 - skin)
                square = (there_x - x) ** 2 + (there_y - y) ** 2
                if square < nearest:
                    nearest, best_x, best_y = square, there_x, there_y
    if nearest < math.inf:
        position[i, 0] = ground.low_x + best_x * ground.cell
        position[i, 1] = ground.low_y + best_y * ground.cell
