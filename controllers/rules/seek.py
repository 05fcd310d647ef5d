"""Seek: go to the target, straight or along the route around obstacles, and arrive."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np
from msgspec import Meta

from swarm.state import Floats
from swarm.view import View


@dataclass(frozen=True)
class Seek:
    """Cruise towards the target, slower on the last stretch so as to arrive at rest::

        v_i = speed * min(1, s_i / slowing) * e_i

    with s_i the way still to go and e_i the direction in which it begins: along the route where the task has one and
    `route` is true, else straight. Zero without a target.

    Source: Reynolds, Steering Behaviors for Autonomous Characters (1999), seek and arrival.

    Args:
        speed: m/s, cruise.
        slowing: m before the target within which to slow down; 0 passes it at full speed.
        route: Whether to follow the route.
    """

    speed: Annotated[float, Meta(ge=0)] = 1.5
    slowing: Annotated[float, Meta(ge=0)] = 1.0
    route: bool = True

    def __call__(self, view: View) -> Floats:
        """Contribution (A, D) m/s."""
        if self.route or view.target is None:
            distance, direction = view.route_distance, view.route_direction
        else:
            way = view.space.displacement(view.position, view.target)
            distance = np.sqrt((way * way).sum(axis=1))
            direction = way / np.maximum(distance, 1e-9)[:, None]
        if self.slowing == 0.0:
            return self.speed * direction
        pace = np.minimum(self.speed, distance * (self.speed / self.slowing))
        result: Floats = pace[:, None] * direction
        return result
