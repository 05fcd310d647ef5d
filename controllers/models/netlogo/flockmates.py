"""Separate, align and cohere: three directions from one pass over the flockmates."""

from __future__ import annotations

import numpy as np

from swarm.compiled import kernel
from swarm.state import LEADER, Floats, Ints


@kernel
def wishes(
    indptr: Ints, indices: Ints, displacement: Floats, distance: Floats, direction: Floats, role: Ints,
    vision: float, minimum_separation: float, leader_weight: float,
) -> tuple[Floats, Floats, Floats]:  # fmt: skip
    """Where the three rules want each agent to head::

        separate   Σ_j (x_i − x_j) / d_ij    over flockmates with d_ij < minimum separation
        align      Σ_j w_j ĥ_j               w_j the leader weight for leaders, 1 for others
        cohere     Σ_j (x_j − x_i)           the shortest way round the torus

    A sum of vectors is the mean of headings that a circle has, and its direction does not depend on which heading is
    called 0. Those at one place part along x, the one of higher index forwards.

    Args:
        indptr, indices, displacement, distance: The neighbour graph (swarm.neighbours.Graph).
        direction: (A, D) unit.
        role: (A,) see swarm.state.
        vision, minimum_separation: m.
        leader_weight: Share of a leader's heading for each of another's.

    Returns:
        Three arrays (A, D) of any length; zero where a rule has nothing to say.
    """
    agents, dim = direction.shape
    away, along, centre = np.zeros((agents, dim)), np.zeros((agents, dim)), np.zeros((agents, dim))
    for i in range(agents):
        for edge in range(indptr[i], indptr[i + 1]):
            j, apart = indices[edge], distance[edge]
            if apart > vision:
                continue
            weight = leader_weight if role[j] == LEADER else 1.0
            for k in range(dim):
                along[i, k] += weight * direction[j, k]
                centre[i, k] += displacement[edge, k]
            if apart < minimum_separation:
                if apart > 0.0:
                    for k in range(dim):
                        away[i, k] -= displacement[edge, k] / apart
                else:
                    away[i, 0] += 1.0 if i > j else -1.0
    return away, along, centre
