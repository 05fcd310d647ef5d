"""The way over a floor plan, for a task in whatever world the plan is walked or flown."""

from __future__ import annotations

import numpy as np

from swarm.state import Bools, Floats
from swarm.worlds.floor_plan.downhill import Downhill
from swarm.worlds.floor_plan.plan import FloorPlan
from swarm.worlds.world import World


class PlanWay:
    """Ways to the goal cells of a plan, as views read them.

    Args:
        plan: In its own units.
        world: Where it is walked; one that is flown at another scale has the world of the plan as its origin.
    """

    margin = 0.0  # m, for pictures: ways keep off walls what cells allow

    def __init__(self, plan: FloorPlan, world: World) -> None:
        home = world if world.origin is None or world.floor_plan is not None else world.origin
        self.scale = float(world.bounds[1, 0] - world.bounds[0, 0]) / float(home.bounds[1, 0] - home.bounds[0, 0])
        self._altitude = float(world.bounds[:, 2].mean()) if world.dim == 3 else None  # m, of flight, half way up
        self.see(plan)

    def see(self, plan: FloorPlan) -> None:
        """Ways are those of this plan from now on."""
        self._downhill = Downhill(plan)

    @property
    def route(self) -> PlanWay:
        """Itself."""
        return self

    def up(self, places: Floats) -> Floats:
        """Places (..., 2) m of the plan where they are walked or flown, (..., D) m."""
        if self._altitude is None:
            return places if self.scale == 1.0 else np.asarray(self.scale * places)
        height = np.full((*places.shape[:-1], 1), self._altitude)
        return np.concatenate([self.scale * places, height], axis=-1)

    def down(self, points: Floats) -> Floats:
        """Points (..., D) m on the plan, (..., 2) m, in an array of their own."""
        level = np.array(points[..., :2], order="C")
        if self.scale != 1.0:
            level /= self.scale
        return level

    def toward(self, points: Floats) -> tuple[Floats, Floats]:
        """Way to go (A,) m and unit directions (A, D), level; inf and zero where there is no way, zero at a goal."""
        length, direction = self._downhill.toward(self.down(points))
        level = np.zeros_like(points)
        level[:, :2] = direction
        return self.scale * length, level

    def left(self, points: Floats) -> Floats:
        """(A,) m, way to go; quicker than `toward`, and a little more where the way is no row of cells."""
        return np.asarray(self.scale * self._downhill.left(self.down(points)))

    def reachable(self, points: Floats) -> Bools:
        """(A,) whether there is a way."""
        return self._downhill.reachable(self.down(points))

    def path(self, start: Floats) -> Floats:
        """(K, D) m, from one point (D,) to a goal."""
        return self.up(self._downhill.path(self.down(start)))
