"""The best rigid fit of a swarm to a formation: yaw, shift and assignment of slots that leave the smallest error.

For a full swarm the shift takes centroid to centroid and what is left is to find the assignment π and yaw θ with the largest

    g(θ, π) = Re(e^{-iθ} C_π) + Z_π,   C_π = Σ p_i conj(s_π(i)) (level, as complex numbers),   Z_π = Σ z_i z_π(i).

At one yaw that is a linear assignment problem. Over all yaws max_π g is the support function of the convex hull of the C_π
(plus heights), and the best fit is its farthest vertex: between two yaws whose assignments are known no vertex lies beyond the
sinusoid through their two values, so arcs that cannot beat the best fit so far are dropped and the others split where the two
assignments tie. The result is exact for any N.
"""

from __future__ import annotations

import numpy as np

from swarm.compiled import kernel

ERROR, DISTANCE_ERROR = range(2)
FLAT = 1e-9  # share of the largest conceivable g below which two fits are one


@kernel
def assign(cost, rows, columns, row_of, column_of, work):  # type: ignore[no-untyped-def]
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
            shortest[j] = np.inf
            before[j] = -1.0
        i, reached, sink = free, 0.0, -1
        while sink < 0:
            least, at = np.inf, -1
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
def best_yaw(here, place, chosen, work, node):  # type: ignore[no-untyped-def]
    """Best assignment and yaw for as many agents as slots.

    Args:
        here, place: (N, 3) m, agents and slots, each with its centroid at 0.
        chosen: (N,) out, the slot of each agent.
        work: (4 N + 6, N) scratch.
        node: (K, 4) scratch for yaws looked at: yaw, real and imaginary part of C there, Z.

    Returns:
        The yaw, rad.
    """
    count = here.shape[0]
    row_of, column_of = np.empty(count, np.int64), np.empty(count, np.int64)
    arc = np.empty((node.shape[0], 2), np.int64)
    cost, real, imaginary, upright = (
        work[:count],
        work[count : 2 * count],
        work[2 * count : 3 * count],
        work[3 * count : 4 * count],
    )
    rest = work[4 * count :]
    size, height = 0.0, 0.0
    for i in range(count):
        size += (
            here[i, 0] * here[i, 0] + here[i, 1] * here[i, 1] + place[i, 0] * place[i, 0] + place[i, 1] * place[i, 1]
        )
        for j in range(count):
            real[i, j] = place[j, 0] * here[i, 0] + place[j, 1] * here[i, 1]
            imaginary[i, j] = place[j, 0] * here[i, 1] - place[j, 1] * here[i, 0]
            upright[i, j] = place[j, 2] * here[i, 2]
            height = max(height, abs(upright[i, j]))
    # No assignment can have Z below -height·N; level formations need no allowance for it.
    height *= count
    yaw, best = 0.0, -1.0
    looked, arcs, at = 0, 0, 0.0
    while True:
        # The first yaws are a quarter turn apart; later ones split the arc between two that tie.
        if looked < 4:
            at = looked * 0.5 * np.pi
        elif looked == 4:
            for k in range(4):
                node[4, k] = node[0, k]
                arc[k, 0], arc[k, 1] = k, k + 1
            node[4, 0] = 2.0 * np.pi
            looked, arcs = 5, 4
        if looked >= 5:
            at = -1.0
            while arcs > 0 and at < 0.0 and looked < node.shape[0]:
                arcs -= 1
                left, right = node[arc[arcs, 0]], node[arc[arcs, 1]]
                wide = right[0] - left[0]
                x = np.cos(left[0]) * left[1] + np.sin(left[0]) * left[2] + left[3] + height
                y = np.cos(right[0]) * right[1] + np.sin(right[0]) * right[2] + right[3] + height
                # Height of the sinusoid through both ends, over the arc.
                slope = (y - x * np.cos(wide)) / np.sin(wide)
                peak = np.arctan2(slope, x)
                top = np.sqrt(x * x + slope * slope) if 0.0 < peak < wide else max(x, y)
                if top - height <= best + FLAT * (size + height) or wide < 1e-6:
                    continue
                a, b, c = left[1] - right[1], left[2] - right[2], left[3] - right[3]
                amplitude = np.sqrt(a * a + b * b)
                middle = 0.5 * wide
                if amplitude > abs(c):
                    ahead = np.arctan2(b, a) - left[0]
                    back = np.arccos(-c / amplitude)
                    for tie in (ahead + back, ahead - back):
                        tie -= 2.0 * np.pi * np.floor(tie / (2.0 * np.pi))
                        if 0.001 * wide < tie < 0.999 * wide:
                            middle = tie
                at = left[0] + middle
                arc[arcs + 1, 0], arc[arcs + 1, 1] = looked, arc[arcs, 1]
                arc[arcs, 1] = looked
                arcs += 2
            if at < 0.0:
                return yaw
        cosine, sine = np.cos(at), np.sin(at)
        for i in range(count):
            for j in range(count):
                cost[i, j] = -(cosine * real[i, j] + sine * imaginary[i, j] + upright[i, j])
        assign(cost, count, count, row_of, column_of, rest)
        a, b, c = 0.0, 0.0, 0.0
        for i in range(count):
            j = column_of[i]
            a += real[i, j]
            b += imaginary[i, j]
            c += upright[i, j]
        node[looked, 0], node[looked, 1], node[looked, 2], node[looked, 3] = at, a, b, c
        looked += 1
        gain = np.sqrt(a * a + b * b) + c
        if gain > best:
            best, yaw = gain, np.arctan2(b, a)
            for i in range(count):
                chosen[i] = column_of[i]


