"""Evacuate: everybody leaves by an exit."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Annotated, ClassVar, Literal

import numpy as np
from msgspec import Meta

from swarm.errors import BadInput
from swarm.metrics.crowd import egress_time, flow, lane_order
from swarm.metrics.mission import exit_time
from swarm.state import Bools, Floats, Ints, State
from swarm.tasks.doors import Door, GoalCells, Opening
from swarm.tasks.moves import Moves
from swarm.tasks.scene import Scene
from swarm.tasks.starting import on_sources
from swarm.worlds.world import World

Place = Annotated[tuple[float, ...], Meta(min_length=2, max_length=3)]
Time = Annotated[float, Meta(ge=0)]
LATELY = 10.0  # s


@dataclass(frozen=True)
class Evacuate:
    """Met when a share of all have left: who comes to its exit is gone from there on, without being lost.

    Exits are areas of the world, or what is within `radius` of a target, or by default the goal cells of the world's
    floor plan. Of several each agent has one, from the start on: the nearest by the way to go, the farthest (so that
    two groups meet in the middle), or one after the other in the order of agents. Who has not started yet (before its
    premovement time, drawn evenly) has no way to go. A mission that names no spawn begins on the source cells of its
    plan, if it has any. Where there are two exits the lane order of the two groups is the mean over the last 10 s in
    which half of all are still there.
    """

    kind: ClassVar[str] = "evacuate"

    exits: tuple[str, ...] = ()  # areas of the world
    target: Place | None = None  # m, in place of areas
    radius: Annotated[float, Meta(gt=0)] = 1.0  # m, around a target
    take: Literal["nearest", "farthest", "turns"] = "nearest"  # which of several exits
    start: Literal["sources", "spawn"] | None = None  # default: sources where there are any and no spawn is named
    premovement: tuple[Time, Time] = (0.0, 0.0)  # s, shortest and longest
    share: Annotated[float, Meta(gt=0, le=1)] = 1.0  # of all
    lane: Annotated[float, Meta(gt=0)] = 0.3  # m to either side, within which others are in one's lane
    ends: bool = True  # whether the run is over then

    def __post_init__(self) -> None:
        faults = []
        if self.exits and self.target is not None:
            faults.append("exits: expected either exits or target, got both")
        if len(set(self.exits)) < len(self.exits):
            faults.append("exits: expected each exit once")
        if self.premovement[0] > self.premovement[1]:
            faults.append(f"premovement: expected [shortest, longest], got {list(self.premovement)}")
        if faults:
            raise BadInput(*faults)

    def begin(self, scene: Scene) -> EvacuateGoal:
        """Find the exits, the ways to them, and who takes which.

        Raises:
            BadInput: There is no such area, no way to it, or nothing that would be an exit.
        """
        places = None if self.start == "spawn" else on_sources(scene, self.start == "sources")
        if places is not None:
            scene = replace(scene, start=places)
        doors: list[Door] = []
        for number, name in enumerate(self.exits):
            zone = scene.zone(f"exits[{number}]", name, "area")
            doors.append(Opening(scene, f"exits[{number}]", zone, zone.center, 0.0))
        if self.target is not None:
            doors.append(Opening(scene, "target", None, self.target, self.radius))
        if not doors:
            doors.append(GoalCells(scene))
        start = scene.rng.uniform(*self.premovement, len(scene.start))
        goal = EvacuateGoal(self, Signs(doors, self._taken(doors, scene.start), start))
        if places is not None:
            yaw = scene.rng.uniform(-np.pi, np.pi, len(places))
            goal.moves = Moves(np.arange(len(places)), places, yaw)
        return goal

    def _taken(self, doors: list[Door], position: Floats) -> Ints:
        """(A,) number of the exit that each takes."""
        if self.take == "turns" or len(doors) == 1:
            return np.arange(len(position)) % len(doors)
        ways = np.stack([door.toward(position)[0] for door in doors])
        return np.asarray(ways.argmin(axis=0) if self.take == "nearest" else ways.argmax(axis=0))


@dataclass(eq=False)
class Signs:
    """Shows everybody the way to its exit, once it has started; a way as views read it."""

    doors: list[Door]
    taken: Ints  # (A,) number of each agent's exit
    starts: Floats  # (A,) s, before which each stays
    time: float = 0.0  # s, now
    margin: float = field(default=0.0, init=False)  # m, for pictures: ways keep what they can

    @property
    def route(self) -> Signs:
        """Itself: there always is one."""
        return self

    def toward(self, points: Floats) -> tuple[Floats, Floats]:
        """Way to go (A,) m and unit directions (A, D) of all agents, in their order; others count as at exit 0.

        The direction of who has not started is zero.
        """
        taken = self.taken if len(points) == len(self.taken) else np.zeros(len(points), np.int64)
        length, direction = np.zeros(len(points)), np.zeros_like(points)
        for number, door in enumerate(self.doors):
            chosen = np.flatnonzero(taken == number)
            if len(chosen):
                length[chosen], direction[chosen] = door.toward(np.ascontiguousarray(points[chosen]))
        if taken is self.taken:
            direction[self.waiting] = 0.0
        return length, direction

    def reachable(self, points: Floats) -> Bools:
        """(A,) whether each agent has a way to its exit."""
        free = np.ones(len(points), np.bool_)
        for number, door in enumerate(self.doors):
            mine = np.flatnonzero(self.taken == number)
            free[mine] = door.reachable(points[mine])
        return free

    @property
    def waiting(self) -> Bools:
        """(A,) who has not started yet."""
        return np.asarray(self.starts > self.time)

    def path(self, start: Floats) -> Floats:
        """(K, D) m, the way from one point (D,) to the first exit."""
        return self.doors[0].path(start)


class EvacuateGoal:
    """Who has left, when, and who is to go where.

    Attributes:
        leaving: (K,) agents who leave now.
        moves: Where everybody begins, before the first step.
        arrival: (A,) s at which each left, inf for who has not.
        bound: (A,) who is on its way: started, and neither left nor lost.
    """

    path = None
    path_speed = None

    def __init__(self, task: Evacuate, signs: Signs) -> None:
        self.way = signs
        self.target = signs.doors[0].center if len(signs.doors) == 1 else None
        self.ends_run = task.ends
        self.arrival = np.full(len(signs.taken), np.inf)
        self.leaving: Ints = np.empty(0, np.int64)
        self.moves: Moves | None = None  # before the first step
        self.bound: Bools = ~signs.waiting
        self._share, self._lane = task.share, task.lane
        self._order: list[tuple[float, float]] = []  # s and value, while half are there

    def update(self, world: World, state: State) -> None:
        """Note who has come to its exit, and let them go."""
        self.moves = None
        signs, position = self.way, state.position
        signs.time = state.time
        out = np.zeros(len(position), np.bool_)
        for number, door in enumerate(signs.doors):
            door.update(world, position[state.alive])
            mine = np.flatnonzero((signs.taken == number) & state.alive)
            out[mine] = door.inside(position[mine])
        self.leaving = np.flatnonzero(out)
        self.arrival[self.leaving] = state.time
        left = state.alive & ~out
        self.bound = left & ~signs.waiting
        self.note_order(state.time, position, left)

    def look(self, world: World) -> None:
        """See where cells are now that the world has been painted."""
        for door in self.way.doors:
            door.look(world)
        if self.target is not None:
            self.target = self.way.doors[0].center

    def note_order(self, time: float, position: Floats, left: Bools) -> None:
        """Note the order in which two groups walk, of those who have not left, (A,), at a time in s."""
        doors = self.way.doors
        if len(doors) == 2:
            axis = doors[1].center - doors[0].center
            order = lane_order(position, self.way.taken, axis, self._lane, left)
            if order is not None and 2 * left.sum() >= len(left):
                self._order.append((time, order))

    def met(self, state: State) -> bool:
        """Whether enough of all have left."""
        return bool(np.isfinite(self.arrival).sum() >= self._share * len(self.arrival) - 1e-9)

    @property
    def gone(self) -> Bools:
        """(A,) who has left, and is not lost for all that it is not there."""
        return np.asarray(np.isfinite(self.arrival))

    def left_over(self, state: State) -> tuple[Ints, str]:
        """(K,) who keeps the goal from being met, and how."""
        return np.flatnonzero(state.alive & np.isinf(self.arrival)), "still inside"

    def remaining(self, state: State) -> float:
        """Mean way to go, m, of those who have not left."""
        left = state.alive & np.isinf(self.arrival)
        return float(self.way.toward(state.position)[0][left].mean()) if left.any() else 0.0

    def outcomes(self) -> dict[str, float | None]:
        """Metrics of this task by name."""
        return {
            "exit_time": exit_time(self.arrival),
            "egress_time": egress_time(self.arrival),
            "flow": flow(self.arrival),
            "lane_order": self._lanes(),
        }

    def _lanes(self) -> float | None:
        """Mean order over the last 10 s in which half are still there."""
        recent = [order for time, order in self._order if time > self._order[-1][0] - LATELY]
        return float(np.mean(recent)) if recent else None
