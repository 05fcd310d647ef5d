"""Ants: search a maze, lay trails, follow the trails of others."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated

import numpy as np
from msgspec import Meta

from swarm.briefing import Briefing
from swarm.controllers.pheromones.field import Field
from swarm.controllers.pheromones.walls import turned_from_walls
from swarm.controllers.rules.directions import capped, length, unit
from swarm.errors import BadInput
from swarm.state import Bools, Floats, Ints
from swarm.view import View
from swarm.worlds.zones import Zone

Weight = Annotated[float, Meta(ge=0)]
Positive = Annotated[float, Meta(gt=0)]

HOME, EXIT = 0, 1  # scents: laid on the way from the nest, and on the way from the exit


@dataclass(frozen=True)
class Ants:
    """Walk on as one walks, turn towards the stronger scent, along walls and a little at random::

        dtheta = follow * (L - R) / (L + R + threshold) * dt + noise * sqrt(dt) * xi
        laid   = deposit * exp(-t / fading) * dt,   t = time since the ant was at the place it comes from

    L and R are what two feelers smell, `feeler` ahead at +-45 degrees. An ant on its way out lays the scent of home and
    follows that of the exit; one that has been at the exit lays the scent of the exit and follows that of home, back to
    the nest and out again. Nobody knows the way; exit and nest are known once they are in sight within `sight`. Trails
    of the shorter way are laid sooner, are stronger at its far end, and are renewed more often. In three dimensions
    ants fly at the mean height of their start.

    Source: trail following by a Weber ratio of Perna et al. (2012), PLoS Comput. Biol. 8(7), eq. 2; two scents as in
    Panait and Luke (2004); the shorter of two branches as in Goss et al. (1989).

    Args:
        exit: Area of the world that is the exit; without one they search for ever.
        nest: Area that is the nest; None takes the start, give or take `sight`.
        speed: m/s.
        deposit: Scent laid a second; 0 leaves ants that only search.
        fading: s, in which what an ant lays weakens to 1/e.
        evaporation: 1/s.
        diffusion: m^2/s.
        follow: rad/s, the turn for a scent on one side only.
        threshold: Amount in a cell that is noticed.
        feeler: m.
        noise: rad/sqrt(s).
        sight: m, from which an ant sees exit and nest.
        avoidance: m from hull to wall, at which it turns along it.
        cell: m, of the field.
    """

    exit: str | None = None
    nest: str | None = None
    speed: Positive = 1.0
    deposit: Weight = 1.0
    fading: Positive = 15.0
    evaporation: Weight = 0.01
    diffusion: Weight = 0.005
    follow: Weight = 4.0
    threshold: Positive = 0.02
    feeler: Positive = 0.8
    noise: Weight = 0.5
    sight: Weight = 1.5
    avoidance: Positive = 0.4
    cell: Annotated[float, Meta(gt=0)] = 0.5
    _run: list[Colony] = field(default_factory=list, init=False, repr=False, compare=False)

    def reset(self, briefing: Briefing) -> None:
        """Lay out an empty field, with everybody at home.

        Raises:
            BadInput: The world has no such areas, or too many cells, or scent spreads too far in a step.
        """
        self._run[:] = [Colony(self, briefing)]

    @property
    def field(self) -> Field:
        """The scents of the run."""
        return self._run[0].field

    def __call__(self, view: View) -> Floats:
        """Velocity commands (A, D) m/s."""
        if not self._run:
            raise BadInput("ants: not told of the run: call reset(briefing) first")
        return self._run[0].command(view)


class Colony:
    """The ants of one run and their scents; places are level, (..., 2) m."""

    def __init__(self, ants: Ants, briefing: Briefing) -> None:
        self.ants = ants
        self.height = float(briefing.position[:, 2:].mean()) if briefing.dim == 3 else 0.0
        self.field = Field(briefing.world, ants.cell, 2, self.height)
        self.field.parts(briefing.dt, ants.diffusion)  # refused before the run, not in it
        self._rng = briefing.rng
        self._exit = _area(briefing, "exit", ants.exit)
        self._nest = _area(briefing, "nest", ants.nest)
        self._home = np.asarray(briefing.position.mean(axis=0) if self._nest is None else self._nest.center)
        self._world = briefing.world
        count = len(briefing.position)
        angle = self._rng.uniform(-np.pi, np.pi, count)
        self.heading = np.column_stack([np.cos(angle), np.sin(angle)])
        self.back = np.zeros(count, np.int64)  # 1 for who has been at the exit and is on its way home
        self.since = np.zeros(count)  # s, since it was at the place it comes from

    def command(self, view: View) -> Floats:
        """One step: arrive, lay, spread, follow, mind the walls."""
        ants, rng = self.ants, self._rng
        self._arrive(view)
        laid = ants.deposit * view.dt * np.exp(-self.since / ants.fading) * view.alive
        if ants.deposit > 0.0:
            self.field.deposit(np.where(self.back == 1, EXIT, HOME), view.position, laid)
            self.field.step(view.dt, ants.diffusion, ants.evaporation)
        self.since += view.dt
        self._turn(self._scent(view) * ants.follow * view.dt)
        self._turn(ants.noise * np.sqrt(view.dt) * rng.normal(size=len(self.heading)))
        self._look(view)
        near, side = view.near, rng.uniform(-1.0, 1.0, len(self.back))
        turned_from_walls(self.heading, near.indptr, near.distance, unit(near.normal[:, :2]), ants.avoidance, side)
        command = np.zeros_like(view.position)
        command[:, :2] = ants.speed * self.heading
        command[:, 2:] = self.height - view.position[:, 2:]
        return capped(command, view.speed_limit)

    def _arrive(self, view: View) -> None:
        nowhere = np.zeros(len(view.position), np.bool_)
        at_exit = nowhere if self._exit is None else self._exit.contains(view.position)
        if self._nest is None:
            at_home = length(self._world.space.displacement(view.position, self._home)) <= self.ants.sight
        else:
            at_home = self._nest.contains(view.position)
        turning = (at_exit & (self.back == 0)) | (at_home & (self.back == 1))
        self.back[at_exit], self.back[at_home] = 1, 0
        self.since[at_exit | at_home] = 0.0
        self.heading[turning] *= -1.0

    def _scent(self, view: View) -> Floats:
        """(A,) from -1 to 1, how much stronger the wanted scent is on the left."""
        wanted: Ints = np.where(self.back == 1, HOME, EXIT)
        ahead, left = self.heading, np.column_stack([-self.heading[:, 1], self.heading[:, 0]])
        place, reach = view.position[:, :2], self.ants.feeler * np.sqrt(0.5)
        one = self.field.at(wanted, place + reach * (ahead + left))
        other = self.field.at(wanted, place + reach * (ahead - left))
        return np.asarray((one - other) / (one + other + self.ants.threshold))

    def _turn(self, angle: Floats) -> None:
        cosine, sine = np.cos(angle), np.sin(angle)
        x, y = self.heading.T
        self.heading = np.column_stack([cosine * x - sine * y, sine * x + cosine * y])

    def _look(self, view: View) -> None:
        """Who has the place it wants in sight goes straight there."""
        goal = np.tile(self._home, (len(self.back), 1))
        if self._exit is not None:
            goal[self.back == 0] = self._exit.center
        way = self._world.space.displacement(view.position, goal)
        wants: Bools = (self.back == 1) if self._exit is None else np.ones(len(self.back), np.bool_)
        near = np.flatnonzero((length(way) <= self.ants.sight) & wants)
        if len(near):
            near = near[self._world.visible(view.position[near], goal[near])]
            self.heading[near] = unit(way[near, :2], self.heading[near])


def _area(briefing: Briefing, key: str, name: str | None) -> Zone | None:
    if name is None:
        return None
    zone = briefing.world.zone(name)
    if zone.kind != "area":
        raise BadInput(f"{key}: expected an area of the world, got the gate {name}")
    return zone
