"""The one pass over the neighbour graph from which separation, alignment and cohesion are read."""

from __future__ import annotations

import math

import numpy as np

from swarm.compiled import kernel
from swarm.state import Floats, Ints


@kernel
def flock(
    indptr: Ints, indices: Ints, displacement: Floats, distance: Floats, velocity: Floats,
    separation: float, separation_radius: float,
    alignment: float, alignment_radius: float,
    cohesion: float, cohesion_radius: float, cohesion_speed: float,
) -> Floats:  # fmt: skip
    """Weighted sum of the three neighbour rules, each as its own module defines it.

    Args:
        indptr, indices, displacement, distance: The neighbour graph (swarm.neighbours.Graph).
        velocity: (A, D) m/s.
        separation: m/s of push from one neighbour at distance 0; 0 leaves the rule out.
        separation_radius: m.
        alignment: Share of the difference to the neighbours' mean velocity, 1; 0 leaves the rule out.
        alignment_radius: m.
        cohesion: 1/s, speed per metre to the neighbours' centre; 0 leaves the rule out.
        cohesion_radius: m.
        cohesion_speed: m/s, most that cohesion asks for.

    Returns:
        (A, D) m/s.
    """
    agents, dim = velocity.shape
    total = np.zeros((agents, dim))
    mean_velocity, centre = np.empty(dim), np.empty(dim)
    for i in range(agents):
        aligned, drawn = 0, 0
        for k in range(dim):
            mean_velocity[k], centre[k] = 0.0, 0.0
        for edge in range(indptr[i], indptr[i + 1]):
            j, apart = indices[edge], distance[edge]
            if apart < separation_radius and separation != 0.0:
                push = separation * (1.0 - apart / separation_radius)
                if apart > 0.0:
                    for k in range(dim):
                        total[i, k] -= push * displacement[edge, k] / apart
                else:
                    total[i, 0] += push if i > j else -push
            if apart <= alignment_radius:
                aligned += 1
                for k in range(dim):
                    mean_velocity[k] += velocity[j, k] - velocity[i, k]
            if apart <= cohesion_radius:
                drawn += 1
                for k in range(dim):
                    centre[k] += displacement[edge, k]
        if aligned > 0:
            for k in range(dim):
                total[i, k] += alignment * mean_velocity[k] / aligned
        if drawn > 0:
            length = 0.0
            for k in range(dim):
                centre[k] *= cohesion / drawn
                length += centre[k] * centre[k]
            length = math.sqrt(length)
            scale = 1.0 if length <= cohesion_speed else cohesion_speed / length
            for k in range(dim):
                total[i, k] += scale * centre[k]
    return total
