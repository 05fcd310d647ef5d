"""Where a task begins: the world, the swarm in it, and how messages name the task."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from swarm.errors import BadInput
from swarm.schema import choose, show
from swarm.state import Floats
from swarm.worlds.world import World
from swarm.worlds.zones import Zone


@dataclass(frozen=True, eq=False)
class Scene:
    """One run, before it begins."""

    world: World
    start: Floats  # (A, D) m
    radius: float  # m, of an agent's hull
    rng: np.random.Generator  # what the task leaves to chance
    where: str  # "file: task", before the key in messages
    placing: bool = False  # whether the task can put somebody somewhere else
    dt: float = 1.0  # s, command period
    spawned: bool = False  # whether the mission names a spawn

    def place(self, key: str, point: tuple[float, ...]) -> Floats:
        """A point of the file as an array.

        Raises:
            BadInput: It has the wrong dimension, or is outside the world or inside an obstacle.
        """
        world, place = self.world, np.asarray(point, dtype=float)
        if place.shape != (world.dim,):
            raise BadInput(f"{self.where}.{key}: expected {world.dim} numbers, got {len(place)}")
        low, high = world.bounds
        if world.boundary != "open" and ((place < low) | (place > high)).any():
            within = f"{low.tolist()} to {high.tolist()}"
            raise BadInput(f"{self.where}.{key}: expected a place in the world, {within}, got {place.tolist()}")
        distance, _, surface = world.nearest(place[None])
        if distance[0] <= 0:
            raise BadInput(f"{self.where}.{key}: {place.tolist()} is inside {world.surfaces[surface[0]]}")
        return place

    def zone(self, key: str, name: str, kind: str) -> Zone:
        """A zone of the world by name.

        Raises:
            BadInput: There is none of that kind.
        """
        of_kind = {zone.name: zone for zone in self.world.zones if zone.kind == kind}
        if not of_kind:
            raise BadInput(f"{self.where}.{key}: the world {self.world.name} has no {kind}s, got {show(name)}")
        faults: list[str] = []
        if not choose(name, of_kind, f"{self.where}.{key}", faults):
            raise BadInput(*faults)
        return of_kind[name]
