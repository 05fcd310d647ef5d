"""What the agents perceive at one instant: all that a rule or controller may read."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

import numpy as np

from swarm.neighbours import Graph, graph
from swarm.neighbours import nearest as nearest_neighbours
from swarm.others import Nearest, Others, nearest, nobody
from swarm.state import Bools, Floats, Ints, State

if TYPE_CHECKING:
    from swarm.worlds.floor_plan.plan import FloorPlan
    from swarm.worlds.near import Near
    from swarm.worlds.space import Space
    from swarm.worlds.world import World


class Towards(Protocol):
    """The way to a place."""

    @property
    def route(self) -> Guide | None:
        """The way itself; None where there is none now."""


class Guide(Protocol):
    """Something that knows a way from anywhere."""

    def toward(self, points: Floats, /) -> tuple[Floats, Floats]:
        """Way to go (A,) m and unit direction (A, D) in which it begins."""


@dataclass(frozen=True, slots=True, eq=False)
class Senses:
    """What does not change from one view to the next; resolved once when a simulation is built."""

    world: World
    dt: float  # s, command period
    radius: float  # m, of an agent's hull
    speed_limit: float  # m/s
    acceleration_limit: float  # m/s^2
    reach: float  # m, perception range
    field_of_view: float  # rad, full opening angle
    box: Floats  # (D,) m, period of each axis, 0 where it does not wrap
    target: Floats | None  # (D,) m
    path: Floats | None  # (K, D) m, way-points of a task that prescribes the way
    way: Towards | None  # to the target around obstacles
    nearest: int | None = None  # how many neighbours are perceived, the nearest; None for all


@dataclass(frozen=True, slots=True, eq=False)
class Company:
    """Who is there beside one's own party."""

    predators: Others  # as the flock sees them
    prey: Others  # as predators see the flock
    hunger: Floats  # (A,) of the agents of a predators' view


