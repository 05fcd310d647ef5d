"""Wind: after each move every heading drifts towards where the wind blows, and the wind turns now and then."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from swarm.controllers.models.netlogo.degrees import headings, turned_right
from swarm.state import Floats

EFFECT = 0.1  # 1/s, share of the way to the wind's direction for each unit of strength


@dataclass
class Wind:
    """One direction for everybody, drawn anew after every interval.

    Args:
        strength: Without unit; 10 turns every heading into the wind at once.
        direction: NetLogo degrees towards which it blows at first; None draws that too.
        interval: s from one gust to the next; 0 for one that never turns.
        wraps: Whether a heading turns the shorter way. As the text says it is interpolated like a plain number, so from
            10 degrees to 350 the long way round through 180.
    """

    strength: float
    direction: float | None
    interval: float
    wraps: bool

    _rng: np.random.Generator | None = field(default=None, init=False, repr=False)
    _gusts: int = field(default=-1, init=False, repr=False)
    _now: float = field(default=0.0, init=False, repr=False)

    def begin(self, rng: np.random.Generator) -> None:
        """Forget the last run."""
        self._rng, self._gusts = rng, -1

    def at(self, time: float) -> float:
        """The direction at a time, which may not go back, in degrees."""
        rng = self._rng = self._rng or np.random.default_rng(0)
        gust = 0 if self.interval <= 0.0 else math.floor(time / self.interval + 1e-9)
        while self._gusts < gust:
            self._gusts += 1
            first = self._gusts == 0 and self.direction is not None
            self._now = float(self.direction or 0.0) % 360.0 if first else float(rng.uniform(0.0, 360.0))
        return self._now

    def blow(self, direction: Floats, time: float, dt: float) -> Floats:
        """Directions (A, D) after the wind of the tick that ended at `time`: `heading + (wind - heading) * effect`."""
        if time < 0.5 * dt:  # nobody has moved yet
            return direction
        heading, towards = headings(direction), self.at(time - dt)
        off = towards - heading
        if self.wraps:
            off = 180.0 - (180.0 - off) % 360.0
        return turned_right(direction, off * min(EFFECT * self.strength * dt, 1.0 if self.wraps else math.inf))
