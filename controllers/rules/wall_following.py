"""Wall following: along a surface, at a distance from it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np
from msgspec import Meta

from swarm.controllers.rules.directions import to_the_left, unit
from swarm.state import Floats
from swarm.view import View


@dataclass(frozen=True)
class WallFollowing:
    """Where the place predicted after `horizon` is off the wanted distance, back to it while going along::

        v_i = speed * unit(speed * horizon * t + (distance - h - v_i . n horizon) * n)

    with h the clearance of the hull from the nearest surface and n its normal. t is the direction along it: the
    agent's own (side "any"; at rest the wall on the right), or level with the wall on the left or right.
    Nothing where no surface is within `range`.

    Source: Reynolds, Steering Behaviors for Autonomous Characters (1999), wall following.

    Args:
        distance: m from hull to surface.
        range: m from hull to surface, up to which a wall is followed.
        speed: m/s.
        horizon: s.
        side: Where the wall is to be: any, left or right.
    """

    distance: Annotated[float, Meta(ge=0)] = 0.5
    range: Annotated[float, Meta(gt=0)] = 2.0
    speed: Annotated[float, Meta(ge=0)] = 1.0
    horizon: Annotated[float, Meta(gt=0)] = 0.5
    side: Literal["any", "left", "right"] = "any"

    def __call__(self, view: View) -> Floats:
        """Contribution (A, D) m/s."""
        normal, velocity = view.normal, view.velocity
        near = (view.clearance <= self.range) & (normal != 0.0).any(axis=1)
        clearance = np.where(near, view.clearance, 0.0)
        closing = (velocity * normal).sum(axis=1)
        beside = to_the_left(normal)  # along the wall, with it on the left
        beside = unit(beside - (beside * normal).sum(axis=1)[:, None] * normal)
        if self.side == "any":
            # The direction of flight along the wall; rounding is none.
            flying = velocity - closing[:, None] * normal
            tangent = unit(np.where(np.abs(flying) > 1e-12 * np.abs(velocity), flying, 0.0), -beside)
        else:
            tangent = beside if self.side == "left" else -beside
        off = self.distance - clearance - closing * self.horizon
        wanted = self.speed * unit(self.speed * self.horizon * tangent + off[:, None] * normal)
        return np.asarray(np.where(near[:, None], wanted, 0.0))
