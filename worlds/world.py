"""The place a swarm moves in: bounds, boundary, floor and obstacles, and the questions one can ask it."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from swarm.errors import BadInput
from swarm.schema import choose
from swarm.state import Bools, Floats, Ints
from swarm.worlds.floor_plan.clearance import Shelves, shelves_of
from swarm.worlds.floor_plan.plan import FloorPlan
from swarm.worlds.floor_plan.traffic import Traffic, built
from swarm.worlds.geometry import Geometry, Plane, pack, planes
from swarm.worlds.meshes.sensing import add_meshes
from swarm.worlds.movers import Movers
from swarm.worlds.near import Near
from swarm.worlds.obstacles import Obstacle
from swarm.worlds.routes.route import Route
from swarm.worlds.routes.search import find_route
from swarm.worlds.sensing import sense
from swarm.worlds.space import Space, make_space
from swarm.worlds.visibility import in_sight
from swarm.worlds.wind import Wind, blowing
from swarm.worlds.zones import Zone

ROOM = 12  # near surfaces a point is expected to have; more cost a second query
ROUTES_KEPT = 8  # a world remembers the last few routes; each is a grid of up to some megabytes


@dataclass(frozen=True, eq=False)
class World:
    """Immutable description of a world; two worlds are the same only if they are one object.

    All queries take (..., D) points in m, world frame, and count obstacles, floor, ceiling and walls alike.
    """

    name: str
    bounds: Floats  # (2, D) m, lowest and highest corner
    boundary: str  # torus, walls or open
    floor: bool  # solid ground at the lowest z (three dimensions)
    obstacles: tuple[Obstacle, ...] = ()
    notices: tuple[str, ...] = ()  # what a user should know about how the file was understood
    zones: tuple[Zone, ...] = ()  # gates and areas, in the order of the file
    time: float = 0.0  # s, at which obstacles that move are where they are; see `at`
    wind: tuple[Wind, ...] = ()  # their sum blows
    origin: World | None = None  # the world of which this one is a copy at another scale; see `swarm.worlds.lifting`
    floor_plan: FloorPlan | None = None  # of a world of cells, with obstacle cells where movers are at its time

    def __post_init__(self) -> None:
        bounds = np.array(self.bounds, dtype=np.float64)
        bounds.setflags(write=False)
        object.__setattr__(self, "bounds", bounds)

    @property
    def dim(self) -> int:
        """2 or 3."""
        return int(self.bounds.shape[1])

    @cached_property
    def space(self) -> Space:
        """displacement(a, b) and wrap(p) under this world's boundary."""
        return make_space(self.boundary, self.bounds)

    @cached_property
    def planes(self) -> tuple[Plane, ...]:
        """Sides of the bounds that are surfaces: floor, ceiling and walls."""
        return planes(self.boundary, self.floor, self.bounds)

    @cached_property
    def surfaces(self) -> tuple[str, ...]:
        """Names by surface index: the obstacles in order, then floor, ceiling and walls."""
        return tuple(o.name for o in self.obstacles) + tuple(p.name for p in self.planes)

    @cached_property
    def gates(self) -> tuple[Zone, ...]:
        """The gates, in the order in which they are crossed."""
        return tuple(sorted((zone for zone in self.zones if zone.kind == "gate"), key=lambda gate: gate.order))

    def zone(self, name: str) -> Zone:
        """The zone of a name.

        Raises:
            BadInput: There is none; says which there are and suggests the nearest.
        """
        named = {zone.name: zone for zone in self.zones}
        faults: list[str] = []
        if not named:
            faults.append(f'zone: the world {self.name} has no zones, got "{name}"')
        elif not choose(name, named, "zone", faults):
            faults = [f"{fault} in the world {self.name}" for fault in faults]
        if faults:
            raise BadInput(*faults)
        return named[name]

    @cached_property
    def geometry(self) -> Geometry:
        """Everything solid, packed for compiled queries."""
        return pack(self.obstacles, self.planes, self.space.period)

    @cached_property
    def moving(self) -> bool:
        """Whether any obstacle moves."""
        return any(obstacle.motion is not None for obstacle in self.obstacles)

    @cached_property
    def movers(self) -> Movers | None:
        """What moves, laid out to be placed at any time; None where nothing does."""
        return Movers(self.obstacles, self.geometry) if self.moving else None

    @property
    def still(self) -> World:
        """The world of what does not move: one object for all times; this world itself where nothing moves."""
        return self._still if self.moving else self  # not kept there: a world that holds itself is freed late

    @cached_property
    def _still(self) -> World:
        fixed = tuple(obstacle for obstacle in self.obstacles if obstacle.motion is None)
        plan = None if self._traffic is None else self._traffic.ground
        return dataclasses.replace(self, obstacles=fixed, time=0.0, floor_plan=plan)

    @cached_property
    def _traffic(self) -> Traffic | None:
        """What moves on the floor plan; None where there is no plan or nothing moves."""
        if self.floor_plan is None or not self.moving:
            return None
        movers = tuple(obstacle for obstacle in self.obstacles if obstacle.motion is not None)
        ground = self.floor_plan.ground
        return Traffic(ground or self.floor_plan, movers, (self.floor_plan, self.time) if ground is not None else None)

    def at(self, time: float) -> World:
        """This world at another time.

        Args:
            time: s; before 0 everything is where it starts.

        Returns:
            A world that shares all that does not move with this one; this one itself where nothing moves.

        Raises:
            BadInput: The time is not finite.
        """
        if not self.moving or time == self.time:
            return self
        if not math.isfinite(time):
            raise BadInput(f"time: expected a finite number of seconds, got {time}")
        instant = object.__new__(Instant)
        vars(instant).update(self._shared, _shared=self._shared, time=float(time))
        return instant

    @property
    def ground_plan(self) -> FloorPlan | None:
        """The floor plan at this world's time; of a copy at another scale, that of its origin then."""
        if self.floor_plan is not None or self.origin is None:
            return self.floor_plan
        return self.origin.at(self.time).floor_plan

    @property
    def beside_plan(self) -> tuple[Obstacle, ...]:
        """The obstacles that are not cells of the floor plan; all of them in a world without one."""
        if self.floor_plan is None:
            return self.obstacles
        blocks = {id(block) for block in (self.floor_plan.ground or self.floor_plan).obstacles()}
        return tuple(obstacle for obstacle in self.obstacles if id(obstacle) not in blocks)

    def painted(self, changes: ArrayLike) -> World:
        """This world with some cells of its floor plan changed; what stands or moves on them stays.

        Args:
            changes: (K, 3) row, column and kind, as of `FloorPlan.painted`.

        Raises:
            BadInput: The world has no floor plan, or the plan no such cell or kind.
        """
        if self.floor_plan is None:
            raise BadInput(f"{self.name}: expected a world with a floor plan to paint, got one without")
        others = self.beside_plan
        still = [obstacle for obstacle in others if obstacle.motion is None]
        movers = [obstacle for obstacle in others if obstacle.motion is not None]
        ground = built((self.floor_plan.ground or self.floor_plan).painted(changes), still)
        plan = Traffic(ground, movers).at(self.time) if movers else ground
        return dataclasses.replace(self, obstacles=(*ground.obstacles(), *others), floor_plan=plan)

    @cached_property
    def _shared(self) -> dict[str, Any]:
        """What is the same at all times."""
        kept = {field.name for field in dataclasses.fields(self)} - {"obstacles", "time", "floor_plan"}
        kept |= {"space", "planes", "surfaces", "gates", "moving", "movers", "_still", "_traffic"}
        return {name: getattr(self, name) for name in kept} | {"described": self.obstacles}

    def wind_at(self, time: float) -> Floats:
        """(D,) m/s, velocity of the air everywhere at a time in s."""
        return blowing(self.wind, time, self.dim)

    def wind_direction(self, time: Floats) -> Floats:
        """(T,) rad from +x towards +y, where the air goes at times (T,) s; 0 in still air."""
        air = np.array([self.wind_at(float(each))[:2] for each in time]).reshape(-1, 2)
        return np.asarray(np.arctan2(air[:, 1], air[:, 0]))

    def velocity(self, surface: Ints) -> Floats:
        """How fast surfaces move at this world's time.

        Args:
            surface: (A,) indices into `surfaces`; -1 for none.

        Returns:
            (A, D) m/s, zero for what stands still.
        """
        return np.asarray(self._velocities[surface])

    @cached_property
    def shelves(self) -> Shelves | None:
        """What can be nearest in each cell of the floor plan, or None (see `floor_plan.clearance`)."""
        return shelves_of(self)

    @cached_property
    def _velocities(self) -> Floats:
        """(S + 1, D) m/s; the last row stands for no surface."""
        velocities = np.zeros((len(self.surfaces) + 1, self.dim))
        if self.movers is not None:
            velocities[self.movers.surfaces] = self.movers.tracks.at(self.time)[1]
        return velocities

    def sense(self, points: Floats, reach: float) -> tuple[Floats, Floats, Ints, Near]:
        """Nearest surface and all surfaces within reach, in one pass.

        Args:
            points: (A, D) m.
            reach: m; negative for no near surfaces.

        Returns:
            distance (A,), normal (A, D) and surface (A,) as from `nearest`, and the near surfaces.
        """
        points = self._inside(points)
        reach = min(float(reach), 1e9)
        room = ROOM * len(points) if reach >= 0.0 else 0
        while True:
            distance, normal, surface, indptr, labels, distances, normals = self._query(points, reach, room)
            entries = int(indptr[-1])
            if entries <= room:
                near = Near(indptr, labels[:entries], distances[:entries], normals[:entries])
                return distance, normal, surface, near
            room = entries

    def _query(
        self, points: Floats, reach: float, room: int
    ) -> tuple[Floats, Floats, Ints, Ints, Ints, Floats, Floats]:
        nodes, items, period, mesh_nodes, meshes, triangles = self.geometry
        found = sense(points, nodes, items, period, reach, room)
        if len(meshes) == 0 or found[3][-1] > room:
            return found
        added = add_meshes(points, mesh_nodes, meshes, triangles, period, reach, room, *found)
        return (*found[:3], *added)

    def _inside(self, points: Floats) -> Floats:
        """The points within one period, as the one array type that the kernels are compiled for."""
        points = np.ascontiguousarray(points, dtype=np.float64)
        if points.ndim != 2 or points.shape[1] != self.dim:
            raise BadInput(f"points: expected rows of {self.dim} numbers, got an array of shape {points.shape}")
        if self.boundary == "torus":
            points = self.space.wrap(points)
        return points if points.flags.writeable else points.copy()

    def clearance(self, points: Floats) -> tuple[Floats, Floats]:
        """Signed distance and outward normal of the nearest surface.

        Args:
            points: (..., D) m.

        Returns:
            distance (...,) m, negative inside an obstacle, inf in a world without surfaces; normal (..., D), unit,
            zero in a world without surfaces. Where obstacles overlap, the deepest counts.
        """
        return self.nearest(points)[:2]

    def nearest(self, points: Floats) -> tuple[Floats, Floats, Ints]:
        """Signed distance, outward normal and index (in `surfaces`, -1 for none) of the nearest surface.

        Args:
            points: (..., D) m.

        Returns:
            distance (...,) m, normal (..., D), surface (...,).
        """
        if points.ndim == 2:
            return self._query(self._inside(points), -1.0, 0)[:3]
        flat = self._inside(np.reshape(points, (-1, self.dim)))
        distance, normal, surface = self._query(flat, -1.0, 0)[:3]
        shape = points.shape[:-1]
        return distance.reshape(shape), normal.reshape(points.shape), surface.reshape(shape)

    def near(self, points: Floats, reach: float) -> Near:
        """Every surface within reach of each point.

        Args:
            points: (A, D) m.
            reach: m, from the point itself.

        Returns:
            One witness for each primitive and plane, several for a mesh; nearest first.
        """
        return self.sense(points, reach)[3]

    def visible(self, a: Floats, b: Floats) -> Bools:
        """Whether nothing solid stands between two points, by straight lines (in a torus the shortest).

        Args:
            a, b: (M, D) m.

        Returns:
            (M,); False as well where a point is inside something solid. Touching a surface blocks nothing.
        """
        a = self._inside(a)
        b = np.ascontiguousarray(a + self.space.displacement(a, self._inside(b)))
        return np.asarray(in_sight(a, b, *self.geometry))

    def route(self, target: Floats, margin: float = 0.0, cell: float = 0.0) -> Route:
        """The way to a target around everything solid, where it is at this world's time.

        Args:
            target: (D,) m.
            margin: m to keep from every surface: a swarm's half width. A target or a start within it is led out of it.
            cell: m, at which a rough search is enough; the finest grid the world allows if smaller than that.

        Returns:
            Distance-to-go and direction anywhere in the world; the same object when asked again.

        Raises:
            BadInput: The target is in an obstacle, has no room nearby for the margin, or is not in the bounds.
        """
        key = (tuple(float(c) for c in target), float(margin), float(cell))
        if key not in self._routes:
            while len(self._routes) >= ROUTES_KEPT:
                del self._routes[next(iter(self._routes))]
            self._routes[key] = find_route(self, np.array(key[0]), *key[1:])
        return self._routes[key]

    def widest_route(self, target: Floats, start: Floats, margins: Sequence[float]) -> Route:
        """The route with the first margin for which every start has a way to the target.

        Args:
            target: (D,) m.
            start: (A, D) m.
            margins: m, from wide to narrow, at least one.

        Returns:
            A route whose `margin` says which; with the last margin where none has ways for all, so ask it `reachable`.

        Raises:
            BadInput: The target is in an obstacle or not in the bounds.
        """
        for margin in margins[:-1]:
            with suppress(BadInput):  # no room for this margin at the target; what is wrong with any margin comes below
                route = self.route(target, margin)
                if route.reachable(start).all():
                    return route
        return self.route(target, margins[-1])

    @cached_property
    def fields(self) -> dict[tuple[int, bytes, bytes], Floats]:
        """Clearances on the grids of the last searches for ways."""
        return {}

    @cached_property
    def _routes(self) -> dict[tuple[tuple[float, ...], float, float], Route]:
        return {}

    def alone(self) -> World:
        """This world without its routes. A route keeps this one, so that no two objects keep each other in memory."""
        alone = dataclasses.replace(self)
        for name in ("space", "planes", "surfaces", "geometry"):
            alone.__dict__[name] = getattr(self, name)
        return alone

    def walled(self) -> World:
        """This world with walls in place of a periodic boundary, for bodies that cannot be in two places at once."""
        if self.boundary != "torus":
            return self
        notice = f"{self.name}: the torus boundary becomes walls for this body"
        return dataclasses.replace(self, boundary="walls", floor=self.dim == 3, notices=(*self.notices, notice))


class Instant(World):
    """A world at another time than the one it was described at; made by `World.at`."""

    described: tuple[Obstacle, ...]  # the obstacles, where they were when the first of these worlds was made

    @cached_property
    def obstacles(self) -> tuple[Obstacle, ...]:  # worked out when it is read
        """The obstacles where they are at this world's time."""
        return tuple(
            o if o.motion is None else dataclasses.replace(o, center=tuple(o.motion.position(self.time).tolist()))
            for o in self.described
        )

    @cached_property
    def floor_plan(self) -> FloorPlan | None:  # worked out when it is read
        """The floor plan with obstacle cells where movers are at this world's time; the same while the cells are."""
        return None if self._traffic is None else self._traffic.at(self.time)

    @cached_property
    def geometry(self) -> Geometry:
        """Everything solid, packed for compiled queries."""
        movers: Movers | None = vars(self).get("movers")
        if movers is None:  # made anew from this world, as by dataclasses.replace
            return pack(self.obstacles, self.planes, self.space.period)
        return movers.geometry(self.time)
