"""What can be changed while a run goes on, and whether it is sound."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from swarm.controllers import make_controller
from swarm.errors import BadInput
from swarm.mission import Mission
from swarm.transfer.mission import transferred

if TYPE_CHECKING:
    from swarm.simulation import Simulation

PARAMS, TASK, COUNT, SPEED = "controller.params.", "task.", "swarm.count", "swarm.speed_limit"
SPARE = 1e-6  # share by which a controller may be faster than the speed limit


class Changes:
    """What was asked for and does not hold yet.

    Args:
        mission: As it holds at first.
        own: Whether the mission's own controller decides, and has parameters.
    """

    def __init__(self, mission: Mission, own: bool) -> None:
        self._first, self._own = mission, own
        self._asked: dict[str, Any] = {}
        self._next: Mission | None = None

    def ask(self, overrides: Mapping[str, Any] | None, sim: Simulation) -> None:
        """Check, and keep until `due`; arguments and faults as of `swarm.Simulation.change`."""
        if overrides is None:
            self._asked, self._next = {}, self._first
            return
        first = self._first
        faults = [fault for key in overrides for fault in self._refused(key, sim)]
        if faults:
            raise BadInput(*faults)
        asked = self._asked | dict(overrides)
        native = first if first.transfer is None else first.transfer.native
        changed = transferred(native.changed(asked), sim.choice)
        if changed.task.kind != first.task.kind:
            raise BadInput(f"{first.file}: task.kind: expected {first.task.kind} as at the start")
        limit = changed.swarm.speed_limit if SPEED in asked else first.swarm.speed_limit
        after = replace(
            first, controller=changed.controller, task=changed.task,
            swarm=replace(first.swarm, count=changed.swarm.count, speed_limit=limit),
        )  # fmt: skip
        if self._own:
            too_fast(make_params(after), after, sim.body.speed_limit if limit is None else limit)
        if after.swarm.count != first.swarm.count:
            cast(Any, sim.goal).check(after.swarm.count, f"{first.file}: {COUNT}")
        self._asked, self._next = asked, after

    def _refused(self, key: str, sim: Simulation) -> list[str]:
        """Why a key cannot be changed in this run."""
        first = self._first
        where = f"{first.file}: {key}"
        if key.startswith(PARAMS):
            return [] if self._own else [f"{where}: expected the mission's own controller, got one that was passed in"]
        if key.startswith(TASK):
            return [] if hasattr(sim.goal, "change") else [f"{where}: the task {first.task.kind} takes no changes"]
        if key == SPEED:
            return [] if hasattr(sim.body, "limit") else [f"{where}: a {sim.choice.body} keeps its speed limit"]
        if key != COUNT:
            return [f"{where}: expected {PARAMS}…, {TASK}…, {COUNT} or {SPEED}; anything else needs a new run"]
        if not hasattr(sim.body, "resize"):
            return [f"{where}: nobody can join or leave a {sim.choice.body}'s run"]
        if not hasattr(sim.goal, "change"):
            return [f"{where}: nobody can join or leave the task {first.task.kind}"]
        if first.swarm.roles or first.formation is not None:
            return [f"{where}: nobody can join or leave a swarm with roles or a formation"]
        return []

    def due(self) -> Mission | None:
        """The mission as it is to be from now on; None where nothing has been asked for."""
        due, self._next = self._next, None
        return due

    def undo(self) -> Mission:
        """Forget what was asked for; the mission as it was at first."""
        self._asked, self._next = {}, None
        return self._first


def make_params(mission: Mission) -> Any:
    """The mission's controller anew, for its parameters."""
    return make_controller(mission.controller.use, mission.controller.params, f"{mission.file}: controller", [])


def give_params(controller: Any, mission: Mission) -> None:
    """Parameters of the mission's own controller from now on; what it remembers stays."""
    _give(controller, make_params(mission))


def _give(part: Any, made: Any) -> None:
    """To a part what another of its class was made with, and to the parts of it alike, which remember as well."""
    for each in fields(made):
        old, new = getattr(part, each.name, None), getattr(made, each.name, None)
        if each.init:
            object.__setattr__(part, each.name, _with(old, new))  # a frozen one has parameters too
        elif _alike(old, new):
            _give(old, new)
        elif isinstance(new, tuple | np.ndarray) and len(new):  # nothing to remember yet: it is made of parameters
            object.__setattr__(part, each.name, new)


def _with(old: Any, new: Any) -> Any:
    """The new value of a parameter; rules and controllers that stay are the old ones."""
    if _alike(old, new):
        _give(old, new)
        return old
    if isinstance(old, tuple) and type(old) is type(new) is tuple and len(old) == len(new):
        return tuple(map(_with, old, new))
    return new


def _alike(old: Any, new: Any) -> bool:
    return is_dataclass(old) and type(old) is type(new) and old is not new


def too_fast(controller: Any, mission: Mission, limit: float) -> None:
    """A controller that says how fast it commands must not ask for more than the limit, m/s, which would be cut off.

    Raises:
        BadInput: It does.
    """
    fastest = getattr(controller, "fastest", None)
    if fastest is not None and mission.transfer is None and fastest > limit * (1.0 + SPARE):
        raise BadInput(
            f"{mission.file}: {SPEED}: expected {fastest:g} m/s or more, the fastest that {mission.controller.use} "
            f"commands, got {limit:g}"
        )
