"""Evade: away from where somebody will be."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np
from msgspec import Meta

from swarm.controllers.rules.directions import along, length, unit
from swarm.controllers.rules.quarry import Whom, ahead, check, find
from swarm.state import Floats
from swarm.view import View


@dataclass(frozen=True)
class Evade:
    """Flee from the place at which the pursuer could be met if it keeps its velocity, within `radius`::

        v_i = -speed * (d + v_p T) / |d + v_p T|   where |d| <= radius, else 0;   d, T as for Pursue

    From one that flies straight at it an agent flees as from where it is; one at the place predicted goes on as it
    flies, or along +x.

    Source: Reynolds, Steering Behaviors for Autonomous Characters (1999), evasion.

    Args:
        whom: predator or prey (the nearest), the target, or a place in m.
        speed: m/s.
        radius: m, beyond which it does not matter.
        horizon: s, as far as a prediction is believed.
    """

    whom: Whom = "predator"
    speed: Annotated[float, Meta(ge=0)] = 1.5
    radius: Annotated[float, Meta(gt=0)] = 5.0
    horizon: Annotated[float, Meta(ge=0)] = 5.0

    def __post_init__(self) -> None:
        check(self.whom)

    def __call__(self, view: View) -> Floats:
        """Contribution (A, D) m/s."""
        quarry = find(view, self.whom)
        away = unit(-ahead(quarry, self.speed, self.horizon), unit(view.velocity, along(view.dim)))
        near = quarry.there & (length(quarry.displacement) <= self.radius)
        return np.asarray(np.where(near[:, None], self.speed * away, 0.0))
