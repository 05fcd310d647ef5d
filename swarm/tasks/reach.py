"""Reach: bring the whole swarm to a target."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

from msgspec import Meta

from swarm.state import Floats, State
from swarm.tasks.centre import centre_distance
from swarm.tasks.scene import Scene
from swarm.tasks.way import Way, margins
from swarm.worlds.world import World


@dataclass(frozen=True)
class Reach:
    """Met when the centroid of the living is within `radius` of `target` and nobody was lost."""

    kind: ClassVar[str] = "reach"

    target: Annotated[tuple[float, ...], Meta(min_length=2, max_length=3)]  # m
    radius: Annotated[float, Meta(gt=0)] = 1.0  # m
    route: bool = True  # whether the swarm knows the way around obstacles; else it only knows the direction
    margin: Annotated[float, Meta(ge=0, le=1000)] | None = None  # m kept from obstacles; default: as much as there is

    def begin(self, scene: Scene) -> ReachGoal:
        """Work out the way around the obstacles.

        Raises:
            BadInput: The target has the wrong dimension, is outside the world, inside an obstacle or walled in.
        """
        target = scene.place("target", self.target)
        way = None
        if self.route:
            tried = margins(scene.radius, self.margin)
            way = Way(scene.world, target, scene.start, tried).checked(f"{scene.where}.target")
        return ReachGoal(target, way, scene.world.space.period, self.radius)


class ReachGoal:
    """The target of one run, and how far the swarm still is from it."""

    path = None
    path_speed = None
    ends_run = True

    def __init__(self, target: Floats, way: Way | None, box: Floats, radius: float) -> None:
        self.target = target
        self.way = way
        self._box = box
        self._radius = radius

    def update(self, world: World, state: State) -> None:
        """Seek the way anew where obstacles have moved."""
        if self.way is not None and world.moving:
            self.way.update(world, state.position[state.alive])

    def met(self, state: State) -> bool:
        """Whether the centroid of the living is within the radius and nobody was lost."""
        near = centre_distance(state.position, state.alive, self.target, self._box) <= self._radius
        return bool(near and state.alive.all())

    def remaining(self, state: State) -> float:
        """Straight distance of the centroid to the target, m."""
        return float(centre_distance(state.position, state.alive, self.target, self._box))
