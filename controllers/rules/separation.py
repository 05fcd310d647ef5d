"""Separation: keep away from neighbours that are too near."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from msgspec import Meta

from swarm.controllers.rules.flocking import flock
from swarm.state import Floats
from swarm.view import View


@dataclass(frozen=True)
class Separation:
    """Every neighbour nearer than `radius` pushes away along the line between the two::

        v_i = speed * sum_j max(0, 1 - d_ij / radius) * (x_i - x_j) / d_ij

        speed |\\
              |  \\
            0 |____\\______ d
                   radius

    Two agents at one place part along x, the higher index forward.

    Source: Reynolds, Flocks, Herds, and Schools (1987), collision avoidance; the linear fall-off is the repulsion of
    Vasarhelyi et al. (2018), eq. 1.

    Args:
        radius: m, at which the push begins.
        speed: m/s, push of one neighbour at distance 0.
    """

    radius: Annotated[float, Meta(gt=0)] = 1.0
    speed: Annotated[float, Meta(ge=0)] = 1.0

    def __call__(self, view: View) -> Floats:
        """Contribution (A, D) m/s."""
        return flock(*view.neighbours, view.velocity, self.speed, self.radius, 0.0, 0.0, 0.0, 0.0, 0.0)
