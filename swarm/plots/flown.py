"""A recorded flight made ready to be drawn."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from swarm.bodies.walker.body import FASTEST, SHUFFLE
from swarm.mission import Mission
from swarm.plots.formation_lines import formation_lines, slot_edges
from swarm.plots.hidden import hidden_target
from swarm.plots.sketch import Sketch, sketch
from swarm.plots.story import Event, events
from swarm.recording import Trajectory
from swarm.result import Result
from swarm.state import Bools, Floats, Ints
from swarm.transfer.mission import as_flown
from swarm.worlds.world import World

ROUND = (0.1, 0.2, 0.5, 1.0, 2.0, 3.0, 4.0, 5.0, 10.0, 20.0, 30.0, 60.0, 120.0, 300.0, 600.0)  # s between snapshots
SLOW = 0.05  # m/s below which a velocity says nothing about where an agent heads, and of the fastest in a slower swarm
JUMP = 1.5  # times what the fastest covers: who is farther from one sample to the next did not walk there
MANY, SHAPELESS = 40, 12  # agents beyond which a swarm is drawn as a crowd, with and without a formation


@dataclass(frozen=True, eq=False)
class Flown:
    """One flight: T samples of N agents in D dimensions."""

    mission: Mission
    result: Result
    trajectory: Trajectory
    world: World

    @cached_property
    def time(self) -> Floats:
        """(T,) s."""
        return self.trajectory.time

    @cached_property
    def task(self) -> Sketch:
        """What the swarm was to do."""
        return sketch(
            self.mission.task,
            self.world,
            hidden_target(self.mission, self.world, self.result.seed, self.trajectory.position[0]),
        )

    @cached_property
    def events(self) -> list[Event]:
        """What happened to the task, in the order of time."""
        return events(self.mission.task, self.world, self.trajectory, self.task.end)

    @cached_property
    def height(self) -> float | None:
        """m, at which most was flown; None in two dimensions."""
        if self.world.dim == 2:
            return None
        return round(float(np.median(self.trajectory.position[..., 2][self.trajectory.alive])), 1)

    @property
    def count(self) -> int:
        """N."""
        return int(self.trajectory.position.shape[1])

    @property
    def crowd(self) -> bool:
        """Whether it is drawn as a crowd: by snapshots and not by paths, which would be a tangle."""
        least = SHAPELESS if self.mission.formation is None else MANY
        return self.count > least or self.world.boundary == "torus" or self.on_plan or self.of_people

    @property
    def of_people(self) -> bool:
        """Whether those who move are people, of whom even one looks odd as a drone."""
        return self.world.dim == 2 and self.task.leaves == "left"

    @cached_property
    def position(self) -> Floats:
        """(T, N, D) m; NaN from one sample after an agent was lost, so that its path ends there."""
        position = np.array(self.trajectory.position)
        gone = np.zeros_like(self.trajectory.alive)
        gone[1:] = ~self.trajectory.alive[:-1]
        position[gone] = np.nan
        return position

    @cached_property
    def ended(self) -> Ints:
        """(N,) sample in which an agent was lost, caught, or left, for the first time; -1 for those that stayed.

        Who joined later has not been lost before.
        """
        alive = self.trajectory.alive
        gone = ~alive & np.logical_or.accumulate(alive, axis=0)
        return np.where(gone.any(axis=0), np.argmax(gone, axis=0), -1)

    @cached_property
    def left(self) -> Bools:
        """(N,) who has left by an exit."""
        place = self.trajectory.position[self.ended, np.arange(self.count)]
        out = self.task.out(place)
        for first, world in self._painted[1:]:
            later = self.ended >= first
            plan = None if self.task.plan is None else world.ground_plan
            out[later] = replace(self.task, plan=plan).out(place[later])
        return (self.ended >= 0) & out

    @cached_property
    def lost(self) -> Ints:
        """(N,) sample in which an agent was lost or caught; -1 for those that lived, left, or were taken out.

        Where people go round and round on a plan, nobody but a drone has an accident: who is gone was taken out.
        """
        taken_out = self.mission.task.kind == "circulate" and self.result.body != "drone"
        return np.where(self.left | taken_out, -1, self.ended)

    @cached_property
    def arrived(self) -> Ints:
        """(T,) how many have come to the goal so far, of those who are then put on a source of the floor plan."""
        put = np.zeros(self.breaks.shape, np.bool_)
        for first, world in self._painted:
            assert world.floor_plan is not None
            plan, since = world.floor_plan.ground or world.floor_plan, max(first - 1, 0)
            put[since:] = plan.source_cells[plan.cell_of(self.trajectory.position[since + 1 :])]
        return np.concatenate([[0], np.cumsum((self.breaks & put & self.trajectory.alive[1:]).sum(axis=1))])

    @property
    def painting(self) -> list[float]:
        """s, when cells of the floor plan were painted."""
        return [float(self.time[first]) for first, _ in self._painted[1:]]

    @cached_property
    def _painted(self) -> list[tuple[int, World]]:
        """From which sample on the world has had other cells, and that world; the first as it was built."""
        worlds, painted = [(0, self.world)], self.trajectory.painted
        if painted is None:
            return worlds
        for first in np.unique(painted[:, 0]).tolist():
            worlds.append((first, worlds[-1][1].painted(painted[painted[:, 0] == first, 1:])))
        return worlds

    def world_at(self, sample: int) -> World:
        """The world as it was in a sample: what moves is where it was then, and cells are as they were painted."""
        _, world = next(each for each in reversed(self._painted) if each[0] <= sample)
        return world.at(float(self.time[sample]))

    @cached_property
    def on_plan(self) -> bool:
        """Whether it took place on a floor plan."""
        return self.world.floor_plan is not None

    @cached_property
    def direction(self) -> Floats:
        """(T, N, D) unit, where each agent heads; while it hardly moves, where it headed last.

        A walker heads where it was told to go, as long as that is no small step.
        """
        walks = self.result.body == "walker"
        velocity = self.trajectory.command if walks else self.trajectory.velocity
        speed = np.linalg.norm(velocity, axis=-1)
        slow = SLOW * min(1.0, float(speed.max(initial=0.0)))
        if walks:
            slow = SHUFFLE * (self.mission.swarm.speed_limit or FASTEST)
        sample = np.arange(len(speed))[:, None]
        moving = speed > slow
        latest = np.maximum.accumulate(np.where(moving, sample, -1), axis=0)
        source = np.where(latest < 0, np.argmax(moving, axis=0), latest)
        chosen = np.take_along_axis(velocity, source[..., None], axis=0)
        length = np.linalg.norm(chosen, axis=-1, keepdims=True)
        ahead = np.zeros(velocity.shape[-1])
        ahead[0] = 1.0
        return np.where(length > slow, chosen / np.where(length > slow, length, 1.0), ahead)

    @cached_property
    def breaks(self) -> Bools:
        """(T - 1, N) steps that nobody walked or flew.

        An agent left a periodic world on one side and came in on the other, or was put somewhere else on a floor plan.
        """
        step = np.abs(np.diff(self.trajectory.position, axis=0))
        if self.on_plan:
            flown = self.trajectory
            fastest = max(float(np.linalg.norm(v, axis=-1).max(initial=0.0)) for v in (flown.velocity, flown.command))
            reach = JUMP * fastest * np.diff(flown.time)
            return np.asarray(np.linalg.norm(step, axis=-1) > reach[:, None] + 1e-9)
        if self.world.boundary != "torus":
            return np.zeros(step.shape[:2], bool)
        period = self.world.bounds[1] - self.world.bounds[0]
        return np.asarray((step > period / 2).any(axis=-1))

    def paths(self, axes: tuple[int, ...], most: int = 60_000) -> tuple[Ints, list[Floats]]:
        """Lines to draw: the agents they belong to, and (K, len(axes)) m points with NaN where a line is interrupted.

        Args:
            axes: The world axes of the picture.
            most: Points in all; beyond that samples, then agents, are left out evenly.
        """
        samples = len(self.time)
        agents = np.unique(np.linspace(0, self.count - 1, min(self.count, 400)).astype(int))
        stride = max(1, samples * len(agents) // most)
        keep = np.unique(np.append(np.arange(0, samples, stride), samples - 1))
        lines = []
        for agent in agents:
            line = self.position[keep][:, agent, axes]
            if samples > 1:
                jumps = np.flatnonzero(np.add.reduceat(self.breaks[:, agent], keep[:-1])) + 1
                line = np.insert(line, jumps, np.nan, axis=0)
            lines.append(line)
        return agents, lines

    @cached_property
    def _slots(self) -> tuple[Floats, Ints] | None:
        slots = self.mission.formation_slots(self.world.dim)
        return None if slots is None else (slots, slot_edges(slots))

    def links(self, sample: int) -> Ints:
        """(E, 2) agents between which a line shows the formation in one sample; none without a formation."""
        if self._slots is None:
            return np.empty((0, 2), np.int64)
        living = np.flatnonzero(self.trajectory.alive[sample])
        return formation_lines(*self._slots, self.trajectory.position[sample], living, self._heading(sample))

    def _heading(self, sample: int) -> float:
        """Direction in which the swarm's middle moves about a sample, rad."""
        last = len(self.time) - 1
        for reach in (12, 48, last):
            before, after = max(0, sample - reach), min(last, sample + reach)
            both = self.trajectory.alive[before] & self.trajectory.alive[after]
            if both.any():
                step = (self.trajectory.position[after] - self.trajectory.position[before])[both].mean(axis=0)
                if np.hypot(step[0], step[1]) > 0.05:
                    return float(np.arctan2(step[1], step[0]))
        return 0.0

    def snapshots(self, most: int) -> list[int]:
        """Samples at evenly spaced round times, about so many at most, with the first and the last sample."""
        last = len(self.time) - 1
        span = float(self.time[-1] - self.time[0])
        if span <= 0.0:
            return [0]
        step = next((s for s in ROUND if span / s < most), span)
        moments = np.arange(0.0, span - 0.4 * step, step)  # one just before the end would be in the way of the end
        found = np.searchsorted(self.time, self.time[0] + moments - 1e-9)
        return [*dict.fromkeys([*map(int, found), last])]


def flown(mission: Mission, result: Result) -> Flown:
    """A flight with the world it was flown in, built again from the mission and the seed."""
    assert result.trajectory is not None
    mission = as_flown(mission, result.body, result.engine)
    world = mission.build_world(result.seed, result.body)
    return Flown(mission, result, result.trajectory, world)
