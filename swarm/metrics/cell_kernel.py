"""Sort agents into cells, so that only agents of the same or adjacent cells need be compared."""

from __future__ import annotations

from math import floor, inf, sqrt

import numpy as np

from swarm.compiled import kernel
from swarm.metrics.pair_kernel import NEAREST, SEPARATION
from swarm.state import Bools, Floats, Ints

ALL_PAIRS = 64  # agents up to which sorting costs more than it saves


@kernel
def cells(position: Floats, alive: Bools, box: Floats, reach: float) -> tuple[Ints, Ints, Ints, Floats]:
    """The living by cell, sample by sample; at most one cell an agent, none narrower than `reach` or the mean spacing.

    Args:
        position: (T, N, D) m.
        alive: (T, N) bool.
        box: (3,) m, period of each axis, 0 where it does not wrap.
        reach: m, the largest distance that matters.

    Returns:
        order (T, N): the living by cell, then -1; start (T, C + 1): where each cell starts in `order`, last the number
        of the living; beside (T, C, 14): each cell and the half of its neighbours that comes after it, -1 for none;
        size (T,) m.
    """
    samples, agents, dim = position.shape
    order, start = np.full((samples, agents), -1), np.zeros((samples, agents + 1), np.int64)
    beside, sizes = np.full((samples, agents, 14), -1), np.empty(samples)
    low, extent, shape = np.zeros(3), np.zeros(3), np.ones(3, np.int64)
    cell = np.empty(agents, np.int64)
    for t in range(samples):
        living, volume = 0, 1.0
        for i in range(agents):
            living += alive[t, i]
        for k in range(dim):
            low[k], extent[k] = 0.0, box[k]
            if box[k] == 0.0:
                low[k], high = inf, -inf
                for i in range(agents):
                    if alive[t, i]:
                        low[k] = min(low[k], position[t, i, k])
                        high = max(high, position[t, i, k])
                extent[k] = max(high - low[k], 0.0)
            volume *= max(extent[k], 1e-9)
        size = max(reach, (volume / max(living, 1)) ** (1.0 / dim))
        total = agents + 1
        while total > agents:
            total = 1
            for k in range(dim):
                wide = int(min(extent[k] / size, 1e6))
                # Round a torus, fewer than three cells would meet the same neighbour on both sides.
                shape[k] = 1 if wide < 1 or (box[k] > 0.0 and wide < 3) else wide
                total *= shape[k]
            if total > agents:
                size *= 1.2
        sizes[t] = size
        for i in range(agents):
            if alive[t, i]:
                cell[i] = 0
                for k in range(dim):
                    along = position[t, i, k] - low[k]
                    if box[k] > 0.0:
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
        for c in range(total):
            for o in range(14):
                rest, stride, there, inside = c, 1, 0, True
                for k in range(dim - 1, -1, -1):
                    along = rest % shape[k] + (o + 13) // 3 ** (2 - k) % 3 - 1
                    rest //= shape[k]
                    if along < 0 or along >= shape[k]:
                        inside &= box[k] > 0.0 and shape[k] > 1
                        along %= shape[k]
                    there += along * stride
                    stride *= shape[k]
                # In 2D the third digit of the offset has no axis: only the middle one counts.
                if inside and (dim == 3 or (o + 13) % 3 == 1):
                    beside[t, c, o] = there
    return order, start, beside, sizes


@kernel
def far_neighbours(
    position: Floats,
    box: Floats,
    order: Ints,
    start: Ints,
    size: Floats,
    nearest: Floats,
    table: Floats,
    closest: Ints,
) -> None:
    """Look among all for the nearest neighbour of those who have none within a cell, and correct what hangs on it.

    Args:
        position, box, order, start, size: As above.
        nearest, table, closest: From `pair_kernel.pairs`; corrected in place.
    """
    for t in range(position.shape[0]):
        living = start[t, start.shape[1] - 1]
        distances = 0.0
        for a in range(living):
            i = order[t, a]
            if nearest[t, a] > size[t] * size[t]:
                for b in range(living):
                    j, square = order[t, b], 0.0
                    for k in range(position.shape[2]):
                        step = position[t, j, k] - position[t, i, k]
                        if box[k] > 0.0:
                            step -= box[k] * floor(step / box[k] + 0.5)
                        square += step * step
                    if i != j and square < nearest[t, a]:
                        nearest[t, a] = square
                        if sqrt(square) < table[t, SEPARATION]:
                            table[t, SEPARATION] = sqrt(square)
                            closest[t, 0], closest[t, 1] = i, j
            distances += sqrt(nearest[t, a])
        if living > 1:
            table[t, NEAREST] = distances / living
