"""The three rules of `python-boids` in one pass over the neighbours."""

from __future__ import annotations

import numpy as np

from swarm.compiled import kernel
from swarm.state import Floats, Ints

SOFT = 1e-6  # m, added to distances that are divided by, as the source does


@kernel
def trio(
    indptr: Ints, indices: Ints, displacement: Floats, distance: Floats, position: Floats, velocity: Floats,
    radii: Floats, literal: bool,
) -> tuple[Floats, Floats, Floats]:  # fmt: skip
    """Separation Σ −r̂, the mean velocity against one's own, and the offset to the mean place: (A, D) each.

    Args:
        indptr, indices, displacement, distance: The neighbour graph (swarm.neighbours.Graph).
        position, velocity: (A, D).
        radii: (3,) of separation, alignment and cohesion, exclusive.
        literal: An agent counts itself in the means, and neighbours across the edge of a torus are not seen.

    Returns:
        Separation (no unit), alignment (of the velocity) and cohesion (m); zero where nobody counts.
    """
    agents, dim = position.shape
    apart, along, towards = np.zeros((agents, dim)), np.zeros((agents, dim)), np.zeros((agents, dim))
    for i in range(agents):
        flying, near = 0, 0
        for edge in range(indptr[i], indptr[i + 1]):
            j, length = indices[edge], distance[edge]
            if literal:
                straight = 0.0
                for k in range(dim):
                    straight += abs(position[j, k] - position[i, k] - displacement[edge, k])
                if straight > SOFT * (1.0 + length):
                    continue
            if length < radii[0]:
                for k in range(dim):
                    apart[i, k] -= displacement[edge, k] / (length + SOFT)
                if length == 0.0 and not literal:  # at one place: they part along x, the one of higher index forwards
                    apart[i, 0] += 1.0 if i > j else -1.0
            if length < radii[1]:
                flying += 1
                for k in range(dim):
                    along[i, k] += velocity[j, k] - velocity[i, k]
            if length < radii[2]:
                near += 1
                for k in range(dim):
                    towards[i, k] += displacement[edge, k]
        own = 1 if literal else 0
        for k in range(dim):
            # With itself in the mean an agent's own share of it is a difference of 0, one more in the number.
            along[i, k] /= max(flying + own, 1)
            towards[i, k] /= max(near + own, 1)
    return apart, along, towards
