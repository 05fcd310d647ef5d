"""A controller at home in a mission's own units, deciding for bodies that fly it at another scale."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from swarm.crew import begin
from swarm.others import Others
from swarm.state import Floats, State
from swarm.transfer.scale import ALTITUDE, Scale
from swarm.view import Company, Senses, View

if TYPE_CHECKING:
    from swarm.briefing import Briefing

TURNS = 0.25  # share of the speed limit above which a command turns the heading that a controller sees
FOLLOWS = 0.5  # share of the commanded speed by which a velocity may be off and still count as the one commanded
HORIZON = 1.0  # s within which a wall would be reached, when a command is turned back from it
ROOM = 3.0  # hull radii that count as the wall
CLIMB_RATE, CLIMB_LIMIT = 1.0, 0.5  # 1/s and m/s, back to the altitude of flight


class Abroad:
    """Lets a controller see the flight as its own mission, and scales what it commands.

    It is asked at the mission's own command period and its answer held in between, so that a step of a model is a step.
    A body takes time to follow: while it does (within half the speed), the controller is shown the velocity that it
    asked for, else the real one. Commands that would run into a wall of the bounds are turned back from it, as a ball
    is, which only matters to rules that know no walls.

    Args:
        controller: Any callable view -> (A, D) m/s.
        scale: Of the flight.
    """

    def __init__(self, controller: Any, scale: Scale) -> None:
        self.controller, self.scale = controller, scale
        self._held: Floats | None = None

    def reset(self, briefing: Briefing) -> None:
        """Begin a run."""
        scale, native = self.scale, self.scale.native
        world, factor = briefing.world.origin, scale.factor
        assert world is not None
        dt, swarm = 1.0 / native.swarm.command_hz, native.swarm
        limit = min(swarm.speed_limit or briefing.speed_limit, briefing.speed_limit / factor)
        self._every = round(dt / briefing.dt)
        self._held = None
        self._heading: Floats | None = None
        self._slowest = 0.0 if swarm.motion is None else swarm.motion.lowest_speed
        self._room = ROOM * briefing.radius
        self._senses = Senses(
            world=world, dt=dt, radius=briefing.radius / factor, speed_limit=limit,
            acceleration_limit=briefing.acceleration_limit / factor, reach=swarm.perception.range,
            field_of_view=np.radians(swarm.perception.field_of_view), box=world.space.period,
            target=None, path=None, way=None, nearest=swarm.perception.nearest,
        )  # fmt: skip
        told = replace(
            briefing, world=world, dim=world.dim, dt=dt, radius=briefing.radius / factor, speed_limit=limit,
            acceleration_limit=briefing.acceleration_limit / factor,
            target=None if briefing.target is None else scale.down(briefing.target),
            path=None if briefing.path is None else scale.down(briefing.path),
            path_speed=None if briefing.path_speed is None else briefing.path_speed / factor,
            formation=native.formation_slots(world.dim), position=scale.down(briefing.position), gates=world.gates,
        )  # fmt: skip
        begin(self.controller, told, "controller: reset(briefing)")

    def __call__(self, view: View) -> Floats:
        """Velocity commands (A, 3) m/s."""
        scale = self.scale
        if self._held is None or round(view.time / view.dt) % self._every == 0:
            wanted = np.asarray(self.controller(self._at_home(view)), np.float64)
            speed = np.sqrt((wanted * wanted).sum(axis=-1, keepdims=True))
            self._held = wanted * np.minimum(1.0, self._senses.speed_limit / np.maximum(speed, 1e-12))
        dim = self._held.shape[1]
        self._turn_back(view)
        command = np.zeros_like(view.position)
        command[:, :dim] = scale.factor * self._held
        if scale.flat:
            command[:, 2] = np.clip(CLIMB_RATE * (ALTITUDE - view.position[:, 2]), -CLIMB_LIMIT, CLIMB_LIMIT)
        return command

    def _turn_back(self, view: View) -> None:
        held, factor = self._held, self.scale.factor
        assert held is not None
        if view.boundary != "walls":
            return
        dim = held.shape[1]
        low, high = view.bounds[0, :dim] + self._room, view.bounds[1, :dim] - self._room
        there = view.position[:, :dim] + HORIZON * factor * held
        held[(there < low) & (held < 0.0)] *= -1.0
        held[(there > high) & (held > 0.0)] *= -1.0

    def _at_home(self, view: View) -> View:
        """What the controller sees."""
        scale, senses, state = self.scale, self._senses, view.state
        velocity = scale.down(state.velocity)
        if self._held is None or self._heading is None:
            yaw = self._heading = 2.0 * np.arctan2(state.attitude[:, 2], state.attitude[:, 3])
            velocity[:, 0], velocity[:, 1] = self._slowest * np.cos(yaw), self._slowest * np.sin(yaw)
        else:
            off, asked = (np.sqrt((v * v).sum(axis=1)) for v in (velocity - self._held, self._held))
            velocity = np.where((off <= FOLLOWS * asked)[:, None], self._held, velocity)
            turned = np.hypot(velocity[:, 0], velocity[:, 1]) > TURNS * senses.speed_limit
            yaw = self._heading = np.where(turned, np.arctan2(velocity[:, 1], velocity[:, 0]), self._heading)
        # A drone need not look where it flies; a point and a walker do, and their rules go by it.
        attitude = np.zeros_like(state.attitude)
        attitude[:, 2], attitude[:, 3] = np.sin(0.5 * yaw), np.cos(0.5 * yaw)
        now = State(
            state.time, scale.down(state.position), velocity, attitude, state.angular_velocity, state.alive,
            state.role, state.world_index,
        )  # fmt: skip
        given = view.senses
        senses = replace(
            senses, world=senses.world.at(view.time),
            target=None if given.target is None else scale.down(given.target),
            path=None if given.path is None else scale.down(given.path),
            way=None if given.way is None else _Way(given.way, scale),
        )  # fmt: skip
        company = Company(self._seen(view.predators), self._seen(view.prey), view.hunger)
        return View(senses, now, company)

    def _seen(self, others: Others) -> Others:
        return Others(self.scale.down(others.position), self.scale.down(others.velocity), others.alive)


class _Way:
    """The way of the flight, asked in the mission's units."""

    def __init__(self, way: Any, scale: Scale) -> None:
        self._way, self._scale = way, scale

    @property
    def route(self) -> Any:
        """Something with `toward`, or None."""
        return None if self._way.route is None else self

    def toward(self, points: Floats) -> tuple[Floats, Floats]:
        """Way to go (A,) and direction (A, D) in which it begins."""
        distance, direction = self._way.route.toward(self._scale.up(points))
        along = np.ascontiguousarray(direction[:, : points.shape[1]])
        length = np.sqrt((along * along).sum(axis=1, keepdims=True))
        return distance / self._scale.factor, along / np.maximum(length, 1e-9)
