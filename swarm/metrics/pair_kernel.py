"""Everything that takes pairs of agents: separation, nearest neighbour, contacts, near misses, groups.

One compiled pass visits every pair that can matter once: every pair of a small swarm, and of a large one those in the
same or adjacent cells of `cell_kernel`. Agents whose nearest neighbour is not among those are left to
`cell_kernel.far_neighbours`.
"""

from __future__ import annotations

from math import floor, inf, sqrt

import numpy as np

from swarm.compiled import kernel
from swarm.state import Floats, Ints

SEPARATION, NEAREST, GROUPS, EDGES, UNION, SAFETY, PHI_CORR, PHI_DISC, PHI_CLUSTER, PHI_COLL = range(10)
COLUMNS = 10


@kernel
def pairs(
    position: Floats,
    velocity: Floats,
    box: Floats,
    ranges: Floats,
    order: Ints,
    start: Ints,
    beside: Ints,
    near: Ints,
) -> tuple[Floats, Ints, Floats, int]:
    """Measure a chunk.

    Args:
        position, velocity: (T, N, D) m, m/s.
        box: (3,) m, period of each axis, 0 where it does not wrap.
        ranges: (4,) m between centres: contact, near miss (no less), collision (safety), interaction.
        order, start: (T, N) the living sorted by cell, (T, C + 1) where each cell starts among them.
        beside: (T, C, 1 or 14) the cells to look at with each, itself first, -1 for none; each pair of cells once.
        near: (P, 4) out, every pair within the near-miss radius: sample, agent, agent, 1 for contact.

    Returns:
        table (T, COLUMNS), closest pair (T, 2) or -1, squared distance (T, N) of each in `order` to its nearest, and
        the number of near pairs; where it exceeds P, all is to be done again with more room.
    """
    samples, agents, dim = position.shape
    table, closest = np.zeros((samples, COLUMNS)), np.empty((samples, 2), np.int64)
    at, heading, total = np.zeros((agents, 3)), np.zeros((agents, 3)), np.empty((agents, 4))
    group, nearest = np.empty(agents, np.int64), np.empty((samples, agents))
    found = 0
    for t in range(samples):
        living = start[t, start.shape[1] - 1]
        for a in range(living):
            square = 0.0
            for k in range(dim):
                at[a, k] = position[t, order[t, a], k]
                heading[a, k] = velocity[t, order[t, a], k]
                square += heading[a, k] * heading[a, k]
            towards = 1.0 / sqrt(square) if square > 1e-18 else 0.0
            for k in range(3):
                heading[a, k] *= towards
                total[a, k] = 0.0
            total[a, 3] = 0.0
            group[a], nearest[t, a] = a, inf
        best, first, second = inf, -1, -1
        edges, close, groups = 0, 0, living
        for here in range(beside.shape[1]):
            for o in range(beside.shape[2]):
                there = beside[t, here, o]
                if there < 0:
                    continue
                for a in range(start[t, here], start[t, here + 1]):
                    for b in range(a + 1 if o == 0 else start[t, there], start[t, there + 1]):
                        square = 0.0
                        for k in range(3):
                            step = at[b, k] - at[a, k]
                            if box[k] > 0.0:
                                step -= box[k] * floor(step / box[k] + 0.5)
                            square += step * step
                        if square < nearest[t, a]:
                            nearest[t, a] = square
                        if square < nearest[t, b]:
                            nearest[t, b] = square
                        if square < best:
                            best, first, second = square, a, b
                        if square < ranges[2] * ranges[2]:
                            close += 1
                        if square < ranges[1] * ranges[1]:
                            if found < near.shape[0]:
                                near[found, 0], near[found, 1], near[found, 2] = t, order[t, a], order[t, b]
                                near[found, 3] = square < ranges[0] * ranges[0]
                            found += 1
                        if square <= ranges[3] * ranges[3]:
                            edges += 1
                            i, j = a, b
                            while group[i] != i:
                                group[i] = group[group[i]]
                                i = group[i]
                            while group[j] != j:
                                group[j] = group[group[j]]
                                j = group[j]
                            if i != j:
                                groups -= 1
                                group[max(i, j)] = min(i, j)
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
        if first >= 0:
            closest[t, 0], closest[t, 1] = order[t, first], order[t, second]
    return table, closest, nearest, found
