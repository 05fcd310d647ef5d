"""The best rigid fit of what is left of a swarm to some of the slots of its formation."""

from __future__ import annotations

import numpy as np

from swarm.compiled import kernel
from swarm.metrics.fit_kernel import ERROR, assign, best_yaw, centred, residual

ALL_SUBSETS = 6  # slots up to which every subset of slots is tried
STARTS = 12  # yaws to alternate assignment and fit from where there are more


@kernel
def _choose(place, subset, count, some, which):  # type: ignore[no-untyped-def]
    """The slots of a bit set about their centroid, into `some` and `which`."""
    taken = 0
    for j in range(place.shape[0]):
        if subset >> j & 1:
            which[taken] = j
            taken += 1
    for k in range(3):
        mean = 0.0
        for a in range(count):
            mean += place[which[a], k] / count
        for a in range(count):
            some[a, k] = place[which[a], k] - mean


@kernel
def _alternate(here, place, count, yaw, cost, row_of, column_of, work, some):  # type: ignore[no-untyped-def]
    """Alternate assignment and fit from one yaw until the error stays; gives yaw and sum of squares, `some` the slots taken."""
    slots = place.shape[0]
    shift = np.zeros(3)
    last = np.inf
    for _ in range(100):
        cosine, sine = np.cos(yaw), np.sin(yaw)
        for i in range(count):
            for j in range(slots):
                x = here[i, 0] - (cosine * place[j, 0] - sine * place[j, 1]) - shift[0]
                y = here[i, 1] - (sine * place[j, 0] + cosine * place[j, 1]) - shift[1]
                z = here[i, 2] - place[j, 2] - shift[2]
                cost[i, j] = x * x + y * y + z * z
        assign(cost, count, slots, row_of, column_of, work)
        real, imaginary, square = 0.0, 0.0, 0.0
        mean = np.zeros(3)
        for k in range(3):
            for a in range(count):
                mean[k] += place[column_of[a], k] / count
            for a in range(count):
                some[a, k] = place[column_of[a], k] - mean[k]
        for a in range(count):
            real += some[a, 0] * here[a, 0] + some[a, 1] * here[a, 1]
            imaginary += some[a, 0] * here[a, 1] - some[a, 1] * here[a, 0]
        yaw = np.arctan2(imaginary, real)
        cosine, sine = np.cos(yaw), np.sin(yaw)
        for a in range(count):
            x = here[a, 0] - (cosine * some[a, 0] - sine * some[a, 1])
            y = here[a, 1] - (sine * some[a, 0] + cosine * some[a, 1])
            square += x * x + y * y + (here[a, 2] - some[a, 2]) ** 2
        # The agents are about their centroid, so the shift takes the slots' there.
        shift[0] = -(cosine * mean[0] - sine * mean[1])
        shift[1] = -(sine * mean[0] + cosine * mean[1])
        shift[2] = -mean[2]
        if square >= last * (1.0 - 1e-12):
            break
        last = square
    return yaw, square


@kernel
def partial_fit(position, middle, alive, box, place):  # type: ignore[no-untyped-def]
    """Fit samples in which fewer agents live than there are slots; arguments and results as for `fit_kernel.fit`."""
    samples, agents, _ = position.shape
    slots_there = place.shape[0]
    table, slots = np.zeros((samples, 2)), np.full((samples, agents), -1)
    here, who = np.zeros((agents, 3)), np.empty(agents, np.int64)
    some, which = np.empty((agents, 3)), np.empty(slots_there, np.int64)
    row_of, column_of = np.empty(slots_there, np.int64), np.empty(slots_there, np.int64)
    cost, scratch = np.empty((agents, slots_there)), np.empty((4, slots_there))
    node = np.empty((1024, 4))
    row = np.empty(2)
    for t in range(samples):
        count = centred(position[t], middle[t], alive[t], box, here, who)
        table[t, ERROR] = np.inf
        if slots_there <= ALL_SUBSETS:
            for subset in range(1 << slots_there):
                bits = 0
                for j in range(slots_there):
                    bits += subset >> j & 1
                if bits == count:
                    _choose(place, subset, count, some, which)
                    small = np.empty((4 * count + 4, count))
                    yaw = best_yaw(here[:count], some[:count], column_of, small, node)
                    residual(here, some, column_of, yaw, count, row)
                    if row[ERROR] < table[t, ERROR]:
                        table[t, 0], table[t, 1] = row[0], row[1]
                        for a in range(count):
                            slots[t, who[a]] = which[column_of[a]]
        else:
            best = np.inf
            for start in range(STARTS):
                yaw, square = _alternate(
                    here, place, count, start * np.pi / 6.0, cost, row_of, column_of, scratch, some
                )
                if square < best:
                    best = square
                    for a in range(count):
                        slots[t, who[a]] = column_of[a]
                        which[a] = a
                    residual(here, some, which, yaw, count, table[t])
    return table, slots
