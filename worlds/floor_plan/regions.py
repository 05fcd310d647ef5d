"""Which cells of a goal region are the goal itself, and which rectangles make up the obstacles."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from swarm.compiled import kernel
from swarm.state import Bools, Ints


@kernel
def inner(goal: Bools) -> Bools:
    """Goal cells whose neighbours in the plan, all eight, are goal cells; all of a region that has no such cell.

    Args:
        goal: (rows, columns), cells that are painted as goal. Those that touch, at corners too, are one region.

    Returns:
        (rows, columns).
    """
    rows, columns = goal.shape
    made, seen = np.zeros((rows, columns), dtype=np.bool_), np.zeros((rows, columns), dtype=np.bool_)
    region = np.empty(int(goal.sum()), dtype=np.int64)
    for start in range(rows * columns):
        if not goal[start // columns, start % columns] or seen[start // columns, start % columns]:
            continue
        region[0], size, done, deep = start, 1, 0, 0
        seen[start // columns, start % columns] = True
        while done < size:
            row, column = region[done] // columns, region[done] % columns
            done += 1
            made[row, column] = True
            for a in range(max(row - 1, 0), min(row + 2, rows)):
                for b in range(max(column - 1, 0), min(column + 2, columns)):
                    if not goal[a, b]:
                        made[row, column] = False
                    elif not seen[a, b]:
                        seen[a, b], region[size] = True, a * columns + b
                        size += 1
            deep += made[row, column]
        for place in range(size if deep == 0 else 0):
            made[region[place] // columns, region[place] % columns] = True
    return made


@kernel
def rectangles(solid: Bools) -> Ints:
    """Rectangles that cover the solid cells and nothing else.

    Row by row each solid cell that is not covered yet gets a rectangle as wide, then as high as can be. It is then
    stretched over covered cells as well, so that rectangles overlap where they could, instead of leaving a seam.

    Args:
        solid: (rows, columns).

    Returns:
        (K, 4) first row, row after the last, first column, column after the last.
    """
    rows, columns = solid.shape
    covered = np.zeros((rows, columns), dtype=np.bool_)
    counts = np.zeros((rows + 1, columns + 1), dtype=np.int32)  # solid cells above and left of each corner
    for row in range(rows):
        along = 0
        for column in range(columns):
            along += solid[row, column]
            counts[row + 1, column + 1] = counts[row, column + 1] + along
    found, count = np.empty((16, 4), dtype=np.int64), 0
    for row in range(rows):
        for column in range(columns):
            if covered[row, column] or not solid[row, column]:
                continue
            top, bottom, left, right = row, row + 1, column, column + 1
            while right < columns and solid[row, right] and not covered[row, right]:
                right += 1
            while bottom < rows and _solid(counts, bottom, bottom + 1, left, right):
                bottom += 1
            while top > 0 and _solid(counts, top - 1, top, left, right):
                top -= 1
            while left > 0 and _solid(counts, top, bottom, left - 1, left):
                left -= 1
            while right < columns and _solid(counts, top, bottom, right, right + 1):
                right += 1
            covered[top:bottom, left:right] = True
            if count == len(found):
                found = np.concatenate((found, found))
            found[count, 0], found[count, 1], found[count, 2], found[count, 3] = top, bottom, left, right
            count += 1
    return found[:count]


@kernel
def _solid(counts: NDArray[np.int32], top: int, bottom: int, left: int, right: int) -> bool:
    """Whether all cells of a rectangle are solid, by a summed-area table (Crow 1984)."""
    inside = counts[bottom, right] - counts[top, right] - counts[bottom, left] + counts[top, left]
    return bool(inside == (bottom - top) * (right - left))
