"""Flee: straight away from somebody or some place."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np
from msgspec import Meta

from swarm.controllers.rules.directions import along, length, unit
from swarm.controllers.rules.quarry import Whom, check, find
from swarm.state import Floats
from swarm.view import View


@dataclass(frozen=True)
class Flee:
    """Away from where it is now, at full speed, within `radius`::

        v_i = speed * (x_i - x_t) / |x_i - x_t|   where |x_i - x_t| <= radius, else 0

    Who is at the very place goes on as it flies, or along +x.

    Source: Reynolds, Steering Behaviors for Autonomous Characters (1999), flee.

    Args:
        whom: target, predator or prey (the nearest), or a place in m.
        speed: m/s.
        radius: m, beyond which it does not matter; None is no bound.
    """

    whom: Whom = "target"
    speed: Annotated[float, Meta(ge=0)] = 1.5
    radius: Annotated[float, Meta(gt=0)] | None = None

    def __post_init__(self) -> None:
        check(self.whom)

    def __call__(self, view: View) -> Floats:
        """Contribution (A, D) m/s."""
        quarry = find(view, self.whom)
        away = unit(-quarry.displacement, unit(view.velocity, along(view.dim)))
        near = quarry.there & (length(quarry.displacement) <= (np.inf if self.radius is None else self.radius))
        return np.asarray(np.where(near[:, None], self.speed * away, 0.0))
