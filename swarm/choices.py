"""Who flies and who decides: what a caller asks for in place of what the mission says."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from swarm import controllers
from swarm.bodies import Choice, choose_body
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
    own = mission.body
    if body is None or body == own.body:
        chosen = choose_body(own.body, engine or own.engine, own.model, "body", faults)
    else:
        chosen = choose_body(body, engine, None, "body", faults)
    return chosen or own


def make_filter(name: str) -> Callable[[View, Floats], Floats]:
    """The [safety] filter: what becomes of every command, whoever gave it."""
    if name == "barrier":
        from swarm.controllers.safety.barrier import Barrier

        return Barrier()
    return lambda view, command: command


def name_of(controller: Controller | str) -> str:
    """What a result calls the controller."""
    if isinstance(controller, str):
        return controller
    return getattr(controller, "__qualname__", type(controller).__qualname__)
