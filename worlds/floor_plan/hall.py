"""A plan for a world that has none, so that walkers can walk in it."""

from __future__ import annotations

import dataclasses
import math

import numpy as np

from swarm.errors import BadInput
from swarm.worlds.floor_plan.plan import FREE, FloorPlan
from swarm.worlds.floor_plan.traffic import Traffic, built
from swarm.worlds.world import World

FINE = 0.25  # m, side of a cell
MOST = 400  # cells along the longer side; a larger world has larger cells


def as_hall(world: World) -> World:
    """A world of two dimensions as a hall of free cells between walls, with obstacle cells under its obstacles.

    As on every plan, all cells that an obstacle covers a part of are obstacles: nobody walks into one, and walls thinner
    than a cell hold. What that takes from a way between two of them is less than a cell on each side.

    Args:
        world: What to copy. A torus or open boundary becomes walls, and bounds that are no whole number of cells are
            cut down to one.

    Returns:
        The copy; this world itself where it has a floor plan or three dimensions.

    Raises:
        BadInput: Obstacles leave no cell free.
    """
    if world.floor_plan is not None or world.dim != 2:
        return world
    size = world.bounds[1] - world.bounds[0]
    cell = _cell(float(size.max()), float(size.min()))
    columns, rows = (max(1, math.floor(length / cell + 1e-9)) for length in size.tolist())
    low_x, low_y = (world.bounds[0] + cell / 2.0).tolist()
    cells = np.full((rows, columns), FREE, np.uint8)
    still = [obstacle for obstacle in world.obstacles if obstacle.motion is None]
    movers = [obstacle for obstacle in world.obstacles if obstacle.motion is not None]
    ground = built(FloorPlan(cells, cell, (low_x, low_y), world.name), still)
    if not ground.walkable.any():
        raise BadInput(f"{world.name}: expected room for walkers, got obstacles on every cell of {cell:g} m")
    notice = f"{world.name}: walkers have a hall of {rows} x {columns} cells of {cell:g} m"
    if world.boundary != "walls":
        notice += f", and the {world.boundary} boundary becomes walls"
    return dataclasses.replace(
        world, bounds=ground.bounds, boundary="walls", floor=False, obstacles=(*ground.obstacles(), *world.obstacles),
        notices=(*world.notices, notice), floor_plan=Traffic(ground, movers).at(0.0) if movers else ground,
    )  # fmt: skip


def _cell(longer: float, shorter: float) -> float:
    """m, of which the longer side is a whole number and the shorter one, too, or nearly."""
    least = max(1, min(math.ceil(longer / FINE - 1e-9), MOST))
    sides = longer / np.arange(least, 2 * least + 1)
    over = shorter / sides + 1e-9
    rest = (over - np.floor(over)) * sides
    return float(sides[int((rest > rest.min() + 1e-6).argmin())])
