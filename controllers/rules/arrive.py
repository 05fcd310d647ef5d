"""Arrive: go to a place and stop there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np
from msgspec import Meta

from swarm.controllers.rules.directions import length, unit
from swarm.controllers.rules.quarry import Whom, check, find
from swarm.state import Floats
from swarm.view import View


@dataclass(frozen=True)
class Arrive:
    """Straight there, slower in proportion on the last stretch, so that it ends at speed 0::

        v_i = speed * min(1, |d| / slowing) * d / |d|,   d = x_t - x_i

        speed |    ______
              |   /
            0 |__/________ |d|
                slowing

    Seek does the same along the way around obstacles.

    Source: Reynolds, Steering Behaviors for Autonomous Characters (1999), arrival.

    Args:
        whom: target, predator or prey (the nearest), or a place in m.
        speed: m/s.
        slowing: m from it, within which to slow down.
    """

    whom: Whom = "target"
    speed: Annotated[float, Meta(ge=0)] = 1.5
    slowing: Annotated[float, Meta(gt=0)] = 1.0

    def __post_init__(self) -> None:
        check(self.whom)

    def __call__(self, view: View) -> Floats:
        """Contribution (A, D) m/s."""
        return arriving(find(view, self.whom).displacement, self.speed, self.slowing)


def arriving(displacement: Floats, speed: float, slowing: float) -> Floats:
    """(A, D) m/s with which to arrive at displacements (A, D) m."""
    pace = speed * np.minimum(1.0, length(displacement) / slowing)
    return np.asarray(pace[:, None] * unit(displacement))
