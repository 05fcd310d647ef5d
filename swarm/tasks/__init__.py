"""What the swarm is to do: each task is a module with a goal, found by its kind."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Any, Protocol

from swarm.schema import build, choose
from swarm.state import Floats, State
from swarm.worlds.route import Route
from swarm.worlds.world import World

TASKS: dict[str, str] = {
    "flock": "swarm.tasks.flock:Flock",
    "follow": "swarm.tasks.follow:Follow",
    "reach": "swarm.tasks.reach:Reach",
}


class Goal(Protocol):
    """A task begun in one world: what is asked of the swarm there, and whether it has been met."""

    target: Floats | None  # (D,) m, for views and observations
    route: Route | None  # the way there around obstacles
    path: Floats | None  # (K, D) m, where the task prescribes the way
    path_speed: Floats | None  # (K - 1,) m/s on each leg
    ends_run: bool  # whether the run is over once the goal is met

    def met(self, state: State) -> bool:
        """Whether the goal is met now; called once after every command step."""

    def remaining(self, state: State) -> float:
        """m still to go for the swarm's centre; 0 where the task has no way to go."""


class Task(Protocol):
    """A [task] table, checked."""

    kind: str

    def begin(self, world: World, start: Floats, where: str) -> Goal:
        """Begin in a world with agents at `start` (A, D); raises BadInput where the task is impossible there."""


def read_task(table: Mapping[str, Any], where: str, faults: list[str]) -> Task | None:
    """Check a [task] table; each fault is one line."""
    rest = dict(table)
    kind = rest.pop("kind", "flock")
    if not choose(kind, TASKS, f"{where}.kind", faults):
        return None
    module, name = TASKS[kind].split(":")
    task: Task | None = build(getattr(importlib.import_module(module), name), rest, where, faults)
    return task
