"""Boids: separation, alignment and cohesion, with what a swarm needs to get somewhere in one piece."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated

from msgspec import Meta

from swarm.briefing import Briefing
from swarm.controllers.rules.altitude import Altitude
from swarm.controllers.rules.box import hold
from swarm.controllers.rules.cruise import Cruise
from swarm.controllers.rules.flocking import flocking
from swarm.controllers.rules.formation_keeping import FormationKeeping
from swarm.controllers.rules.obstacle_avoidance import avoid
from swarm.controllers.rules.seek import Seek
from swarm.controllers.safety.barrier import Barrier
from swarm.state import Floats
from swarm.view import View

Weight = Annotated[float, Meta(ge=0)]
Positive = Annotated[float, Meta(gt=0)]


@dataclass(frozen=True)
class Boids:
    """Weighted sum of rules, then the safety barrier::

        v_i = seek + separation + alignment + cohesion + obstacle avoidance + containment + altitude (+ formation
        keeping)

    Without a target agents keep cruising in the direction they fly. A weight of 0 leaves a rule out. Each rule is
    described in its module in swarm.controllers.rules.

    Source: Reynolds, Flocks, Herds, and Schools (1987).

    Args:
        separation, alignment, cohesion, obstacle_avoidance, containment, altitude, seek, formation_keeping: Weights.
        cruise: m/s.
        slowing: m before the target within which to slow down.
        separation_radius, alignment_radius, cohesion_radius: m.
        separation_speed: m/s, push of one neighbour at distance 0.
        cohesion_rate, cohesion_speed: 1/s and m/s.
        avoidance_distance, avoidance_speed, avoidance_horizon: m, m/s and s.
        containment_margin, containment_horizon, containment_speed: m, s and m/s.
        height: m to fly at; None takes the target's height, else that at the start.
        altitude_rate, altitude_speed: 1/s and m/s.
        barrier: The last stage.
    """

    separation: Weight = 1.0
    alignment: Weight = 1.0
    cohesion: Weight = 1.0
    obstacle_avoidance: Weight = 1.0
    containment: Weight = 1.0
    altitude: Weight = 1.0
    seek: Weight = 1.0
    formation_keeping: Weight = 0.0
    cruise: Positive = 1.5
    slowing: Annotated[float, Meta(ge=0)] = 1.0
    separation_radius: Positive = 1.0
    separation_speed: Weight = 1.0
    alignment_radius: Positive = 3.0
    cohesion_radius: Positive = 3.0
    cohesion_rate: Weight = 0.3
    cohesion_speed: Weight = 0.5
    avoidance_distance: Positive = 0.6
    avoidance_speed: Weight = 0.8
    avoidance_horizon: Positive = 0.6
    containment_margin: Weight = 0.3
    containment_horizon: Positive = 0.3
    containment_speed: Weight = 1.0
    height: float | None = None
    altitude_rate: Weight = 1.0
    altitude_speed: Weight = 1.0
    barrier: Barrier = field(default_factory=lambda: Barrier(surface_margin=0.12, pair_margin=0.22))

    def __post_init__(self) -> None:
        made: dict[str, object] = {
            "_seek": Seek(speed=self.cruise, slowing=self.slowing),
            "_cruise": Cruise(speed=self.cruise),
            "_altitude": Altitude(height=self.height, rate=self.altitude_rate, speed=self.altitude_speed),
            "_formation": FormationKeeping(),
        }
        for name, rule in made.items():
            object.__setattr__(self, name, rule)

    _seek: Seek = field(init=False, repr=False, compare=False)
    _cruise: Cruise = field(init=False, repr=False, compare=False)
    _altitude: Altitude = field(init=False, repr=False, compare=False)
    _formation: FormationKeeping = field(init=False, repr=False, compare=False)

    def reset(self, briefing: Briefing) -> None:
        """Tell the parts of a new run."""
        self._altitude.reset(briefing)
        self._formation.reset(briefing)
        self.barrier.reset(briefing)

    def wish(self, view: View) -> Floats:
        """What the rules ask for before the barrier, (A, D) m/s."""
        near, velocity = view.near, view.velocity
        total = flocking(
            view, self.separation * self.separation_speed, self.separation_radius,
            self.alignment, self.alignment_radius, self.cohesion * self.cohesion_rate, self.cohesion_radius,
            self.cohesion * self.cohesion_speed,
        )  # fmt: skip
        total += self.seek * (self._cruise(view) if view.target is None else self._seek(view))
        if self.obstacle_avoidance > 0.0:
            total += self.obstacle_avoidance * avoid(
                near.indptr, near.distance, near.normal, velocity,
                self.avoidance_speed, self.avoidance_distance, self.avoidance_horizon,
            )  # fmt: skip
        total += hold(
            view.position, velocity, view.bounds, 0.0 if view.boundary == "torus" else self.containment,
            self.containment_margin, self.containment_horizon, self.containment_speed,
            self.altitude * self.altitude_rate, self._altitude.wanted(view), self.altitude * self.altitude_speed,
        )  # fmt: skip
        if self.formation_keeping > 0.0:
            total += self.formation_keeping * self._formation(view)
        return total

    def __call__(self, view: View) -> Floats:
        """Velocity commands (A, D) m/s."""
        return self.barrier(view, self.wish(view))
