"""Sort agents into cells, so that only agents of the same or adjacent cells need be compared."""

from __future__ import annotations

from math import floor, inf, sqrt

import numpy as np

from swarm.compiled import kernel
from swarm.metrics.pair_kernel import NEAREST, SEPARATION
from swarm.state import Bools, Floats, Ints

ALL_PAIRS = 64  # agents up to which sorting costs more than it saves
SLACK = 1e-6  # relative, by which a cell is wider than what must be seen, so that rounding puts nobody too far


@kernel
def cells(position: Floats, alive: Bools, box: Floats, reach: float) -> tuple[Ints, Ints, Ints, Floats]:
    """The living by cell, sample by sample; at most one cell an agent, none narrower than `reach` or the mean spacing.

    Args:
        position: (T, N, D) m.
        alive: (T, N) bool.
        box: (3,) m, period of each axis, 0 where it does not wrap; a plane has its unused axis in front.
        reach: m, the largest distance that matters.

    Returns:
        order (T, N): the living by cell, in each by index, then -1; start (T, C + 1): where each cell starts in
        `order`, last the number of the living; shape (T, 3): cells along each axis, the last one's side by side;
        seen (T,) m: up to where a cell and those around it hold all.
    """
    samples, agents, dim = position.shape
    pad = 3 - dim
    order, start = np.full((samples, agents), -1), np.zeros((samples, agents + 1), np.int64)
    shapes, seen = np.ones((samples, 3), np.int64), np.empty(samples)
    low, extent = np.zeros(3), np.zeros(3)
    cell = np.empty(agents, np.int64)
    for t in range(samples):
        living, volume, shape = 0, 1.0, shapes[t]
        for i in range(agents):
            living += alive[t, i]
        for k in range(pad, 3):
            low[k], extent[k] = 0.0, box[k]
            if box[k] == 0.0:
                low[k], high = inf, -inf
                for i in range(agents):
                    if alive[t, i]:
                        low[k] = min(low[k], position[t, i, k - pad])
                        high = max(high, position[t, i, k - pad])
                extent[k] = max(high - low[k], 0.0)
            volume *= max(extent[k], 1e-9)
        size = max(reach, (volume / max(living, 1)) ** (1.0 / dim)) * (1.0 + SLACK)
        total = agents + 1
        while total > agents:
            total = 1
            for k in range(pad, 3):
                wide = int(min(extent[k] / size, 1e6))
                # Round a torus, fewer than three cells would meet the same neighbour on both sides.
                shape[k] = 1 if wide < 1 or (box[k] > 0.0 and wide < 3) else wide
                total *= shape[k]
            if total > agents:
                size *= 1.2
        seen[t] = size * (1.0 - 0.5 * SLACK)
        for i in range(agents):
            if alive[t, i]:
                cell[i] = 0
                for k in range(pad, 3):
                    along = position[t, i, k - pad] - low[k]
                    if box[k] > 0.0 and (along < 0.0 or along >= box[k]):
                        along -= box[k] * floor(along / box[k])
                    place = int(along / extent[k] * shape[k]) if extent[k] > 0.0 else 0
                    cell[i] = cell[i] * shape[k] + min(max(place, 0), shape[k] - 1)
                start[t, cell[i] + 1] += 1
        for c in range(agents):
            start[t, c + 1] += start[t, c]
        # Filled from the back, agents keep their order within a cell; every start then stands one place too far right.
        for i in range(agents - 1, -1, -1):
            if alive[t, i]:
                start[t, cell[i] + 1] -= 1
                order[t, start[t, cell[i] + 1]] = i
        for c in range(agents):
            start[t, c] = start[t, c + 1]
        start[t, agents] = living
    return order, start, shapes, seen


@kernel
def far_neighbours(
    position: Floats,
    box: Floats,
    order: Ints,
    start: Ints,
    shapes: Ints,
    seen: Floats,
    nearest: Floats,
    table: Floats,
    closest: Ints,
) -> None:
    """Find the nearest neighbour of those who have none in sight, looking ever further, and correct what hangs on it.

    Args:
        position, box, order, start, shapes, seen: As above.
        nearest, table, closest: From `pair_kernel.pairs`; corrected in place.
    """
    dim = position.shape[2]
    pad = 3 - dim
    middle, begin, wide = np.zeros(3, np.int64), np.zeros(3, np.int64), np.zeros(3, np.int64)
    for t in range(position.shape[0]):
        living, shape = start[t, start.shape[1] - 1], shapes[t]
        alone, best = closest[t, 0] < 0, inf
        for cell in range(shape[0] * shape[1] * shape[2]):
            for a in range(start[t, cell], start[t, cell + 1]):
                if nearest[t, a] < inf:
                    continue
                rest, i, rings = cell, order[t, a], 1
                for k in range(2, -1, -1):
                    middle[k] = rest % shape[k]
                    rest //= shape[k]
                while True:
                    safe = inf  # m, within which all have been looked at
                    for k in range(3):
                        begin[k], wide[k] = middle[k] - rings, 2 * rings + 1
                        if box[k] == 0.0:
                            begin[k] = max(begin[k], 0)
                            wide[k] = min(middle[k] + rings + 1, shape[k]) - begin[k]
                        if wide[k] >= shape[k]:
                            begin[k], wide[k] = 0, shape[k]
                        else:
                            safe = rings * seen[t]
                    for u in range(begin[0], begin[0] + wide[0]):
                        for v in range(begin[1], begin[1] + wide[1]):
                            for w in range(begin[2], begin[2] + wide[2]):
                                there = (u % shape[0] * shape[1] + v % shape[1]) * shape[2] + w % shape[2]
                                for b in range(start[t, there], start[t, there + 1]):
                                    j, square = order[t, b], 0.0
                                    for k in range(dim):
                                        step = position[t, j, k] - position[t, i, k]
                                        if box[k + pad] > 0.0:
                                            step -= box[k + pad] * floor(step / box[k + pad] + 0.5)
                                        square += step * step
                                    if i == j:
                                        continue
                                    nearest[t, a] = min(nearest[t, a], square)
                                    p, q = min(i, j), max(i, j)
                                    first, second = closest[t, 0], closest[t, 1]
                                    nearer = square < best or (p < first or (p == first and q < second))
                                    if alone and square <= best and nearer:
                                        best, closest[t, 0], closest[t, 1] = square, p, q
                    if safe == inf or nearest[t, a] <= safe * safe:
                        break
                    rings *= 2
        if alone:
            table[t, SEPARATION] = sqrt(best)
        distances = 0.0
        for a in range(living):
            distances += sqrt(nearest[t, a])
        if living > 1:
            table[t, NEAREST] = distances / living
