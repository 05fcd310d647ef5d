"""A world at another scale, and one of two dimensions made three-dimensional, for bodies that need room to fly."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from functools import lru_cache

import numpy as np

from swarm.worlds.motion import Motion
from swarm.worlds.obstacles import Obstacle
from swarm.worlds.world import World
from swarm.worlds.zones import Zone

Point = tuple[float, ...]


@lru_cache(maxsize=4)
def lifted(world: World, scale: float, ceiling: float, altitude: float, notice: str = "") -> World:
    """A world with all lengths and speeds times one factor; one of two dimensions becomes a hall.

    In a hall every obstacle reaches from floor to ceiling, and what was a place lies at the altitude of flight.

    Args:
        world: What to copy; it stands as `origin` in the copy, and so does its floor plan.
        scale: m for a metre.
        ceiling: m, height of a hall.
        altitude: m, at which it is flown through.
        notice: What to add to the world's notices.

    Returns:
        The world; the same object when asked again.
    """
    flat = world.dim == 2

    def place(point: Point, height: float = altitude) -> Point:
        return (*(scale * c for c in point), *((height,) if flat else ()))

    bounds = scale * np.asarray(world.bounds)
    if flat:
        bounds = np.column_stack([bounds, [0.0, ceiling]])
    height = ceiling if flat else 0.0
    obstacles = tuple(_obstacle(o, scale, lambda p: place(p, ceiling / 2), height) for o in world.obstacles)
    zones = tuple(_zone(zone, scale, place, height) for zone in world.zones)
    return dataclasses.replace(
        world, bounds=bounds, floor=world.floor or flat, obstacles=obstacles, zones=zones, origin=world,
        wind=tuple(wind.scaled(scale) for wind in world.wind),
        floor_plan=None, notices=(*world.notices, *([notice] if notice else ())),
    )  # fmt: skip


def _obstacle(obstacle: Obstacle, scale: float, place: Callable[[Point], Point], height: float) -> Obstacle:
    kind, mesh, motion = obstacle.kind, obstacle.mesh, obstacle.motion
    if mesh is not None:
        mesh = dataclasses.replace(mesh, vertices=scale * mesh.vertices)
    if motion is not None:
        motion = Motion(place(motion.start), tuple(place(p) for p in motion.path), scale * motion.speed, motion.mode)
    size = tuple(scale * edge for edge in obstacle.size)
    tall = scale * obstacle.height
    if height > 0.0:
        kind = "cylinder" if kind == "sphere" else kind
        size, tall = (*size, height) if size else (), height
    return dataclasses.replace(
        obstacle, kind=kind, center=place(obstacle.center), size=size, radius=scale * obstacle.radius, height=tall,
        mesh=mesh, motion=motion,
    )  # fmt: skip


def _zone(zone: Zone, scale: float, place: Callable[[Point], Point], height: float) -> Zone:
    size = tuple(scale * edge for edge in zone.size)
    if height > 0.0 and size:
        size = (*size, height)
    return dataclasses.replace(zone, center=place(zone.center), size=size, radius=scale * zone.radius)