class View:
    """Perception of all agents at one instant; every attribute is worked out when it is first read, and once.

    The flock (members and leaders) and its predators have views of their own: A is the number of one's own party.

    Attributes:
        time: s since the start.
        dt: s, command period.
        position, velocity: (A, D) m and m/s.
        alive: (A,) bool.
        role, world_index: (A,) int.
        radius: m, of an agent's hull.
        speed_limit, acceleration_limit: m/s and m/s^2.
        target: (D,) m or None.
    """

    def __init__(self, senses: Senses, state: State, company: Company | None = None) -> None:
        self._senses = senses
        self._company = company
        self.state = state
        self.time: float = state.time
        self.position: Floats = state.position
        self.velocity: Floats = state.velocity
        self.alive: Bools = state.alive

    @property
    def senses(self) -> Senses:
        """What does not change from one view to the next."""
        return self._senses

    @property
    def dt(self) -> float:
        """Command period, s."""
        return self._senses.dt

    @property
    def dim(self) -> int:
        """2 or 3."""
        return int(self.position.shape[1])

    @property
    def radius(self) -> float:
        """Hull radius of an agent, m."""
        return self._senses.radius

    @property
    def speed_limit(self) -> float:
        """Largest speed a command can ask for, m/s."""
        return self._senses.speed_limit

    @property
    def acceleration_limit(self) -> float:
        """What the body can be counted on to brake with, m/s^2."""
        return self._senses.acceleration_limit

    @property
    def reach(self) -> float:
        """Perception range, m."""
        return self._senses.reach

    @property
    def field_of_view(self) -> float:
        """Full opening angle about the heading in which neighbours are perceived, rad."""
        return self._senses.field_of_view

    @property
    def target(self) -> Floats | None:
        """(D,) m, where to go now: the task's goal, or the next place on the way to it; None where there is none."""
        return self._senses.target

    @property
    def path(self) -> Floats | None:
        """(K, D) m, way-points where the task prescribes the way now; another object when it changes its mind."""
        return self._senses.path

    @property
    def space(self) -> Space:
        """displacement(a, b) and wrap(p) of this world."""
        return self._senses.world.space

    @property
    def bounds(self) -> Floats:
        """(2, D) m, lowest and highest corner of the world."""
        return self._senses.world.bounds

    @property
    def boundary(self) -> str:
        """torus, walls or open."""
        return self._senses.world.boundary

    @property
    def floor_plan(self) -> FloorPlan | None:
        """The cells of the world now; None in a world that has none."""
        return self._senses.world.floor_plan

    @cached_property
    def wind(self) -> Floats:
        """(D,) m/s, velocity of the air now."""
        return self._senses.world.wind_at(self.time)

    @property
    def role(self) -> Ints:
        """(A,) member, leader or predator (see swarm.state)."""
        return self.state.role

    @property
    def world_index(self) -> Ints:
        """(A,) which world of the batch an agent lives in."""
        return self.state.world_index

    @cached_property
    def neighbours(self) -> Graph:
        """Living agents of one's own party within the perception range and field of view."""
        senses, state = self._senses, self.state
        if senses.nearest is not None:
            return nearest_neighbours(
                state.position, state.velocity, state.alive, state.world_index, senses.box, senses.nearest,
                senses.reach, senses.field_of_view,
            )  # fmt: skip
        return graph(
            state.position,
            state.velocity,
            state.alive,
            state.world_index,
            senses.box,
            senses.reach,
            senses.field_of_view,
        )

    @property
    def predators(self) -> Others:
        """The predators, in a flock's view; nobody in theirs."""
        return nobody(self.dim) if self._company is None else self._company.predators

    @property
    def prey(self) -> Others:
        """The flock, in a predators' view; nobody in its own."""
        return nobody(self.dim) if self._company is None else self._company.prey

    @property
    def hunger(self) -> Floats:
        """(A,) of the agents of a predators' view; zero for a flock."""
        return np.zeros(len(self.position)) if self._company is None else self._company.hunger

    @cached_property
    def nearest_predator(self) -> Nearest:
        """The nearest living predator of each agent, however far."""
        return nearest(self.position, self.predators, self._senses.box)

    @cached_property
    def nearest_prey(self) -> Nearest:
        """The nearest living one of the flock for each predator, however far."""
        return nearest(self.position, self.prey, self._senses.box)

    @cached_property
    def _surroundings(self) -> tuple[Floats, Floats, Ints, Near]:
        senses = self._senses
        distance, normal, surface, near = senses.world.sense(self.position, senses.reach + senses.radius)
        return distance - senses.radius, normal, surface, near._replace(distance=near.distance - senses.radius)

    @property
    def clearance(self) -> Floats:
        """(A,) m, signed distance of the hull to the nearest surface; inf where there is none."""
        return self._surroundings[0]

    @property
    def normal(self) -> Floats:
        """(A, D) outward unit normal of the nearest surface."""
        return self._surroundings[1]

    @property
    def surface(self) -> Ints:
        """(A,) index of the nearest surface in `world.surfaces`, -1 where there is none."""
        return self._surroundings[2]

    @property
    def near(self) -> Near:
        """Every surface within the perception range: hull distance and normal, in compressed rows."""
        return self._surroundings[3]

    @cached_property
    def approach(self) -> Floats | None:
        """(E,) m/s at which each near surface moves along its normal, towards the agent; None where nothing moves."""
        world, near = self._senses.world, self.near
        if not world.moving:
            return None
        return np.ascontiguousarray((world.velocity(near.surface) * near.normal).sum(axis=1))

    @cached_property
    def _way(self) -> tuple[Floats, Floats]:
        senses, (agents, dim) = self._senses, self.position.shape
        route = None if senses.way is None else senses.way.route
        if route is not None:
            return route.toward(self.position)
        if senses.target is None:
            return np.zeros(agents), np.zeros((agents, dim))
        straight = senses.world.space.displacement(self.position, senses.target)
        length = np.sqrt((straight * straight).sum(axis=1))
        return length, straight / np.maximum(length, 1e-9)[:, None]

    @property
    def route_distance(self) -> Floats:
        """(A,) m, way to go to the target around obstacles."""
        return self._way[0]

    @property
    def route_direction(self) -> Floats:
        """(A, D) unit direction in which that way begins; zero where there is no target."""
        return self._way[1]
