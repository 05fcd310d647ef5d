"""Obstacles on a floor plan: the cells that they stand on, and the plan at any time where some of them move."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Hashable, Sequence

import numpy as np

from swarm.state import Bools, Floats, Ints
from swarm.worlds.floor_plan.plan import OBSTACLE, FloorPlan
from swarm.worlds.geometry import extent
from swarm.worlds.motion import Tracks
from swarm.worlds.obstacles import Obstacle

KEPT = 8  # plans remembered; each is some megabytes where there are a million cells
NUDGE = 1e-6  # cells; what an obstacle covers of a cell by less is a matter of rounding


class Footprint:
    """The cells under an obstacle, wherever it is: all that it covers a part of, so that nobody stands inside it.

    Where its sides lie on the edges of cells it takes just the cells that it is large; in between, those that it leaves
    and those that it enters. One smaller than the rounding takes the cell that its middle is in.

    Args:
        plan: Where it stands.
        obstacle: A shape of two dimensions: a box, turned or not, or a circle.
    """

    def __init__(self, plan: FloorPlan, obstacle: Obstacle) -> None:
        self._plan = plan
        here = dataclasses.replace(obstacle, center=(0.0, 0.0), motion=None)
        self._reach = (extent(here)[1][:2] / plan.cell).tolist()  # cells
        self._box = obstacle.kind == "box"
        self._straight = self._box and obstacle.rpy[2] == 0.0
        self._half = np.asarray(obstacle.size[:2]) / (2.0 * plan.cell)  # cells, of a box
        self._axes = obstacle.rotation[:2, :2]  # columns: along the sides of a box
        self._radius = obstacle.radius / plan.cell  # cells, of a circle

    def window(self, center: Sequence[float]) -> tuple[int, int, int, int]:
        """First row, row after the last, first column, column after the last of the cells that the obstacle may cover.

        Args:
            center: (2,) m, of the obstacle.
        """
        (rows, columns), spans = self._plan.shape, []
        for axis, count in ((1, rows), (0, columns)):
            middle = (center[axis] - self._plan.origin[axis]) / self._plan.cell + 0.5  # cells from the plan's edge
            first = math.floor(middle - self._reach[axis] + NUDGE)
            last = max(math.ceil(middle + self._reach[axis] - NUDGE), first + 1)
            spans += [min(max(first, 0), count), min(max(last, 0), count)]
        return rows - spans[1], rows - spans[0], spans[2], spans[3]

    def key(self, center: Sequence[float]) -> Hashable:
        """The same for two places where the cells are the same."""
        return self.window(center) if self._straight else self.cells(center).tobytes()

    def cells(self, center: Sequence[float]) -> Ints:
        """(K,) walkable cells under the obstacle, counted row by row, in order."""
        top, bottom, left, right = self.window(center)
        rows, columns = np.mgrid[top:bottom, left:right].reshape(2, -1)
        if not self._straight and len(rows):
            away = (self._plan.center_of(rows, columns) - np.asarray(center)) / self._plan.cell
            covered = self._covers(away)
            covered |= (np.floor(0.5 - away) == 0.0).all(axis=1)  # the cell that its middle is in
            rows, columns = rows[covered], columns[covered]
        cells = rows * self._plan.shape[1] + columns
        return np.asarray(cells[self._plan.walkable.ravel()[cells]])

    def _covers(self, away: Floats) -> Bools:
        """(K,) whether the obstacle covers a part of cells whose middles are (K, 2) cells from its own."""
        if not self._box:
            nearest = np.maximum(np.abs(away) - 0.5, 0.0)  # of the cell to the circle's middle
            return np.asarray(np.hypot(nearest[:, 0], nearest[:, 1]) < self._radius - NUDGE)
        # Two convex shapes are apart where one of the directions of their sides tells them apart; the cell's own
        # directions have done so in the window.
        reach = self._half + 0.5 * np.abs(self._axes).sum(axis=0)
        return np.asarray((np.abs(away @ self._axes) < reach - NUDGE).all(axis=1))


def built(plan: FloorPlan, obstacles: Sequence[Obstacle]) -> FloorPlan:
    """The plan with obstacle cells under obstacles that stand still; the same one where they stand on none."""
    return _closed(plan, [Footprint(plan, obstacle).cells(obstacle.center) for obstacle in obstacles])


def _closed(plan: FloorPlan, under: Sequence[Ints]) -> FloorPlan:
    closed = np.concatenate([np.empty(0, dtype=np.int64), *under])
    if len(closed) == 0:
        return plan
    cells = plan.cells.copy()
    cells.reshape(-1)[closed] = OBSTACLE
    return dataclasses.replace(plan, cells=cells)


class Traffic:
    """A plan and the obstacles that move on it.

    Args:
        ground: The plan without them.
        movers: Obstacles with a motion, one or more.
        first: What `at` made of the same for one time before, and that time in s.
    """

    def __init__(
        self, ground: FloorPlan, movers: Sequence[Obstacle], first: tuple[FloorPlan, float] | None = None
    ) -> None:
        self.ground = ground
        self._feet = [Footprint(ground, mover) for mover in movers]
        self._tracks = Tracks([mover.motion for mover in movers if mover.motion is not None])
        self._known: dict[Hashable, FloorPlan] = {}
        if first is not None:
            self._known[self._key(self._tracks.at(first[1])[0].tolist())] = first[0]

    def _key(self, places: Sequence[Sequence[float]]) -> Hashable:
        return tuple(foot.key(place) for foot, place in zip(self._feet, places))

    def at(self, time: float) -> FloorPlan:
        """The plan at a time in s, with obstacle cells where the movers are; the same object while they are the same.

        Its `ground` is the plan without them. The movers may shut the way to the goal, or stand on all of it: distances
        are then inf.
        """
        places = self._tracks.at(time)[0].tolist()
        key = self._key(places)
        if key not in self._known:
            while len(self._known) >= KEPT:
                del self._known[next(iter(self._known))]
            under = [foot.cells(place) for foot, place in zip(self._feet, places)]
            self._known[key] = dataclasses.replace(_closed(self.ground, under), ground=self.ground)
        return self._known[key]
