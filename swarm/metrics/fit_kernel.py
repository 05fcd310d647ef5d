"""The best rigid fit of a swarm to a formation: yaw, shift and assignment of slots that leave the smallest error.

For a full swarm the shift takes centroid to centroid, and what is left is to find the assignment π and yaw θ with the
largest

    g(θ, π) = Re(e^{-iθ} C_π) + Z_π,   C_π = Σ p_i conj(s_π(i)) (level, as complex numbers),   Z_π = Σ z_i z_π(i).

At one yaw that is a linear assignment problem. Over all yaws max_π g is the support function of the convex hull of the
C_π (plus heights), and the best fit is its farthest vertex. Between two yaws whose assignments are known no vertex lies
beyond the sinusoid through their two values, so arcs that cannot beat the best fit so far are dropped and the others
split where the two assignments tie. The result is exact for any N.
"""

from __future__ import annotations

from math import acos, atan2, cos, floor, inf, pi, sin, sqrt

import numpy as np

from swarm.compiled import kernel
from swarm.state import Floats, Ints

YAWS = 1024  # looked at for one fit at most; a few are needed
FLAT = 1e-9  # share of g below which two fits are one


@kernel
def assign(cost: Floats, rows: int, columns: int, row_of: Ints, column_of: Ints, work: Floats) -> None:
    """Linear assignment of least cost by shortest augmenting paths (Jonker and Volgenant 1987; Crouse 2016).

    Args:
        cost: at least (rows, columns), rows <= columns.
        row_of: (columns,) out, the row of each column or -1.
        column_of: (rows,) out, the column of each row.
        work: (4, columns) scratch.
    """
    price, shortest, base = work[0], work[1], work[2]
    before = work[3]
    for j in range(columns):
        row_of[j] = -1
        price[j] = 0.0
    for i in range(rows):
        least, at = cost[i, 0], 0
        for j in range(1, columns):
            if cost[i, j] < least:
                least, at = cost[i, j], j
        base[i] = least
        column_of[i] = -1
        if row_of[at] < 0:
            row_of[at] = i
            column_of[i] = at
    for free in range(rows):
        if column_of[free] >= 0:
            continue
        # `before` holds the row a column was reached from; a settled column is marked by row + columns.
        for j in range(columns):
            shortest[j] = inf
            before[j] = -1.0
        i, reached, sink = free, 0.0, -1
        while sink < 0:
            least, at = inf, -1
            for j in range(columns):
                if before[j] < columns:
                    through = reached + cost[i, j] - base[i] - price[j]
                    if through < shortest[j]:
                        shortest[j] = through
                        before[j] = i
                    if shortest[j] < least or (shortest[j] == least and row_of[j] < 0):
                        least, at = shortest[j], j
            reached = least
            before[at] += columns
            if row_of[at] < 0:
                sink = at
            else:
                i = row_of[at]
        base[free] += reached
        for j in range(columns):
            if before[j] >= columns and j != sink:
                base[row_of[j]] += reached - shortest[j]
                price[j] -= reached - shortest[j]
        j = sink
        while True:
            i = int(before[j]) - columns
            row_of[j] = i
            column_of[i], j = j, column_of[i]
            if i == free:
                break


@kernel
def fit(here: Floats, place: Floats, matrix: Floats, work: Floats, node: Floats, arc: Ints) -> tuple[Ints, Floats]:
    """Best assignment and yaw of each sample, for as many agents as slots.

    Args:
        here, place: (T, N, 3) and (N, 3) m, agents and slots, each with its centroid at 0.
        matrix, work: (4, N, N) and (4, N) scratch.
        node, arc: (K, 5) and (K, 2) scratch for at most K yaws looked at: yaw, there Re C, Im C, Z and g + height.

    Returns:
        slots (T, N) and yaws (T,) rad.
    """
    samples, count = here.shape[0], here.shape[1]
    chosen, yaws = np.empty((samples, count), np.int64), np.empty(samples)
    row_of, column_of = np.empty(count, np.int64), np.empty(count, np.int64)
    cost, real, imaginary, upright = matrix[0], matrix[1], matrix[2], matrix[3]
    for t in range(samples):
        height = 0.0
        for i in range(count):
            for j in range(count):
                real[i, j] = place[j, 0] * here[t, i, 0] + place[j, 1] * here[t, i, 1]
                imaginary[i, j] = place[j, 0] * here[t, i, 1] - place[j, 1] * here[t, i, 0]
                upright[i, j] = place[j, 2] * here[t, i, 2]
                height = max(height, abs(upright[i, j]))
        # No assignment can have Z below -height·N; level formations need no allowance for it.
        height *= count
        best, at = -1.0, 0.0
        looked, arcs = 0, 0
        while True:
            cosine, sine = cos(at), sin(at)
            for i in range(count):
                for j in range(count):
                    cost[i, j] = -(cosine * real[i, j] + sine * imaginary[i, j] + upright[i, j])
            assign(cost, count, count, row_of, column_of, work)
            a, b, c = 0.0, 0.0, 0.0
            for i in range(count):
                j = column_of[i]
                a += real[i, j]
                b += imaginary[i, j]
                c += upright[i, j]
            node[looked, 0], node[looked, 1], node[looked, 2], node[looked, 3] = at, a, b, c
            node[looked, 4] = cosine * a + sine * b + c + height
            looked += 1
            gain = sqrt(a * a + b * b) + c
            if gain > best:
                best, yaws[t] = gain, atan2(b, a)
                for i in range(count):
                    chosen[t, i] = column_of[i]
            # The first yaws are a quarter turn apart; later ones split an arc between two where these tie.
            if looked < 4:
                at = looked * 0.5 * pi
                continue
            if looked == 4:
                for k in range(5):
                    node[4, k] = node[0, k]
                    arc[k, 0], arc[k, 1] = k, k + 1
                node[4, 0] = 2.0 * pi
                looked, arcs = 5, 4
            split = False
            while arcs > 0 and not split and looked < node.shape[0]:
                arcs -= 1
                left, right = arc[arcs, 0], arc[arcs, 1]
                start, wide = node[left, 0], node[right, 0] - node[left, 0]
                x, y = node[left, 4], node[right, 4]
                # Top of the sinusoid through both ends, within the arc.
                slope = (y - x * cos(wide)) / sin(wide)
                peak, top = atan2(slope, x), max(x, y)
                if 0.0 < peak < wide:
                    top = sqrt(x * x + slope * slope)
                if top - height <= best + FLAT * (best + height) or wide < 1e-6:
                    continue
                a, b, c = node[left, 1] - node[right, 1], node[left, 2] - node[right, 2], node[left, 3] - node[right, 3]
                at, amplitude = 0.5 * wide, sqrt(a * a + b * b)
                if amplitude > abs(c):
                    for k in range(2):
                        tie = atan2(b, a) - start + (2 * k - 1) * acos(-c / amplitude)
                        tie -= 2.0 * pi * floor(tie / (2.0 * pi))
                        if 0.001 * wide < tie < 0.999 * wide:
                            at = tie
                at += start
                arc[arcs + 1, 0], arc[arcs + 1, 1] = looked, right
                arc[arcs, 1] = looked
                arcs += 2
                split = True
            if not split:
                break
    return chosen, yaws
