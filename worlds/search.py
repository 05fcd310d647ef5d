"""Finding the ways of a route: target checked, world sampled on a grid, grid searched."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from swarm.errors import BadInput
from swarm.state import Bools, Floats, Ints
from swarm.worlds.any_angle import spread
from swarm.worlds.grid import Grid, flattened, make_grid, nodes_of, region
from swarm.worlds.route import BESIDE, Route

if TYPE_CHECKING:
    from swarm.worlds.world import World


def find_route(world: World, target: Floats, margin: float) -> Route:
    """Search the ways to a target; see World.route."""
    shown = _checked(world, target, margin)
    if not world.obstacles:  # walls alone hide nothing: one node that sees the target
        grid, places = Grid(np.ones(3, dtype=np.int64), np.array([0.0, 0.0, 0.0, 1.0])), np.zeros((2, 3))
        places[1, :2] = target[:2]
        return Route(world, target, margin, grid, places, np.zeros(2), np.array([-1]))

    plan = flattened(world) or world
    goal = target[: plan.dim]
    grid = make_grid(*region(plan, goal, margin))
    nodes = nodes_of(grid, plan.dim)
    count = len(nodes)
    places = np.zeros((count + 1, 3))
    places[:, : plan.dim] = (np.concatenate((nodes, goal[None])) - grid.frame[: plan.dim]) / grid.cell
    places[:-1] = np.rint(places[:-1])
    clearance = plan.clearance(nodes)[0] / grid.cell
    # Half a cell at least, so that no line between two nodes slips through a wall that is thinner than a cell.
    keep = max(margin / grid.cell, 0.5)
    seeds = _in_sight(plan, goal, grid, clearance, keep)
    if len(seeds) == 0:
        raise BadInput(f"target: expected a place with room around it for cells of {grid.cell:.3g} m, got {shown}")

    length, turn = np.full(count + 1, np.inf), np.full(count, -1)
    seen, reached = np.zeros(count, dtype=np.bool_), np.zeros(count, dtype=np.bool_)
    heap, place = np.zeros(count, dtype=np.int64), np.full(count, -1)
    length[-1], length[seeds], seen[seeds] = 0.0, np.linalg.norm(places[seeds] - places[-1], axis=1), True
    seeds = seeds[length[seeds].argsort(kind="stable")]  # what is sorted is a heap
    heap[: len(seeds)], place[seeds] = seeds, np.arange(len(seeds))
    rooms = clearance.reshape(tuple(grid.shape))
    spread(rooms, keep, places, length, turn, seen, reached, heap, place, len(seeds))
    _lead_out(turn, reached, places, grid)
    return Route(world, target, margin, grid, places, length, turn)


def _checked(world: World, target: Floats, margin: float) -> list[float]:
    """The target as it is shown in messages, refused when it is nowhere or in something."""
    if target.shape != (world.dim,) or not np.isfinite(target).all():
        raise BadInput(f"target: expected {world.dim} finite numbers, got {target.tolist()}")
    shown = [round(c, 3) for c in target.tolist()]
    outside = (target < world.bounds[0]).any() or (target > world.bounds[1]).any()
    if outside and world.boundary != "open":
        raise BadInput(f"target: expected a place in the bounds {world.bounds.tolist()}, got {shown}")
    room, _, surface = world.nearest(target)
    if room <= 0.0 or room < margin:
        name, wanted = world.surfaces[int(surface)], f"more than {margin:g} m from everything solid"
        raise BadInput(f"target: expected a place {wanted}, got {shown}, {float(room):.3g} m from {name}")
    return shown


def _in_sight(world: World, target: Floats, grid: Grid, clearance: Floats, keep: float) -> Ints:
    """Nodes beside the target, with nothing between."""
    nodes = grid.around(target, BESIDE)
    nodes = nodes[clearance[nodes] >= keep]
    share = np.linspace(0.0, 1.0, 17)[:, None, None]
    between = target + share * (grid.place(nodes)[:, : world.dim] - target)
    return nodes[(world.clearance(between)[0] > 0.0).all(axis=0)]


def _lead_out(turn: Ints, reached: Bools, places: Floats, grid: Grid) -> None:
    """Let each node without a way turn at the nearest that has one, found ring by ring from those that do."""
    count, last = len(turn), grid.shape - 1
    steps = np.array([grid.shape[1] * grid.shape[2], grid.shape[2], 1])
    gate = np.where(reached, np.arange(count), -1)
    waiting = np.flatnonzero(~reached)
    while len(waiting):
        here = places[waiting]
        down, up = (here > 0.5) * steps, (here < last - 0.5) * steps
        gates = gate[waiting[:, None] + np.concatenate((-down, up), axis=1)]
        away = np.linalg.norm(places[gates] - here[:, None], axis=2)
        away[gates < 0] = np.inf
        best = away.argmin(axis=1)
        row = np.arange(len(waiting))
        found = np.isfinite(away[row, best])
        gate[waiting[found]] = turn[waiting[found]] = gates[row, best][found]
        waiting = waiting[~found]
