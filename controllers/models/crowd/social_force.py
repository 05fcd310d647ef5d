"""Social forces: walkers and walls push each other away while everybody makes for the goal."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Annotated, Literal

import numpy as np
from msgspec import Meta

from swarm.briefing import Briefing
from swarm.controllers.models.crowd.forces import elliptical, pushing
from swarm.state import Floats
from swarm.view import View

Positive = Annotated[float, Meta(gt=0)]
Gain = Annotated[float, Meta(ge=0)]


@dataclass
class SocialForce:
    """Newton's equation for walkers; the command is the mean velocity that it gives over the command period.

    `variant = "2000"`, bodies that push and rub when they touch, g(x) = max(0, x), R = r_i + r_j, t along the surface::

        dv_i/dt = (v0 e_i − v_i) / τ + Σ_j {A exp((R − d_ij) / B) + k g(R − d_ij)} n_ij / m + κ g(R − d_ij) Δv_ji^t / m
                  + Σ_w {A exp((r_i − d_iw) / B) + k g(r_i − d_iw)} n_iw / m − κ g(r_i − d_iw) v_i^t / m

    Source: Helbing, Farkas, Vicsek, Simulating dynamical features of escape panic (2000), equations 1 to 3: τ = 0.5 s,
    m = 80 kg, A = 2000 N, B = 0.08 m, k = 1.2e5 kg/s², κ = 2.4e5 kg/(m s), diameters of 0.5 to 0.7 m.

    `variant = "1995"`, points that see where others are about to step::

        dv_i/dt = (v0 e_i − v_i) / τ + Σ_j w (V0 / σ) exp(−b / σ) ∇b + Σ_w (U0 / R) exp(−d_iw / R) n_iw
        2 b = √((‖r‖ + ‖r − y‖)² − ‖y‖²),  r = x_i − x_j,  y = stride v_j
        w = 1 within half the field of sight about e_i, else `behind`; speeds at most 1.3 v0

    Source: Helbing, Molnár, Social force model for pedestrian dynamics (1995), equations 2 to 14: τ = 0.5 s,
    V0 = 2.1 m²/s², σ = 0.3 m, U0 = 10 m²/s², R = 0.2 m, stride 2 s, sight 200°, behind 0.5, v0 = 1.34 m/s.

    Equations are stepped with (semi-implicit) Euler steps of at most `step`, in which the neighbours stay those of the
    command's beginning and surfaces are flat. Of two at one place the higher index is pushed along +x.

    Args:
        variant: "2000" or "1995".
        speed: v0, m/s.
        relaxation: τ, s.
        radius: r, m; by default that of the hull.
        mass, strength, distance, stiffness, friction: m kg, A N, B m, k kg/s², κ kg/(m s), of 2000.
        potential, range, wall_potential, wall_range, stride, sight, behind: V0, σ, U0, R, s, degrees and share, of
            1995.
        step: s, the longest.
    """

    variant: Literal["2000", "1995"] = "2000"
    speed: Gain = 1.34
    relaxation: Positive = 0.5
    radius: Gain | None = None
    mass: Positive = 80.0
    strength: Gain = 2000.0
    distance: Positive = 0.08
    stiffness: Gain = 1.2e5
    friction: Gain = 2.4e5
    potential: Gain = 2.1
    range: Positive = 0.3
    wall_potential: Gain = 10.0
    wall_range: Positive = 0.2
    stride: Gain = 2.0
    sight: Annotated[float, Meta(gt=0, le=360)] = 200.0
    behind: Annotated[float, Meta(ge=0, le=1)] = 0.5
    step: Positive = 0.005

    _velocity: Floats | None = field(default=None, init=False, repr=False, compare=False)  # (A, D) m/s, the model's
    _command: Floats | None = field(default=None, init=False, repr=False, compare=False)  # (A, D) m/s, last given

    def reset(self, briefing: Briefing) -> None:
        """Forget how fast everybody was at the end of the last command."""
        self._velocity = self._command = None

    def __call__(self, view: View) -> Floats:
        """Velocity commands (A, D) m/s."""
        graph, near, velocity = view.neighbours, view.near, self._now(view)
        steps = max(1, math.ceil(view.dt / self.step - 1e-9))
        wanted, radius = self.speed * view.route_direction, view.radius if self.radius is None else self.radius
        lists = (
            graph.indptr, graph.indices, graph.displacement, near.indptr, near.distance + view.radius, near.normal,
        )  # fmt: skip
        if self.variant == "2000":
            moved = pushing(
                *lists, wanted, velocity, view.dt / steps, steps, self.relaxation, radius,
                self.strength / self.mass, self.distance, self.stiffness / self.mass, self.friction / self.mass,
                view.speed_limit,
            )  # fmt: skip
        else:
            moved = elliptical(
                *lists, wanted, velocity, view.dt / steps, steps, self.relaxation, self.potential, self.range,
                self.wall_potential, self.wall_range, self.stride, math.cos(0.5 * math.radians(self.sight)),
                self.behind, min(1.3 * self.speed, view.speed_limit),
            )  # fmt: skip
        self._velocity, self._command = velocity, moved / view.dt
        return np.array(moved / view.dt)

    def _now(self, view: View) -> Floats:
        """(A, D) m/s: what the model ended with where the body followed, else what the body has."""
        if self._velocity is None or self._command is None or self._velocity.shape != view.velocity.shape:
            return np.array(view.velocity)
        off = np.abs(view.velocity - self._command).max(axis=1, keepdims=True)
        return np.asarray(np.where(off <= 1e-3 * max(self.speed, 1e-9), self._velocity, view.velocity))
