"""Follow: take the swarm along a path, at a wanted speed on each leg."""

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
from swarm.worlds.world import World

Point = Annotated[tuple[float, ...], Meta(min_length=2, max_length=3)]


@dataclass(frozen=True)
class Follow:
    """Met when the centroid of the living has passed every way-point in order and nobody was lost."""

    kind: ClassVar[str] = "follow"

    path: Annotated[tuple[Point, ...], Meta(min_length=2)]  # m; the first point is where the path begins
    speed: tuple[Annotated[float, Meta(gt=0)], ...] | None = None  # m/s on each leg; default: the controller's cruise
    radius: Annotated[float, Meta(gt=0)] = 1.0  # m, how near counts as passed

    def __post_init__(self) -> None:
        if self.speed is not None and len(self.speed) != len(self.path) - 1:
            raise BadInput(f"speed: expected one for each of the {len(self.path) - 1} legs, got {len(self.speed)}")

    def begin(self, scene: Scene) -> FollowGoal:
        """Check the path against the world.

        Raises:
            BadInput: A way-point has the wrong dimension, is outside the world or lies inside an obstacle.
        """
        path = np.array([scene.place(f"path[{k}]", point) for k, point in enumerate(self.path)])
        speed = None if self.speed is None else np.asarray(self.speed, dtype=float)
        return FollowGoal(path, speed, scene.world.space.period, self.radius)


class FollowGoal:
    """Progress along the path of one run."""

    way = None
    ends_run = True

    def __init__(self, path: Floats, path_speed: Floats | None, box: Floats, radius: float) -> None:
        self.path = path
        self.path_speed = path_speed
        self._points: list[Floats] = list(path)
        self._next = 0
        self._box = box
        self._radius = radius
        self._beyond = length_beyond(path)  # m from each way-point to the end

    @property
    def target(self) -> Floats:
        """The next way-point."""
        return self._points[self._next]

    def update(self, world: World, state: State) -> None:
        """Nothing to look for: the way is the task's own."""

    def met(self, state: State) -> bool:
        """Whether every way-point has been passed and nobody was lost."""
        last = len(self.path) - 1
        near = centre_distance(state.position, state.alive, self.path[self._next], self._box) <= self._radius
        if near and self._next < last:
            self._next += 1
            return False
        return bool(near and state.alive.all())

    def remaining(self, state: State) -> float:
        """m along the path still to go."""
        ahead = centre_distance(state.position, state.alive, self.path[self._next], self._box)
        return float(ahead + self._beyond[self._next])
