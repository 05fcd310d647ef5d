"""Reach: bring the whole swarm to a target."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np
from msgspec import Meta

from swarm.errors import BadInput
from swarm.state import Floats, State
from swarm.worlds.route import Route
from swarm.worlds.world import World


@dataclass(frozen=True)
class Reach:
    """Met when the centroid of the living is within `radius` of `target` and nobody was lost."""

    kind: ClassVar[str] = "reach"

    target: Annotated[tuple[float, ...], Meta(min_length=2, max_length=3)]  # m
    radius: Annotated[float, Meta(gt=0)] = 1.0  # m
    route: bool = True  # whether the swarm knows the way around obstacles; else it only knows the direction

    def begin(self, world: World, start: Floats, where: str) -> ReachGoal:
        """Work out the way around the obstacles.

        Raises:
            BadInput: The target has the wrong dimension, is outside the world, inside an obstacle or walled in.
        """
        target = np.asarray(self.target, dtype=float)
        if target.shape != (world.dim,):
            raise BadInput(f"{where}.target: expected {world.dim} numbers, got {len(target)}")
        low, high = world.bounds
        if world.boundary != "open" and ((target < low) | (target > high)).any():
            within = f"{low.tolist()} to {high.tolist()}"
            raise BadInput(f"{where}.target: expected a place in the world, {within}, got {target.tolist()}")
        distance, _, surface = world.nearest(target[None])
        if distance[0] <= 0:
            raise BadInput(f"{where}.target: {target.tolist()} is inside {world.surfaces[surface[0]]}")
        route = None
        if self.route:
            try:
                route = world.route(target)
            except BadInput as error:
                raise BadInput(*(f"{where}.{fault}" for fault in error.faults)) from None
            if not route.reachable(start).all():
                raise BadInput(f"{where}.target: {target.tolist()} cannot be reached: it is walled in")
        return ReachGoal(target, route, world.space.period, self.radius)


class ReachGoal:
    """The target of one run, and how far the swarm still is from it."""

    path = None
    path_speed = None
    ends_run = True

    def __init__(self, target: Floats, route: Route | None, box: Floats, radius: float) -> None:
        from swarm.tasks.centre import centre_distance

        self.target = target
        self.route = route
        self._box = box
        self._radius = radius
        self._distance = centre_distance

    def met(self, state: State) -> bool:
        """Whether the centroid of the living is within the radius and nobody was lost."""
        near = self._distance(state.position, state.alive, self.target, self._box) <= self._radius
        return bool(near and state.alive.all())

    def remaining(self, state: State) -> float:
        """Straight distance of the centroid to the target, m."""
        return float(self._distance(state.position, state.alive, self.target, self._box))
