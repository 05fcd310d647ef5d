"""Compressed rows of neighbours from agents sorted by cell, the same to the bit as from comparing all pairs."""

from __future__ import annotations

from math import floor, sqrt

import numpy as np

from swarm.compiled import kernel
from swarm.neighbours.sorting import Ints32
from swarm.neighbours.window import candidates, window
from swarm.state import Floats, Ints


@kernel
def in_range(
    first: int, last: int, start: Ints32, order: Ints32, at: Floats, flying: Floats, box: Floats, shape: Ints,
    tight: bool, reach: float, half_view: float, hits: Ints32, count: Ints,
) -> int:  # fmt: skip
    """Who is perceived by the agents in a stretch of cells.

    Args:
        first, last: Stretch of cells.
        start, order, at, flying: Of `swarm.neighbours.cells.Cells`.
        box, shape, tight: Of the grid.
        reach: m, inclusive.
        half_view: rad, half the field of view.
        hits: (M,) out, slot by slot the agents perceived, ascending.
        count: (L,) out, how many they are for each slot.

    Returns:
        Number of hits; where it exceeds M, all is to be done again with more room.
    """
    runs, nowhere, per_box = np.empty((18, 2), np.int64), np.zeros(3), np.zeros(3)
    room = 256
    given, slot, near = np.empty(room, np.uint32), np.empty(room, np.uint32), np.empty(room, np.uint32)
    unsorted, here = np.empty((3, room)), np.empty((3, room))
    square, agent = np.empty(room), np.empty(room, np.int32)
    for k in range(3):
        if box[k] > 0.0:
            per_box[k] = 1.0 / box[k]
    cosine, squared_reach, total = np.cos(half_view), reach * reach, 0
    for cell in range(first, last):
        if start[cell] == start[cell + 1]:
            continue
        found, many = window(cell, shape, start, runs)
        if many > room:
            room = 2 * many
            given, slot, near = np.empty(room, np.uint32), np.empty(room, np.uint32), np.empty(room, np.uint32)
            unsorted, here = np.empty((3, room)), np.empty((3, room))
            square, agent = np.empty(room), np.empty(room, np.int32)
        candidates(runs, found, at, 0, nowhere, nowhere, given, unsorted)
        # Put in the order of the agents once for all in the cell, so that every row comes out ascending. Counting those
        # before each is quadratic, but sixteen at a time, without a branch, and no more than the pairs to be measured.
        for c in range(many):
            agent[c] = order[given[c]]
        for c in range(many):
            rank = np.int32(0)
            for other in range(many):
                rank += np.int32(agent[other] < agent[c])
            slot[rank] = given[c]
            here[0, rank], here[1, rank], here[2, rank] = unsorted[0, c], unsorted[1, c], unsorted[2, c]
        # Where the whole window lies within half a period of one agent in the middle, nobody is nearer the other way.
        crossed = tight
        for k in range(3):
            if box[k] > 0.0:
                x, half = at[k, start[cell]], 0.5 * box[k]
                beyond = 0
                for c in range(many):
                    beyond += np.int32(abs(here[k, c] - x) >= half)
                crossed |= beyond > 0
        for s in range(start[cell], start[cell + 1]):
            f0, f1, f2 = flying[0, s], flying[1, s], flying[2, s]
            speed = sqrt(f0 * f0 + f1 * f1 + f2 * f2)
            looking = half_view < np.pi and speed > 1e-9
            x0, x1, x2 = at[0, s], at[1, s], at[2, s]
            if crossed:
                for c in range(many):
                    d0, d1, d2 = here[0, c] - x0, here[1, c] - x1, here[2, c] - x2
                    d0 -= box[0] * floor(d0 * per_box[0] + 0.5)
                    d1 -= box[1] * floor(d1 * per_box[1] + 0.5)
                    d2 -= box[2] * floor(d2 * per_box[2] + 0.5)
                    square[c] = d0 * d0 + d1 * d1 + d2 * d2
            else:
                for c in range(many):
                    d0, d1, d2 = here[0, c] - x0, here[1, c] - x1, here[2, c] - x2
                    square[c] = d0 * d0 + d1 * d1 + d2 * d2
            kept = 0
            for c in range(many):
                near[kept] = c
                kept += (square[c] <= squared_reach) & (slot[c] != s)
            if looking:
                seen = 0
                for h in range(kept):
                    c = near[h]
                    d0, d1, d2 = here[0, c] - x0, here[1, c] - x1, here[2, c] - x2
                    d0 -= box[0] * floor(d0 * per_box[0] + 0.5)
                    d1 -= box[1] * floor(d1 * per_box[1] + 0.5)
                    d2 -= box[2] * floor(d2 * per_box[2] + 0.5)
                    near[seen] = c
                    outside = d0 * f0 + d1 * f1 + d2 * f2 < cosine * speed * sqrt(square[c])
                    seen += square[c] == 0.0 or not outside
                kept = seen
            if total + kept <= len(hits):
                for h in range(kept):
                    hits[total + h] = order[slot[near[h]]]
            count[s] = kept
            total += kept
    return total


@kernel
def fill(
    position: Floats, box: Floats, order: Ints32, first: int, last: int, hits: Ints32, count: Ints, indptr: Ints,
    indices: Ints, displacement: Floats, distance: Floats,
) -> None:  # fmt: skip
    """Write the rows of the agents in a stretch of slots.

    Args:
        position: (A, D) m.
        box: (D,) m.
        order: (L,) the agent in each slot.
        first, last: Stretch of slots.
        hits, count: As above, `hits` beginning with those of `first`.
        indptr, indices, displacement, distance: Of the graph; all but the first are out.
    """
    dim, h, per_box = position.shape[1], 0, np.zeros(3)
    for k in range(dim):
        if box[k] > 0.0:
            per_box[k] = 1.0 / box[k]
    for s in range(first, last):
        i = order[s]
        for edge in range(indptr[i], indptr[i] + count[s]):
            j, square = hits[h], 0.0
            for k in range(dim):
                step = position[j, k] - position[i, k]
                step -= box[k] * floor(step * per_box[k] + 0.5)
                displacement[edge, k] = step
                square += step * step
            indices[edge], distance[edge] = j, sqrt(square)
            h += 1
