"""How far every walkable cell is from the goal: three ways to measure.

Cells are numbered row by row. No way cuts a corner: a diagonal step needs both cells beside it to be walkable, and a
straight line needs every cell that it meets to be walkable, also those that it touches at a corner only.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from swarm.compiled import kernel
from swarm.state import Bools, Floats
from swarm.worlds.routes.heap import drop_first, lift

SIDES = np.array(
    [(0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (1, -1), (-1, 1), (-1, -1)]
)  # rows and columns to a neighbour


@kernel
def manhattan(walkable: Bools, goals: Bools, cell: float) -> Floats:
    """Way to the nearest goal cell over sides of walkable cells: a reverse flood fill from the goal cells.

    Args:
        walkable: (rows, columns).
        goals: (rows, columns), all of them walkable.
        cell: m, length of a step.

    Returns:
        (rows, columns) m, inf where there is no way.
    """
    rows, columns = walkable.shape
    wide = columns + 2  # with a rim that is not walkable, so that no neighbour has to be looked for
    steps = np.full((rows + 2) * wide, -2, dtype=np.int32)
    front = np.empty(rows * columns, dtype=np.int32)
    size = 0
    for row in range(rows):
        for column in range(columns):
            place = (row + 1) * wide + column + 1
            if goals[row, column]:
                steps[place], front[size] = 0, place
                size += 1
            elif walkable[row, column]:
                steps[place] = -1
    done = 0
    while done < size:
        place = front[done]
        done += 1
        further = steps[place] + 1
        for other in (place - wide, place - 1, place + 1, place + wide):
            if steps[other] == -1:
                steps[other], front[size] = further, other
                size += 1
    found = np.empty((rows, columns))
    for row in range(rows):
        for column in range(columns):
            count = steps[(row + 1) * wide + column + 1]
            found[row, column] = count * cell if count >= 0 else math.inf
    return found


@kernel
def eight(walkable: Bools, goals: Bools) -> Floats:
    """Length of the shortest way of steps to the eight neighbours, diagonal ones sqrt(2) long (Dijkstra 1959).

    Args, returns: As `manhattan`, in cells.
    """
    rows, columns = walkable.shape
    length = np.full(rows * columns, math.inf)
    heap, place = np.empty(rows * columns, dtype=np.int64), np.full(rows * columns, -1)
    size = _start(goals, length, heap, place)
    while size > 0:
        node = heap[0]
        size = drop_first(heap, place, length, size)
        for side in range(8):
            other = _step(walkable, node, side)
            if other >= 0:
                way = length[node] + (1.0 if side < 4 else math.sqrt(2.0))
                if way < length[other]:
                    length[other] = way
                    size = lift(heap, place, length, size, other)
    return length.reshape(rows, columns)


@kernel
def geodesic(walkable: Bools, goals: Bools) -> Floats:
    """Length of a way of straight lines of any angle between middles of cells (lazy Theta*; Nash et al. 2010).

    Never longer than by `eight`. It is some tenths of a percent above the shortest in halls and rooms, and one percent
    in clutter that blocks a quarter of all cells, where single ways are up to a quarter longer.

    Whether a cell sees the place to which its way is straight is looked at when its turn comes; one that does not gets
    its next best way and waits for its turn again.

    Args, returns: As `manhattan`, in cells.
    """
    rows, columns = walkable.shape
    length = np.full(rows * columns, math.inf)
    turn = np.arange(rows * columns)  # the cell to which the way is straight
    seen, done = goals.copy().reshape(-1), np.zeros(rows * columns, dtype=np.bool_)
    heap, place = np.empty(rows * columns, dtype=np.int64), np.full(rows * columns, -1)
    size = _start(goals, length, heap, place)
    while size > 0:
        node = heap[0]
        size = drop_first(heap, place, length, size)
        if not seen[node] and not in_sight(walkable, node, turn[node]):
            _bend(walkable, node, length, turn, seen, done)
            size = lift(heap, place, length, size, node)
            continue
        _shorten(walkable, node, length, turn, done)
        done[node] = True
        corner = turn[node]
        for side in range(8):
            other = _step(walkable, node, side)
            if other >= 0 and not done[other]:
                way = length[corner] + _apart(columns, corner, other)
                if way < length[other]:
                    length[other], turn[other], seen[other] = way, corner, corner == node
                    size = lift(heap, place, length, size, other)
    return length.reshape(rows, columns)


@kernel
def _bend(walkable: Bools, node: int, length: Floats, turn: NDArray[np.int64], seen: Bools, done: Bools) -> None:
    """Give a cell that does not see its turning point the next best way over its neighbours."""
    columns = walkable.shape[1]
    refused, corner = length[node], turn[node]
    length[node] = math.inf
    for side in range(8):
        other = _step(walkable, node, side)
        if other < 0 or not done[other]:
            continue
        way = length[other] + (1.0 if side < 4 else math.sqrt(2.0))
        if way < length[node] or (way == length[node] and not seen[node]):
            length[node], turn[node], seen[node] = way, other, True
        beyond = turn[other]
        way = length[beyond] + _apart(columns, beyond, node)
        if way < length[node] and (way > refused or (way == refused and beyond > corner)):
            length[node], turn[node], seen[node] = way, beyond, False


@kernel
def _shorten(walkable: Bools, node: int, length: Floats, turn: NDArray[np.int64], done: Bools) -> None:
    """Let a cell go straight to a turning point of its neighbours, or to the turn after that, if it is shorter."""
    columns = walkable.shape[1]
    for side in range(-1, 8):
        other = node if side < 0 else _step(walkable, node, side)
        if other < 0 or not (side < 0 or done[other]):
            continue
        for corner in (turn[other], turn[turn[other]]):
            way = length[corner] + _apart(columns, corner, node)
            if way < length[node] - 1e-9 and in_sight(walkable, node, corner):
                length[node], turn[node] = way, corner


@kernel
def in_sight(walkable: Bools, a: int, b: int) -> bool:
    """Whether all cells that the line between the middles of two walkable cells meets are walkable."""
    columns = walkable.shape[1]
    row, column = a // columns, a % columns
    down, right = b // columns - row, b % columns - column
    row_step, column_step = (1 if down > 0 else -1), (1 if right > 0 else -1)
    down, right = abs(down), abs(right)
    ahead = right - down  # of which side the line leaves the cell by: a column's if positive, at the corner if zero
    left = down + right
    while left > 0:
        if ahead > 0:
            column += column_step
            ahead -= 2 * down
            left -= 1
        elif ahead < 0:
            row += row_step
            ahead += 2 * right
            left -= 1
        else:
            if not walkable[row + row_step, column] or not walkable[row, column + column_step]:
                return False
            row += row_step
            column += column_step
            ahead += 2 * (right - down)
            left -= 2
        if not walkable[row, column]:
            return False
    return True


@kernel
def _start(goals: Bools, length: Floats, heap: NDArray[np.int64], place: NDArray[np.int64]) -> int:
    """Put the goal cells into the heap; returns how many."""
    size = 0
    columns = goals.shape[1]
    for row in range(goals.shape[0]):
        for column in range(columns):
            if goals[row, column]:
                length[row * columns + column] = 0.0
                size = lift(heap, place, length, size, row * columns + column)
    return size


@kernel
def _step(walkable: Bools, node: int, side: int) -> int:
    """The neighbour on one of eight sides, -1 where one cannot go there."""
    rows, columns = walkable.shape
    a, b = node // columns, node % columns
    row, column = a + SIDES[side, 0], b + SIDES[side, 1]
    if row < 0 or row >= rows or column < 0 or column >= columns or not walkable[row, column]:
        return -1
    if side >= 4 and not (walkable[a, column] and walkable[row, b]):
        return -1
    return int(row * columns + column)


@kernel
def _apart(columns: int, a: int, b: int) -> float:
    """Cells between the middles of two."""
    return math.sqrt(float((a // columns - b // columns) ** 2 + (a % columns - b % columns) ** 2))
