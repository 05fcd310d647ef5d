"""Obstacle avoidance: away from surfaces that are near or coming up fast."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np
from msgspec import Meta

from swarm.compiled import kernel
from swarm.state import Floats, Ints
from swarm.view import View


@dataclass(frozen=True)
class ObstacleAvoidance:
    """Every near surface pushes along its normal n, for being near and for being approached::

        v_i = sum_k n_k * [speed * max(0, 1 - h_k / distance) + max(0, c_k - h_k / horizon)]

    with h_k the clearance of the hull and c_k = -v_i . n_k the closing speed. The second term is the part of the
    closing speed that would use up the clearance within the horizon; inside an obstacle h counts as 0.

    Source: Reynolds, Steering Behaviors for Autonomous Characters (1999), obstacle avoidance; here for any surface
    with a distance and a normal.

    Args:
        distance: m of clearance at which the push begins.
        speed: m/s, push of a surface at clearance 0.
        horizon: s.
    """

    distance: Annotated[float, Meta(gt=0)] = 0.75
    speed: Annotated[float, Meta(ge=0)] = 0.8
    horizon: Annotated[float, Meta(gt=0)] = 0.8

    def __call__(self, view: View) -> Floats:
        """Contribution (A, D) m/s."""
        near = view.near
        return avoid(near.indptr, near.distance, near.normal, view.velocity, self.speed, self.distance, self.horizon)


@kernel
def avoid(
    indptr: Ints, clearance: Floats, normal: Floats, velocity: Floats, speed: float, distance: float, horizon: float
) -> Floats:
    """The formula of ObstacleAvoidance over compressed rows of near surfaces, (A, D) m/s."""
    agents, dim = velocity.shape
    total = np.zeros((agents, dim))
    for i in range(agents):
        for edge in range(indptr[i], indptr[i + 1]):
            h = max(clearance[edge], 0.0)
            closing = 0.0
            for k in range(dim):
                closing -= velocity[i, k] * normal[edge, k]
            push = speed * max(0.0, 1.0 - h / distance) + max(0.0, closing - h / horizon)
            for k in range(dim):
                total[i, k] += push * normal[edge, k]
    return total
