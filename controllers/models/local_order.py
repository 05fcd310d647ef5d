"""Φ, how far an agent's neighbours agree on a direction."""

from __future__ import annotations

import math

import numpy as np

from swarm.compiled import kernel
from swarm.state import Floats, Ints


@kernel
def local_order(
    indptr: Ints, indices: Ints, distance: Floats, direction: Floats, nearest: float, furthest: float, alone: Floats
) -> Floats:
    """Φ_i = ‖Σ_j d_j‖ / Σ_j ‖d_j‖ over the neighbours j of i, (A,) from 0 to 1: 1 where all fly alike.

    Args:
        indptr, indices, distance: The neighbour graph (swarm.neighbours.Graph).
        direction: (A, D) d, of any length; a longer one counts for more, one of length 0 not at all.
        nearest, furthest: m, inclusive: which neighbours count.
        alone: (A,) the value where nobody counts.
    """
    agents, dim = direction.shape
    phi: Floats = alone.copy()
    total = np.empty(dim)
    for i in range(agents):
        lengths = 0.0
        for k in range(dim):
            total[k] = 0.0
        for edge in range(indptr[i], indptr[i + 1]):
            if nearest <= distance[edge] <= furthest:
                square = 0.0
                for k in range(dim):
                    part = direction[indices[edge], k]
                    total[k] += part
                    square += part * part
                lengths += math.sqrt(square)
        if lengths > 0.0:
            square = 0.0
            for k in range(dim):
                square += total[k] * total[k]
            phi[i] = min(math.sqrt(square) / lengths, 1.0)
    return phi
