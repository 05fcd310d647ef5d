"""Where a walker that is free to go turns to: the neighbouring cell that is nearest to the goal."""

from __future__ import annotations

import math

from swarm.compiled import kernel
from swarm.worlds.floor_plan.places import Ground
from swarm.worlds.floor_plan.plan import OBSTACLE


@kernel
def next_cell(up: int, column: int, ground: Ground, whole_steps: bool, share: float) -> tuple[int, int]:
    """Row from below and column of one of those of the eight neighbours that are nearest to the goal.

    Args:
        up, column: The cell that the walker is in.
        ground: What it walks on.
        whole_steps: Whether a diagonal neighbour counts only if both cells beside the way to it are walkable.
        share: 0 to below 1, which of several.

    Returns:
        (-1, -1) where no neighbour has a way to the goal.
    """
    nearest, ties = math.inf, 0
    for side in range(9):
        away = _away(up, column, side, ground, whole_steps)
        if away < nearest:
            nearest, ties = away, 1
        elif away == nearest:
            ties += 1
    if nearest == math.inf:
        return -1, -1
    chosen = min(int(share * ties), ties - 1)
    for side in range(9):
        if _away(up, column, side, ground, whole_steps) == nearest:
            if chosen == 0:
                return up + side // 3 - 1, column + side % 3 - 1
            chosen -= 1
    return -1, -1


@kernel
def _away(up: int, column: int, side: int, ground: Ground, whole_steps: bool) -> float:
    """m from a neighbour to the goal; inf for the cell itself (side 4), walls and what does not count."""
    rows, columns = ground.cells.shape
    row, at = rows - 1 - (up + side // 3 - 1), column + side % 3 - 1
    if side == 4 or row < 0 or row >= rows or at < 0 or at >= columns:
        return math.inf
    if whole_steps and (ground.cells[row, column] == OBSTACLE or ground.cells[rows - 1 - up, at] == OBSTACLE):
        return math.inf
    return ground.distance[row, at]
