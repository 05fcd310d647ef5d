"""Boids of a Python tutorial: the three rules on a window that wraps, with an obstacle and a predator on request."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Literal

import numpy as np
from msgspec import Meta

from swarm.briefing import Briefing
from swarm.controllers.models.chasing import chase
from swarm.controllers.models.cucker_smale import bounded
from swarm.controllers.models.python_boids_forces import SOFT, trio
from swarm.controllers.models.steering_force import steering
from swarm.controllers.models.turning_back import turned_back
from swarm.errors import BadInput
from swarm.state import Floats
from swarm.view import View

Positive = Annotated[float, Meta(gt=0)]
Weight = Annotated[float, Meta(ge=0)]
EDGE = 1e-3  # m beside the edge at which `literal` puts who has left on the other side


@dataclass(frozen=True)
class Obstacle:
    """A circle that pushes out whoever is in it."""

    center: tuple[float, ...]  # m
    radius: Positive  # m


@dataclass
class PythonBoids:
    """Three rules, added to a velocity that is cut to the top speed::

        v_i <- clip(v_i + 1.5 S_i + 1.0 A_i + 1.0 C_i + O_i + E_i, max_speed)     once a frame
        S_i = Σ_j −r̂_ij   A_i = mean_j v_j − v_i   C_i = mean_j r_ij               j within each rule's distance
        O_i = 0.1 (radius − d) ê   inside an obstacle's circle, ê away from its centre
        E_i = 0.5 (100 − d) ê      within 100 of a predator, ê away from it

    `literal` is the text's program. There an agent is one of its own neighbours, in the means of A and C; those across
    the edge are not seen; who leaves on one side is put exactly on the other; C, of up to 50, and S outdo the top
    speed of 5, so that nobody flies straight and no flock forms; O and E are written down but never called, so that an
    obstacle or a predator changes nothing.

    `repaired`, the default, leaves itself out, sees across the edge, and takes S, A and C as directions: each becomes
    Reynolds' steering force, clip(max_speed ê − v_i, max_force). O and E count where there is an obstacle or a
    predator; obstacles and walls of the world push within `obstacle_range` of the hull as a circle of that depth would.

    All decide on the same instant. Lengths are m, one to a pixel; velocities and forces are those of the source, a
    frame's, and `frame` turns them into m/s: 5 a frame of 1/20 s are 100 m/s. A body of another command rate gets the
    forces of as many frames as a command lasts. At first each part of a velocity is even in ±max_speed / 2, for those
    at rest.

    Source: a tutorial in Chinese, Boids in Python from algorithm to visualisation, sections 2 to 6, after Reynolds,
    Flocks, Herds, and Schools (1987).

    Args:
        max_speed: m a frame.
        separation_distance, alignment_distance, cohesion_distance: m; no more than the perception range counts.
        separation_weight, alignment_weight, cohesion_weight: of S, A and C.
        obstacle: A circle to keep out of.
        obstacle_gain: Push a frame, per m inside.
        obstacle_range: m, depth of the push of the world's own surfaces; `repaired` only.
        panic_distance: m.
        panic_gain: Push a frame, per m.
        frame: s.
        max_force: m a frame, each frame; `repaired` only.
        variant: `repaired` or `literal`.

    Raises:
        BadInput: From `reset`, the obstacle has another dimension than the world.
    """

    max_speed: Positive = 5.0
    separation_distance: Weight = 25.0
    alignment_distance: Weight = 50.0
    cohesion_distance: Weight = 50.0
    separation_weight: Weight = 1.5
    alignment_weight: Weight = 1.0
    cohesion_weight: Weight = 1.0
    obstacle: Obstacle | None = None
    obstacle_gain: Weight = 0.1
    obstacle_range: Positive = 50.0
    panic_distance: Weight = 100.0
    panic_gain: Weight = 0.5
    frame: Positive = 0.05
    max_force: Positive = 0.1
    variant: Literal["repaired", "literal"] = "repaired"

    _rng: np.random.Generator | None = field(default=None, init=False, repr=False, compare=False)
    _velocity: Floats | None = field(default=None, init=False, repr=False, compare=False)

    def reset(self, briefing: Briefing) -> None:
        """Take the run's random numbers and forget the velocities."""
        if self.obstacle is not None and len(self.obstacle.center) != briefing.dim:
            raise BadInput(
                f"controller.params.obstacle.center: expected {briefing.dim} numbers, got {len(self.obstacle.center)}"
            )
        self._rng, self._velocity = briefing.rng, None

    def __call__(self, view: View) -> Floats:
        """Velocity commands (A, D) m/s."""
        velocity, graph = self._before(view), view.neighbours
        literal = self.variant == "literal"
        radii = np.array([self.separation_distance, self.alignment_distance, self.cohesion_distance])
        apart, along, towards = trio(
            graph.indptr, graph.indices, graph.displacement, graph.distance, view.position, velocity, radii, literal
        )
        if literal:
            change = self.separation_weight * apart + self.alignment_weight * along + self.cohesion_weight * towards
        else:
            # The mean velocity again: alignment as a direction to steer to. Without neighbours there is none.
            seen = np.repeat(np.arange(len(velocity)), np.diff(graph.indptr))[graph.distance < self.alignment_distance]
            accompanied = np.bincount(seen, minlength=len(velocity)) > 0
            mean = np.where(accompanied[:, None], along + velocity, 0.0)
            change = np.zeros_like(velocity)
            for weight, wanted in (
                (self.separation_weight, apart), (self.alignment_weight, mean), (self.cohesion_weight, towards),
            ):  # fmt: skip
                change += weight * steering(wanted, velocity, self.max_speed, self.max_force)
            change += self._pushes(view)
        velocity = bounded(
            velocity + (view.dt / self.frame) * change, min(self.max_speed, view.speed_limit * self.frame)
        )
        self._velocity = velocity
        command = velocity / self.frame
        if literal and view.boundary == "torus":
            return onto_edge(view.position, command, view.bounds, view.dt)
        return turned_back(view, command)

    def _before(self, view: View) -> Floats:
        """Velocities (A, D) m a frame before this step."""
        if self.variant == "literal" and self._velocity is not None and self._velocity.shape == view.velocity.shape:
            return self._velocity  # who was put on the edge has flown less than its velocity
        velocity = view.velocity * self.frame
        if self._velocity is None:
            rng = self._rng or np.random.default_rng(0)
            drawn = (rng.random(velocity.shape) - 0.5) * self.max_speed
            velocity = np.where((velocity != 0.0).any(axis=1, keepdims=True), velocity, drawn)
        return velocity

    def _pushes(self, view: View) -> Floats:
        """What obstacles and predators add to the velocity each frame, (A, D) m a frame."""
        push = np.zeros_like(view.position)
        if self.obstacle is not None:
            centre = np.asarray(self.obstacle.center, float)[None]
            push += away(view, centre, self.obstacle.radius, self.obstacle_gain)
        living = view.predators.position[view.predators.alive]
        push += away(view, living, self.panic_distance, self.panic_gain)
        near = view.near
        if len(near.distance):
            agent = np.repeat(np.arange(len(push)), np.diff(near.indptr))
            depth = np.clip(self.obstacle_range - near.distance, 0.0, self.obstacle_range)
            np.add.at(push, agent, self.obstacle_gain * depth[:, None] * near.normal)
        return push


