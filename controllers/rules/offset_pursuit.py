"""Offset pursuit: fly beside somebody."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np
from msgspec import Meta

from swarm.controllers.rules.arrive import arriving
from swarm.controllers.rules.directions import along, length, to_the_left, unit
from swarm.controllers.rules.quarry import Whom, ahead, check, find
from swarm.errors import BadInput
from swarm.state import Floats
from swarm.view import View


@dataclass(frozen=True)
class OffsetPursuit:
    """To a place beside the quarry, given ahead of it, to its left and above it, and then along with it::

        v_i = v_t + min(speed, speed |e| / slowing) e / |e|,   e = x_t + R(heading of t) offset - x_i

    While it is further than `slowing`, e leads to where the quarry will be met. Nothing where nobody is there.

    Source: Reynolds, Steering Behaviors for Autonomous Characters (1999), offset pursuit.

    Args:
        whom: predator or prey (the nearest), the target, or a place in m.
        offset: m ahead, to the left (and above).
        speed: m/s, on top of the quarry's.
        slowing: m from the place, within which to slow down.
        horizon: s, as far as a prediction is believed.
    """

    whom: Whom = "prey"
    offset: tuple[float, ...] = (-1.0, 0.0)
    speed: Annotated[float, Meta(ge=0)] = 1.5
    slowing: Annotated[float, Meta(gt=0)] = 1.0
    horizon: Annotated[float, Meta(ge=0)] = 5.0

    def __post_init__(self) -> None:
        check(self.whom)
        if len(self.offset) not in (2, 3):
            raise BadInput(f"offset: expected 2 or 3 numbers, got {len(self.offset)}")

    def __call__(self, view: View) -> Floats:
        """Contribution (A, D) m/s."""
        quarry = find(view, self.whom)
        level = quarry.velocity.copy()
        level[:, 2:] = 0.0
        forward = unit(level, along(view.dim))
        beside = self.offset[0] * forward + self.offset[1] * to_the_left(forward)
        if view.dim == 3 and len(self.offset) == 3:
            beside[:, 2] += self.offset[2]
        place = quarry._replace(displacement=quarry.displacement + beside)
        far = length(place.displacement) > self.slowing
        there = np.where(far[:, None], ahead(place, self.speed, self.horizon), place.displacement)
        contribution = arriving(there, self.speed, self.slowing) + np.where(far[:, None], 0.0, quarry.velocity)
        return np.asarray(np.where(quarry.there[:, None], contribution, 0.0))
