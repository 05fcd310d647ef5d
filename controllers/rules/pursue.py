"""Pursue: go to where somebody will be."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from msgspec import Meta

from swarm.controllers.rules.directions import unit
from swarm.controllers.rules.quarry import Whom, ahead, check, find
from swarm.state import Floats
from swarm.view import View


@dataclass(frozen=True)
class Pursue:
    """Seek the place at which the quarry will be met if it keeps its velocity::

        v_i = speed * (d + v_t T) / |d + v_t T|,   d = x_t - x_i,   |d + v_t T| = speed T,   T <= horizon

    Reynolds estimates T as |d| times a constant; this is the one for which a straight way hits.

    Source: Reynolds, Steering Behaviors for Autonomous Characters (1999), pursuit.

    Args:
        whom: predator or prey (the nearest), the target, or a place in m.
        speed: m/s, of the pursuer.
        horizon: s, as far as a prediction is believed.
    """

    whom: Whom = "prey"
    speed: Annotated[float, Meta(ge=0)] = 1.5
    horizon: Annotated[float, Meta(ge=0)] = 5.0

    def __post_init__(self) -> None:
        check(self.whom)

    def __call__(self, view: View) -> Floats:
        """Contribution (A, D) m/s."""
        return self.speed * unit(ahead(find(view, self.whom), self.speed, self.horizon))
