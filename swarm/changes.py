"""Parameters of a controller that change while a run goes on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any

from swarm.controllers import make_controller
from swarm.errors import BadInput
from swarm.mission import Mission
from swarm.mission_file import apply

PREFIX = "controller.params."


class Changes:
    """What is to change in the mission's own controller.

    Args:
        mission: With the parameters that hold at first.
        controller: Which gets other parameters and keeps what it remembers; None where it is not the mission's own.
    """

    def __init__(self, mission: Mission, controller: Any) -> None:
        self._choice, self._where = mission.controller, f"{mission.file}: controller"
        self._controller = controller if is_dataclass(controller) else None
        self._params: dict[str, Any] = dict(mission.controller.params)
        self._waiting = False

    def ask(self, overrides: Mapping[str, Any]) -> None:
        """Check, and keep for `take_effect`; arguments and faults as of `swarm.Simulation.change`."""
        wrong = [key for key in overrides if not key.startswith(PREFIX)]
        if wrong:
            raise BadInput(*(f"{key}: expected {PREFIX} and the name of a parameter" for key in wrong))
        if self._controller is None:
            raise BadInput(f"{self._where}: expected the mission's own with parameters, got one that was passed in")
        table = {"controller": {"params": self._params}}
        params = apply(table, overrides)["controller"]["params"]
        faults: list[str] = []
        make_controller(self._choice.use, params, self._where, faults)
        if faults:
            raise BadInput(*faults)
        self._params, self._waiting = params, True

    def take_effect(self) -> None:
        """What was asked for holds from now on."""
        if self._waiting:
            self._waiting = False
            self._set(self._params)

    def undo(self) -> None:
        """What the mission says holds again."""
        if self._params != self._choice.params:
            self._params = dict(self._choice.params)
            self._set(self._params)
        self._waiting = False

    def _set(self, params: Mapping[str, Any]) -> None:
        made = make_controller(self._choice.use, params, self._where, [])
        for each in fields(made):
            if each.init:
                setattr(self._controller, each.name, getattr(made, each.name))
