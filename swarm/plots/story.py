"""What happened to a task on a recorded flight: gates passed, a hidden target found."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from swarm.recording import Trajectory
from swarm.state import Floats
from swarm.tasks import Task
from swarm.tasks.search import seen
from swarm.worlds.world import World


class Event(NamedTuple):
    """Something that happened to the task."""

    time: float  # s
    text: str
    short: str  # for where there is little room
    agent: int  # that it happened to; -1 for all
    place: Floats  # (D,) m


def events(task: Task, world: World, flown: Trajectory, target: Floats | None) -> list[Event]:
    """Events in the order of time.

    Args:
        task: Of any kind; only some have events.
        world: At its beginning.
        flown: The recording.
        target: (D,) m, where a search's target is.
    """
    return _KINDS[task.kind](task, world, flown, target) if task.kind in _KINDS else []


def _gates(task: Any, world: World, flown: Trajectory, target: Floats | None) -> list[Event]:
    """When the last agent was through each gate, each having crossed them in order; up to the first not all crossed."""
    gates = world.gates if task.gates is None else tuple(world.zone(name) for name in task.gates)
    before, after = flown.position[:-1], flown.position[1:]
    steps, agents, dim = before.shape
    latest = np.full(agents, -1)
    found = []
    for gate in gates:
        through = gate.crossed(before.reshape(-1, dim), after.reshape(-1, dim)).reshape(steps, agents)
        through &= np.arange(steps)[:, None] > latest
        if steps == 0 or not through.any(axis=0).all():
            break
        latest = through.argmax(axis=0)
        last = int(latest.argmax())
        time = float(flown.time[latest[last] + 1])
        place = np.asarray(gate.center)
        found.append(Event(time, f"all through {gate.name}", gate.name, last, place))
    return found


def _search(task: Any, world: World, flown: Trajectory, target: Floats | None) -> list[Event]:
    """When an agent first had the target in sight."""
    if target is None:
        return []
    near = flown.alive & (np.linalg.norm(flown.position - target, axis=2) <= task.range)
    for sample in np.flatnonzero(near.any(axis=1)):
        if sample == 0:  # a search looks for the first time after the first step
            continue
        there = np.flatnonzero(near[sample])
        at = world.at(float(flown.time[sample]))
        sees = seen(at, flown.position[sample, there], target[None], task.range)[:, 0]
        if sees.any():
            time = float(flown.time[sample])
            return [Event(time, "target found", "found", int(there[sees.argmax()]), target)]
    return []


_KINDS: dict[str, Callable[[Any, World, Trajectory, Floats | None], list[Event]]] = {
    "gates": _gates,
    "search": _search,
}
