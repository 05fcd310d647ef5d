"""How fast a crowd gets out, and how well it sorts itself into lanes."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from swarm.compiled import kernel
from swarm.state import Floats, Ints


def egress_time(arrival: ArrayLike) -> float | None:
    """When the last left, s, from (N,) s at which each left, inf for who has not; None while somebody is there."""
    times = np.asarray(arrival, np.float64)
    return float(times.max()) if len(times) and np.isfinite(times).all() else None


def flow(arrival: ArrayLike) -> float | None:
    """How many leave in a second, between the first and the last.

    Args:
        arrival: (N,) s at which each left, inf for who has not.

    Returns:
        (n − 1) / (t_n − t_1) of the n who left, 1/s; None where that says nothing.
    """
    times = np.asarray(arrival, np.float64)
    times = times[np.isfinite(times)]
    span = float(np.ptp(times)) if len(times) else 0.0
    return float((len(times) - 1) / span) if span > 0.0 else None


def stuck(since: ArrayLike) -> int:
    """How many are stuck; `since` (N,) s from when on each has been, NaN for who gets on (see swarm.stuck)."""
    return int(np.isfinite(np.asarray(since, np.float64)).sum())


def lane_order(
    places: ArrayLike, group: ArrayLike, axis: ArrayLike, width: float, taken: ArrayLike | None = None
) -> float | None:
    """How far two groups that pass each other walk in lanes of their own: 0 as if by chance, 1 all in lanes.

    For each agent, n_same and n_other are those within `width` to the side of the line through it along the axis,
    itself counted; φ is the mean of ((n_same − n_other) / (n_same + n_other))², and φ0 that of 1 / (n_same + n_other),
    which it is when everybody's group is tossed for. The result is (φ − φ0) / (1 − φ0).

    Source: Nowak, Schadschneider, Quantitative analysis of pedestrian counterflow in a cellular automaton model (2012),
    after Rex, Löwen (2007); with stripes about each walker in place of rows of cells.

    Args:
        places: (N, D) m.
        group: (N,) two different numbers.
        axis: (D,) along which they walk.
        width: m, to either side.
        taken: (N,) bool, who counts; default all.

    Returns:
        None where only one group is there, or nobody has anybody beside it.
    """
    at, groups = np.asarray(places, np.float64), np.asarray(group, np.int64)
    if taken is not None:
        at, groups = at[np.asarray(taken, bool)], groups[np.asarray(taken, bool)]
    along = np.asarray(axis, np.float64)
    length = float(np.sqrt((along * along).sum()))
    if len(np.unique(groups)) != 2 or length == 0.0:
        return None
    along = along / length
    order, chance = lanes(np.ascontiguousarray(at - (at @ along)[:, None] * along), groups, float(width))
    return float((order - chance) / (1.0 - chance)) if chance < 1.0 - 1e-12 else None


@kernel
def lanes(aside: Floats, group: Ints, width: float) -> tuple[float, float]:
    """φ and φ0 of `lane_order`, of places (N, D) m across the axis."""
    order, chance = 0.0, 0.0
    for i in range(len(group)):
        total, sum_ = 0, 0
        for j in range(len(group)):
            square = 0.0
            for k in range(aside.shape[1]):
                square += (aside[i, k] - aside[j, k]) ** 2
            if square <= width * width:
                total += 1
                sum_ += 1 if group[i] == group[j] else -1
        order += (sum_ / total) ** 2
        chance += 1.0 / total
    return order / len(group), chance / len(group)
