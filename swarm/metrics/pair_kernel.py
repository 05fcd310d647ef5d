"""Everything that takes pairs of agents: separation, nearest neighbour, contacts, near misses, groups.

One compiled pass visits every pair that can matter once: every pair of a small swarm, and of a large one those in the
same or adjacent cells of `cell_kernel`. Agents who see nobody there are left to `cell_kernel.far_neighbours`.
"""

from __future__ import annotations

from math import floor, inf, sqrt

import numpy as np

from swarm.compiled import kernel
from swarm.state import Floats, Ints

SEPARATION, NEAREST, GROUPS, EDGES, UNION, SAFETY, PHI_CORR, PHI_DISC, PHI_CLUSTER, PHI_COLL = range(10)
COLUMNS = 10


@kernel
def ahead(cell: int, shape: Ints, box: Floats, start: Ints, runs: Ints) -> tuple[int, int]:
    """Runs of slots that hold a cell, first of all, and the half of its neighbours that comes after it.

    Args:
        cell: Which.
        shape: (3,) cells along each axis; three or more, or one, where an axis wraps.
        box: (3,) m, period of each axis, 0 where it does not wrap.
        start: (C + 1,) where cells begin.
        runs: (16, 2) out, first slot and the one after the last.

    Returns:
        Number of runs, number of slots.
    """
    last = cell % shape[2]
    middle, first = cell // shape[2] % shape[1], cell // shape[2] // shape[1]
    runs[0, 0], runs[0, 1] = start[cell], start[cell + 1]
    found, slots = 1, start[cell + 1] - start[cell]
    for row in range(5):  # (0, 0), (0, 1), (1, -1), (1, 0), (1, 1): the rest are behind
        a, b = (first, middle + row) if row < 2 else (first + 1, middle + row - 3)
        if (row >= 2 and shape[0] == 1) or (row != 0 and row != 3 and shape[1] == 1):
            continue
        if a == shape[0]:
            if box[0] == 0.0:
                continue
            a = 0
        if b < 0 or b == shape[1]:
            if box[1] == 0.0:
                continue
            b = shape[1] - 1 if b < 0 else 0
        base = (a * shape[1] + b) * shape[2]
        begin, end = max(last - 1, 0), min(last + 2, shape[2])
        if row == 0:
            begin = last + 1
        for part in range(2):
            if part == 1:  # across the seam
                if box[2] == 0.0 or shape[2] == 1 or (last > 0 and last < shape[2] - 1) or (row == 0 and last == 0):
                    break
                begin = shape[2] - 1 if last == 0 else 0
                end = begin + 1
            if begin < end and start[base + begin] < start[base + end]:
                runs[found, 0], runs[found, 1] = start[base + begin], start[base + end]
                slots += runs[found, 1] - runs[found, 0]
                found += 1
    return found, slots


