"""Containment: stay within a box."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from msgspec import Meta

from swarm.controllers.rules.box import hold
from swarm.state import Floats
from swarm.view import View


@dataclass(frozen=True)
class Containment:
    """Where the place predicted after `horizon` is less than `margin` inside the bounds, the velocity that mends it::

        p = x_i + v_i * horizon v_i = clip(max(0, low + margin - p) - max(0, p - high + margin), -depth, depth) /
        horizon,  depth = speed * horizon

    for each axis alone, so that the way along a boundary stays free. Nothing on a torus, which has no outside.

    Source: Reynolds, Steering Behaviors for Autonomous Characters (1999), containment.

    Args:
        margin: m inside the bounds.
        horizon: s.
        speed: m/s, the most it asks for along one axis.
    """

    margin: Annotated[float, Meta(ge=0)] = 0.5
    horizon: Annotated[float, Meta(gt=0)] = 0.5
    speed: Annotated[float, Meta(ge=0)] = 1.5

    def __call__(self, view: View) -> Floats:
        """Contribution (A, D) m/s."""
        weight = 0.0 if view.boundary == "torus" else 1.0
        return hold(
            view.position,
            view.velocity,
            view.bounds,
            weight,
            self.margin,
            self.horizon,
            self.speed,
            0.0,
            view.position[:, 0].copy(),
            0.0,
        )
