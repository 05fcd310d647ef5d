"""Obstacles on a floor plan: the cells that they stand on, and the plan at any time where some of them move."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np

from swarm.state import Ints
from swarm.worlds.floor_plan.plan import OBSTACLE, FloorPlan
from swarm.worlds.geometry import extent, pack
from swarm.worlds.obstacles import Obstacle
from swarm.worlds.sensing import sense

KEPT = 8  # plans remembered; each is some megabytes where there are a million cells


def stood_on(plan: FloorPlan, obstacle: Obstacle) -> Ints:
    """Walkable cells under an obstacle: those whose middle is in it, and the one that its own middle is in.

    A middle on an edge counts for the obstacle to its left or below, so one as large as a cell is on one cell always.

    Returns:
        (K,) cells, counted row by row, in order.
    """
    low, high = extent(obstacle)
    (last, first), (left, right) = plan.cell_of(np.stack([low[:2], high[:2]]))
    rows, columns = np.mgrid[first : last + 1, left : right + 1].reshape(2, -1)
    points = plan.center_of(rows, columns) - 1e-6 * plan.cell
    geometry = pack((dataclasses.replace(obstacle, motion=None),), (), np.zeros(3))
    inside = sense(points, geometry.nodes, geometry.items, geometry.period, -1.0, 0)[0] < 0.0
    middle = np.asarray(obstacle.center[:2])
    if ((plan.bounds[0] <= middle) & (middle <= plan.bounds[1])).all():
        row, column = plan.cell_of(middle)
        inside |= (rows == row) & (columns == column)
    cells = rows[inside] * plan.shape[1] + columns[inside]
    return np.asarray(cells[plan.walkable.ravel()[cells]])


def built(plan: FloorPlan, obstacles: Sequence[Obstacle]) -> FloorPlan:
    """The plan with obstacle cells under obstacles; the same one where they stand on none."""
    return _closed(plan, [stood_on(plan, obstacle) for obstacle in obstacles])


def _closed(plan: FloorPlan, under: Sequence[Ints]) -> FloorPlan:
    closed = np.unique(np.concatenate([np.empty(0, dtype=np.int64), *under]))
    if len(closed) == 0:
        return plan
    cells = plan.cells.copy()
    cells.reshape(-1)[closed] = OBSTACLE
    return dataclasses.replace(plan, cells=cells)


class Traffic:
    """A plan and the obstacles that move on it.

    Args:
        ground: The plan without them.
        movers: Obstacles with a motion.
        first: What was made of the same before, if anything.
    """

    def __init__(self, ground: FloorPlan, movers: Sequence[Obstacle], first: FloorPlan | None = None) -> None:
        self.ground, self._movers = ground, tuple(movers)
        self._known: dict[bytes, FloorPlan] = {}
        if first is not None:
            self._known[np.flatnonzero(first.cells != ground.cells).tobytes()] = first

    def at(self, time: float) -> FloorPlan:
        """The plan at a time in s, with obstacle cells where the movers are; the same object while they are the same.

        Its `ground` is the plan without them. The movers may shut the way to the goal, or stand on all of it: distances
        are then inf.
        """
        under = []
        for mover in self._movers:
            assert mover.motion is not None
            place = tuple(mover.motion.position(time).tolist())
            under.append(stood_on(self.ground, dataclasses.replace(mover, center=place)))
        key = np.unique(np.concatenate(under)).tobytes()
        if key not in self._known:
            while len(self._known) >= KEPT:
                del self._known[next(iter(self._known))]
            plan = dataclasses.replace(_closed(self.ground, under), ground=self.ground)
            self._known[key] = plan
        return self._known[key]
