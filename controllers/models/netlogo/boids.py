"""NetLogo's boids: separate, align, cohere, each turning the heading by no more than its cap, and a step forward."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Annotated, Literal

import numpy as np
from msgspec import Meta

from swarm.briefing import Briefing
from swarm.controllers.combiners.turning import turn
from swarm.controllers.models.headings import facing
from swarm.controllers.models.netlogo.degrees import turned_right
from swarm.controllers.models.netlogo.edges import avoid_edges
from swarm.controllers.models.netlogo.escape import escape
from swarm.controllers.models.netlogo.flockmates import wishes
from swarm.controllers.models.netlogo.literal import literal_wishes
from swarm.controllers.models.netlogo.obstacles import avoid, literal_turns
from swarm.controllers.models.netlogo.volume import climb, turn_heading_and_pitch
from swarm.controllers.models.netlogo.wind import Wind
from swarm.state import Floats
from swarm.view import View
from swarm.worlds.world import World

Amount = Annotated[float, Meta(ge=0)]
Variant = Literal["repaired", "literal"]


@dataclass
class NetLogoBoids:
    """A turtle of constant speed and limited turns; in each tick::

        wind                      the heading drifts towards where the wind blew
        a predator within vision: face away from it, speed + escape_step
        else, with flockmates:    separate, align, cohere in turn, each by at most its cap
        preferred_altitude        the pitch turns towards it (three dimensions)
        edges                     within edge_margin of one: face the middle
        obstacles                 something solid within look_ahead: turn right by obstacle_turn until the way is free

    All decide on the state at the start of the tick, where NetLogo asks one turtle after another. Turns are degrees a
    tick, a tick being a second. In three dimensions a cap holds for the heading and for the pitch.

    `repaired` is what the author meant. `literal` is what the text says: arithmetic means of headings and coordinates,
    a heading difference taken as a heading, a wind that does not wrap, and obstacles and edges before the other rules,
    which may undo the turn; obstacles are then everywhere (see the modules literal, wind, obstacles and edges).

    Source: the chapter "Verdieping: Boids", after Wilensky, NetLogo Flocking model (1998).

    Args:
        variant: repaired or literal.
        vision: m; no more than the perception range counts.
        minimum_separation: m.
        max_separate_turn, max_align_turn, max_cohere_turn: degrees/s.
        speed: m/s.
        escape_step: m/s on top for one that flees.
        leader_weight: What a leader's heading counts for in align.
        look_ahead: m; at least one step.
        obstacle_turn: degrees.
        avoid_edges: Whether to; None does where the world has walls.
        edge_margin: m.
        wind_strength: Without unit, 0 for none.
        wind_direction: NetLogo degrees at first; None draws it. Each role's controller draws a wind of its own.
        gust_interval: s from one change of the wind's direction to the next; 0 for none.
        preferred_altitude: m, None for none.
        max_altitude_turn: degrees/s; no number of the source. Above the cap of separate a flock left in peace becomes
            as flat as a sheet, far below it the height is not kept.
    """

    variant: Variant = "repaired"
    vision: Annotated[float, Meta(gt=0)] = 5.0
    minimum_separation: Amount = 1.5
    max_separate_turn: Amount = 1.5
    max_align_turn: Amount = 5.0
    max_cohere_turn: Amount = 3.0
    speed: Amount = 1.0
    escape_step: Amount = 0.5
    leader_weight: Amount = 2.0
    look_ahead: Annotated[float, Meta(gt=0, le=1000)] = 2.0
    obstacle_turn: Annotated[float, Meta(ge=1, le=180)] = 45.0
    avoid_edges: bool | None = None
    edge_margin: Amount = 5.0
    wind_strength: Amount = 0.0
    wind_direction: float | None = None
    gust_interval: Amount = 50.0
    preferred_altitude: float | None = 50.0
    max_altitude_turn: Amount = 2.0

    _wind: Wind = field(init=False, repr=False, compare=False)
    _world: World | None = field(default=None, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        wraps = self.variant == "repaired"
        self._wind = Wind(self.wind_strength, self.wind_direction, self.gust_interval, wraps)

    def reset(self, briefing: Briefing) -> None:
        """Look at the world, and take the run's random numbers."""
        self._world = briefing.world
        self._wind.begin(briefing.rng)

    def __call__(self, view: View) -> Floats:
        """Velocity commands (A, D) m/s."""
        direction = facing(view)
        if self.wind_strength > 0.0:
            direction = self._wind.blow(direction, view.time, view.dt)
        literal = self.variant == "literal"
        if literal:
            direction = self._off_edges(view, self._off_obstacles(view, direction, None))
        fled, flees = escape(direction, view.nearest_predator, self.vision)
        direction = np.where(flees[:, None], fled, self._with_the_flock(view, direction))
        speed = np.where(flees, self.speed + self.escape_step, self.speed)
        if not literal:
            direction = self._off_obstacles(view, self._off_edges(view, direction), speed * view.dt)
        return np.asarray(direction * np.minimum(speed, view.speed_limit)[:, None])

    def _with_the_flock(self, view: View, direction: Floats) -> Floats:
        graph = view.neighbours
        sums = (self.vision, self.minimum_separation, self.leader_weight)
        if self.variant == "repaired":
            asked = wishes(*graph, direction, view.role, *sums)
        else:
            asked = literal_wishes(*graph, view.position, direction, view.role, view.space.period, *sums)
        caps = (self.max_separate_turn, self.max_align_turn, self.max_cohere_turn)
        for wish, cap in zip(asked, caps):
            direction = self._turn(view, direction, wish, cap)
        return self._onward(view, direction)

    def _onward(self, view: View, direction: Floats) -> Floats:
        """What comes after the flock: the height to fly at."""
        if view.dim == 3 and self.preferred_altitude is not None:
            wish = climb(direction, view.position[:, 2], self.preferred_altitude, self.vision)
            direction = self._turn(view, direction, wish, self.max_altitude_turn)
        return direction

    def _turn(self, view: View, direction: Floats, wish: Floats, cap: float) -> Floats:
        turning = turn if view.dim == 2 else turn_heading_and_pitch
        return turning(np.ascontiguousarray(direction), np.ascontiguousarray(wish), math.radians(cap) * view.dt)

    def _off_edges(self, view: View, direction: Floats) -> Floats:
        if self.avoid_edges is False or (self.avoid_edges is None and view.boundary != "walls"):
            return direction
        return avoid_edges(direction, view.position, view.bounds, self.edge_margin, self.variant == "repaired")

    def _off_obstacles(self, view: View, direction: Floats, step: Floats | None) -> Floats:
        if self._world is None or not self._world.surfaces:
            return direction
        if step is None:  # as the text says
            return turned_right(direction, literal_turns(len(direction), self.obstacle_turn))
        world = self._world.at(view.time)
        return avoid(direction, view.position, world, self.look_ahead, step, view.radius, self.obstacle_turn)