@kernel
def residual(here, place, chosen, yaw, count, row):  # type: ignore[no-untyped-def]
    """Errors of a fit into `row`: root mean square distance to the slots, and that of the pair distances, m."""
    cosine, sine, square, stretch = np.cos(yaw), np.sin(yaw), 0.0, 0.0
    for i in range(count):
        a = chosen[i]
        x = here[i, 0] - (cosine * place[a, 0] - sine * place[a, 1])
        y = here[i, 1] - (sine * place[a, 0] + cosine * place[a, 1])
        z = here[i, 2] - place[a, 2]
        square += x * x + y * y + z * z
        for j in range(i):
            b = chosen[j]
            apart, wanted = 0.0, 0.0
            for k in range(3):
                apart += (here[i, k] - here[j, k]) ** 2
                wanted += (place[a, k] - place[b, k]) ** 2
            stretch += (np.sqrt(apart) - np.sqrt(wanted)) ** 2
    row[ERROR] = np.sqrt(square / max(count, 1))
    row[DISTANCE_ERROR] = np.sqrt(2.0 * stretch / max(count * (count - 1), 1))


@kernel
def centred(position, middle, alive, box, here, who):  # type: ignore[no-untyped-def]
    """The living of one sample about their centroid, whole across the border of a torus; gives how many they are."""
    living = 0
    for i in range(alive.shape[0]):
        if alive[i]:
            who[living] = i
            for k in range(position.shape[1]):
                step = position[i, k] - middle[k]
                if box[k] > 0.0:
                    step -= box[k] * np.floor(step / box[k] + 0.5)
                here[living, k] = step
            living += 1
    for k in range(position.shape[1]):
        mean = 0.0
        for a in range(living):
            mean += here[a, k]
        for a in range(living):
            here[a, k] -= mean / living
    return living


@kernel
def fit(position, middle, alive, box, place):  # type: ignore[no-untyped-def]
    """Fit the samples in which as many agents live as there are slots.

    Args:
        position: (T, N, D) m.
        middle: (T, D) m, near the centroid of the living; what is a torus is cut opposite to it.
        alive: (T, N) bool.
        box: (D,) m, period of each axis, 0 where it does not wrap.
        place: (M, 3) m, slots with their centroid at 0.

    Returns:
        table (T, 2) and slots (T, N), -1 for the lost and where the swarm is not full.
    """
    samples, agents, _ = position.shape
    count = place.shape[0]
    table, slots = np.zeros((samples, 2)), np.full((samples, agents), -1)
    here, who, chosen = np.zeros((agents, 3)), np.empty(agents, np.int64), np.empty(count, np.int64)
    work, node = np.empty((4 * count + 4, count)), np.empty((1024, 4))
    for t in range(samples):
        living = centred(position[t], middle[t], alive[t], box, here, who)
        if living == count and count > 0:
            yaw = best_yaw(here[:count], place, chosen, work, node)
            residual(here, place, chosen, yaw, count, table[t])
            for a in range(count):
                slots[t, who[a]] = chosen[a]
    return table, slots
