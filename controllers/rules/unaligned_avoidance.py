"""Unaligned collision avoidance: make room for those who would come too near, wherever they fly."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np
from msgspec import Meta

from swarm.compiled import kernel
from swarm.state import Floats, Ints
from swarm.view import View


@dataclass(frozen=True)
class UnalignedAvoidance:
    """Of all neighbours that would pass nearer than `radius` within `horizon`, away from the one that comes first::

        t* = -dp . dv / |dv|^2,   m = dp + dv t*,   |m| < radius,   0 < t* <= horizon
        v_i = -min(speed, (radius - |m|) / t*) m / |m|

    with dp = x_j - x_i and dv = v_j - v_i; m is where the other passes. The push is the lateral velocity that makes
    room in time, so two that both heed it pass with room to spare; of two that would meet head on each keeps to its
    left.

    Source: Reynolds, Steering Behaviors for Autonomous Characters (1999), unaligned collision avoidance.

    Args:
        radius: m between centres, that two are to pass at.
        horizon: s.
        speed: m/s, the most it asks for.
    """

    radius: Annotated[float, Meta(gt=0)] = 0.5
    horizon: Annotated[float, Meta(gt=0)] = 3.0
    speed: Annotated[float, Meta(ge=0)] = 1.0

    def __call__(self, view: View) -> Floats:
        """Contribution (A, D) m/s."""
        indptr, indices, displacement, _ = view.neighbours
        return pass_by(indptr, indices, displacement, view.velocity, self.radius, self.horizon, self.speed)


@kernel
def pass_by(
    indptr: Ints, indices: Ints, displacement: Floats, velocity: Floats, radius: float, horizon: float, most: float
) -> Floats:
    """The formula of UnalignedAvoidance over a neighbour graph, (A, D) m/s."""
    agents, dim = velocity.shape
    total = np.zeros((agents, dim))
    miss = np.empty(3)
    for i in range(agents):
        first = np.inf
        for edge in range(indptr[i], indptr[i + 1]):
            j = indices[edge]
            closing, square = 0.0, 0.0
            for k in range(dim):
                relative = velocity[j, k] - velocity[i, k]
                closing -= displacement[edge, k] * relative
                square += relative * relative
            if square < 1e-18 or closing <= 0.0:
                continue
            time = closing / square
            if time > horizon or time >= first:
                continue
            apart = 0.0
            for k in range(dim):
                miss[k] = displacement[edge, k] + time * (velocity[j, k] - velocity[i, k])
                apart += miss[k] * miss[k]
            apart = np.sqrt(apart)
            if apart >= radius:
                continue
            first = time
            share = min(most, (radius - apart) / time)
            if apart > 1e-9 * radius:
                for k in range(dim):
                    total[i, k] = -share * miss[k] / apart
            else:  # straight at each other: each to the left of the other's way to it
                level = np.sqrt((velocity[j, 0] - velocity[i, 0]) ** 2 + (velocity[j, 1] - velocity[i, 1]) ** 2)
                for k in range(dim):
                    total[i, k] = 0.0
                if level > 1e-9:
                    total[i, 0] = share * (velocity[j, 1] - velocity[i, 1]) / level
                    total[i, 1] = -share * (velocity[j, 0] - velocity[i, 0]) / level
                else:
                    total[i, 0] = share if velocity[j, dim - 1] > velocity[i, dim - 1] else -share
    return total
