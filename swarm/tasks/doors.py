"""Ways out: who is out, how far it is to each, and where to head for."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from swarm.errors import BadInput
from swarm.state import Bools, Floats
from swarm.tasks.plan_way import PlanWay
from swarm.tasks.scene import Scene
from swarm.tasks.way import Way, margins
from swarm.worlds.floor_plan.downhill import Downhill
from swarm.worlds.routes.route import Route
from swarm.worlds.world import World
from swarm.worlds.zones import Zone

FREE = 0.99  # hull radii beside a line of sight that must be free


class Door(Protocol):
    """One way out."""

    center: Floats  # (D,) m

    def inside(self, position: Floats) -> Bools:
        """(A,) who of those at (A, D) m is out."""

    def toward(self, points: Floats) -> tuple[Floats, Floats]:
        """Way to go (A,) m and unit directions (A, D) in which it begins."""

    def reachable(self, points: Floats) -> Bools:
        """(A,) whether there is a way from points (A, D) m."""

    def path(self, start: Floats) -> Floats:
        """(K, D) m, corners of the way from one point."""

    def update(self, world: World, position: Floats) -> None:
        """Obstacles or cells may be elsewhere now; `position` (A, D) m of the living."""

    def look(self, world: World) -> None:
        """The world has other cells from now on."""


class Opening:
    """An area, or what is within a radius of a target: one makes for the nearest place in it, round what is in between.

    Args:
        scene: Of the run.
        key: Of the task, for messages.
        zone: The area, or None.
        place, radius: (D,) m and m, its middle, or the target and how near.

    Raises:
        BadInput: The middle is inside something solid, or cannot be reached.
    """

    def __init__(self, scene: Scene, key: str, zone: Zone | None, place: tuple[float, ...], radius: float) -> None:
        self.center = scene.place(key, place)
        self._way = None
        if scene.world.obstacles:  # walls alone hide nothing
            way = Way(scene.world, self.center, scene.start, margins(scene.radius, None))
            self._way = way.checked(f"{scene.where}.{key}")
        self._zone, self._radius, self._hull, self._world = zone, radius, scene.radius, scene.world
        self._start = scene.start

    @property
    def _route(self) -> Route | None:
        return None if self._way is None else self._way.route

    def inside(self, position: Floats) -> Bools:
        """(A,) who is in it."""
        if self._zone is not None:
            return self._zone.contains(position)
        away = self._world.space.displacement(position, self.center)
        return np.asarray((away * away).sum(axis=1) <= self._radius**2)

    def _straight(self, points: Floats) -> Floats:
        """(A, D) m to the nearest place of it in which a whole hull has room."""
        if self._zone is None:
            away = self._world.space.displacement(points, self.center)
            size = np.sqrt((away * away).sum(axis=1, keepdims=True))
            return np.asarray(away * np.maximum(1.0 - 0.5 * self._radius / np.maximum(size, 1e-9), 0.0))
        half = np.maximum(np.asarray(self._zone.size) / 2.0 - self._hull, 0.0)
        return np.asarray(np.clip(points, self.center - half, self.center + half) - points)

    def toward(self, points: Floats) -> tuple[Floats, Floats]:
        """Way to go (A,) m and unit directions (A, D): straight where that is free for a whole hull, else the route."""
        away = self._straight(points)
        size = np.sqrt((away * away).sum(axis=1))
        direction = away / np.maximum(size, 1e-9)[:, None]
        route, world = self._route, self._world
        if route is None:
            return size, direction
        seen = np.ones(len(points), np.bool_)
        beside = np.zeros_like(direction)
        beside[:, 0], beside[:, 1] = -direction[:, 1], direction[:, 0]
        for side in (-FREE, FREE) if self._hull > 0.0 else (0.0,):
            off = side * self._hull * beside
            seen[seen] = world.visible((points + off)[seen], (points + away + off)[seen])
        hidden = np.flatnonzero(~seen)
        if len(hidden):
            size[hidden], direction[hidden] = route.toward(points[hidden])
        return size, direction

    def reachable(self, points: Floats) -> Bools:
        """(A,) whether there is a way."""
        route = self._route
        return np.full(len(points), self._way is None) if route is None else route.reachable(points)

    def path(self, start: Floats) -> Floats:
        """(K, D) m."""
        route = self._route
        return np.array([start, self.center]) if route is None else route.path(start)

    def update(self, world: World, position: Floats) -> None:
        """Seek the way anew where obstacles have moved."""
        self._world = world
        if self._way is not None and world.moving:
            self._way.update(world, position)

    def look(self, world: World) -> None:
        """Seek the way anew, as there are other cells; there may be none now."""
        self._world = world
        self._way = Way(world, self.center, self._start, margins(self._hull, None)) if world.obstacles else None


class GoalCells:
    """The goal cells of the plan that the world has, or is a copy of at another scale.

    Args:
        scene: Of the run.

    Raises:
        BadInput: The world has no floor plan, or no agent a way.
    """

    def __init__(self, scene: Scene) -> None:
        plan = scene.world.ground_plan
        if plan is None:
            raise BadInput(
                f"{scene.where}: expected exits, a target or a world with goal cells, got none and the world "
                f"{scene.world.name}"
            )
        self.ways = PlanWay(plan, scene.world)
        self.center = self.ways.up(plan.center_of(*np.nonzero(plan.goal_cells)).mean(axis=0))
        self._plan = plan
        lost = np.flatnonzero(~self.reachable(scene.start))
        if len(lost):
            raise BadInput(
                f"{scene.where}: agent {lost[0]} at {np.round(scene.start[lost[0]], 3).tolist()} has no way to a goal "
                f"cell" + (f", nor have {len(lost) - 1} more" if len(lost) > 1 else "")
            )

    @property
    def _ways(self) -> Downhill:
        return self.ways._downhill

    def inside(self, position: Floats) -> Bools:
        """(A,) who is on a goal cell."""
        return np.asarray(self._plan.goal_cells[self._plan.cell_of(self.ways.down(position))])

    def toward(self, points: Floats) -> tuple[Floats, Floats]:
        """Way to go (A,) m and unit directions (A, D), level."""
        return self.ways.toward(points)

    def reachable(self, points: Floats) -> Bools:
        """(A,) whether there is a way."""
        return self.ways.reachable(points)

    def path(self, start: Floats) -> Floats:
        """(K, D) m."""
        return self.ways.path(start)

    def update(self, world: World, position: Floats) -> None:
        """Find the ways anew where cells have changed."""
        self.look(world)

    def look(self, world: World) -> None:
        """The same; without any goal cell there is no way from anywhere."""
        plan = world.ground_plan
        if plan is None or plan is self._plan:
            return
        self._plan = plan
        self.ways.see(plan)
        if plan.goal_cells.any():
            self.center = self.ways.up(plan.center_of(*np.nonzero(plan.goal_cells)).mean(axis=0))
