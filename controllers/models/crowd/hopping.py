"""Kernels of the floor-field automaton."""

from __future__ import annotations

import math

import numpy as np

from swarm.compiled import kernel
from swarm.controllers.models.crowd.cells import AROUND
from swarm.state import Bools, Floats, Ints


@kernel
def beside(cell: int, step: int, size: int, wraps: bool) -> int:
    """Index of a neighbouring cell along one axis; -1 beyond the edge."""
    there = cell + step
    if 0 <= there < size:
        return there
    return there % size if wraps else -1


@kernel
def chances(
    at: Ints, last: Ints, alive: Bools, world: Ints, static: Floats, traces: Floats, free: Bools, wraps: Bools,
    k_static: float, k_dynamic: float, own: float,
) -> Floats:  # fmt: skip
    """Probabilities (A, 5) with which walkers choose their own cell and its neighbours.

    Args:
        at: (A, 2) cells.
        last: (A,) how each came there: index into AROUND of the step, 0 for not at all.
        alive, world: (A,).
        static: (A, 5) S relative to the own cell.
        traces: (W, columns, rows) D.
        free: (columns, rows).
        wraps: (2,).
        k_static, k_dynamic: k_S, k_D.
        own: What is left by now of the trace of one's own last hop.
    """
    agents, (columns, rows) = len(at), free.shape
    taken = np.zeros(traces.shape, np.bool_)
    for i in range(agents):
        if alive[i]:
            taken[world[i], at[i, 0], at[i, 1]] = True
    chance = np.zeros((agents, len(AROUND)))
    for i in range(agents):
        most = -math.inf
        for k in range(len(AROUND)):
            x = beside(at[i, 0], AROUND[k, 0], columns, wraps[0])
            y = beside(at[i, 1], AROUND[k, 1], rows, wraps[1])
            chance[i, k] = -math.inf
            if x < 0 or y < 0 or (k > 0 and (not free[x, y] or taken[world[i], x, y])):
                continue
            trace = traces[world[i], x, y]
            if last[i] > 0 and AROUND[k, 0] == -AROUND[last[i], 0] and AROUND[k, 1] == -AROUND[last[i], 1]:
                trace = max(0.0, trace - own)
            chance[i, k] = k_static * static[i, k] + k_dynamic * trace
            most = max(most, chance[i, k])
        total = 0.0
        for k in range(len(AROUND)):
            chance[i, k] = math.exp(chance[i, k] - most)
            total += chance[i, k]
        for k in range(len(AROUND)):
            chance[i, k] /= total
    return chance


@kernel
def resolve(
    at: Ints, chance: Floats, going: Bools, world: Ints, draw: Floats, order: Floats, stop: Floats, friction: float,
    traces: Floats, wraps: Bools,
) -> Ints:  # fmt: skip
    """Cells (A, 3) after everybody has hopped at once: column, row and the step taken; `traces` gains what is left.

    Args:
        at, chance, going, world: As for `chances`; `going` (A,) who hops at all.
        draw, order, stop: (A,) uniform in [0, 1): the choice, the winner of a conflict (the least), and whether the
            winner is held up.
        friction: Probability that nobody of a conflict goes.
        traces: (W, columns, rows), written.
        wraps: (2,).
    """
    agents, (_, columns, rows) = len(at), traces.shape
    target = np.zeros((agents, 3), np.int64)
    winner = np.full(traces.shape, -1)
    wanting = np.zeros(traces.shape, np.int64)
    for i in range(agents):
        target[i, 0], target[i, 1] = at[i, 0], at[i, 1]
        if not going[i]:
            continue
        k, total = 0, chance[i, 0]
        while k < len(AROUND) - 1 and draw[i] >= total:
            k += 1
            total += chance[i, k]
        while k > 0 and chance[i, k] == 0.0:  # rounding of the sum
            k -= 1
        if k == 0:
            continue
        target[i, 0] = beside(at[i, 0], AROUND[k, 0], columns, wraps[0])
        target[i, 1] = beside(at[i, 1], AROUND[k, 1], rows, wraps[1])
        target[i, 2] = k
        place = (world[i], target[i, 0], target[i, 1])
        wanting[place] += 1
        if winner[place] < 0 or order[i] < order[winner[place]]:
            winner[place] = i
    for i in range(agents):
        if target[i, 2] == 0:
            continue
        place = (world[i], target[i, 0], target[i, 1])
        if winner[place] != i or (wanting[place] > 1 and stop[i] < friction):
            target[i, 0], target[i, 1], target[i, 2] = at[i, 0], at[i, 1], 0
        else:
            traces[world[i], at[i, 0], at[i, 1]] += 1.0
    return target


@kernel
def spread(traces: Floats, free: Bools, wraps: Bools, diffusion: float, decay: float) -> None:
    """Traces (W, columns, rows) diffuse and decay, written in place; they do not go into what is not free."""
    worlds, columns, rows = traces.shape
    before = traces.copy()
    for w in range(worlds):
        for x in range(columns):
            for y in range(rows):
                if not free[x, y]:
                    traces[w, x, y] = 0.0
                    continue
                given, taken = 0, 0.0
                for k in range(1, len(AROUND)):
                    i = beside(x, AROUND[k, 0], columns, wraps[0])
                    j = beside(y, AROUND[k, 1], rows, wraps[1])
                    if i >= 0 and j >= 0 and free[i, j]:
                        given += 1
                        taken += before[w, i, j]
                kept = before[w, x, y] * (1.0 - 0.25 * diffusion * given)
                traces[w, x, y] = (1.0 - decay) * (kept + 0.25 * diffusion * taken)
