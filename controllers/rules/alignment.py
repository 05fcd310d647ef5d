"""Alignment: fly as the neighbours fly."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from msgspec import Meta

from swarm.controllers.rules.flocking import flock
from swarm.state import Floats
from swarm.view import View


@dataclass(frozen=True)
class Alignment:
    """The difference to the mean velocity of the neighbours within `radius`::

        v_i = mean_j (v_j - v_i)

    Zero without neighbours. With weight 1 a velocity command of v_i + alignment is the neighbours' mean velocity.

    Source: Reynolds, Flocks, Herds, and Schools (1987), velocity matching.

    Args:
        radius: m, within which neighbours count.
    """

    radius: Annotated[float, Meta(gt=0)] = 3.0

    def __call__(self, view: View) -> Floats:
        """Contribution (A, D) m/s."""
        return flock(*view.neighbours, view.velocity, 0.0, 0.0, 1.0, self.radius, 0.0, 0.0, 0.0)
