"""Gates: take the whole swarm through the world's gates, one after the other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np
from msgspec import Meta

from swarm.errors import BadInput
from swarm.state import Floats, State
from swarm.tasks.centre import centre_distance
from swarm.tasks.path import length_beyond
from swarm.tasks.scene import Scene
from swarm.tasks.way import Way, margins
from swarm.worlds.world import World
from swarm.worlds.zones import Zone


@dataclass(frozen=True)
class Gates:
    """Met when every agent has crossed every gate in order, the centroid is at the target, and nobody was lost.

    An agent has crossed a gate when a step of its flight passed through the opening in the gate's direction.
    """

    kind: ClassVar[str] = "gates"

    gates: Annotated[tuple[str, ...], Meta(min_length=1)] | None = None  # zones by name; default: all, in their order
    target: Annotated[tuple[float, ...], Meta(min_length=2, max_length=3)] | None = None  # m; default: past the last
    radius: Annotated[float, Meta(gt=0)] = 1.0  # m
    approach: Annotated[float, Meta(gt=0)] = 1.5  # m flown straight before and after each gate
    margin: Annotated[float, Meta(ge=0, le=1000)] | None = None  # m kept from obstacles; default: as much as there is

    def begin(self, scene: Scene) -> GatesGoal:
        """Find the way through all gates.

        Raises:
            BadInput: There is no such gate, or no way from one to the next.
        """
        world = scene.world
        chosen = world.gates
        if self.gates is not None:
            chosen = tuple(scene.zone(f"gates[{k}]", name, "gate") for k, name in enumerate(self.gates))
        if not chosen:
            raise BadInput(f"{scene.where}.kind: the world {world.name} has no gates: it needs [[zones]] of kind gate")
        points = []
        for gate in chosen:
            middle = np.asarray(gate.center)
            for side, word in ((-1.0, "before"), (1.0, "behind")):
                point = middle + side * self.approach * gate.normal
                points.append(self._free(scene, point, f"approach: the place {self.approach:g} m {word} {gate.name}"))
        if self.target is not None:
            points.append(scene.place("target", self.target))
        tried = margins(scene.radius, self.margin)
        ways, at = [], scene.start
        for k, point in enumerate(points):  # a gate nobody can come to is said before the run, not after it
            name = "target" if k == 2 * len(chosen) else f"gates: {chosen[k // 2].name}"
            ways.append(Way(world, point, at, tried).checked(f"{scene.where}.{name}"))
            at = point[None]
        return GatesGoal(chosen, ways, scene.start, world.space.period, self.radius)

    def _free(self, scene: Scene, point: Floats, what: str) -> Floats:
        room, _, surface = scene.world.nearest(point[None])
        if room[0] <= scene.radius:
            raise BadInput(f"{scene.where}.{what} is in or at {scene.world.surfaces[surface[0]]}; use a shorter one")
        return point


class GatesGoal:
    """Who has crossed what, and where the swarm is to go next."""

    path_speed = None
    ends_run = True

    def __init__(self, gates: tuple[Zone, ...], ways: list[Way], start: Floats, box: Floats, radius: float) -> None:
        self.gates = gates
        self.crossed = np.zeros(len(start), np.int64)  # gates crossed in order, by agent
        self.path: Floats = np.array([way.target for way in ways])  # before and behind each gate, then the target
        self._ways = ways
        self._next = 0  # in path
        self._before = start
        self._box = box
        self._radius = radius
        self._beyond = length_beyond(self.path)  # m from each place to the end

    @property
    def target(self) -> Floats:
        """The next place on the path."""
        return self.way.target

    @property
    def way(self) -> Way:
        """The way there around obstacles."""
        return self._ways[self._next]

    def update(self, world: World, state: State) -> None:
        """Count crossings; head for the next place once the swarm is there or through."""
        already = self.crossed.copy()
        for k, gate in enumerate(self.gates):
            through = gate.crossed(self._before, state.position)
            again = k > 0 and gate is self.gates[k - 1]  # to be crossed once more, not counted twice
            self.crossed[through & ((already if again else self.crossed) == k)] += 1
        self._before = state.position
        while self._next < len(self.path) - 1 and self._passed(state):
            self._next += 1
        if world.moving:
            self.way.update(world, state.position[state.alive])

    def _passed(self, state: State) -> bool:
        """Whether the swarm is done with the next place: it is before the gate, or all of it is through."""
        gate, behind = divmod(self._next, 2)
        through = (self.crossed[state.alive] > gate).all()
        return bool(through or (not behind and self._distance(state) <= self._radius))

    def met(self, state: State) -> bool:
        """Whether all are through all gates, the centroid is within the radius of the target and nobody was lost."""
        through = (self.crossed == len(self.gates)).all() and state.alive.all()
        return bool(through and self._next == len(self.path) - 1 and self._distance(state) <= self._radius)

    def remaining(self, state: State) -> float:
        """m along the path still to go."""
        return self._distance(state) + float(self._beyond[self._next])

    def _distance(self, state: State) -> float:
        return float(centre_distance(state.position, state.alive, self.target, self._box))
