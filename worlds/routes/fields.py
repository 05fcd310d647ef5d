"""What a search for ways knows of a world: clearance and normal at every node of a grid."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

import numpy as np

from swarm.state import Floats
from swarm.worlds.geometry import extent
from swarm.worlds.obstacles import Obstacle
from swarm.worlds.routes.grid import Grid

if TYPE_CHECKING:
    from swarm.worlds.world import World

KEPT = 2  # grids a world remembers the clearances of; each is some megabytes


def upright(world: World) -> bool:
    """Whether a world is closed and everything in it stands upright from floor to ceiling.

    Every horizontal cut through such a world is the same, so ways can be searched in the plane.
    """
    if world.dim == 2 or world.boundary != "walls":
        return False
    bottom, top = world.bounds[:, 2]
    for obstacle in world.obstacles:
        low, high = extent(obstacle)
        straight = obstacle.kind in ("box", "cylinder") and obstacle.rpy[:2] == (0.0, 0.0)
        if not straight or low[2] > bottom + 1e-9 or high[2] < top - 1e-9:
            return False
    return True


def field_on(world: World, grid: Grid) -> Floats:
    """Clearance in m and normal of the nearest surface at every node, (N, 4); of the ground plan on a plane grid.

    What stands still is worked out once for all times, targets and margins.
    """
    still = world.still
    key = (grid.axes, grid.shape.tobytes(), grid.frame.tobytes())
    if key not in still.fields:
        while len(still.fields) >= KEPT:
            del still.fields[next(iter(still.fields))]
        fixed = still if grid.axes == world.dim else _plan(still, still.obstacles)
        still.fields[key] = _sampled(fixed, grid)
    field = still.fields[key]
    movers = tuple(dataclasses.replace(o, motion=None) for o in world.obstacles if o.motion is not None)
    if not movers:
        return field
    boundary = "torus" if world.boundary == "torus" else "open"
    alone = dataclasses.replace(still, boundary=boundary, floor=False, obstacles=movers, zones=())
    moved = _sampled(alone if grid.axes == world.dim else _plan(alone, movers), grid)
    nearer = moved[:, 0] < field[:, 0]
    return np.where(nearer[:, None], moved, field)


def _sampled(world: World, grid: Grid) -> Floats:
    field = np.zeros((grid.count, 4))
    field[:, 0], field[:, 1 : 1 + grid.axes] = world.clearance(grid.places())
    return field


def _plan(world: World, obstacles: tuple[Obstacle, ...]) -> World:
    """Seen from above."""
    flat = tuple(dataclasses.replace(o, center=o.center[:2], size=o.size[:2]) for o in obstacles)
    return dataclasses.replace(world, bounds=world.bounds[:, :2], floor=False, obstacles=flat, zones=())
