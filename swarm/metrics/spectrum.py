"""The second eigenvalue of the Laplacian of an interaction graph without LAPACK, whose threads disturb each other.

For matrices as small as these a threaded library spends more time handing out work than doing it, several times more
where the cores are busy. The Lanczos recurrence asks for products with a sparse matrix only.
"""

from __future__ import annotations

from math import floor, sqrt

import numpy as np

from swarm.compiled import kernel
from swarm.state import Bools, Floats, Ints

PRECISION = 1e-14  # relative to the largest eigenvalue there can be, twice the largest number of neighbours
PATIENCE = 4000  # products after which it is left to LAPACK
CHECKED = 8  # products between one look at the eigenvalues and the next


@kernel
def adjacency(position: Floats, alive: Bools, box: Floats, squared_range: float) -> tuple[Ints, Ints]:
    """Rows of neighbours (L + 1,), (E,) of the living of one sample, numbered among themselves.

    Args:
        position, alive: (N, D) m, (N,).
        box: (D,) m, period of each axis, 0 where it does not wrap.
        squared_range: m², inclusive.
    """
    who = np.flatnonzero(alive)
    count, dim = len(who), position.shape[1]
    near = np.zeros((count, count), np.bool_)
    for a in range(count):
        for b in range(a):
            square = 0.0
            for k in range(dim):
                step = position[who[b], k] - position[who[a], k]
                if box[k] > 0.0:
                    step -= box[k] * floor(step / box[k] + 0.5)
                square += step * step
            near[a, b] = near[b, a] = square <= squared_range
    indptr, indices = np.zeros(count + 1, np.int64), np.empty(count * count, np.int64)
    edges = 0
    for a in range(count):
        for b in range(count):
            indices[edges] = b
            edges += near[a, b]
        indptr[a + 1] = edges
    return indptr, indices[:edges]


@kernel
def below(diagonal: Floats, beside: Floats, size: int, value: float) -> int:
    """How many eigenvalues of a symmetric tridiagonal matrix lie below a value (Sturm's sequence).

    Args:
        diagonal, beside: (K,), (K,); beside[k] stands between k and k + 1.
        size: Rows that count.
        value: Any number.
    """
    found, pivot = 0, 1.0
    for k in range(size):
        coupling = beside[k - 1] * beside[k - 1] if k > 0 else 0.0
        pivot = diagonal[k] - value - coupling / pivot
        if pivot == 0.0:
            pivot = -1e-300
        found += pivot < 0.0
    return found


@kernel
def lowest(diagonal: Floats, beside: Floats, size: int, rank: int, high: float) -> float:
    """The eigenvalue of that rank (0 is the smallest) of such a matrix, between 0 and `high`, by bisection."""
    low = 0.0
    while True:
        middle = 0.5 * (low + high)
        if middle <= low or middle >= high:
            return middle
        if below(diagonal, beside, size, middle) > rank:
            high = middle
        else:
            low = middle


@kernel
def second_smallest(indptr: Ints, indices: Ints) -> float:
    """λ₂ of L = D − A of a connected graph of three or more, at right angles to the vector of ones, whose value is 0.

    Without orthogonalisation copies of eigenvalues that have converged turn up again, which does no harm to the
    smallest; only the vector of ones must be kept out, at every step. The start is the same at every call.

    Args:
        indptr, indices: Rows of neighbours.

    Returns:
        λ₂; -1 where it has not settled.

    Source: Lanczos 1950; Paige 1972 for the recurrence; Parlett 1980, the symmetric eigenvalue problem, for the bounds.
    """
    count = len(indptr) - 1
    now, before, product = np.empty(count), np.zeros(count), np.empty(count)
    diagonal, beside = np.empty(PATIENCE), np.empty(PATIENCE)
    most = 0
    state = np.uint32(1)
    for i in range(count):
        state = np.uint32(state * np.uint32(1664525) + np.uint32(1013904223))
        now[i] = state / 4294967296.0 - 0.5
        most = max(most, indptr[i + 1] - indptr[i])
    highest, coupling = 2.0 * most, 0.0
    mean = now.mean()
    length = 0.0
    for i in range(count):
        now[i] -= mean
        length += now[i] * now[i]
    for i in range(count):
        now[i] /= sqrt(length)
    for step in range(PATIENCE):
        along, total = 0.0, 0.0
        for i in range(count):
            value = (indptr[i + 1] - indptr[i]) * now[i]
            for edge in range(indptr[i], indptr[i + 1]):
                value -= now[indices[edge]]
            product[i] = value - coupling * before[i]
            along += product[i] * now[i]
        for i in range(count):
            product[i] -= along * now[i]
            total += product[i]
        mean, length = total / count, 0.0
        for i in range(count):
            product[i] -= mean
            length += product[i] * product[i]
        coupling = sqrt(length)
        diagonal[step], beside[step] = along, coupling
        size = step + 1
        ended = coupling <= PRECISION * highest
        if ended or size % CHECKED == 0:
            value = lowest(diagonal, beside, size, 0, highest * (1.0 + 1e-9))
            if ended:
                return value
            # Its eigenvector from the last component up, the way it grows, tells how large a part of it that one is:
            # by that and what couples it to the rest the value may be wrong.
            norm, one, two = 1.0, 1.0, 0.0
            for k in range(step, 0, -1):
                after = beside[k] * two if k < step else 0.0
                one, two = ((value - diagonal[k]) * one - after) / beside[k - 1], one
                norm += one * one
                if norm > 1e200:  # settled beyond all doubt
                    break
            rest = coupling / sqrt(norm)
            if rest <= 1e-5 * highest:
                gap = lowest(diagonal, beside, size, 1, highest * (1.0 + 1e-9)) - value
                if rest <= PRECISION * highest or rest * rest <= PRECISION * highest * gap:
                    return value
        for i in range(count):
            before[i], now[i] = now[i], product[i] / coupling
    return -1.0