@kernel
def pairs(
    position: Floats,
    velocity: Floats,
    box: Floats,
    ranges: Floats,
    order: Ints,
    start: Ints,
    shapes: Ints,
    seen: Floats,
    near: Ints,
) -> tuple[Floats, Ints, Floats, int]:
    """Measure a chunk.

    The candidates of a cell are copied side by side once for all its agents, so that squared distances come eight at a
    time, those behind included, which is cheaper than to begin anywhere else than at the front; those in sight are kept
    without a branch that the processor could only guess.

    Args:
        position, velocity: (T, N, D) m, m/s.
        box: (3,) m, period of each axis, 0 where it does not wrap; a plane has its unused axis in front.
        ranges: (4,) m between centres: contact, near miss (no less), collision (safety), interaction.
        order, start: (T, N) the living sorted by cell, (T, C + 1) where each cell starts among them.
        shapes: (T, 3) cells along each axis.
        seen: (T,) m, no less than any of the ranges; pairs farther apart are left out.
        near: (P, 4) out, every pair within the near-miss radius: sample, agent, agent, 1 for contact.

    Returns:
        table (T, COLUMNS), closest pair (T, 2) or -1 (of several the first by index), squared distance (T, N) of each
        in `order` to its nearest in sight, inf for none, and the number of near pairs; where it exceeds P, all is to be
        done again with more room.
    """
    samples, agents, dim = position.shape
    table, closest = np.zeros((samples, COLUMNS)), np.empty((samples, 2), np.int64)
    at, heading, total = np.zeros((3, agents)), np.zeros((agents, 3)), np.empty((agents, 4))
    group, nearest = np.empty(agents, np.int64), np.empty((samples, agents))
    runs, per_box = np.empty((16, 2), np.int64), np.zeros(3)
    here, slot = np.zeros((3, agents)), np.empty(agents, np.uint32)
    square, hit = np.empty(agents), np.empty(agents, np.uint32)
    contact, missed, collision, interaction = ranges * ranges
    found = 0
    for k in range(3):
        if box[k] > 0.0:
            per_box[k] = 1.0 / box[k]
    for t in range(samples):
        living, sight, shape = start[t, start.shape[1] - 1], seen[t] * seen[t], shapes[t]
        for a in range(living):
            length = 0.0
            for k in range(dim):
                at[k + 3 - dim, a] = position[t, order[t, a], k]
                heading[a, k] = velocity[t, order[t, a], k]
                length += heading[a, k] * heading[a, k]
            towards = 1.0 / sqrt(length) if length > 1e-18 else 0.0
            for k in range(3):
                heading[a, k] *= towards
                total[a, k] = 0.0
            total[a, 3] = 0.0
            group[a], nearest[t, a] = a, inf
        best, first, second = inf, -1, -1
        edges, close, groups = 0, 0, living
        for cell in range(shape[0] * shape[1] * shape[2]):
            own = start[t, cell + 1] - start[t, cell]
            if own == 0:
                continue
            count, many = ahead(cell, shape, box, start[t], runs)
            filled = 0
            for r in range(count):
                begin, stretch = runs[r, 0], runs[r, 1] - runs[r, 0]
                for c in range(stretch):
                    slot[filled + c] = begin + c
                for k in range(3 - dim, 3):
                    for c in range(stretch):
                        here[k, filled + c] = at[k, begin + c]
                filled += stretch
            # With four cells on a ring, nobody within half a period of one agent of the cell is nearer the other way to
            # another of the cell.
            crossed = False
            for k in range(3):
                if box[k] > 0.0:
                    x, half, beyond = here[k, 0], 0.5 * box[k], 0
                    for c in range(many):
                        beyond += np.int32(abs(here[k, c] - x) >= half)
                    crossed |= beyond > 0 or shape[k] < 4
            for s in range(own):
                x0, x1, x2 = here[0, s], here[1, s], here[2, s]
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
                hits = 0
                for c in range(many):
                    hit[hits] = c
                    hits += (square[c] <= sight) & (c > s)
                a = slot[s]
                mine, root = nearest[t, a], a
                while group[root] != root:
                    root = group[root]
                for h in range(hits):
                    b, apart = slot[hit[h]], square[hit[h]]
                    mine = min(mine, apart)
                    nearest[t, b] = min(nearest[t, b], apart)
                    if apart <= best:
                        i, j = order[t, a], order[t, b]
                        i, j = min(i, j), max(i, j)
                        if apart < best or i < first or (i == first and j < second):
                            best, first, second = apart, i, j
                    close += apart < collision
                    if apart < missed:
                        if found < near.shape[0]:
                            near[found, 0], near[found, 1], near[found, 2] = t, order[t, a], order[t, b]
                            near[found, 3] = apart < contact
                        found += 1
                    if apart <= interaction:
                        edges += 1
                        if group[b] != root:
                            j = group[b]
                            while group[j] != j:
                                group[j] = group[group[j]]
                                j = group[j]
                            if j != root:
                                groups -= 1
                                upper, root = max(j, root), min(j, root)
                                group[upper] = root
                            group[b] = root
                nearest[t, a] = mine
        distances, aligned, together, alone, smallest = 0.0, 0.0, 0.0, 0.0, 1.0 * living
        for a in range(living):
            distances += sqrt(nearest[t, a])
            # Parents come before their children, so their groups are known already.
            group[a] = group[group[a]]
            total[group[a], 3] += 1.0
            for k in range(3):
                total[group[a], k] += heading[a, k]
                aligned -= heading[a, k] * heading[a, k]
        for a in range(living):
            members = total[a, 3]
            if members > 0.0:
                # Σ_{i<j} v̂_i·v̂_j of a group is (‖Σ v̂‖² − Σ ‖v̂‖²) / 2.
                for k in range(3):
                    aligned += total[a, k] * total[a, k]
                together += members * (members - 1.0)
                alone += members == 1.0
                smallest = min(smallest, members)
        row = table[t]
        row[SEPARATION] = sqrt(best)
        row[NEAREST] = inf
        row[GROUPS] = groups
        row[EDGES] = edges
        row[UNION] = 1.0
        if living > 1:
            row[NEAREST] = distances / living
            row[UNION] = (living - groups) / (living - 1)
            row[PHI_COLL] = 2.0 * close / (living * (living - 1))
        row[SAFETY] = 1.0 - row[PHI_COLL]
        if together > 0.0:
            row[PHI_CORR] = aligned / together
        row[PHI_DISC] = alone
        row[PHI_CLUSTER] = smallest
        closest[t, 0], closest[t, 1] = first, second
    return table, closest, nearest, found
