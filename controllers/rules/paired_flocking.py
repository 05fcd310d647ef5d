"""Separation, alignment and cohesion of hundreds of agents in a plane, each pair looked at once."""

from __future__ import annotations

from math import sqrt

import numpy as np

from swarm.compiled import kernel
from swarm.neighbours.lanes import WORD, in_range, lowest
from swarm.neighbours.sorting import Ints32
from swarm.neighbours.window import middle, nearest_image, window
from swarm.state import Floats, Ints

SUMS = 8  # columns of the sums of an agent; seven are in use, eight fill a line of the cache


@kernel
def flock_pairs(
    start: Ints32, order: Ints32, at: Floats, flying: Floats,
    box: Floats, origin: Floats, per_metre: Floats, shape: Ints, inside: bool,
    reach: float, separation: float, separation_radius: float, alignment: float, cohesion: float, cohesion_speed: float,
    sums: Floats, total: Floats,
) -> None:  # fmt: skip
    """What `flock_cells` gives, up to rounding, where all see all round and heed all in range.

    Then i pushes j as hard as j pushes i, and their differences of place and velocity differ by the sign alone. So an
    agent looks only at those in later slots, of its own cell and of later ones around it: half as many candidates,
    4.5/π = 1.4 times as many as are in range, and half as many sums, each added for the one and taken off for the
    other. The other's sums are wherever its slot is: two threads would get in each other's way, and what they add would
    depend on who comes first. Hence for so few agents only that one thread does it anyway, whatever the number of
    threads.

    What bounds it is the sums. Of 70 ns an agent (2.6 GHz, 25 in range) they take 30, five loads and stores for each of
    12 pairs at a place not known before; 7 go to the pushes, 12 to the distances of 38 candidates (`in_range`), 10 to
    copying these side by side, once for all agents of a cell, and 10 to finding the cells around and to the end. Those
    in range are read off the bits one after the other and never listed: a loop of which the processor cannot guess the
    end costs as much as six pairs, and a list would be a second one.

    Args:
        start, order: (C + 1,) and (L,) where cells begin, the agent in each slot.
        at, flying: (3, L) m and m/s by slot; row 0 does not count.
        box, origin, per_metre, shape, inside: The grid (swarm.neighbours.grid.Grid), one that is not tight.
        reach: m, perception range and radius of alignment and cohesion.
        separation, separation_radius, alignment, cohesion, cohesion_speed: As for `flock`.
        sums: (L, SUMS) workspace: neighbours, differences of velocity and of place, pushes.
        total: (A, 2) m/s, out; rows of agents that are in no cell are left alone.
    """
    runs, centre = np.empty((18, 2), np.int64), np.zeros(3)
    room = 0
    slot, h1, h2 = np.empty(room, np.uint32), np.zeros(room), np.zeros(room)
    squared_reach = reach * reach
    squared_separation = -1.0
    if separation != 0.0 and separation_radius > 0.0:
        squared_separation = separation_radius * separation_radius
    inverse_radius = 1.0 / separation_radius if separation_radius > 0.0 else np.inf
    sums[:] = 0.0
    for cell in range(len(start) - 1):
        begin, end = start[cell], start[cell + 1]
        if begin == end:
            continue
        found, many = window(cell, shape, start, runs)
        if many + WORD > room:
            room = 2 * many + 4 * WORD
            slot, h1, h2 = np.empty(room, np.uint32), np.zeros(room), np.zeros(room)
        many = end - begin
        for c in range(many):
            slot[c] = begin + c
        for r in range(found):
            for j in range(max(runs[r, 0], end), runs[r, 1]):
                slot[many] = j
                many += 1
        for c in range(many):
            h1[c], h2[c] = at[1, slot[c]], at[2, slot[c]]
        if middle(cell, box, origin, per_metre, shape, inside, centre):
            nearest_image(h1, many, centre[1], box[1])
            nearest_image(h2, many, centre[2], box[2])
        for own in range(end - begin):
            s = begin + own
            x1, x2, f1, f2 = h1[own], h2[own], flying[1, s], flying[2, s]
            hits = 0
            m1, m2, c1, c2, t1, t2 = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
            for base in range((own + 1) // WORD * WORD, many, WORD):
                near, close = in_range(h1, h2, base, own + 1, many, x1, x2, squared_reach, squared_separation)
                while near != 0:
                    c = base + lowest(near)
                    near &= near - np.uint64(1)
                    hits += 1
                    j = slot[c]
                    e1, e2, d1, d2 = flying[1, j] - f1, flying[2, j] - f2, h1[c] - x1, h2[c] - x2
                    m1, m2, c1, c2 = m1 + e1, m2 + e2, c1 + d1, c2 + d2
                    sums[j, 0] += 1.0
                    sums[j, 1] -= e1
                    sums[j, 2] -= e2
                    sums[j, 3] -= d1
                    sums[j, 4] -= d2
                while close != 0:
                    c = base + lowest(close)
                    close &= close - np.uint64(1)
                    j = slot[c]
                    d1, d2 = h1[c] - x1, h2[c] - x2
                    apart = d1 * d1 + d2 * d2
                    if apart > 0.0:
                        push = separation * max(1.0 / sqrt(apart) - inverse_radius, 0.0)
                        d1, d2 = push * d1, push * d2
                    else:
                        d1, d2 = separation if order[s] < order[j] else -separation, 0.0
                    t1, t2 = t1 + d1, t2 + d2
                    sums[j, 5] += d1
                    sums[j, 6] += d2
            sums[s, 0] += hits
            sums[s, 1] += m1
            sums[s, 2] += m2
            sums[s, 3] += c1
            sums[s, 4] += c2
            sums[s, 5] -= t1
            sums[s, 6] -= t2
    for s in range(len(order)):
        per_neighbour = 1.0 / sums[s, 0] if sums[s, 0] > 0.0 else 0.0
        share = cohesion * per_neighbour
        length = share * sqrt(sums[s, 3] * sums[s, 3] + sums[s, 4] * sums[s, 4])
        if length > cohesion_speed:
            share *= cohesion_speed / length
        for k in range(2):
            total[order[s], k] = sums[s, 5 + k] + alignment * per_neighbour * sums[s, 1 + k] + share * sums[s, 3 + k]
