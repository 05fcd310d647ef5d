"""What a walker knows of every cell beforehand: where it would turn to from there, and whether walls are about."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from swarm.compiled import kernel
from swarm.state import Bools
from swarm.worlds.floor_plan.places import Ground
from swarm.worlds.floor_plan.plan import OBSTACLE

FARTHEST = 10  # cells within which it is worked out whether walls are about


class Ways(NamedTuple):
    """What is known of every cell, (rows, columns)."""

    nearest: NDArray[np.int16]  # bit 3 * up + column of those of the eight neighbours that are nearest to the goal
    open: Bools  # whether nobody in it can have the middle of a wall cell within its personal space


def ways_of(ground: Ground, radius: float, repaired: bool) -> Ways:
    """What walkers know of a plan.

    Args:
        ground: The plan.
        radius: m, of the personal space.
        repaired: Whether the edge of the plan is walls, and diagonal neighbours count only where no corner is cut.
    """
    shape = ground.cells.shape
    ways = Ways(np.zeros(shape, np.int16), np.zeros(shape, np.bool_))
    _look_round(ground, radius, repaired, ways)
    return ways


@kernel
def _look_round(ground: Ground, radius: float, repaired: bool, ways: Ways) -> None:
    rows, columns = ground.cells.shape
    for row in range(rows):
        for column in range(columns):
            nearest, sides = math.inf, 0
            for side in range(9):
                away = _away(row, column, side, ground, repaired)
                if away < nearest:
                    nearest, sides = away, 1 << side
                elif away == nearest and nearest < math.inf:
                    sides |= 1 << side
            ways.nearest[row, column] = sides
            ways.open[row, column] = _open(row, column, ground, radius, repaired)


@kernel
def _away(row: int, column: int, side: int, ground: Ground, whole_steps: bool) -> float:
    """m from a neighbour to the goal; inf for the cell itself (side 4), walls and what does not count."""
    rows, columns = ground.cells.shape
    to_row, to_column = row - (side // 3 - 1), column + side % 3 - 1
    if side == 4 or to_row < 0 or to_row >= rows or to_column < 0 or to_column >= columns:
        return math.inf
    if whole_steps and (ground.cells[to_row, column] == OBSTACLE or ground.cells[row, to_column] == OBSTACLE):
        return math.inf
    return float(ground.distance[to_row, to_column])


@kernel
def _open(row: int, column: int, ground: Ground, radius: float, edges: bool) -> bool:
    rows, columns = ground.cells.shape
    reach = radius / ground.cell
    far = math.ceil(reach + 0.5)
    if far > FARTHEST:
        return False
    for y in range(row - far, row + far + 1):
        for x in range(column - far, column + far + 1):
            inside = 0 <= y < rows and 0 <= x < columns
            wall = ground.cells[y, x] == OBSTACLE if inside else edges
            if wall and math.hypot(max(abs(x - column) - 0.5, 0.0), max(abs(y - row) - 0.5, 0.0)) <= reach:
                return False
    return True


@kernel
def next_cell(up: int, column: int, ways: Ways, share: float) -> tuple[int, int]:
    """Row from below and column of one of those of the eight neighbours that are nearest to the goal.

    Args:
        up, column: The cell that the walker is in.
        ways: What it knows.
        share: 0 to below 1, which of several.

    Returns:
        (-1, -1) where no neighbour has a way to the goal.
    """
    sides, ties = ways.nearest[len(ways.nearest) - 1 - up, column], 0
    for side in range(9):
        ties += (sides >> side) & 1
    chosen = min(int(share * ties), ties - 1)
    for side in range(9):
        if (sides >> side) & 1:
            if chosen == 0:
                return up + side // 3 - 1, column + side % 3 - 1
            chosen -= 1
    return -1, -1
