"""Circulate: from the sources of a floor plan to its goal, again and again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

import numpy as np
from msgspec import Meta

from swarm.chance import uniform, whole, word
from swarm.errors import BadInput
from swarm.metrics.arrivals import throughput, throughput_corrected, throughput_running
from swarm.state import Bools, Floats, Ints, State, resized
from swarm.tasks.arriving import HEADING, SOURCE, Errands, arrive
from swarm.tasks.beginning import Room
from swarm.tasks.freeing import free_places
from swarm.tasks.moves import Moves
from swarm.tasks.plan_way import PlanWay
from swarm.tasks.scene import Scene
from swarm.worlds.floor_plan.places import Ground, ground_of
from swarm.worlds.floor_plan.plan import FloorPlan
from swarm.worlds.world import World


@dataclass(frozen=True)
class Circulate:
    """Met when everybody has been at the goal once; the run goes on for its whole duration.

    Who comes to a goal cell has arrived and is put on a random source cell. A body that takes room is put where others
    are two hull diameters away, and waits at the goal until there is such a place. Of bodies that cannot be put
    somewhere else, everybody arrives but once. Arrivals are counted in episodes.
    """

    kind: ClassVar[str] = "circulate"

    circulation: Literal["constant", "batch"] = "constant"  # batch: who arrives is gone, until a new group begins
    episode: Annotated[float, Meta(gt=0, le=1e7)] = 200.0  # s
    start: Literal["sources", "spawn"] = "sources"  # random source cells and headings, or what [swarm.spawn] says
    free: bool = False  # whether who is stuck is put on the nearest empty walkable cell when an episode ends
    stuck: Annotated[float, Meta(ge=0)] = 1.0  # m; who was never farther away in a whole episode, nor arrived, is stuck

    def begin(self, scene: Scene) -> CirculateGoal:
        """Find sources and goal.

        Raises:
            BadInput: The world has no floor plan, the plan no source or goal, or fewer walkable cells than walkers.
        """
        world = scene.world
        plan = world.ground_plan
        if plan is None:
            raise BadInput(f"{scene.where}.kind: circulate needs a world with a floor plan, {world.name} has none")
        plan.require_sources()
        if not plan.goal_cells.any():
            raise BadInput(f"{plan.place or scene.where}: expected at least one goal cell, got none")
        enough(plan, len(scene.start), plan.place or scene.where)
        return CirculateGoal(self, plan, scene)


class CirculateGoal:
    """Arrivals of one run.

    Attributes:
        moves: Who is to be put somewhere else now, for the simulation; before the first step where all begin.
        leaving: (K,) who is gone from now on, for the simulation.
        arrivals: Of each whole episode so far.
        now: Arrivals of the episode that is going on.
        errands: What everybody is about.
        episode_steps: Command steps of an episode.
        waiting: (A,) who has arrived and waits for a place to begin at.
        bound: (A,) who came nowhere in the last whole episode, for the stuck detector: on its way to the goal one may
            well walk away from it for a while.
        way: Over the plan to the goal.
        target: (D,) m, the middle of the goal.
    """

    path = None
    path_speed = None
    ends_run = False

    def __init__(self, task: Circulate, plan: FloorPlan, scene: Scene) -> None:
        count = len(scene.start)
        self._dt, self._began = scene.dt, 0  # s of a tick, and the tick at which the episode began
        self.episode_steps = max(1, round(task.episode / scene.dt))
        self.arrivals, self.now, self.ticks = list[int](), 0, 0
        self._led_back = 0.0  # m
        self.leaving: Ints = np.empty(0, np.int64)
        self.moves: Moves | None = None
        self._task, self._plan, self.way = task, plan, PlanWay(plan, scene.world)
        self.target: Floats = self._middle_of_goal()
        self.waiting: Bools = np.zeros(count, np.bool_)
        self.bound: Bools = np.zeros(count, np.bool_)
        self._radius = scene.radius / self.way.scale if scene.placing else 0.0  # m of the plan, of who takes room
        self._room = Room(plan, count, self._radius) if self._radius > 0.0 else None
        self._ground: Ground = ground_of(plan)
        self.errands = Errands(
            np.full(count, np.inf), np.full(count, -np.inf), np.zeros(count, np.bool_), np.zeros((count, 2)),
            np.zeros(count), plan.goal_cells, _middles(plan), word(scene.rng), task.circulation == "batch",
            scene.placing, count,
        )  # fmt: skip
        position = self.way.down(scene.start)
        places = self.errands.sources if self._room is None else self._room.places
        bodiless = scene.radius == 0.0 and scene.world.floor_plan is not None  # several can start at one place
        if task.start == "sources" and (bodiless or (scene.placing and self._room is None)):
            position = places[scene.rng.integers(len(places), size=count)]
        elif task.start == "sources" and scene.placing and len(places) >= count:
            position = places[scene.rng.permutation(len(places))[:count]]
        else:
            places = places[:0]
        if len(places):
            self.moves = Moves(np.arange(count), self.way.up(position), scene.rng.uniform(-np.pi, np.pi, count))
        self.errands.began[:] = position
        self._since = 0.0  # s, when it began
        self._place, self._going, self._coming = np.empty((count, 2)), np.empty(count, bool), np.empty(count, bool)

    def update(self, world: World, state: State) -> None:
        """Note who has arrived; at the end of an episode, count."""
        self.look(world)
        self.ticks += 1
        position = self.way.down(state.position)
        self.now += arrive(
            position, state.alive, self.errands, self._ground, self.ticks, state.time, self._place, self._going,
            self._coming,
        )  # fmt: skip
        if self._room is not None:
            self._wait_for_room(self._room, position, state.alive)
        self.leaving, chosen = np.flatnonzero(self._going), np.flatnonzero(self._coming)
        place = self._place
        if self.until_episode_ends == 0:
            freed = self._end_episode(position, state)
            chosen = np.union1d(chosen, freed)
        self.moves = None
        if len(chosen):
            self.moves = Moves(chosen, self.way.up(place[chosen]))
            self._led_back += self._to_go(self.moves.position) - self._to_go(state.position[chosen])

    @property
    def until_episode_ends(self) -> int:
        """Command steps left of the episode that is going on."""
        return self._began + self.episode_steps - self.ticks

    def check(self, count: int, where: str) -> None:
        """Whether so many can take part.

        Raises:
            BadInput: There are fewer walkable cells.
        """
        enough(self._plan, count, where)

    def change(self, task: Circulate, count: int, state: State) -> None:
        """Go on with another task and with so many agents, the first ones; called between two episodes.

        Newcomers begin on source cells, as do those who wait for a group to end where there are no more groups; more
        than there were stand last in all arrays from now on.

        Args:
            task: With other keys.
            count: How many take part.
            state: Of everybody who was there.
        """
        before = len(self.waiting)
        total = max(before, count)
        if total > before:
            self._make_room(total)
        batch, errands = task.circulation == "batch", self.errands
        self._task, self.episode_steps = task, max(1, round(task.episode / self._dt))
        there = resized(state.alive, total)
        newcomers = np.arange(errands.taking_part, count)
        self.errands = errands._replace(batch=batch, taking_part=count)
        self.leaving = count + np.flatnonzero(there[count:])
        self.waiting[count:] = False
        coming = newcomers if batch and errands.batch else np.flatnonzero(~there[:count])
        coming = coming[~self.waiting[coming]]
        if not errands.placing:
            coming = coming[:0]
        if self._room is not None:
            self.waiting[coming], coming = True, coming[:0]
        seed, sources = errands.seed, self.errands.sources
        chosen = [whole(seed, self.ticks, int(i), SOURCE, len(sources)) for i in coming]
        yaw = [np.pi * (2.0 * uniform(seed, self.ticks, int(i), HEADING) - 1.0) for i in coming]
        self.errands.began[coming] = sources[chosen]
        self.errands.inside[coming], self.bound[coming] = False, False
        self.moves = Moves(coming, self.way.up(sources[chosen]), np.array(yaw)) if len(coming) else None

    def _make_room(self, count: int) -> None:
        """For more agents."""
        new = slice(len(self.waiting), count)
        for name in ("waiting", "bound", "_place", "_going", "_coming"):
            setattr(self, name, resized(getattr(self, name), count))
        errands = self.errands
        self.errands = errands._replace(
            arrival=resized(errands.arrival, count), latest=resized(errands.latest, count),
            inside=resized(errands.inside, count), began=resized(errands.began, count),
            farthest=resized(errands.farthest, count),
        )  # fmt: skip
        self.errands.arrival[new], self.errands.latest[new] = np.inf, -np.inf
        if self._room is not None:
            self._room = Room(self._plan, count, self._radius)

    def _wait_for_room(self, room: Room, position: Floats, alive: Bools) -> None:
        """Of those who would begin anew, the ones for whom there is no place wait."""
        self.waiting |= self._coming
        self._coming[:] = False
        if not self.waiting.any():
            return
        waiting = np.flatnonzero(self.waiting)
        served, places = room.share_out(waiting, position[alive], self.errands.seed, self.ticks)
        self._coming[served], self._place[served] = True, places
        self.waiting[served] = False
        self.errands.inside[waiting], self.errands.inside[served] = True, False  # nobody arrives while it waits

    def look(self, world: World) -> None:
        """See where sources and goal are now; without any of one kind they are where they were."""
        plan = world.ground_plan
        if plan is None or plan is self._plan:
            return
        self._plan, self._ground = plan, ground_of(plan)
        self.way.see(plan)
        if plan.source_cells.any():
            self.errands = self.errands._replace(sources=_middles(plan))
            if self._room is not None:
                self._room = Room(plan, len(self.waiting), self._radius)
        if plan.goal_cells.any():
            self.errands = self.errands._replace(goals=plan.goal_cells)
            self.target = self._middle_of_goal()

    def _middle_of_goal(self) -> Floats:
        return self.way.up(self._plan.center_of(*np.nonzero(self._plan.goal_cells)).mean(axis=0))

    def _end_episode(self, position: Floats, state: State) -> Ints:
        """Count, and free who is stuck: returns (K,) who, their places written."""
        self.arrivals.append(self.now)
        self.now, self._began = 0, self.ticks
        freed = np.empty(0, np.int64)
        self.bound = self.stuck() & state.alive & ~self._coming & ~self._going & ~self.waiting
        if self._task.free:
            freed = np.flatnonzero(self.bound)
            standing = position.copy()
            standing[self._coming] = self._place[self._coming]
            self._place[freed] = free_places(self._plan, standing, freed)
        self._since = state.time
        began = self.errands.began
        began[:], self.errands.farthest[:] = position, 0.0
        began[self._coming], began[freed] = self._place[self._coming], self._place[freed]
        return freed

    def stuck(self) -> Bools:
        """(A,) who has been nowhere else since the episode began, nor arrived."""
        errands = self.errands
        return np.asarray((errands.farthest <= self._task.stuck) & (errands.latest <= self._since))

    def met(self, state: State) -> bool:
        """Whether everybody has been at the goal."""
        return bool(np.isfinite(self.errands.arrival[: self.errands.taking_part]).all())

    @property
    def met_at(self) -> float:
        """s, when the last of all has been at the goal for the first time; inf before."""
        return float(self.errands.arrival[: self.errands.taking_part].max())

    @property
    def gone(self) -> Bools:
        """(A,) who is not lost even if it is not there: it has arrived, or takes no part any more."""
        errands = self.errands
        return np.isfinite(errands.arrival) | (np.arange(len(errands.arrival)) >= errands.taking_part)

    def left_over(self, state: State) -> tuple[Ints, str]:
        """(K,) who keeps the goal from being met, and how."""
        count = self.errands.taking_part
        return np.flatnonzero(np.isinf(self.errands.arrival[:count])), "not arrived yet"

    def remaining(self, state: State) -> float:
        """There is always more to go."""
        return 0.0

    def to_go(self, state: State) -> float:
        """Mean m to the goal, less what those who began anew were given to go again.

        So it falls by what walkers come nearer, for a reward, and an arrival does not undo it.
        """
        return (self._to_go(state.position) - self._led_back) / len(state.position)

    def _to_go(self, places: Floats) -> float:
        """Sum of the ways to go from places (K, D), m, where there is any."""
        left = self.way.left(places)
        return float(left[np.isfinite(left)].sum())

    def outcomes(self) -> dict[str, float | None]:
        """Metrics of this task by name."""
        return {
            "throughput": throughput(self.arrivals),
            "throughput_running": throughput_running(self.arrivals),
            "throughput_corrected": throughput_corrected(self.arrivals),
        }


def enough(plan: FloorPlan, count: int, where: str) -> None:
    """A walkable cell for each of so many agents.

    Raises:
        BadInput: There are fewer.
    """
    walkable = int(plan.walkable.sum())
    if count > walkable:
        raise BadInput(f"{where}: expected a walkable cell for each of {count:,} agents, got {walkable:,}")


def _middles(plan: FloorPlan) -> Floats:
    """(S, 2) m, middles of the source cells."""
    return np.ascontiguousarray(plan.center_of(*np.nonzero(plan.source_cells)))
