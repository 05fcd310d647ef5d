"""Where who is stuck on a floor plan is put: the nearest walkable cell that nobody is in."""

from __future__ import annotations

import numpy as np

from swarm.state import Floats, Ints
from swarm.worlds.floor_plan.plan import FloorPlan


def free_places(plan: FloorPlan, position: Floats, stuck: Ints) -> Floats:
    """Middles of empty cells with a way to the goal, each the nearest to one who is stuck, by their numbers in turn.

    Args:
        plan: Where they are.
        position: (A, 2) m, of everybody.
        stuck: (K,) who is to be freed.

    Returns:
        (K, 2) m; who finds no empty cell stays where it is.
    """
    places: Floats = position[stuck].copy()
    if len(stuck) == 0:
        return places
    empty = np.isfinite(plan.distance)
    empty[plan.cell_of(position)] = False
    row, column = np.nonzero(empty)
    middles = plan.center_of(row, column)
    left = np.ones(len(middles), bool)
    for k, at in enumerate(position[stuck]):
        if not left.any():
            break
        square = np.where(left, ((middles - at) ** 2).sum(axis=1), np.inf)
        nearest = int(square.argmin())
        places[k], left[nearest] = middles[nearest], False
    return places
