"""Circulation in one compiled call, within an episode."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np

from swarm.compiled import kernel
from swarm.leaping.parts import Task, arrive, offers, point_the_way
from swarm.leaping.plan_ways import Downhills, downhills, lead, left
from swarm.state import Bools, Floats
from swarm.tasks.arriving import Errands
from swarm.tasks.arriving import arrive as arrive_all
from swarm.worlds.floor_plan.places import Ground, ground_of

if TYPE_CHECKING:
    from swarm.leaping.ticking import Log
    from swarm.simulation import Simulation


class Rounds(NamedTuple):
    """What the task needs."""

    errands: Errands
    ground: Ground
    ticks: int  # before


class GuidedRounds(NamedTuple):
    """The same with the ways, for rules that ask for them."""

    errands: Errands
    ground: Ground
    ticks: int
    ways: Downhills


@kernel
def _arrive(
    task: Any, body: Any, made: int, time: float, place: Floats, going: Bools, coming: Bools
) -> tuple[int, bool]:
    arrived = arrive_all(
        body.position, body.alive, task.errands, task.ground, task.ticks + made + 1, time, place, going, coming
    )
    return arrived, False


@kernel
def _point(task: GuidedRounds, position: Floats, now: float, direction: Floats) -> None:
    lead(task.ways, position, direction)


offers(arrive, Rounds, _arrive)
offers(arrive, GuidedRounds, _arrive)
offers(point_the_way, GuidedRounds, _point)


def offer(sim: Simulation, guided: bool) -> Task | None:
    """The task for one call; none for other bodies than walkers, or where who arrives waits for room."""
    goal = cast(Any, sim.goal)
    if sim.choice.body != "walker" or goal._room is not None or goal.way.scale != 1.0 or not goal.errands.placing:
        return None
    ground, ways = ground_of(goal._plan), downhills(goal.way._downhill)
    pack: Any = Rounds(goal.errands, ground, goal.ticks)
    if guided:
        pack = GuidedRounds(goal.errands, ground, goal.ticks, ways)

    def finish(log: Log) -> None:
        goal.ticks += int(log.counts[0])
        goal.now += int(log.counts[1])
        goal.moves, goal.leaving = None, np.empty(0, np.int64)

    def to_go(places: Floats) -> Floats:
        return np.asarray(left(ways, places.reshape(-1, 2)).reshape(places.shape[:2]))

    return Task(pack, finish, bound=lambda times, alive: np.asarray(alive & goal.bound), left=to_go)
