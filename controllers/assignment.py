"""Who takes which slot: the optimal assignment, and whether a change is worth it."""

from __future__ import annotations

import numpy as np

from swarm.state import Floats, Ints


def assign(position: Floats, slots: Floats) -> Ints:
    """Slot of each agent with the least sum of squared distances.

    Args:
        position: (A, D) m.
        slots: (N, D) m.

    Returns:
        (A,) slot index, -1 for agents left over when there are more agents than slots.

    Source: Kuhn (1955), the Hungarian method; solved by scipy unless each agent's nearest slot is another, which is
        optimal.
    """
    cost = squared_distances(position, slots)
    seat = np.full(len(position), -1, np.int64)
    if cost.size == 0:
        return seat
    nearest = cost.argmin(axis=1)
    if len(np.unique(nearest)) == len(nearest):
        return np.asarray(nearest, dtype=np.int64)
    from scipy.optimize import linear_sum_assignment

    agents, taken = linear_sum_assignment(cost)
    seat[agents] = taken
    return seat


def reassign(seat: Ints, position: Floats, slots: Floats, hysteresis: float) -> Ints:
    """The old assignment, unless the optimal one is clearly better or the old one is not possible any more.

    Args:
        seat: (A,) slot of each agent now.
        position: (A, D) m.
        slots: (N, D) m.
        hysteresis: Share of the old sum of squared distances that a change must save.

    Returns:
        (A,) slot of each agent.
    """
    best = assign(position, slots)
    if (seat < 0).any():
        return best
    rows = np.arange(len(position))
    cost = squared_distances(position, slots)
    old, new = float(cost[rows, seat].sum()), float(cost[rows, best].sum())
    return best if new < (1.0 - hysteresis) * old else seat


def squared_distances(position: Floats, slots: Floats) -> Floats:
    """(A, N) m^2."""
    offset = position[:, None, :] - slots[None, :, :]
    result: Floats = (offset * offset).sum(axis=2)
    return result
