"""Cohesion: stay with the neighbours."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from msgspec import Meta

from swarm.controllers.rules.flocking import flock
from swarm.state import Floats
from swarm.view import View


@dataclass(frozen=True)
class Cohesion:
    """Towards the centre of the neighbours within `radius`, one metre asking for `rate` m/s, up to `speed`::

        v_i = c * min(1, speed / |c|),   c = rate * mean_j (x_j - x_i)

    Zero without neighbours.

    Source: Reynolds, Flocks, Herds, and Schools (1987), flock centring.

    Args:
        radius: m, within which neighbours count.
        rate: 1/s.
        speed: m/s, the most it asks for.
    """

    radius: Annotated[float, Meta(gt=0)] = 3.0
    rate: Annotated[float, Meta(ge=0)] = 0.5
    speed: Annotated[float, Meta(ge=0)] = 1.0

    def __call__(self, view: View) -> Floats:
        """Contribution (A, D) m/s."""
        return flock(*view.neighbours, view.velocity, 0.0, 0.0, 0.0, 0.0, self.rate, self.radius, self.speed)
