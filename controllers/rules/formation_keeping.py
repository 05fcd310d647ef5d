"""Formation keeping: go to one's slot in a rigid frame that moves with the swarm."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated

import numpy as np
from msgspec import Meta

from swarm.controllers.assignment import assign, reassign
from swarm.errors import BadInput
from swarm.state import Floats, Ints
from swarm.view import View

if TYPE_CHECKING:
    from swarm.briefing import Briefing


@dataclass(frozen=True)
class FormationKeeping:
    """Towards the own slot of a formation whose centroid is the swarm's and which points where the swarm goes::

        v_i = e * min(1, speed / |e|),   e = rate * (c + R(heading) s_a(i) - x_i)

    c is the centroid of the living, the heading that of the mean route direction (without a target, of the mean
    velocity; at rest, +x). The assignment a minimises the sum of squared distances and is kept until another one
    saves the share `hysteresis` of it. Each world of a batch has a frame of its own.

    Source: virtual structure, Lewis and Tan (1997); assignment by Kuhn (1955).

    Args:
        slots: (N, D) m, +x forward, for use without a briefing; None takes the briefing's formation, and if it has none
            the rule asks for nothing.
        rate: 1/s.
        speed: m/s, the most it asks for.
        hysteresis: 1.
    """

    slots: tuple[tuple[float, ...], ...] | None = None
    rate: Annotated[float, Meta(ge=0)] = 1.0
    speed: Annotated[float, Meta(ge=0)] = 0.7
    hysteresis: Annotated[float, Meta(ge=0, lt=1)] = 0.2
    _formation: list[Floats] = field(default_factory=list, init=False, repr=False, compare=False)
    _seats: dict[int, tuple[Ints, Ints]] = field(default_factory=dict, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if self.slots is not None and ({len(slot) for slot in self.slots} not in ({2}, {3})):
            raise BadInput("slots: expected places of 2 or of 3 numbers, all alike")

    def reset(self, briefing: Briefing) -> None:
        """Take the briefing's formation and forget who had which slot."""
        self._formation[:] = [] if briefing.formation is None else [briefing.formation]
        self._seats.clear()

    def __call__(self, view: View) -> Floats:
        """Contribution (A, D) m/s."""
        total = np.zeros_like(view.position)
        given = self._formation[0] if self.slots is None and self._formation else np.array(self.slots or ())
        if given.size == 0:
            return total
        slots = np.zeros((len(given), view.dim))
        shared = min(given.shape[1], view.dim)  # level slots serve in three dimensions as well
        slots[:, :shared] = given[:, :shared] - given[:, :shared].mean(axis=0)
        way = view.velocity if view.target is None else view.route_direction
        for world in np.unique(view.world_index):
            living = np.flatnonzero(view.alive & (view.world_index == world))
            if len(living):
                total[living] = self._towards(int(world), living, view, slots, way[living].mean(axis=0))
        length = np.sqrt((total * total).sum(axis=1))
        total *= np.minimum(1.0, self.speed / np.maximum(length, 1e-12))[:, None]
        return total

    def _towards(self, world: int, living: Ints, view: View, slots: Floats, way: Floats) -> Floats:
        # Offsets from the first agent, so that a swarm across the seam of a torus is one swarm.
        offset = np.atleast_2d(view.space.displacement(view.position[living[0]], view.position[living]))
        offset = offset - offset.mean(axis=0)
        forward = way[:2] / np.hypot(way[0], way[1]) if np.hypot(way[0], way[1]) > 1e-9 else np.array([1.0, 0.0])
        turned = slots.copy()
        turned[:, 0] = forward[0] * slots[:, 0] - forward[1] * slots[:, 1]
        turned[:, 1] = forward[1] * slots[:, 0] + forward[0] * slots[:, 1]
        agents, seat = self._seats.get(world, (living, np.full(len(living), -1, np.int64)))
        if np.array_equal(agents, living):
            seat = reassign(seat, offset, turned, self.hysteresis)
        else:
            seat = assign(offset, turned)
        self._seats[world] = (living, seat)
        error = turned[np.maximum(seat, 0)] - offset
        error[seat < 0] = 0.0
        result: Floats = self.rate * error
        return result
