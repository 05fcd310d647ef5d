"""Who touches whom and what, step by step, and which of it is new."""

from __future__ import annotations

import numpy as np

from swarm.bodies.contact import Contact
from swarm.bodies.point.sliding import Slide
from swarm.neighbours import graph
from swarm.state import Bools, Floats, Ints


class Touching:
    """Remembers who touched in the step before.

    Hulls of two points touch while they overlap: points pass through each other. A point touches a surface from the
    step in which it is stopped by it until it has left it by `release`.

    Args:
        agents: Number of points.
        radius: m, of a hull.
        release: m.
    """

    def __init__(self, agents: int, radius: float, release: float) -> None:
        self._agents, self._radius, self._release = agents, radius, release
        self._surfaces: Ints = np.empty(0, np.int64)  # surface * agents + agent, ascending
        self._pairs: Ints = np.empty(0, np.int64)  # lower index * agents + higher, ascending

    def resize(self, agents: int) -> None:
        """So many points from now on, of whom the first ones touch what they touched."""
        for name, code in (("_surfaces", self._surfaces), ("_pairs", self._pairs)):
            one, other = np.divmod(code, self._agents)
            kept = (other < agents) & ((name == "_surfaces") | (one < agents))
            setattr(self, name, np.sort(one[kept] * agents + other[kept]))
        self._agents = agents

    def forget(self, agents: Ints | None = None) -> None:
        """Nobody touches a surface any more; or these agents (K,) touch neither a surface nor another."""
        if agents is None:
            self._surfaces = np.empty(0, np.int64)
            return
        self._surfaces = self._surfaces[~np.isin(self._surfaces % self._agents, agents)]
        one, other = np.divmod(self._pairs, self._agents)
        self._pairs = self._pairs[~(np.isin(one, agents) | np.isin(other, agents))]

    def surfaces(
        self, time: float, slid: Slide, agent: Ints, wanted: Floats, drift: Floats | None, room: Floats
    ) -> list[Contact]:
        """Onsets of contact with surfaces.

        Args:
            time: s, of the step's end.
            slid: What became of those who looked out for surfaces.
            agent: (E,) who was stopped, for each touch.
            wanted: (E, D) m/s, with what velocity it came.
            drift: (E, D) m/s of the surface; None where none moves.
            room: (A,) m that every hull has.
        """
        kept = self._surfaces[room[self._surfaces % self._agents] <= self._release]
        closing = -((wanted if drift is None else wanted - drift) * slid.normal).sum(axis=1)
        code = slid.surface * self._agents + agent
        order = np.lexsort((-closing, code))  # of several touches of one surface the hardest
        now, first = np.unique(code[order], return_index=True)
        speed = np.maximum(closing[order][first], 0.0)
        fresh = np.flatnonzero(~np.isin(now, self._surfaces))
        self._surfaces = np.union1d(kept, now)
        return [
            Contact(time, int(now[k] % self._agents), -1, int(now[k] // self._agents), float(speed[k])) for k in fresh
        ]

    def pairs(
        self, time: float, position: Floats, velocity: Floats, alive: Bools, world_index: Ints, period: Floats
    ) -> list[Contact]:
        """Onsets of contact between hulls; arguments as for `swarm.neighbours.graph`."""
        if self._radius == 0.0 or self._agents < 2:
            return []
        near = graph(position, velocity, alive, world_index, period, 2.0 * self._radius)
        if len(near.indices) == 0 and len(self._pairs) == 0:
            return []
        one = np.repeat(np.arange(self._agents), np.diff(near.indptr))
        taken = np.flatnonzero((one < near.indices) & (near.distance < 2.0 * self._radius))
        one, other = one[taken], near.indices[taken]
        code = one * self._agents + other
        fresh = np.flatnonzero(~np.isin(code, self._pairs))
        self._pairs = code
        contacts = []
        for k in fresh.tolist():
            offset, distance = near.displacement[taken[k]], float(near.distance[taken[k]])
            relative = velocity[one[k]] - velocity[other[k]]
            closing = float(relative @ offset) / distance if distance > 0.0 else float(np.sqrt(relative @ relative))
            contacts.append(Contact(time, int(one[k]), int(other[k]), -1, max(closing, 0.0)))
        return contacts
