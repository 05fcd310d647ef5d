"""Who flies and who decides: what a caller asks for in place of what the mission says."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from swarm import controllers
from swarm.bodies import Choice, choose_body
from swarm.errors import BadInput
from swarm.mission import Mission
from swarm.state import Floats
from swarm.view import View

Controller = Callable[[View], Floats]


def resolve_controller(mission: Mission, controller: Controller | str | None, faults: list[str]) -> Any:
    """The controller that was asked for: a callable as it is, else built from its name."""
    if callable(controller):
        return controller
    if controller is None:
        use, params, where = mission.controller.use, mission.controller.params, f"{mission.file}: controller"
    else:
        same = controller == mission.controller.use
        use, params, where = str(controller), mission.controller.params if same else {}, "controller"
    return controllers.make_controller(use, params, where, faults)


def choose(mission: Mission, body: str | None, engine: str | None, faults: list[str]) -> Choice:
    """The mission's body and engine with others put in their place; another body drops an engine it has not."""
    own, found = mission.body, list[str]()
    if body is None or body == own.body:
        chosen = choose_body(own.body, engine or own.engine, own.model, "-", found)
    else:
        chosen = choose_body(body, engine, None, "-", found)
    faults.extend(fault.replace("-.", "--", 1) for fault in found)  # as the options of the command line
    return chosen or own


def whole_seed(seed: Any) -> int:
    """A seed as a whole number.

    Raises:
        BadInput: It is none, or below 0.
    """
    try:
        number = operator.index(seed)
    except TypeError:
        number = -1
    if number < 0:
        raise BadInput(f"seed: expected a whole number from 0, got {seed!r}")
    return number


def make_filter(name: str) -> Callable[[View, Floats], Floats] | None:
    """The [safety] filter: what becomes of every command, whoever gave it."""
    if name == "barrier":
        from swarm.controllers.safety.barrier import Barrier

        return Barrier()
    return None


def name_of(controller: Controller | str) -> str:
    """What a result calls the controller."""
    if isinstance(controller, str):
        return controller
    return getattr(controller, "__qualname__", type(controller).__qualname__)
