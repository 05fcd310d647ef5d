"""Sources and goal of a floor plan on the ground that drones fly over."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from swarm.state import Floats
from swarm.worlds.floor_plan.image import COLOURS
from swarm.worlds.floor_plan.plan import GOAL, SOURCE
from swarm.worlds.floor_plan.regions import rectangles
from swarm.worlds.world import World


class Ground(NamedTuple):
    """Cells of one kind."""

    corners: Floats  # (K, 4, 2) m of the world, of rectangles that make them up
    colour: str
    word: str


def ground_below(world: World) -> list[Ground]:
    """Where one sets out and where one has arrived; nothing in a world that is no copy of one with a floor plan."""
    plan = world.ground_plan if world.floor_plan is None else None
    if plan is None:
        return []
    scale, found = scale_of_plan(world), []
    for kind, cells, word in ((SOURCE, plan.source_cells, "source"), (GOAL, plan.goal_cells, "goal")):
        if not cells.any():
            continue
        top, bottom, left, right = rectangles(cells).T
        x = plan.bounds[0, 0] + plan.cell * np.stack([left, right, right, left], axis=1)
        y = plan.bounds[1, 1] - plan.cell * np.stack([bottom, bottom, top, top], axis=1)
        found.append(Ground(scale * np.stack([x, y], axis=-1), COLOURS[kind], word))
    return found


def scale_of_plan(world: World) -> float:
    """m of a world for a metre of its floor plan."""
    if world.floor_plan is not None or world.origin is None:
        return 1.0
    return float(np.ptp(world.bounds[:, 0]) / np.ptp(world.origin.bounds[:, 0]))
