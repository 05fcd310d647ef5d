"""Queuing: slow down behind others instead of pushing in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np
from msgspec import Meta

from swarm.compiled import kernel
from swarm.state import Floats, Ints
from swarm.view import View


@dataclass(frozen=True)
class Queuing:
    """Brake for the nearest neighbour in the way that is not faster::

        v_i = -braking * (1 - a / distance) * v_i,   0 < a = d_ij . h_i <= distance,   |d_ij - a h_i| <= width

    with a how far ahead it is along the heading h_i. Added to a rule that goes to a doorway it makes a queue there.

    Source: Reynolds, Steering Behaviors for Autonomous Characters (1999), queuing.

    Args:
        distance: m ahead, from which on to brake.
        width: m to either side that counts as in the way.
        braking: Share of the own velocity taken off right behind another.
    """

    distance: Annotated[float, Meta(gt=0)] = 1.0
    width: Annotated[float, Meta(ge=0)] = 0.4
    braking: Annotated[float, Meta(ge=0, le=1)] = 1.0

    def __call__(self, view: View) -> Floats:
        """Contribution (A, D) m/s."""
        indptr, indices, displacement, _ = view.neighbours
        return queue(indptr, indices, displacement, view.velocity, self.distance, self.width, self.braking)


@kernel
def queue(
    indptr: Ints, indices: Ints, displacement: Floats, velocity: Floats, distance: float, width: float, braking: float
) -> Floats:
    """The formula of Queuing over a neighbour graph, (A, D) m/s."""
    agents, dim = velocity.shape
    total = np.zeros((agents, dim))
    for i in range(agents):
        speed = 0.0
        for k in range(dim):
            speed += velocity[i, k] * velocity[i, k]
        speed = np.sqrt(speed)
        if speed < 1e-9:
            continue
        nearest = distance
        for edge in range(indptr[i], indptr[i + 1]):
            ahead, square, other = 0.0, 0.0, 0.0
            for k in range(dim):
                ahead += displacement[edge, k] * velocity[i, k] / speed
                square += displacement[edge, k] * displacement[edge, k]
                other += velocity[indices[edge], k] * velocity[i, k] / speed
            aside = square - ahead * ahead
            if 0.0 < ahead < nearest and aside <= width * width and other <= speed:
                nearest = ahead
        for k in range(dim):
            total[i, k] = -braking * (1.0 - nearest / distance) * velocity[i, k]
    return total
