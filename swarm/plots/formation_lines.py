"""Which agents of a formation a line joins, so that its shape is seen."""

from __future__ import annotations

import numpy as np
from scipy.optimize import linear_sum_assignment
from scipy.sparse.csgraph import minimum_spanning_tree

from swarm.state import Floats, Ints

MOST = 60  # agents up to which lines are drawn


def slot_edges(slots: Floats) -> Ints:
    """Pairs of slots that are neighbours: the nearest ones, and what else it takes to join all.

    Args:
        slots: (N, D) m.

    Returns:
        (E, 2), none for one slot or more than `MOST`.
    """
    if not 2 <= len(slots) <= MOST:
        return np.empty((0, 2), np.int64)
    apart = np.linalg.norm(slots[:, None] - slots[None], axis=-1)
    chosen = minimum_spanning_tree(apart).toarray() > 0
    chosen |= (apart > 0) & (apart <= 1.05 * apart[apart > 0].min(initial=np.inf))
    return np.argwhere(np.triu(chosen | chosen.T))


def formation_lines(slots: Floats, edges: Ints, position: Floats, living: Ints, heading: float) -> Ints:
    """Pairs of agents to join, each agent standing for the slot it is nearest to when all are shared out.

    Args:
        slots: (N, D) m, +x forward.
        edges: (E, 2) from `slot_edges`.
        position: (N, D) m.
        living: Agents that still fly.
        heading: rad, where the formation heads.

    Returns:
        (up to E, 2) agents.
    """
    if len(edges) == 0 or len(living) < 2 or len(position) != len(slots):
        return np.empty((0, 2), np.int64)
    turned = slots.copy()
    turned[:, 0] = np.cos(heading) * slots[:, 0] - np.sin(heading) * slots[:, 1]
    turned[:, 1] = np.sin(heading) * slots[:, 0] + np.cos(heading) * slots[:, 1]
    flying = position[living]
    offset = (flying - flying.mean(axis=0))[:, None] - turned
    agents, taken = linear_sum_assignment((offset**2).sum(axis=-1))
    holder = np.full(len(slots), -1)
    holder[taken] = living[agents]
    pairs = holder[edges]
    return np.asarray(pairs[(pairs >= 0).all(axis=1)])
