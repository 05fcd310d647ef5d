"""Everybody who decides in a run: the members' controller and one for each role, each with the view of its party."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from swarm.errors import BadInput, SimulationError
from swarm.others import Others, nobody
from swarm.roles import numbers, params_of
from swarm.state import MEMBER, PREDATOR, Floats, Ints, State, part
from swarm.view import Company, Senses, View

if TYPE_CHECKING:
    from swarm.briefing import Briefing
    from swarm.mission import Mission


class ControllerFailed(SimulationError):
    """A controller raised something, or gave something that is no command."""


@dataclass(frozen=True)
class Pilot:
    """A controller and the agents it decides for."""

    controller: Any
    name: str
    where: str  # of its table, for messages
    hunts: bool  # whether it decides for predators
    rows: Ints  # its agents among all
    seats: Ints  # its agents within its party


@dataclass(frozen=True, slots=True)
class Views:
    """What everybody perceives at one instant."""

    everyone: View  # as if all were of one party
    flock: View
    predators: View | None

    def of(self, pilot: Pilot) -> View:
        """The view of a pilot's party."""
        return self.predators if pilot.hunts and self.predators is not None else self.flock


class Crew:
    """Who decides for whom.

    Args:
        mission: With its roles.
        controller: Of the members.
        name: How results call it.
        faults: Gets one line for each fault of a role's controller.

    Attributes:
        role: (N,) of every agent.
        flock, predators: Rows of the two parties among all.
        members: Number of members; they have the first rows.
    """

    def __init__(self, mission: Mission, controller: Any, name: str, faults: list[str]) -> None:
        from swarm import controllers

        swarm = mission.swarm
        self.role = numbers(swarm)
        self.members = swarm.count
        hunting = self.role == PREDATOR
        self.flock, self.predators = np.flatnonzero(~hunting), np.flatnonzero(hunting)
        seat = np.empty(len(self.role), np.int64)
        seat[self.flock], seat[self.predators] = np.arange(len(self.flock)), np.arange(len(self.predators))
        rows = np.arange(self.members)
        self.pilots = [
            Pilot(_fitted(controller, mission), name, f"{mission.file}: controller", False, rows, seat[rows])
        ]
        for k, role in enumerate(swarm.roles):
            where, chosen = f"{mission.file}: swarm.roles[{k}].controller", role.controller
            params = params_of(role, mission.controller)
            made = _fitted(controllers.make_controller(chosen.use, params, where, faults), mission)
            rows = np.arange(rows[-1] + 1, rows[-1] + 1 + role.count)
            self.pilots.append(Pilot(made, chosen.use, where, role.role == "predator", rows, seat[rows]))

    def resize(self, count: int) -> None:
        """So many members, in a crew of members alone."""
        rows = np.arange(count)
        self.role, self.members, self.flock = np.full(count, MEMBER, np.int64), count, rows
        self.pilots = [replace(self.pilots[0], rows=rows, seats=rows)]

    def tell(self, briefing: Briefing) -> None:
        """Tell the members' controller of those who have joined: by `resize(briefing)`, or else it begins anew."""
        pilot = self.pilots[0]
        resize = getattr(pilot.controller, "resize", None)
        if resize is not None:
            resize(briefing)
        else:
            begin(pilot.controller, briefing, f"{pilot.where}: reset(briefing) of {pilot.name}")

    def party(self, state: State) -> State:
        """The flock alone."""
        return state if len(self.predators) == 0 else part(state, self.flock)

    def views(self, senses: Senses, state: State, hunger: Floats | None) -> Views:
        """What everybody perceives; `hunger` (P,) of the predators."""
        everyone = View(senses, state)
        if hunger is None:
            return Views(everyone, everyone, None)
        flock, hunters = part(state, self.flock), part(state, self.predators)
        none = nobody(state.position.shape[1])
        seen = Company(_others(hunters), none, np.zeros(len(self.flock)))
        sought = Company(none, _others(flock), hunger.copy())
        return Views(everyone, View(senses, flock, seen), View(senses, hunters, sought))

    def begin(self, briefing: Briefing, rngs: list[np.random.Generator]) -> Briefing:
        """Tell every controller of a new run.

        Args:
            briefing: Of all agents.
            rngs: A generator for each.

        Returns:
            What the members' controller was told.
        """
        told = []
        for pilot, rng in zip(self.pilots, rngs):
            rows = self.predators if pilot.hunts else self.flock
            own = replace(
                briefing, count=len(rows), position=briefing.position[rows].copy(), role=self.role[rows].copy(), rng=rng
            )
            told.append(own)
            begin(pilot.controller, own, f"{pilot.where}: reset(briefing) of {pilot.name}")
        return told[0]

    def decide(self, views: Views, members: Floats | None = None) -> Any:
        """Commands of everybody, (N, D) m/s.

        Args:
            views: What they perceive.
            members: (M, D) m/s, what the members do; None asks their controller.

        Raises:
            ControllerFailed: A controller raised something, or gave something of another shape; says which.
        """
        if members is None and len(self.pilots) == 1:
            return ask(self.pilots[0], views.flock)
        command = np.zeros_like(views.everyone.position)
        for pilot in self.pilots[0 if members is None else 1 :]:
            view = views.of(pilot)
            wanted = np.asarray(ask(pilot, view))
            if wanted.shape != view.position.shape or wanted.dtype.kind not in "fiu":
                raise ControllerFailed(
                    f"{pilot.name}: expected numbers of shape (agents, dimensions) {view.position.shape} in "
                    f"m/s, got {wanted.dtype} of shape {wanted.shape}"
                )
            command[pilot.rows] = wanted[pilot.seats]
        if members is not None:
            command[: self.members] = members
        return command


def _fitted(controller: Any, mission: Mission) -> Any:
    """The controller itself, or what lets it fly a mission at another scale."""
    if mission.transfer is None or controller is None:
        return controller
    from swarm.transfer.abroad import Abroad

    return Abroad(controller, mission.transfer)


def begin(part_: Any, briefing: Briefing, what: str) -> None:
    """Tell a controller or filter of a new run, if it wants to know.

    Raises:
        BadInput: It failed; `what` says who.
    """
    reset = getattr(part_, "reset", None)
    if reset is None:
        return
    try:
        reset(briefing)
    except (SimulationError, BadInput):
        raise
    except (Exception, SystemExit) as error:
        raise BadInput(f"{what} raised {type(error).__name__}: {error}") from error


def ask(pilot: Pilot, view: View) -> Any:
    """What a controller answers.

    Raises:
        ControllerFailed: It raised something.
    """
    try:
        return pilot.controller(view)
    except BadInput:
        raise
    except SimulationError as error:
        raise ControllerFailed(str(error)) from error
    except (Exception, SystemExit) as error:
        raise ControllerFailed(f"the controller raised {type(error).__name__}: {error}") from error


def _others(state: State) -> Others:
    return Others(state.position.copy(), state.velocity.copy(), state.alive.copy())
