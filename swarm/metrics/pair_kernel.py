"""Everything that takes pairs of agents: separation, nearest neighbour, contacts, near misses, groups, clusters.

One compiled pass visits every pair that can matter once: every pair of a small swarm, and of a large one those in the same
or adjacent cells of `cell_kernel`. An agent whose nearest neighbour is further than a cell is looked at against all, so
distances stay exact.
"""

from __future__ import annotations

import numpy as np

from swarm.compiled import kernel

SEPARATION, NEAREST, GROUPS, EDGES, UNION, SAFETY, PHI_CORR, PHI_DISC, PHI_CLUSTER, PHI_COLL = range(10)
NEAR_ONSETS, CONTACT_ONSETS = range(10, 12)
COLUMNS = 12


@kernel
def _root(parent, i):  # type: ignore[no-untyped-def]
    while parent[i] != i:
        parent[i] = parent[parent[i]]
        i = parent[i]
    return i


@kernel
def _join(parent, i, j):  # type: ignore[no-untyped-def]
    i, j = _root(parent, i), _root(parent, j)
    if i == j:
        return 0
    if i < j:
        parent[j] = i
    else:
        parent[i] = j
    return 1


@kernel
def pairs(position, velocity, box, ranges, order, start, beside, size, held, holding, now, onsets):  # type: ignore[no-untyped-def]
    """Measure a chunk.

    Args:
        position, velocity: (T, N, D) m, m/s.
        box: (3,) m, period of each axis, 0 where it does not wrap.
        ranges: (5,) m between centres: contact, near miss, collision (safety), interaction, cluster.
        order, start: (T, N) the living sorted by cell, (T, C + 1) where each cell starts among them.
        beside: (T, C, 1 or 14) the cells to look at with each, itself first; -1 for none. Each pair of cells stands once.
        size: (T,) m, no cell is narrower.
        held: (P, 3) pairs near or in contact in the sample before: agent, agent, 1 for contact; `holding` of them.
        now: (P, 3) room for those of the sample measured; `held` and `now` change places with every sample.
        onsets: (E, 4) room for onsets: sample, agent, agent, 1 for contact.

    Returns:
        table (T, COLUMNS), closest pair (T, 2) or -1, pairs held at the end, and the number of onsets and of pairs held at most:
        where these exceed the room, all is to be done again with more.
    """
    samples, agents, dim = position.shape
    contact, near, collision = ranges[0] * ranges[0], ranges[1] * ranges[1], ranges[2] * ranges[2]
    interaction, cluster = ranges[3] * ranges[3], ranges[4] * ranges[4]
    table = np.zeros((samples, COLUMNS))
    closest = np.empty((samples, 2), np.int64)
    at, heading = np.zeros((agents, 3)), np.zeros((agents, 3))
    chain, link = np.empty(agents, np.int64), np.empty(held.shape[0], np.int64)
    group, band = np.empty(agents, np.int64), np.empty(agents, np.int64)
    nearest, total = np.empty(agents), np.empty((agents, 4))
    begun, most = 0, 0
    for i in range(agents):
        chain[i] = -1
    for t in range(samples):
        living = start[t, start.shape[1] - 1]
        for a in range(living):
            i = order[t, a]
            square = 0.0
            for k in range(dim):
                at[a, k] = position[t, i, k]
                square += velocity[t, i, k] * velocity[t, i, k]
            towards = 1.0 / np.sqrt(square) if square > 1e-18 else 0.0
            for k in range(dim):
                heading[a, k] = velocity[t, i, k] * towards
            group[a], band[a], nearest[a] = a, a, np.inf
        for h in range(holding):
            link[h] = chain[held[h, 0]]
            chain[held[h, 0]] = h
        found, best, first, second = 0, np.inf, -1, -1
        edges, close, groups, near_count, contact_count = 0, 0, living, 0, 0
        for here in range(beside.shape[1]):
            for o in range(beside.shape[2]):
                there = beside[t, here, o]
                if there < 0 or start[t, here] == start[t, here + 1]:
                    continue
                for a in range(start[t, here], start[t, here + 1]):
                    for b in range(a + 1 if o == 0 else start[t, there], start[t, there + 1]):
                        square = 0.0
                        for k in range(3):
                            step = at[b, k] - at[a, k]
                            if box[k] > 0.0:
                                step -= box[k] * np.floor(step / box[k] + 0.5)
                            square += step * step
                        if square < nearest[a]:
                            nearest[a] = square
                        if square < nearest[b]:
                            nearest[b] = square
                        if square < best:
                            best, first, second = square, order[t, a], order[t, b]
                        if square < collision:
                            close += 1
                        if square <= interaction:
                            edges += 1
                            groups -= _join(group, a, b)
                        if square <= cluster:
                            _join(band, a, b)
                        if square < near:
                            touch = 1 if square < contact else 0
                            low, high = order[t, a], order[t, b]
                            if low > high:
                                low, high = high, low
                            if found < now.shape[0]:
                                now[found, 0], now[found, 1], now[found, 2] = low, high, touch
                            found += 1
                            h = chain[low]
                            while h >= 0 and not (held[h, 1] == high and held[h, 2] == touch):
                                h = link[h]
                            if h < 0:
                                if begun < onsets.shape[0]:
                                    onsets[begun, 0], onsets[begun, 1] = t, low
                                    onsets[begun, 2], onsets[begun, 3] = high, touch
                                begun += 1
                                contact_count += touch
                                near_count += 1 - touch
        for h in range(holding):
            chain[held[h, 0]] = -1
        if found > most:
            most = found
        if most > now.shape[0]:
            break
        held, now, holding = now, held, found
        distances = 0.0
        for a in range(living):
            if nearest[a] > size[t] * size[t]:
                for b in range(living):
                    square = 0.0
                    for k in range(3):
                        step = at[b, k] - at[a, k]
                        if box[k] > 0.0:
                            step -= box[k] * np.floor(step / box[k] + 0.5)
                        square += step * step
                    if a != b and square < nearest[a]:
                        nearest[a] = square
                        if square < best:
                            best, first, second = square, order[t, a], order[t, b]
            distances += np.sqrt(nearest[a])
            for k in range(4):
                total[a, k] = 0.0
        aligned, together, alone, smallest = 0.0, 0.0, 0, 1.0 * living
        for a in range(living):
            root = _root(band, a)
            total[root, 3] += 1.0
            for k in range(3):
                total[root, k] += heading[a, k]
                aligned -= 0.5 * heading[a, k] * heading[a, k]
        for a in range(living):
            members = total[a, 3]
            if members > 0.0:
                # Σ_{i<j} v̂_i·v̂_j of a cluster is (‖Σ v̂‖² − Σ ‖v̂‖²) / 2.
                aligned += 0.5 * (total[a, 0] * total[a, 0] + total[a, 1] * total[a, 1] + total[a, 2] * total[a, 2])
                together += 0.5 * members * (members - 1.0)
                if members < 2.0:
                    alone += 1
                if members < smallest:
                    smallest = members
        row = table[t]
        row[SEPARATION] = np.sqrt(best)
        row[NEAREST] = np.inf
        row[GROUPS] = groups
        row[EDGES] = edges
        row[UNION] = 1.0
        row[SAFETY] = 1.0
        if living > 1:
            row[NEAREST] = distances / living
            row[UNION] = (living - groups) / (living - 1)
            row[PHI_COLL] = 2.0 * close / (living * (living - 1))
            row[SAFETY] = 1.0 - row[PHI_COLL]
        if together > 0.0:
            row[PHI_CORR] = aligned / together
        row[PHI_DISC] = alone
        row[PHI_CLUSTER] = smallest
        row[NEAR_ONSETS] = near_count
        row[CONTACT_ONSETS] = contact_count
        closest[t, 0], closest[t, 1] = first, second
    return table, closest, held, holding, begun, most
