"""Separation, alignment and cohesion of large swarms, cell by cell, without making lists of neighbours."""

from __future__ import annotations

from math import sqrt

import numpy as np

from swarm.compiled import kernel
from swarm.neighbours.sorting import Ints32
from swarm.neighbours.window import candidates, middle, window
from swarm.state import Floats, Ints


@kernel
def flock_cells(
    first: int, last: int, start: Ints32, order: Ints32, at: Floats, flying: Floats,
    box: Floats, origin: Floats, per_metre: Floats, shape: Ints, tight: bool, inside: bool,
    reach: float, half_view: float,
    separation: float, separation_radius: float,
    alignment: float, alignment_radius: float,
    cohesion: float, cohesion_radius: float, cohesion_speed: float,
    asked: Floats, total: Floats,
) -> None:  # fmt: skip
    """What `swarm.controllers.rules.flocking.flock` gives, for the agents in a stretch of cells.

    What bounds it is the number of candidate pairs: a cell as wide as the range and those around it hold 9/π = 2.9
    times as many agents as are in range in a plane, 27/(4π/3) = 6.4 times in space. One core measures some 400 million
    of them a second (2.6 GHz, 25 in range in a plane), and half of that time is theirs, the other half the sums over
    those in range. The candidates of a cell are copied side by side once for all its agents, by axis, so that squared
    distances come eight at a time; those within range are kept without a branch that the processor could only guess;
    roots and quotients are left to those within the radius of separation. Cells half as wide would have fewer
    candidates, but in runs too short for this and shared by too few agents to be worth copying.

    Nothing is summed across threads, and each sum runs in the order of slots, so the result is the same to the bit
    whatever the number of threads.

    Args:
        first, last: Stretch of cells.
        start, order: (C + 1,) and (A,) where cells begin, the agent in each slot.
        at, flying: (3, A) m and m/s by slot; row 0 is zero in a plane.
        box, origin, per_metre, shape, tight, inside: The grid (swarm.neighbours.grid.Grid).
        reach: m, perception range.
        half_view: rad, half the field of view.
        separation ... cohesion_speed: As for `flock`.
        asked: (3, A) m/s, workspace.
        total: (A, D) m/s, out; rows of agents that are in no cell are left alone.
    """
    dim = total.shape[1]
    flat = dim == 2
    runs, centre = np.empty((18, 2), np.int64), np.zeros(3)
    per_box, nowhere = np.zeros(3), np.zeros(3)
    room = 256
    slot, here = np.empty(room, np.uint32), np.zeros((3, room))
    square, near = np.empty(room), np.empty(room, np.uint32)
    close = np.empty(room, np.uint32)
    for k in range(3):
        if box[k] > 0.0:
            per_box[k] = 1.0 / box[k]
    squared_reach = reach * reach
    squared_separation = separation_radius * separation_radius if separation != 0.0 else 0.0
    squared_alignment, squared_cohesion = alignment_radius * alignment_radius, cohesion_radius * cohesion_radius
    inverse_radius = 1.0 / separation_radius if separation_radius > 0.0 else np.inf
    same = squared_alignment >= squared_reach and squared_cohesion >= squared_reach
    cosine = np.cos(half_view)
    for cell in range(first, last):
        if start[cell] == start[cell + 1]:
            continue
        found, many = window(cell, shape, start, runs)
        if many > room:
            room = 2 * many
            slot, here = np.empty(room, np.uint32), np.zeros((3, room))
            square, near = np.empty(room), np.empty(room, np.uint32)
            close = np.empty(room, np.uint32)
        seam = middle(cell, box, origin, per_metre, shape, inside, centre)
        if not tight:
            candidates(runs, found, at, 3 - dim, centre, box if seam else nowhere, slot, here)
        for s in range(start[cell], start[cell + 1]):
            i = order[s]
            x0, x1, x2 = at[0, s], at[1, s], at[2, s]
            if tight:
                centre[0], centre[1], centre[2] = x0, x1, x2
                candidates(runs, found, at, 3 - dim, centre, box, slot, here)
            x0 -= box[0] * np.floor((x0 - centre[0]) * per_box[0] + 0.5)
            x1 -= box[1] * np.floor((x1 - centre[1]) * per_box[1] + 0.5)
            x2 -= box[2] * np.floor((x2 - centre[2]) * per_box[2] + 0.5)
            if flat:
                for c in range(many):
                    d1, d2 = here[1, c] - x1, here[2, c] - x2
                    square[c] = d1 * d1 + d2 * d2
            else:
                for c in range(many):
                    d0, d1, d2 = here[0, c] - x0, here[1, c] - x1, here[2, c] - x2
                    square[c] = d0 * d0 + d1 * d1 + d2 * d2
            hits = 0
            for c in range(many):
                near[hits] = c
                hits += square[c] <= squared_reach
            f0, f1, f2 = flying[0, s], flying[1, s], flying[2, s]
            if half_view < np.pi:
                speed = sqrt(f0 * f0 + f1 * f1 + f2 * f2)
                kept = 0
                for h in range(hits):
                    c = near[h]
                    along = f1 * (here[1, c] - x1) + f2 * (here[2, c] - x2)
                    if not flat:
                        along += f0 * (here[0, c] - x0)
                    near[kept] = c
                    length = sqrt(square[c])
                    kept += not (speed > 1e-9 and length > 0.0 and along < cosine * speed * length)
                hits = kept
            pushing, together = 0, 0
            for h in range(hits):
                close[pushing] = near[h]
                pushing += square[near[h]] < squared_separation
            t0, t1, t2 = 0.0, 0.0, 0.0
            m0, m1, m2 = 0.0, 0.0, 0.0
            c0, c1, c2 = 0.0, 0.0, 0.0
            for h in range(pushing):
                c = close[h]
                apart = square[c]
                together += apart == 0.0
                push = separation * max(1.0 / sqrt(apart) - inverse_radius, 0.0) if apart > 0.0 else 0.0
                t0 -= push * (here[0, c] - x0)
                t1 -= push * (here[1, c] - x1)
                t2 -= push * (here[2, c] - x2)
            # The agent itself is among those in range, at no distance and flying as it does.
            aligned, drawn = hits - 1, hits - 1
            if same:
                for h in range(hits):
                    c = near[h]
                    j = slot[c]
                    m1 += flying[1, j] - f1
                    m2 += flying[2, j] - f2
                    c1 += here[1, c] - x1
                    c2 += here[2, c] - x2
                    if not flat:
                        m0 += flying[0, j] - f0
                        c0 += here[0, c] - x0
            else:
                aligned, drawn = -1, -1
                for h in range(hits):
                    c = near[h]
                    j = slot[c]
                    if square[c] <= squared_alignment:
                        aligned += 1
                        m0 += flying[0, j] - f0
                        m1 += flying[1, j] - f1
                        m2 += flying[2, j] - f2
                    if square[c] <= squared_cohesion:
                        drawn += 1
                        c0 += here[0, c] - x0
                        c1 += here[1, c] - x1
                        c2 += here[2, c] - x2
            if together > 1:
                ahead = 0
                for h in range(pushing):
                    if square[close[h]] == 0.0:
                        j = order[slot[close[h]]]
                        ahead += (i > j) - (i < j)
                if flat:
                    t1 += ahead * separation
                else:
                    t0 += ahead * separation
            if aligned > 0:
                share = alignment / aligned
                t0, t1, t2 = t0 + share * m0, t1 + share * m1, t2 + share * m2
            if drawn > 0:
                share = cohesion / drawn
                length = share * sqrt(c0 * c0 + c1 * c1 + c2 * c2)
                if length > cohesion_speed:
                    share *= cohesion_speed / length
                t0, t1, t2 = t0 + share * c0, t1 + share * c1, t2 + share * c2
            asked[0, s], asked[1, s], asked[2, s] = t0, t1, t2
    # Apart from the sums: a scattered store that misses the cache would hold up all those that come after it.
    for s in range(start[first], start[last]):
        i = order[s]
        if not flat:
            total[i, 0] = asked[0, s]
        total[i, dim - 2], total[i, dim - 1] = asked[1, s], asked[2, s]
