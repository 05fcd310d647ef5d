"""Finding the ways of a route: target checked, world sampled on a grid, grid searched."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from swarm.errors import BadInput
from swarm.state import Floats, Ints
from swarm.worlds.routes.any_angle import BLOCKED, FREE, SEEN, spread
from swarm.worlds.routes.fields import field_on, upright
from swarm.worlds.routes.grid import Grid, make_grid, region
from swarm.worlds.routes.route import Route
from swarm.worlds.routes.unobstructed import unobstructed

if TYPE_CHECKING:
    from swarm.worlds.world import World

LEAST = 0.35  # cells, smallest margin kept: a wall without any thickness is seen on a line through it
BESIDE = 1.8  # cells; nodes this near to the target may see it
EMPTY = 1e9  # m, clearance that stands for no obstacle at all


def find_route(world: World, target: Floats, margin: float, cell: float = 0.0) -> Route:
    """Search the ways to a target; see World.route."""
    room = _checked(world, target, margin)
    if not world.obstacles:  # walls alone hide nothing
        return _straight(world, target, margin)
    plan = upright(world)
    axes = 2 if plan else world.dim
    lowest, highest = region(world, target, margin)
    grid = make_grid(lowest[:axes], highest[:axes], world.boundary == "torus", cell)
    field = field_on(world, grid)
    keep = max(margin, LEAST * grid.cell)
    seeds, away = _in_sight(world, target, room, grid, field, keep)
    count = grid.count
    length, turn, ahead = np.full(count, np.inf), np.full(count, -1), np.zeros((count, 5))
    state = np.where(field[:, 0] >= keep, FREE, BLOCKED)
    heap, place = np.zeros(count, dtype=np.int64), np.full(count, -1)
    ahead[seeds, :3] = grid.offset(seeds) + away
    length[seeds], state[seeds], ahead[seeds, 4] = np.linalg.norm(away, axis=1), SEEN, 0.0
    seeds = seeds[length[seeds].argsort(kind="stable")]  # what is sorted is a heap
    heap[: len(seeds)], place[seeds] = seeds, np.arange(len(seeds))
    spread(field, grid.shape, grid.frame, keep, ahead, length, turn, state, heap, place, len(seeds), room >= keep)
    near = 0.0 if room >= keep else float(length[seeds[0]]) + grid.cell
    return Route(world.alone(), target, margin, grid, field, keep, room, near, ahead, turn)


def _checked(world: World, target: Floats, margin: float) -> float:
    """The target's clearance in m; a target that is nowhere or in something is refused."""
    if target.shape != (world.dim,) or not np.isfinite(target).all():
        raise BadInput(f"target: expected {world.dim} finite numbers, got {target.tolist()}")
    if not (np.isfinite(margin) and margin >= 0.0):
        raise BadInput(f"margin: expected a finite number of metres, 0 or more, got {margin}")
    shown = [round(c, 3) for c in target.tolist()]
    outside = (target < world.bounds[0]).any() or (target > world.bounds[1]).any()
    if outside and world.boundary != "open":
        raise BadInput(f"target: expected a place in the bounds {world.bounds.tolist()}, got {shown}")
    room, _, surface = world.nearest(target)
    if room <= 0.0:
        depth = f"{float(room):.3g} m from {world.surfaces[int(surface)]}"
        raise BadInput(f"target: expected a place outside everything solid, got {shown}, {depth}")
    return float(room)


def _in_sight(world: World, target: Floats, room: float, grid: Grid, field: Floats, keep: float) -> tuple[Ints, Floats]:
    """Nodes beside the target with nothing between, and the target seen from them, (K, 3) m.

    From a target in the margin these are the nearest nodes outside of it.
    """
    reach = BESIDE * grid.cell + max(keep - room, 0.0)
    nodes, places = grid.around(target, reach)
    here = np.zeros(3)
    here[: grid.axes] = target[: grid.axes] - grid.frame[: grid.axes]
    here -= np.floor(here / np.where(grid.period > 0.0, grid.period, np.inf)) * grid.period
    away = here - places
    length = np.linalg.norm(away, axis=1)
    near = field[nodes, 0] >= keep
    nodes, away, length = nodes[near], away[near], length[near]
    there = np.repeat(target[None], len(nodes), axis=0)
    there[:, : grid.axes] -= away[:, : grid.axes]
    seen = unobstructed(world, np.repeat(target[None], len(nodes), axis=0), there)
    if room < keep:
        seen &= length <= length[seen].min(initial=np.inf) + grid.cell / 2.0
    if not seen.any():
        shown = [round(c, 3) for c in target.tolist()]
        raise BadInput(
            f"target: expected a place with {keep:.3g} m of room around it nearby, got {shown}, where cells are "
            f"{grid.cell:.3g} m"
        )
    _, first = np.unique(nodes[seen], return_index=True)  # where an axis wraps within reach, a node is there twice
    return nodes[seen][first], away[seen][first]


def _straight(world: World, target: Floats, margin: float) -> Route:
    """The route in a world without obstacles: nodes that all see the target."""
    shape, frame = np.array([1, 1, 1, 0, 0, 0]), np.array([0.0, 0.0, 0.0, 1.0, 1.0, 1.0])
    dim = world.dim
    frame[:dim] = target
    if world.boundary == "torus":  # the second node along an axis is as far from the target as from its next image
        shape[:dim], shape[3 : 3 + dim], frame[3 : 3 + dim] = 2, 1, world.space.period / 2.0
    grid = Grid(shape, frame)
    field, ahead = np.zeros((grid.count, 4)), np.zeros((grid.count, 5))
    field[:, 0] = EMPTY
    return Route(world.alone(), target, margin, grid, field, margin, EMPTY, 0.0, ahead, np.full(grid.count, -1))
