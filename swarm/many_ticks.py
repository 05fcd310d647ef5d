"""Many ticks of a crowd in one compiled call, with the very bytes of as many steps.

Where Hadimassa's rule moves walkers on a plan that stands still and nobody else has a say, a tick is decided, stepped
and counted by the same kernels as in a step, one after the other, without coming back in between.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np

from swarm.bodies.walker.body import Walkers, attitudes
from swarm.bodies.walker.stepping import Legs, walk
from swarm.command import _to_action, _to_command
from swarm.compiled import kernel
from swarm.controllers.models.hadimassa.decision import Habits, Minds, decide
from swarm.controllers.models.hadimassa.perception import Crowd
from swarm.controllers.models.hadimassa.walkers import Hadimassa
from swarm.controllers.models.hadimassa.way import Ways
from swarm.state import Bools, Floats, Ints
from swarm.tasks.arriving import Errands, arrive
from swarm.tasks.circulate import CirculateGoal
from swarm.worlds.floor_plan.places import Ground

if TYPE_CHECKING:
    from swarm.recording import Recorder
    from swarm.simulation import Simulation
    from swarm.stuck import Detector

MOST = 300_000  # agents times ticks in one call: some tens of megabytes


class Clocks(NamedTuple):
    """What has been counted before the first tick."""

    steps: int  # of the body
    ticks: int  # of the rule
    task: int  # of the task
    hz: int
    limit: float  # m/s
    shuffle: float  # m/s


class Log(NamedTuple):
    """What the ticks leave behind."""

    position: Floats  # (T, A, 2) m
    velocity: Floats  # (T, A, 2) m/s
    command: Floats  # (T, A, 2) m/s
    heading: Floats  # (T, A, 2) unit
    alive: Bools  # (T, A)
    touched: Floats  # (C, 5) tick from 0, agent, m/s, x and y in m, of who was stopped by a wall
    counts: Ints  # (3,) ticks made, touches, arrivals


def can_leap(sim: Simulation) -> bool:
    """Whether this simulation is such a crowd."""
    goal: object = sim.goal
    return (
        type(sim.controller) is Hadimassa
        and type(sim.body) is Walkers
        and type(goal) is CirculateGoal
        and sim.alone
        and not sim.world.moving
    )


def leap(sim: Simulation, most: int) -> Log:
    """Make up to `most` ticks, none of which may end an episode.

    Returns:
        What they leave behind, as many ticks as were made. Body, rule and task are then where that many steps take
        them.
    """
    body, rule, goal = sim.body, sim.controller, cast(Any, sim.goal)
    agents = body.count
    count = max(1, min(most, MOST // agents))
    shape = (count, agents, 2)
    log = Log(
        np.empty(shape), np.empty(shape), np.empty(shape), np.empty(shape), np.empty(shape[:2], np.bool_),
        np.empty((agents + 4096, 5)), np.zeros(3, np.int64),
    )  # fmt: skip
    ground = rule.ground(sim.view.floor_plan)
    clocks = Clocks(body.steps, rule.ticks, goal.ticks, body.hz, float(body.speed_limit), body.shuffle)
    tick_on(
        count, clocks, rule.remembered(sim.view), rule.habits(sim.dt), rule.crowd(ground, agents), body.legs,
        goal.errands, ground, rule.ways(ground), log,
    )  # fmt: skip
    made, touches, arrivals = log.counts.tolist()
    body.steps, rule.ticks, goal.ticks = body.steps + made, rule.ticks + made, goal.ticks + made
    goal.now += arrivals
    goal.moves, goal.leaving = None, np.empty(0, np.int64)
    return Log(
        log.position[:made], log.velocity[:made], log.command[:made], log.heading[:made], log.alive[:made],
        log.touched[:touches], log.counts,
    )  # fmt: skip


@kernel
def tick_on(
    count: int, clocks: Clocks, minds: Minds, habits: Habits, crowd: Crowd, legs: Legs, errands: Errands,
    ground: Ground, ways: Ways, log: Log,
) -> None:  # fmt: skip
    """Up to `count` ticks; fewer where there is no more room for touches."""
    agents = len(legs.position)
    wanted, place = np.empty((agents, 2)), np.empty((agents, 2))
    going, coming, held = np.empty(agents, np.bool_), np.empty(agents, np.bool_), np.empty(agents, np.bool_)
    made, touches, arrivals = 0, 0, 0
    while made < count and touches + agents <= len(log.touched):
        decide(legs.position, legs.alive, minds, habits, clocks.ticks + made + 1, ground, ways, crowd, wanted)
        action = _to_action(wanted, clocks.limit, legs.alive)[1]
        command = _to_command(action, clocks.limit, legs.alive)[1]
        for i in range(agents):
            held[i] = legs.pressed[i] > 0.0
        walk(command, legs, ground, 1.0 / clocks.hz, clocks.shuffle)
        for i in range(agents):
            if legs.pressed[i] > 0.0 and not held[i]:
                touch = log.touched[touches]
                touch[0], touch[1], touch[2] = made, i, legs.pressed[i]
                touch[3], touch[4] = legs.position[i, 0], legs.position[i, 1]
                touches += 1
        arrivals += arrive(
            legs.position, legs.alive, errands, ground, clocks.task + made + 1, (clocks.steps + made + 1) / clocks.hz,
            place, going, coming,
        )  # fmt: skip
        for i in range(agents):
            if going[i]:
                legs.alive[i] = False
            if coming[i]:
                legs.alive[i] = True
                legs.position[i, 0], legs.position[i, 1] = place[i, 0], place[i, 1]
                legs.pressed[i], legs.turned[i] = 0.0, 0.0
            if going[i] or coming[i]:
                legs.velocity[i, 0], legs.velocity[i, 1] = 0.0, 0.0
        log.position[made], log.velocity[made], log.heading[made] = legs.position, legs.velocity, legs.heading
        log.command[made], log.alive[made] = command, legs.alive
        made += 1
    log.counts[0], log.counts[1], log.counts[2] = made, touches, arrivals


def record(sim: Simulation, log: Log, recorder: Recorder, detector: Detector) -> None:
    """Add to a recording what ticks have left behind, to the body the contacts in them; show the detector the ways."""
    made, agents = log.alive.shape
    time = np.arange(sim.steps + 1, sim.steps + made + 1) / sim.mission.swarm.command_hz
    senses = sim.view.senses
    reach = senses.reach + senses.radius
    clearance = sim.world.sense(log.position.reshape(-1, 2), reach)[0].reshape(made, agents) - senses.radius
    attitude = np.zeros((made * agents, 4))
    attitudes(log.heading.reshape(-1, 2), attitude)
    recorder.extend(
        time, log.position, log.velocity, log.command, clearance, log.alive, attitude.reshape(made, agents, 4)
    )
    goal = cast(Any, sim.goal)
    left = goal.way.left(log.position.reshape(-1, 2)).reshape(made, agents)
    detector.follow(time, left, log.alive & goal.bound, sim.body.speed_limit)
    ticks, touched = log.touched[:, :2].astype(np.int64).T
    sim.body.contacts = sim.body.touches(time[ticks], touched, log.touched[:, 3:], log.touched[:, 2])
