"""Who is within reach of whom in a plane without an edge, each pair once."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from swarm.compiled import kernel
from swarm.state import Bools, Floats, Ints


class Rows(NamedTuple):
    """Who sees whom, as `swarm.neighbours.Graph` but each pair only in the row of the lower of the two."""

    indptr: Ints  # (A + 1,); behind the last there is room
    indices: Ints
    away: Floats
    distance: Floats
    pairs: Ints  # (3, P) room for the lower and the higher of each pair, and for the lower by the higher


class Sorted(NamedTuple):
    """The living by cells half as wide as the reach, row by row and in each by index."""

    cell: Ints  # (A,)
    start: Ints  # where each cell begins
    order: Ints  # (L,)
    x: Floats  # (L,) m
    y: Floats
    across: int  # cells
    up: int


@kernel
def no_rows() -> Rows:
    """Room for nobody."""
    none, pairs = np.empty(0, np.int64), np.empty((3, 0), np.int64)
    return Rows(np.zeros(1, np.int64), none, np.empty((0, 2)), np.empty(0), pairs)


@kernel
def neighbours(position: Floats, alive: Bools, reach: float, rows: Rows) -> Rows:
    """The upper half of the graph of `swarm.neighbours.graph` of a plane without an edge, to the bit.

    The lower half has the same distances and the opposite displacements.

    Args:
        position: (A, 2) m.
        alive: (A,); the others neither see nor are seen.
        reach: m, inclusive.
        rows: Overwritten; memory that is used again and again stays near the processor.

    Returns:
        The same, or longer ones where there was no room.
    """
    agents = len(position)
    cells = in_cells(position, alive, reach)
    pairs, total = within(cells, reach, rows.pairs)
    indptr, indices, away, distance = rows.indptr, rows.indices, rows.away, rows.distance
    if len(indptr) <= agents:
        indptr = np.zeros(agents + 1, np.int64)
    if total > len(indices):
        room = total + total // 4
        indices, away, distance = np.empty(room, np.int64), np.empty((room, 2)), np.empty(room)
    in_rows(pairs, total, indptr, indices)
    for i in range(agents):
        here_x, here_y = position[i, 0], position[i, 1]
        for edge in range(indptr[i], indptr[i + 1]):
            dx, dy = position[indices[edge], 0] - here_x, position[indices[edge], 1] - here_y
            away[edge, 0], away[edge, 1] = dx, dy
            distance[edge] = math.sqrt(dx * dx + dy * dy)
    return Rows(indptr, indices, away, distance, pairs)


@kernel
def in_cells(position: Floats, alive: Bools, reach: float) -> Sorted:
    """Sort the living."""
    agents = len(position)
    low_x, low_y, high_x, high_y = math.inf, math.inf, -math.inf, -math.inf
    for i in range(agents):
        if alive[i]:
            low_x, high_x = min(low_x, position[i, 0]), max(high_x, position[i, 0])
            low_y, high_y = min(low_y, position[i, 1]), max(high_y, position[i, 1])
    # A little wider than half the reach, lest rounding puts somebody three cells away.
    side = 0.5 * reach * (1.0 + 1e-9) + 1e-12 * max(abs(low_x), abs(high_x), abs(low_y), abs(high_y))
    across, up = 1, 1
    while high_x >= low_x:
        across, up = 1 + int((high_x - low_x) / side), 1 + int((high_y - low_y) / side)
        if across * up <= 64 + 8 * agents:
            break
        side *= 1.5
    cell, order = np.empty(agents, np.int64), np.empty(agents, np.int64)
    start, x, y = np.zeros(across * up + 2, np.int64), np.empty(agents), np.empty(agents)
    for i in range(agents):
        if alive[i]:
            cell[i] = int((position[i, 1] - low_y) / side) * across + int((position[i, 0] - low_x) / side)
            start[cell[i] + 2] += 1
    for c in range(across * up):
        start[c + 2] += start[c + 1]
    for i in range(agents):
        if alive[i]:
            slot = start[cell[i] + 1]
            start[cell[i] + 1] = slot + 1
            order[slot], x[slot], y[slot] = i, position[i, 0], position[i, 1]
    return Sorted(cell, start, order, x, y, across, up)


@kernel
def within(cells: Sorted, reach: float, pairs: Ints) -> tuple[Ints, int]:
    """Pairs within reach, the lower and the higher index in the first two rows of `pairs`, and how many there are."""
    square, total, start, across = reach * reach, 0, cells.start, cells.across
    x, y, order = cells.x, cells.y, cells.order
    living = start[across * cells.up]
    for here in range(living):
        cell = cells.cell[order[here]]
        column, row = cell % across, cell // across
        first, last = max(column - 2, 0), min(column + 2, across - 1) + 1
        here_x, here_y, i = x[here], y[here], order[here]
        if total + living > pairs.shape[1]:
            longer = np.empty((3, 2 * (total + living)), np.int64)
            longer[:2, :total] = pairs[:2, :total]
            pairs = longer
        # Those before have seen this one.
        for other in range(row, min(row + 3, cells.up)):
            begin = here + 1 if other == row else start[other * across + first]
            for slot in range(begin, start[other * across + last]):
                dx, dy = x[slot] - here_x, y[slot] - here_y
                # Without a branch that the processor could only guess.
                pairs[0, total], pairs[1, total] = min(i, order[slot]), max(i, order[slot])
                total += dx * dx + dy * dy <= square
    return pairs, total


@kernel
def in_rows(pairs: Ints, total: int, indptr: Ints, indices: Ints) -> None:
    """Write the higher of so many `pairs` into the rows of the lower, ascending in each."""
    agents = len(indptr) - 1
    lower, higher, by_higher = pairs[0], pairs[1], pairs[2]
    begin, free = np.zeros(agents + 1, np.int64), np.empty(agents, np.int64)
    indptr[:] = 0
    for k in range(total):
        begin[higher[k] + 1] += 1
        indptr[lower[k] + 1] += 1
    for i in range(agents):
        begin[i + 1] += begin[i]
        indptr[i + 1] += indptr[i]
        free[i] = begin[i]
    for k in range(total):
        place = free[higher[k]]
        by_higher[place], free[higher[k]] = lower[k], place + 1
    # Taken in the order of the higher, the rows of the lower fill up in that order.
    for i in range(agents):
        free[i] = indptr[i]
    for j in range(agents):
        for k in range(begin[j], begin[j + 1]):
            place = free[by_higher[k]]
            indices[place], free[by_higher[k]] = j, place + 1
