"""Leadership: fly as the neighbours fly, and more so as the leaders among them do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np
from msgspec import Meta

from swarm.compiled import kernel
from swarm.state import LEADER, Floats, Ints
from swarm.view import View


@dataclass(frozen=True)
class Leadership:
    """Alignment in which every leader counts `weight` times::

        v_i = sum_j w_j (v_j - v_i) / sum_j w_j,   w_j = weight for a leader, 1 for a member,   d_ij <= radius

    With weight 1 it is Alignment. Zero without neighbours.

    Source: the weighted mean of headings asked for in NetLogo boids chapters on leaders; informed individuals of Couzin
    et al. (2005) lead by going where they want, without any weight.

    Args:
        weight: Of a leader, a member's being 1.
        radius: m, within which neighbours count.
    """

    weight: Annotated[float, Meta(ge=0)] = 2.0
    radius: Annotated[float, Meta(gt=0)] = 3.0

    def __call__(self, view: View) -> Floats:
        """Contribution (A, D) m/s."""
        indptr, indices, _, distance = view.neighbours
        share = np.where(view.role == LEADER, self.weight, 1.0)
        return weighted_alignment(indptr, indices, distance, view.velocity, share, self.radius)


@kernel
def weighted_alignment(
    indptr: Ints, indices: Ints, distance: Floats, velocity: Floats, share: Floats, radius: float
) -> Floats:
    """The formula of Leadership over a neighbour graph, `share` (A,) being everybody's weight, (A, D) m/s."""
    agents, dim = velocity.shape
    total = np.zeros((agents, dim))
    for i in range(agents):
        weight = 0.0
        for edge in range(indptr[i], indptr[i + 1]):
            if distance[edge] <= radius:
                j = indices[edge]
                weight += share[j]
                for k in range(dim):
                    total[i, k] += share[j] * (velocity[j, k] - velocity[i, k])
        for k in range(dim):
            total[i, k] = total[i, k] / weight if weight > 0.0 else 0.0
    return total
