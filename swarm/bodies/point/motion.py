"""What a point can do, as a mission's [swarm.motion] says."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from msgspec import Meta


@dataclass(frozen=True)
class Motion:
    """Limits of a point's motion; without any it has the commanded velocity at once.

    A mission that was made for drones is flown with the drone's hull, speed limit and acceleration limit.
    """

    lowest_speed: Annotated[float, Meta(ge=0)] = 0.0  # m/s; equal to swarm.speed_limit: a turtle of constant speed
    acceleration: Annotated[float, Meta(gt=0)] | None = None  # m/s^2, most change of velocity; default: no limit
    turn_rate: Annotated[float, Meta(gt=0)] | None = None  # degrees/s, most change of heading; default: no limit
    radius: Annotated[float, Meta(ge=0)] | None = None  # m, of the hull; default: none
    drift: Annotated[float, Meta(ge=0, le=1)] = 0.0  # share of the wind that carries a point
