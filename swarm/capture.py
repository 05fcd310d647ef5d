"""Predators at table: who is caught in a step, and how hungry that leaves each of them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from swarm.others import Others, nearest
from swarm.roles import Role
from swarm.state import Floats


class Hunt:
    """The captures of one run.

    After every move each living predator catches the nearest living one of the flock within its radius, at most one a
    step, those of lower index first. Its hunger gains for each and falls with time, never below 0.

    Args:
        roles: The predators among the roles of a mission, in order; those without `capture` catch nobody.
        dt: s between steps.

    Attributes:
        hunger: (P,) of every predator.
        history: One (P,) a sample, from the start on.
    """

    def __init__(self, roles: Sequence[Role], dt: float) -> None:
        self._radius, self._gain, self._loss, start = (
            np.concatenate([np.full(r.count, 0.0 if r.capture is None else getattr(r.capture, key)) for r in roles])
            for key in ("radius", "gain", "loss", "hunger")
        )
        self._dt = dt
        self.hunger: Floats = start
        self.history: list[Floats] = [start.copy()]

    def after_move(self, predators: Others, flock: Others, box: Floats) -> list[tuple[int, int]]:
        """Who is caught.

        Args:
            predators, flock: Where they are now.
            box: (D,) m, the period of each axis, 0 where it does not wrap.

        Returns:
            Pairs of predator and caught one, each by its index in its party.
        """
        caught: list[tuple[int, int]] = []
        hunger = np.array(self.hunger)
        living = flock.alive.copy()
        for p in np.flatnonzero(predators.alive & (self._radius > 0.0)).tolist():
            prey = nearest(predators.position[p : p + 1], flock._replace(alive=living), box)
            if prey.index[0] >= 0 and prey.distance[0] <= self._radius[p]:
                victim = int(prey.index[0])
                living[victim] = False
                caught.append((p, victim))
                hunger[p] += self._gain[p]
        hunger = np.maximum(hunger - self._loss * self._dt, 0.0)
        self.hunger = hunger
        self.history.append(hunger)
        return caught
