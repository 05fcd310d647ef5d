"""How far every walkable cell is from the goal by steps from cell to cell, to four neighbours or to eight.

No way cuts a corner: a diagonal step needs both cells beside it to be walkable.
"""

from __future__ import annotations

import math

import numpy as np

from swarm.compiled import kernel
from swarm.state import Bools, Floats

DIAGONAL = math.sqrt(2.0)  # cells


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

    What straight steps reach waits in one line and what diagonal ones do in another. Each line is in order, because
    its steps are all as long, and a cell comes into it once at most, because later steps begin farther away.

    Args, returns: As `manhattan`, in cells.
    """
    rows, columns = walkable.shape
    wide = columns + 2  # with a rim that is not walkable, as in `manhattan`
    length = np.full((rows + 2) * wide, -math.inf)  # which no way is shorter than
    line = np.zeros((rows + 2) * wide, dtype=np.int8)  # where each cell waits: 1 straight, 2 diagonal
    straight, diagonal = np.empty(rows * columns, dtype=np.int32), np.empty(rows * columns, dtype=np.int32)
    straight_end, diagonal_end = 0, 0
    for row in range(rows):
        for column in range(columns):
            place = (row + 1) * wide + column + 1
            if goals[row, column]:
                length[place], line[place], straight[straight_end] = 0.0, 1, place
                straight_end += 1
            elif walkable[row, column]:
                length[place] = math.inf
    straight_first, diagonal_first = 0, 0
    while True:
        while straight_first < straight_end and line[straight[straight_first]] != 1:
            straight_first += 1
        while diagonal_first < diagonal_end and line[diagonal[diagonal_first]] != 2:
            diagonal_first += 1
        if straight_first < straight_end and (
            diagonal_first == diagonal_end or length[straight[straight_first]] <= length[diagonal[diagonal_first]]
        ):
            place = straight[straight_first]
        elif diagonal_first < diagonal_end:
            place = diagonal[diagonal_first]
        else:
            break
        line[place] = 0
        here = length[place]
        for other in (place - wide, place - 1, place + 1, place + wide):
            if here + 1.0 < length[other]:
                length[other], line[other], straight[straight_end] = here + 1.0, 1, other
                straight_end += 1
        for beside in (place - 1, place + 1):
            for above in (-wide, wide):
                other = beside + above
                if here + DIAGONAL < length[other] and length[beside] >= 0.0 and length[place + above] >= 0.0:
                    length[other], line[other], diagonal[diagonal_end] = here + DIAGONAL, 2, other
                    diagonal_end += 1
    found = np.full((rows, columns), math.inf)
    for row in range(rows):
        for column in range(columns):
            if walkable[row, column]:
                found[row, column] = length[(row + 1) * wide + column + 1]
    return found
