"""Search: sweep an area for a target that nobody knows the place of, then gather there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np
from msgspec import Meta

from swarm.errors import BadInput
from swarm.state import Bools, Floats, State
from swarm.tasks.centre import centre_distance
from swarm.tasks.path import length_beyond
from swarm.tasks.scene import Scene
from swarm.tasks.sweep import sweep
from swarm.tasks.way import Way, margins
from swarm.worlds.routes.route import Route
from swarm.worlds.world import World

TRIES = 1000  # places drawn for a target before its area counts as full
APART = 0.5  # m, free space around a target that is drawn


@dataclass(frozen=True)
class Search:
    """Met when the target was found, the centroid of the living is within `radius` of it and nobody was lost.

    It is found when an agent has it within `range` and nothing solid in between. Until then the swarm knows a path
    from which all of the area can be seen, and `view.target` is the next point of it; afterwards it is the target.
    """

    kind: ClassVar[str] = "search"

    target: Annotated[tuple[float, ...], Meta(min_length=2, max_length=3)] | None = None  # m; default: drawn
    area: str | None = None  # a zone of the world; all of it if absent
    range: Annotated[float, Meta(gt=0)] = 4.0  # m from which an agent senses the target
    radius: Annotated[float, Meta(gt=0)] = 1.0  # m
    margin: Annotated[float, Meta(ge=0, le=1000)] | None = None  # m kept from obstacles; default: as much as there is

    def begin(self, scene: Scene) -> SearchGoal:
        """Hide the target, plan the sweep.

        Raises:
            BadInput: No such area, one too large for the range, or no place in it for a target that can be reached.
        """
        low, high = self._area(scene)
        target, margin = self.hide(scene)
        try:
            path = sweep(scene.world.still, scene.start.mean(axis=0), low, high, self.range, margin)
        except BadInput as error:
            raise BadInput(*(f"{scene.where}.{fault}" for fault in error.faults)) from None
        return SearchGoal(target, path, self.range, self.radius, margins(scene.radius, self.margin), scene)

    def hide(self, scene: Scene) -> tuple[Floats, float]:
        """Where the target of this run is, (D,) m, and the margin of the ways that lead to it.

        Raises:
            BadInput: No such area, no place for a target in it, or one that cannot be reached.
        """
        tried = margins(scene.radius, self.margin)
        # The way to the start tells what can be reached, wherever the target is.
        reach = Way(scene.world, scene.start[0], scene.start, tried).checked(f"{scene.where}.area").route
        assert reach is not None
        low, high = self._area(scene)
        if self.target is None:
            return self._drawn(scene, low, high, reach), reach.margin
        target = scene.place("target", self.target)
        if not reach.reachable(target[None])[0]:
            raise BadInput(f"{scene.where}.target: {target.tolist()} cannot be reached: it is walled in")
        if ((target < low) | (target > high)).any():
            where = f"the area {self.area}" if self.area is not None else "the world, which is all that is searched"
            raise BadInput(f"{scene.where}.target: {target.tolist()} is not in {where}")
        return target, reach.margin

    def _area(self, scene: Scene) -> tuple[Floats, Floats]:
        world = scene.world
        if self.area is None:
            return world.bounds[0], world.bounds[1]
        zone = scene.zone("area", self.area, "area")
        half = np.asarray(zone.size) / 2.0
        low, high = np.asarray(zone.center) - half, np.asarray(zone.center) + half
        return np.maximum(low, world.bounds[0]), np.minimum(high, world.bounds[1])

    def _drawn(self, scene: Scene, low: Floats, high: Floats, reach: Route) -> Floats:
        """A free place in the area that can be reached and is not in sight from the start."""
        world = scene.world
        drawn = scene.rng.uniform(low, high, (TRIES, world.dim))
        free = world.clearance(drawn)[0] >= APART
        free[free] = reach.reachable(drawn[free])
        hidden = free.copy()
        hidden[free] = ~seen(world, scene.start, drawn[free], self.range).any(axis=0)
        chosen = np.flatnonzero(hidden if hidden.any() else free)
        if len(chosen) == 0:
            raise BadInput(f"{scene.where}.area: found no free place for a target that can be reached")
        return np.array(drawn[chosen[0]])


def seen(world: World, agents: Floats, places: Floats, reach: float) -> Bools:
    """(A, P) whether each agent (A, D) has each place (P, D) within reach in m and nothing solid in between."""
    offset = agents[:, None] - places
    within = (offset * offset).sum(axis=2) <= reach * reach
    agent, place = np.nonzero(within)
    if len(agent):
        within[agent, place] = world.visible(agents[agent], places[place])
    return np.asarray(within)


class SearchGoal:
    """What is known of the target, and where to look next."""

    path_speed = None
    ends_run = True

    def __init__(
        self, hidden: Floats, path: Floats, reach: float, radius: float, tried: Sequence[float], scene: Scene
    ) -> None:
        self.hidden = hidden  # (D,) m, where the target really is
        self.found_at: float | None = None  # s
        self.path: Floats | None = path
        self._next = 0  # in path
        self._reach = reach
        self._radius = radius
        self._tried = tried
        self._box = scene.world.space.period
        self.way = Way(scene.world, path[0], scene.start, tried)  # to the next point of the sweep, then to the target

    @property
    def target(self) -> Floats:
        """The next point to look from, then the target."""
        return self.way.target

    def update(self, world: World, state: State) -> None:
        """Look for the target; go on to the next point of the sweep."""
        living = state.position[state.alive]
        if len(living) == 0:
            return
        if self.path is not None and seen(world, living, self.hidden[None], self._reach).any():
            self.found_at, self.path = state.time, None
            self.way = Way(world, self.hidden, living, self._tried)
        elif self.path is not None and self._distance(state) <= self._radius:
            self._next += 1
            if self._next == len(self.path):  # all was looked at and nothing found: the same way back
                self.path, self._next = np.array(self.path[::-1]), min(1, len(self.path) - 1)
            self.way = Way(world, self.path[self._next], living, self._tried)
        elif world.moving:
            self.way.update(world, living)

    def met(self, state: State) -> bool:
        """Whether the target was found, the centroid is within the radius of it and nobody was lost."""
        return bool(self.path is None and state.alive.all() and self._distance(state) <= self._radius)

    def remaining(self, state: State) -> float:
        """m to the next point of the sweep, and on along it; to the target once it was found."""
        beyond = 0.0
        if self.path is not None:
            beyond = float(length_beyond(self.path[self._next :])[0])
        return self._distance(state) + beyond

    def _distance(self, state: State) -> float:
        return float(centre_distance(state.position, state.alive, self.target, self._box))
