"""What the swarm is to do: each task is a module with a goal, found by its kind."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Protocol

from swarm.schema import build, choose
from swarm.state import Floats, State
from swarm.tasks.scene import Scene
from swarm.tasks.way import Way
from swarm.worlds.world import World

if TYPE_CHECKING:
    from swarm.tasks.evacuate import Signs
    from swarm.tasks.plan_way import PlanWay

TASKS: dict[str, str] = {
    "circulate": "swarm.tasks.circulate:Circulate",
    "evacuate": "swarm.tasks.evacuate:Evacuate",
    "exit": "swarm.tasks.exit:Exit",
    "flock": "swarm.tasks.flock:Flock",
    "follow": "swarm.tasks.follow:Follow",
    "gates": "swarm.tasks.gates:Gates",
    "reach": "swarm.tasks.reach:Reach",
    "search": "swarm.tasks.search:Search",
}


class Goal(Protocol):
    """A task begun in one world: what is asked of the swarm there, and whether it has been met.

    `target`, `way` and `path` may become other objects in `update`; targets and paths are never changed in place.
    """

    target: Floats | None  # (D,) m, where to go now, for views and observations
    way: Way | Signs | PlanWay | None  # the way there around obstacles
    path: Floats | None  # (K, D) m, where the task prescribes the way
    path_speed: Floats | None  # (K - 1,) m/s on each leg
    ends_run: bool  # whether the run is over once the goal is met

    def update(self, world: World, state: State) -> None:
        """Look where everything is now; called once after every command step."""

    def met(self, state: State) -> bool:
        """Whether the goal is met now; called once after every update."""

    def remaining(self, state: State) -> float:
        """m still to go for the swarm's centre; 0 where the task has no way to go."""


class Task(Protocol):
    """A [task] table, checked."""

    kind: str

    def begin(self, scene: Scene) -> Goal:
        """Begin; raises BadInput where the task is impossible in this world."""


def read_task(table: Mapping[str, Any], where: str, faults: list[str]) -> Task | None:
    """Check a [task] table; each fault is one line."""
    rest = dict(table)
    kind = rest.pop("kind", "flock")
    if not choose(kind, TASKS, f"{where}.kind", faults):
        return None
    module, name = TASKS[kind].split(":")
    task: Task | None = build(getattr(importlib.import_module(module), name), rest, where, faults)
    return task
