"""The loop of a crowd's ticks: perceive, decide, move, touch, arrive, note."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from swarm.command import _to_action
from swarm.compiled import kernel
from swarm.leaping.parts import TOUCH, arrive, decide, look_up, meet, see, settle, walk, without
from swarm.recording import Trajectory
from swarm.state import Bools, Floats, Ints


class Clocks(NamedTuple):
    """What time it is before the first tick."""

    steps: int
    hz: int
    limit: float  # m/s


class Log(NamedTuple):
    """What the ticks leave behind."""

    position: Floats  # (T, A, 2) m
    velocity: Floats  # (T, A, 2) m/s
    command: Floats  # (T, A, 2) m/s
    heading: Floats  # (T, A, 2) unit
    clearance: Floats  # (T, A) m to the nearest surface, where perception tells; else not written
    alive: Bools  # (T, A)
    left: Bools  # (T,) whether somebody was taken out in that tick
    counts: Ints  # (2,) ticks made, arrivals
    touched: Floats  # (C, 1 + TOUCH) tick from 0, and who touched what


def log_in(room: Trajectory) -> Log:
    """What will be written to the room of a recording."""
    count = len(room.time)
    return Log(
        room.position, room.velocity, room.command, np.empty(room.position.shape), room.clearance, room.alive,
        np.zeros(count, np.bool_), np.zeros(2, np.int64), np.empty((0, 1 + TOUCH)),
    )  # fmt: skip


@kernel
def tick_on(count: int, clocks: Clocks, rule: Any, body: Any, task: Any, sight: Any, log: Log) -> Floats:
    """Up to `count` ticks; fewer where the task may have come to its end. Returns what `log.touched` is to be.

    Args:
        count: Of ticks.
        clocks: Before the first.
        rule, body, task, sight: What these offer, see `parts`.
        log: Written.
    """
    agents = len(body.position)
    wanted, place, command = np.empty((agents, 2)), np.empty((agents, 2)), np.empty((agents, 2))
    going, coming = np.zeros(agents, np.bool_), np.zeros(agents, np.bool_)
    touched, touches = np.empty((256, 1 + TOUCH)), 0
    made, arrivals = 0, 0
    seen = see(sight, look_up(sight), body.position, body.alive, log.clearance[0])
    while made < count:
        decide(rule, body, task, seen, made, (clocks.steps + made) / clocks.hz, wanted)
        action = _to_action(wanted, clocks.limit, body.alive)[1]
        for i in range(agents):
            for k in range(2):
                command[i, k] = np.float64(action[i, k]) * clocks.limit  # it has been clipped
        touched, touches = noted(touched, touches, made, walk(body, command))
        seen = see(sight, seen, body.position, body.alive, log.clearance[made])
        touched, touches = noted(touched, touches, made, meet(body, seen))
        arrived, over = arrive(task, body, made, (clocks.steps + made + 1) / clocks.hz, place, going, coming)
        arrivals += arrived
        anew = False
        for i in range(agents):
            log.left[made] |= going[i]
            anew |= coming[i]
        if log.left[made] or anew:
            settle(body, going, coming, place)
        if anew:
            seen = see(sight, seen, body.position, body.alive, log.clearance[made])
        elif log.left[made]:
            seen = without(sight, seen, body.alive)
        write_down(log, made, body.position, body.velocity, body.heading, command, body.alive)
        made += 1
        if over:
            break
    log.counts[0], log.counts[1] = made, arrivals
    return touched[:touches]


@kernel
def write_down(
    log: Log, made: int, position: Floats, velocity: Floats, heading: Floats, command: Floats, alive: Bools
) -> None:
    """A row of the log; number by number, which takes less time than whole arrays."""
    for i in range(len(alive)):
        log.alive[made, i] = alive[i]
        for k in range(2):
            log.position[made, i, k], log.velocity[made, i, k] = position[i, k], velocity[i, k]
            log.heading[made, i, k], log.command[made, i, k] = heading[i, k], command[i, k]


@kernel
def noted(touched: Floats, touches: int, tick: int, fresh: Floats) -> tuple[Floats, int]:
    """The list of touches and how many they are, with some more; a longer list where there is no room."""
    if touches + len(fresh) > len(touched):
        longer = np.empty((2 * (touches + len(fresh)), 1 + TOUCH))
        longer[:touches] = touched[:touches]
        touched = longer
    for k in range(len(fresh)):
        touched[touches, 0] = tick
        touched[touches, 1:] = fresh[k]
        touches += 1
    return touched, touches
