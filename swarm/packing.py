"""Which of many places lie too close to an earlier one, by a grid of cells: a pass over a million takes a second."""

from __future__ import annotations

import math

import numpy as np

from swarm.compiled import kernel
from swarm.state import Floats, Ints

FEW = 300  # places that are compared pair by pair
PRIMES = (73856093, 19349663)  # of the spatial hash: Teschner et al. (2003)


def clashes(points: Floats, apart: float, lowest: Floats, period: Floats, skip: bool, most: int | None = None) -> Ints:
    """For each place in turn, the first earlier one that is nearer than `apart`.

    Args:
        points: (M, D) m.
        apart: m.
        lowest: (D,) m, lowest corner of the world.
        period: (D,) m after which each axis repeats, 0 where it does not.
        skip: Whether a place that clashes is out of the way of those after it.
        most: Stop once so many places do not clash; None looks at all.

    Returns:
        (K,) index of the earlier place, -1 where there is none; K < M where it stopped.
    """
    wanted = len(points) if most is None else most
    if apart <= 0.0:
        return np.full(min(wanted, len(points)), -1, np.int64)
    if len(points) <= FEW:
        return _pair_by_pair(points, apart, period, skip, wanted)
    return _clashes(np.ascontiguousarray(points), float(apart), lowest, period, skip, wanted)


def _pair_by_pair(points: Floats, apart: float, period: Floats, skip: bool, most: int) -> Ints:
    """The same for so few that compiling would take longer."""
    step = points[:, None] - points[None]
    step -= np.where(period > 0.0, period, 0.0) * np.rint(step / np.where(period > 0.0, period, np.inf))
    close = (step**2).sum(axis=-1) < apart**2
    found = np.full(len(points), -1, np.int64)
    kept = 0
    for i in range(len(points)):
        if kept >= most:
            return found[:i]
        earlier = np.flatnonzero(close[i, :i] & (found[:i] < 0) if skip else close[i, :i])
        if len(earlier):
            found[i] = earlier[0]
        kept += len(earlier) == 0
    return found


@kernel
def _clashes(points: Floats, apart: float, lowest: Floats, period: Floats, skip: bool, most: int) -> Ints:
    count, dim = points.shape
    size = 1
    while size < 2 * count:
        size *= 2
    head, after = np.full(size, -1, np.int64), np.full(count, -1, np.int64)
    cells, edge = np.zeros(3, np.int64), np.full(3, apart)
    for k in range(dim):
        if period[k] > 0.0:  # at least as wide as `apart`, and whole cells in a period
            cells[k] = max(1, int(period[k] / apart))
            edge[k] = period[k] / cells[k]
    found = np.full(count, -1, np.int64)
    at, beside = np.zeros(3, np.int64), np.zeros(3, np.int64)
    kept = 0
    for i in range(count):
        if kept >= most:
            return found[:i]
        for k in range(dim):
            at[k] = math.floor((points[i, k] - lowest[k]) / edge[k])
        first = -1
        for neighbour in range(3**dim):
            rest = neighbour
            for k in range(dim):
                beside[k] = at[k] + rest % 3 - 1
                rest //= 3
            j = head[bucket(beside, cells, size)]
            while j >= 0:
                square = 0.0
                for k in range(dim):
                    step = points[i, k] - points[j, k]
                    if period[k] > 0.0:
                        step -= period[k] * np.rint(step / period[k])
                    square += step * step
                if square < apart * apart and (first < 0 or j < first):
                    first = j
                j = after[j]
        found[i] = first
        kept += int(first < 0)
        if first < 0 or not skip:
            place = bucket(at, cells, size)
            after[i], head[place] = head[place], i
    return found


@kernel
def bucket(cell: Ints, cells: Ints, size: int) -> int:
    """Where a cell's places are kept; several cells may share one, and cells in a row along x lie side by side."""
    x = cell[0] % cells[0] if cells[0] > 0 else cell[0]
    y = cell[1] % cells[1] if cells[1] > 0 else cell[1]
    z = cell[2] % cells[2] if cells[2] > 0 else cell[2]
    place: int = (x + (y * PRIMES[0] ^ z * PRIMES[1])) & (size - 1)
    return place