def away(view: View, centres: Floats, radius: float, gain: float) -> Floats:
    """Σ gain (radius − d) ê over the circles that an agent is in, ê away from the centre, (A, D).

    Args:
        view: What the agents perceive.
        centres: (P, D) m.
        radius: m.
        gain: Push per m inside.
    """
    offset = view.space.displacement(centres[None], view.position[:, None])
    distance = np.sqrt((offset * offset).sum(axis=2))
    offset[..., 0] = np.where(distance > 0.0, offset[..., 0], SOFT)  # in the very centre: out along x
    share = gain * np.maximum(radius - distance, 0.0) / np.maximum(distance, SOFT)
    return np.asarray((share[:, :, None] * offset).sum(axis=1))


def onto_edge(position: Floats, command: Floats, bounds: Floats, dt: float) -> Floats:
    """Commands (A, D) m/s that put whoever would leave the bounds on the edge of the other side."""
    ahead = position + dt * command
    low, high = bounds
    # On a torus the far edge is the same place as the near one: the way there is straight on, to beside the edge.
    left = (low - EDGE - position) / dt
    right = (high + EDGE - position) / dt
    return np.where(ahead < low, left, np.where(ahead > high, right, command))


@dataclass
class PythonBoidsPredator:
    """The tutorial's predator: straight to the nearest boid, at constant speed.

    The source does not say to which, and never calls it. It does not fly past it, and rests when nobody is left.

    Args:
        speed: m a frame.
        frame: s.
    """

    speed: Weight = 3.0
    frame: Positive = 0.05

    def reset(self, briefing: Briefing) -> None:
        """Nothing is kept from one run to the next."""

    def __call__(self, view: View) -> Floats:
        """Velocity commands (A, D) m/s."""
        return chase(view, self.speed / self.frame)
