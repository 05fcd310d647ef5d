"""Evacuation in one compiled call: by openings in an open hall, or over a floor plan to its goal."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np

from swarm.compiled import kernel
from swarm.leaping.parts import Task, arrive, offers, point_the_way
from swarm.leaping.plan_ways import Downhills, downhills, lead
from swarm.state import Bools, Floats, Ints
from swarm.tasks.doors import GoalCells, Opening
from swarm.worlds.floor_plan.places import up_and_column

if TYPE_CHECKING:
    from swarm.leaping.ticking import Log
    from swarm.simulation import Simulation


class Leaving(NamedTuple):
    """What is about leaving, whatever the doors."""

    starts: Floats  # (A,) s
    arrival: Floats  # (A,) s, written
    enough: float  # who have to have left
    over: bool  # whether enough have left already


class Openings(NamedTuple):
    """Doors that nothing hides, straight ahead from everywhere."""

    leaving: Leaving
    taken: Ints  # (A,) number of the door that each takes
    center: Floats  # (K, 2) m
    half: Floats  # (K, 2) m, of an area
    aim: Floats  # (K, 2) m, of where in it a whole hull has room
    radius: Floats  # (K,) m, round a target; negative for an area


class Cells(NamedTuple):
    """The goal cells of a floor plan."""

    leaving: Leaving
    goals: Bools
    ways: Downhills


@kernel
def _leave(
    leaving: Leaving, out: Bools, time: float, going: Bools, coming: Bools
) -> tuple[int, bool]:  # fmt: skip
    arrived, total = 0, 0
    for i in range(len(out)):
        going[i], coming[i] = out[i], False
        if out[i]:
            leaving.arrival[i] = time
            arrived += 1
        total += math.isfinite(leaving.arrival[i])
    return arrived, total >= leaving.enough and not leaving.over


@kernel
def _arrive_at_openings(
    task: Openings, body: Any, made: int, time: float, place: Floats, going: Bools, coming: Bools
) -> tuple[int, bool]:
    position, out = body.position, np.empty(len(body.position), np.bool_)
    left = False
    for i in range(len(position)):
        door, inside, square = task.taken[i], True, 0.0
        for k in range(2):
            away = task.center[door, k] - position[i, k]
            inside = inside and abs(away) <= task.half[door, k]
            square += away * away
        if task.radius[door] >= 0.0:
            inside = square <= task.radius[door] * task.radius[door]
        out[i] = inside and body.alive[i]
        left |= body.alive[i] and not inside
    arrived, over = _leave(task.leaving, out, time, going, coming)
    return arrived, over or not left


@kernel
def _point_at_openings(task: Openings, position: Floats, now: float, direction: Floats) -> None:
    for i in range(len(position)):
        door, square = task.taken[i], 0.0
        for k in range(2):
            if task.radius[door] >= 0.0:
                direction[i, k] = task.center[door, k] - position[i, k]
            else:
                low, high = task.center[door, k] - task.aim[door, k], task.center[door, k] + task.aim[door, k]
                direction[i, k] = min(max(position[i, k], low), high) - position[i, k]
            square += direction[i, k] * direction[i, k]
        size = math.sqrt(square)
        if task.radius[door] >= 0.0:
            share, square = max(1.0 - 0.5 * task.radius[door] / max(size, 1e-9), 0.0), 0.0
            for k in range(2):
                direction[i, k] *= share
                square += direction[i, k] * direction[i, k]
            size = math.sqrt(square)
        for k in range(2):
            direction[i, k] = direction[i, k] / max(size, 1e-9) if task.leaving.starts[i] <= now else 0.0


@kernel
def _arrive_at_cells(
    task: Cells, body: Any, made: int, time: float, place: Floats, going: Bools, coming: Bools
) -> tuple[int, bool]:
    position, out = body.position, np.empty(len(body.position), np.bool_)
    left = False
    for i in range(len(position)):
        up, column = up_and_column(position, i, task.ways.ground)
        inside = task.goals[len(task.goals) - 1 - up, column]
        out[i] = inside and body.alive[i]
        left |= body.alive[i] and not inside
    arrived, over = _leave(task.leaving, out, time, going, coming)
    return arrived, over or not left


@kernel
def _point_at_cells(task: Cells, position: Floats, now: float, direction: Floats) -> None:
    lead(task.ways, position, direction)
    for i in range(len(position)):
        if task.leaving.starts[i] > now:
            direction[i, 0], direction[i, 1] = 0.0, 0.0


offers(arrive, Openings, _arrive_at_openings)
offers(point_the_way, Openings, _point_at_openings)
offers(arrive, Cells, _arrive_at_cells)
offers(point_the_way, Cells, _point_at_cells)


def offer(sim: Simulation, guided: bool) -> Task | None:
    """The task for one call; none where something hides an opening."""
    goal = cast(Any, sim.goal)
    signs = goal.way
    enough = goal._share * len(goal.arrival) - 1e-9
    leaving = Leaving(signs.starts, goal.arrival, enough, bool(np.isfinite(goal.arrival).sum() >= enough))
    if all(type(door) is Opening and door._way is None for door in signs.doors):
        pack: Any = _openings(signs, leaving)
    elif len(signs.doors) == 1 and type(signs.doors[0]) is GoalCells:
        door = signs.doors[0]
        pack = Cells(leaving, door._plan.goal_cells, downhills(door._ways))
    else:
        return None

    def bound(times: Floats, alive: Bools) -> Bools:
        return np.asarray(alive & (signs.starts <= times[:, None]))

    def finish(log: Log) -> None:
        made, hz = int(log.counts[0]), sim.mission.swarm.command_hz
        times = np.arange(sim.steps + 1, sim.steps + made + 1) / hz
        for time, position, alive in zip(times.tolist(), log.position, log.alive):
            goal.note_order(time, position, alive)
        signs.time = float(times[-1])
        before = log.alive[-2] if made > 1 else sim.state.alive
        goal.leaving = np.flatnonzero(before & ~log.alive[-1])
        goal.bound = bound(times[-1:], log.alive[-1:])[0]

    def left(places: Floats) -> Floats:
        return np.array([signs.toward(each)[0] for each in places]).reshape(places.shape[:2])  # there may be none

    return Task(pack, finish, bound=bound, left=left)


def _openings(signs: Any, leaving: Leaving) -> Openings:
    doors = signs.doors
    size = np.array([(0.0, 0.0) if door._zone is None else door._zone.size for door in doors], np.float64)
    half = size / 2.0
    return Openings(
        leaving, np.ascontiguousarray(signs.taken, np.int64), np.array([door.center for door in doors], np.float64),
        half, np.maximum(half - doors[0]._hull, 0.0),
        np.array([door._radius if door._zone is None else -1.0 for door in doors]),
    )  # fmt: skip
