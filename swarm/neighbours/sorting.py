"""Counting sort of agents by cell: survey, assign, count, place, gather; every pass but the count runs on a stretch.

`sort` is all but the survey in one call, for few: five calls take as long as sorting five hundred agents.
"""

from __future__ import annotations

from math import floor, inf

import numpy as np
from numpy.typing import NDArray

from swarm.compiled import kernel
from swarm.neighbours.all_pairs import FARTHEST
from swarm.state import Bools, Floats, Ints

Ints32 = NDArray[np.int32]
LIVING, FAULT, FIRST_WORLD, LAST_WORLD = 6, 7, 8, 9  # columns of a survey after lowest and highest corner


@kernel
def survey(position: Floats, alive: Bools, world_index: Ints, first: int, last: int, found: Floats) -> None:
    """Corners of the living, their number, their worlds, and one whose position is not finite (-1 for none).

    Args:
        position, alive, world_index: (A, D) m, (A,), (A,).
        first, last: The stretch of agents to look at.
        found: (10,) out.
    """
    dim = position.shape[1]
    for k in range(3):
        found[k], found[k + 3] = inf, -inf
    found[LIVING], found[FAULT], found[FIRST_WORLD], found[LAST_WORLD] = 0.0, -1.0, inf, -inf
    for i in range(first, last):
        if alive[i]:
            found[LIVING] += 1.0
            found[FIRST_WORLD] = min(found[FIRST_WORLD], world_index[i])
            found[LAST_WORLD] = max(found[LAST_WORLD], world_index[i])
            for k in range(dim):
                x = position[i, k]
                if not abs(x) < FARTHEST:
                    found[FAULT] = i
                found[k] = min(found[k], x)
                found[k + 3] = max(found[k + 3], x)


@kernel
def assign(
    position: Floats,
    alive: Bools,
    world_index: Ints,
    first_world: int,
    box: Floats,
    origin: Floats,
    per_metre: Floats,
    across: Ints,
    shape: Ints,
    first: int,
    last: int,
    cell: Ints32,
    count: Ints32,
) -> None:
    """The cell of each agent of a stretch, -1 for the dead, and how many each cell holds.

    Args:
        position, alive, world_index, first_world: (A, D) m, (A,), (A,), lowest index of a world.
        box, origin, per_metre, across, shape: (3,) The grid (see swarm.neighbours.grid).
        first, last: The stretch.
        cell: (A,) out.
        count: (C,) out, of this stretch.
    """
    dim = position.shape[1]
    count[:] = 0
    for i in range(first, last):
        if not alive[i]:
            cell[i] = -1
            continue
        here = world_index[i] - first_world
        for k in range(3 - dim, 3):
            along = position[i, k - 3 + dim] - origin[k]
            if box[k] > 0.0 and (along < 0.0 or along >= box[k]):
                along -= box[k] * floor(along / box[k])
            place = int(along * per_metre[k])
            if box[k] > 0.0:
                place = min(place, across[k] - 1)
            if place >= shape[k]:
                place %= shape[k]
            here = here * shape[k] + place
        cell[i] = here
        count[here] += 1


@kernel
def prefix(count: Ints32, start: Ints32) -> None:
    """Turn counts (S, C) into where each stretch begins to fill each cell; `start` (C + 1,) is where cells begin."""
    total = np.int32(0)
    for c in range(count.shape[1]):
        start[c] = total
        for s in range(count.shape[0]):
            held = count[s, c]
            count[s, c] = total
            total += held
    start[count.shape[1]] = total


@kernel
def place(cell: Ints32, next_slot: Ints32, first: int, last: int, order: Ints32) -> None:
    """Put the agents of a stretch into their slots; within a cell they keep their order."""
    for i in range(first, last):
        if cell[i] >= 0:
            order[next_slot[cell[i]]] = i
            next_slot[cell[i]] += 1


@kernel
def gather(
    position: Floats, velocity: Floats, order: Ints32, first: int, last: int, at: Floats, flying: Floats
) -> None:
    """Copy a stretch of slots into rows by axis, (3, A) each; the unused axis of a plane, row 0, is left alone."""
    dim = position.shape[1]
    for slot in range(first, last):
        i = order[slot]
        for k in range(dim):
            at[k + 3 - dim, slot] = position[i, k]
            flying[k + 3 - dim, slot] = velocity[i, k]


@kernel
def sort(
    position: Floats, velocity: Floats, alive: Bools, world_index: Ints, first_world: int, box: Floats, origin: Floats,
    per_metre: Floats, across: Ints, shape: Ints, cell: Ints32, count: Ints32, start: Ints32, order: Ints32, at: Floats,
    flying: Floats,
) -> None:  # fmt: skip
    """Assign, count, place and gather all agents; arguments as above, `count` (1, C)."""
    agents = len(position)
    assign(position, alive, world_index, first_world, box, origin, per_metre, across, shape, 0, agents, cell, count[0])
    prefix(count, start)
    place(cell, count[0], 0, agents, order)
    gather(position, velocity, order, 0, len(order), at, flying)
