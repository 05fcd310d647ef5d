"""The predator of the fish: after the nearest of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated

import numpy as np
from msgspec import Meta

from swarm.briefing import Briefing
from swarm.controllers.models.chasing import chase
from swarm.controllers.models.fish.school import Positive, Variant, Weight
from swarm.controllers.models.headings import unit
from swarm.state import Floats
from swarm.view import View


@dataclass
class FishShark:
    """The fish's predator: straight to the nearest at 1.1 times their speed.

    It does not swim past it, and rests when none is left.

    `literal` is the text's program: it moves twice a tick by a tenth, so 0.22 v in place of 1.1 v; it looks for a new
    fish only while one is within `danger`, only among the first `known`, and only for one nearer than the last one was
    when it was chosen, and otherwise swims on; after a catch it takes any direction in the first octant, as long as it
    happens to be within `after_catch`; outside the box it turns round at every tick. At first it goes for the nearest.
    Where there are several, a catch by one counts for all.

    Source: as `FishSchool`, part 4.2 and program 8.2.

    Args:
        speed: v, m/s, the fish's.
        ratio: Its own speed over the fish's.
        danger: m, `literal` only.
        known: How many fish it chooses from, `literal` only.
        moves: A tick, `literal` only.
        share: Of a step in each of these, `literal` only.
        after_catch: m, `literal` only.
        variant: `repaired` or `literal`.
    """

    speed: Weight = 0.1
    ratio: Weight = 1.1
    danger: Weight = 1.0
    known: Annotated[int, Meta(ge=1)] = 30
    moves: Annotated[int, Meta(ge=1)] = 2
    share: Weight = 0.1
    after_catch: Positive = 10.0
    variant: Variant = "repaired"

    _rng: np.random.Generator | None = field(default=None, init=False, repr=False, compare=False)
    _way: Floats | None = field(default=None, init=False, repr=False, compare=False)
    _living: int = field(default=0, init=False, repr=False, compare=False)

    def reset(self, briefing: Briefing) -> None:
        """Take the run's random numbers and forget the fish."""
        self._rng, self._way, self._living = briefing.rng, None, 0

    def __call__(self, view: View) -> Floats:
        """Velocity commands (A, D) m/s."""
        if self.variant == "literal":
            return self._literal(view)
        return chase(view, self.ratio * self.speed)

    def _literal(self, view: View) -> Floats:
        prey, still = view.prey, np.zeros_like(view.position)
        living = int(prey.alive.sum())
        if self._way is None or self._way.shape != still.shape:
            nearest = view.nearest_prey
            self._way = np.where(np.isfinite(nearest.distance)[:, None], nearest.displacement, 0.0)
        elif living < self._living:
            rng = self._rng or np.random.default_rng(0)
            self._way = self.after_catch * rng.random(still.shape)
        self._living = living
        alarm = view.nearest_prey.distance <= self.danger
        first = prey.position[: self.known][prey.alive[: self.known]]
        if len(first):
            offset = view.space.displacement(view.position[:, None], first[None])
            distance = np.sqrt((offset * offset).sum(axis=2))
            chosen, rows = distance.argmin(axis=1), np.arange(len(still))
            nearer = alarm & (distance[rows, chosen] < np.sqrt((self._way * self._way).sum(axis=1)))
            self._way = np.where(nearer[:, None], offset[rows, chosen], self._way)
        outside = ((view.position >= view.bounds[1]) | (view.position <= view.bounds[0])).any(axis=1)
        self._way = np.where(outside[:, None], -self._way, self._way)
        return unit(self._way, still) * (self.moves * self.share * self.ratio * self.speed)
