"""The k nearest neighbours of agents sorted by cell, looking further only where too few are near."""

from __future__ import annotations

from math import floor, inf, sqrt

import numpy as np

from swarm.compiled import kernel
from swarm.neighbours.sorting import Ints32
from swarm.state import Floats, Ints


@kernel
def closest(
    first: int, last: int, cell: Ints32, start: Ints32, order: Ints32, at: Floats, flying: Floats, box: Floats,
    per_metre: Floats, shape: Ints, number: int, reach: float, half_view: float, hits: Ints32, count: Ints,
) -> int:  # fmt: skip
    """Who the nearest are to the agents in a stretch of slots.

    Args:
        first, last: Stretch of slots.
        cell: (A,) the cell of each agent.
        start, order, at, flying: Of `swarm.neighbours.cells.Cells`.
        box, per_metre, shape: Of the grid.
        number: How many nearest; of several at one distance those of lower index.
        reach: m, inclusive; may be inf.
        half_view: rad, half the field of view.
        hits: (M,) out, slot by slot the agents perceived, ascending; room for `number` a slot.
        count: (L,) out, how many they are for each slot.

    Returns:
        Number of hits.
    """
    best, who = np.empty(number), np.empty(number, np.int64)
    centre, begin, wide = np.zeros(3, np.int64), np.zeros(3, np.int64), np.zeros(3, np.int64)
    per_box = np.zeros(3)
    for k in range(3):
        if box[k] > 0.0:
            per_box[k] = 1.0 / box[k]
    cosine, total = np.cos(half_view), 0
    for s in range(first, last):
        rest = cell[order[s]]
        for k in range(2, -1, -1):
            centre[k] = rest % shape[k]
            rest //= shape[k]
        speed = sqrt(flying[0, s] ** 2 + flying[1, s] ** 2 + flying[2, s] ** 2)
        looking = half_view < np.pi and speed > 1e-9
        rings, have = 1, 0
        while True:
            safe = inf  # m, within which all have been seen
            for k in range(3):
                wide[k], begin[k] = 2 * rings + 1, centre[k] - rings
                if wide[k] >= shape[k]:
                    wide[k], begin[k] = shape[k], 0
                else:
                    safe = min(safe, rings / per_metre[k])
            have = 0
            for a in range(begin[0], begin[0] + wide[0]):
                for b in range(begin[1], begin[1] + wide[1]):
                    for c in range(begin[2], begin[2] + wide[2]):
                        ring = ((rest * shape[0] + a % shape[0]) * shape[1] + b % shape[1]) * shape[2] + c % shape[2]
                        for t in range(start[ring], start[ring + 1]):
                            square, along = 0.0, 0.0
                            for k in range(3):
                                step = at[k, t] - at[k, s]
                                step -= box[k] * floor(step * per_box[k] + 0.5)
                                square += step * step
                                along += step * flying[k, s]
                            if t == s or square > reach * reach or (have == number and square > best[have - 1]):
                                continue
                            if looking and square > 0.0 and along < cosine * speed * sqrt(square):
                                continue
                            j = order[t]
                            if have == number:
                                if square == best[have - 1] and j > who[have - 1]:
                                    continue
                                have -= 1
                            h = have
                            while h > 0 and (best[h - 1] > square or (best[h - 1] == square and who[h - 1] > j)):
                                best[h], who[h] = best[h - 1], who[h - 1]
                                h -= 1
                            best[h], who[h] = square, j
                            have += 1
            # The last one found must lie where nobody nearer can have been missed, rounding of cells included.
            safe *= 1.0 - 1e-5
            if safe >= reach or safe == inf or (have == number and best[have - 1] <= safe * safe):
                break
            rings *= 2
        for x in range(have):
            j, h = who[x], total + x
            while h > total and hits[h - 1] > j:
                hits[h] = hits[h - 1]
                h -= 1
            hits[h] = j
        count[s] = have
        total += have
    return total
