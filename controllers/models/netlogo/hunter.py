"""NetLogo's predator: face a boid and go for it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Literal

import numpy as np
from msgspec import Meta

from swarm.briefing import Briefing
from swarm.controllers.models.netlogo.boids import Amount, Variant
from swarm.controllers.models.netlogo.chase import dive, isolated
from swarm.errors import BadInput
from swarm.state import Bools, Floats
from swarm.view import View

SPEED = {"literal": 0.8, "repaired": 1.6}  # m/s


@dataclass
class NetLogoHunter:
    """`face target`, `forward speed`, at once in any direction; without prey it stays where it is.

    The text calls a predator of 0.8 a tick faster than boids of 1.0, which flee at 1.5: it catches only those that
    come to it. Repaired, it goes 1.6 a tick, just faster than one in flight. It decides on the state at the start of
    the tick, as the boids do.

    Args:
        variant: repaired or literal: the speed where none is given.
        speed: m/s; None is 1.6, literal 0.8.
        chase: After whom: the nearest boid; the isolated one, whose nearest fellow is furthest from it; or the nearest
            from above (diving, three dimensions), first up to a place over it and then down on it.
        dive_height: m above its prey from which it dives.
        dive_speed: m/s on the way down.
    """

    variant: Variant = "repaired"
    speed: Amount | None = None
    chase: Literal["nearest", "isolated", "diving"] = "nearest"
    dive_height: Annotated[float, Meta(gt=0)] = 15.0
    dive_speed: Amount = 2.5

    _diving: Bools | None = field(default=None, init=False, repr=False, compare=False)

    def reset(self, briefing: Briefing) -> None:
        """Nobody dives yet.

        Raises:
            BadInput: It should dive in a flat world.
        """
        self._diving = None
        if self.chase == "diving" and briefing.dim != 3:
            raise BadInput('controller.params.chase: "diving" needs a world of three dimensions')

    def __call__(self, view: View) -> Floats:
        """Velocity commands (P, D) m/s."""
        target, speed = view.nearest_prey, np.full(len(view.position), SPEED[self.variant])
        if self.speed is not None:
            speed[:] = self.speed
        towards = target.displacement
        if self.chase == "isolated":
            towards = isolated(view.position, view.prey, view.space.period).displacement
        elif self.chase == "diving" and view.dim == 3:
            before = np.zeros(len(speed), np.bool_) if self._diving is None else self._diving
            towards, self._diving = dive(target, before, self.dive_height)
            speed[self._diving] = self.dive_speed
        length = np.sqrt((towards * towards).sum(axis=1))[:, None]
        return np.asarray(towards / np.maximum(length, 1e-12) * np.minimum(speed, view.speed_limit)[:, None])
