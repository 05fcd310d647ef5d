"""Altitude keeping: stay at one height."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated

from msgspec import Meta

from swarm.controllers.rules.box import hold
from swarm.state import Floats
from swarm.view import View

if TYPE_CHECKING:
    from swarm.briefing import Briefing


@dataclass(frozen=True)
class Altitude:
    """Climb towards a height, one metre of error asking for `rate` m/s, up to `speed`::

        v_iz = clip(rate * (height - z_i), -speed, speed)

    Nothing in two dimensions. Without a height of its own the rule keeps the target's, else each agent's at the start.

    Source: proportional altitude hold, as every autopilot has one.

    Args:
        height: m, world frame.
        rate: 1/s.
        speed: m/s, the most it asks for.
    """

    height: float | None = None
    rate: Annotated[float, Meta(ge=0)] = 1.0
    speed: Annotated[float, Meta(ge=0)] = 1.0
    _start: list[Floats] = field(default_factory=list, init=False, repr=False, compare=False)

    def reset(self, briefing: Briefing) -> None:
        """Note the heights at the start."""
        self._start[:] = [briefing.position[:, -1].copy()]

    def wanted(self, view: View) -> Floats:
        """Heights to keep, (A, ) m."""
        height: Floats = view.position[:, -1].copy()
        if self.height is not None:
            height[:] = self.height
        elif view.target is not None:
            height[:] = view.target[-1]
        elif self._start and len(self._start[0]) == len(height):
            height[:] = self._start[0]
        return height

    def __call__(self, view: View) -> Floats:
        """Contribution (A, D) m/s."""
        return hold(
            view.position, view.velocity, view.bounds, 0.0, 0.0, 1.0, 0.0, self.rate, self.wanted(view), self.speed
        )
