"""Olfati-Saber's flock: a lattice of equal distances held by a smooth pairwise force, and consensus of velocities."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Annotated, Any

import numpy as np
from msgspec import Meta

from swarm.briefing import Briefing
from swarm.compiled import kernel
from swarm.controllers.models.cucker_smale import bounded
from swarm.errors import BadInput
from swarm.state import Floats, Ints
from swarm.view import View

Gain = Annotated[float, Meta(ge=0)]
Positive = Annotated[float, Meta(gt=0)]


@dataclass
class OlfatiSaber:
    """Flocking with obstacles, the paper's algorithm 3; the command is v_i + dt u_i::

        u_i = c1 Σ_j φ_α(‖q_ij‖_σ) n_ij + c2 Σ_j a_ij (p_j − p_i)                       others, q_ij = q_j − q_i
            + c1_obstacle Σ_k φ_β(‖q_ik‖_σ) n_ik + c2_obstacle Σ_k b_ik (p_k − p_i)     surfaces nearby
            − c1_goal σ1(q_i − q_r) − c2_goal (p_i − p_r)                              the goal, a γ-agent

        ‖z‖_σ = (√(1 + ε‖z‖²) − 1) / ε,  n = z / √(1 + ε‖z‖²),  σ1(z) = z / √(1 + ‖z‖²)
        φ_α(z) = ρ_h(z / r_σ) ½ ((a + b) σ1(z − d_σ + c) + a − b),  c = |a − b| / √(4ab),  a_ij = ρ_h(‖q_ij‖_σ / r_σ)
        φ_β(z) = ρ_0.9(z / d'_σ) (σ1(z − d'_σ) − 1),  b_ik = ρ_0.9(‖q_ik‖_σ / d'_σ)
        ρ_h(z) = 1 below h, ½ (1 + cos(π (z − h) / (1 − h))) up to 1, 0 beyond

    with r = range_ratio d and d_σ, r_σ, d'_σ the σ-norms of d, r, d'. A surface's agent k is the nearest point of the
    hull's gap to it and moves along it as i does; it is taken as flat. The goal starts at `goal`, or is the task's
    target, and moves at `goal_velocity`; without either there is no goal, and a flock may fall into pieces.

    Source: Olfati-Saber, Flocking for Multi-Agent Dynamic Systems: Algorithms and Theory (2006), equations 8 to 24 and
    section VII; its simulations have d = 7, r = 1.2 d, d' = 0.6 d, ε = 0.1, a = b = 5, h = 0.2 and c2 = 2 √c1. It
    leaves c1 open.

    Args:
        distance: d, m, between neighbours in the lattice.
        range_ratio: r / d; no more than the perception range counts.
        epsilon: ε, 1/m².
        a, b: Strengths of attraction and repulsion; 0 < a <= b.
        h: Where the force begins to fade, a share of the range.
        c1, c2: Gains of the lattice and of the consensus.
        c1_goal, c2_goal: Gains of the goal's place and velocity.
        obstacle_ratio: d' / d.
        c1_obstacle, c2_obstacle: Gains of the surfaces.
        goal: m, place at the start of the run.
        goal_velocity: m/s.
    """

    distance: Positive = 7.0
    range_ratio: Annotated[float, Meta(gt=1)] = 1.2
    epsilon: Positive = 0.1
    a: Positive = 5.0
    b: Positive = 5.0
    h: Annotated[float, Meta(ge=0, lt=1)] = 0.2
    c1: Gain = 1.0
    c2: Gain = 2.0
    c1_goal: Gain = 1.0
    c2_goal: Gain = 2.0
    obstacle_ratio: Positive = 0.6
    c1_obstacle: Gain = 9.0
    c2_obstacle: Gain = 6.0
    goal: tuple[float, ...] | None = None
    goal_velocity: tuple[float, ...] | None = None

    _shape: Floats = field(default_factory=lambda: np.empty(0), init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        reach, apart = (sigma_norm(x * self.distance, self.epsilon) for x in (self.range_ratio, 1.0))
        self._shape = np.array([self.epsilon, reach, apart, self.a, self.b, self.h])

    def reset(self, briefing: Briefing) -> None:
        """Check the goal against the world of a new run.

        Raises:
            BadInput: The goal or its velocity has another dimension than the world.
        """
        faults = []
        for name, given in (("goal", self.goal), ("goal_velocity", self.goal_velocity)):
            if given is not None and len(given) != briefing.dim:
                faults.append(f"controller.params.{name}: expected {briefing.dim} numbers, got {len(given)}")
        if faults:
            raise BadInput(*faults)

    def __call__(self, view: View) -> Floats:
        """Velocity commands (A, D) m/s."""
        graph, velocity = view.neighbours, view.velocity
        force = lattice(
            graph.indptr, graph.indices, graph.displacement, graph.distance, velocity, self._shape, self.c1, self.c2
        )
        force += self._surfaces(view)
        force += self._goal(view)
        return bounded(velocity + view.dt * force, view.speed_limit)

    def _surfaces(self, view: View) -> Floats:
        """What the surfaces nearby ask for, (A, D) m/s²."""
        near, force = view.near, np.zeros_like(view.velocity)
        if not len(near.distance):
            return force
        agent = np.repeat(np.arange(len(force)), np.diff(near.indptr))
        gap = np.clip(near.distance, 0.0, 1e100)
        apart = sigma_norm(self.obstacle_ratio * self.distance, self.epsilon)
        between = sigma_norm(gap, self.epsilon)
        slope = gap / np.sqrt(1.0 + self.epsilon * gap**2)
        # A hull that touches has no direction n to be pushed in (n = 0 at a gap of 0): the normal serves down to there.
        off = between - apart
        push = -bump(between / apart, 0.9) * (off / np.sqrt(1.0 + off**2) - 1.0) * np.maximum(slope, self.epsilon)
        inward = (view.velocity[agent] * near.normal).sum(axis=1)
        slow = bump(between / apart, 0.9) * -inward
        np.add.at(force, agent, (self.c1_obstacle * push + self.c2_obstacle * slow)[:, None] * near.normal)
        return force

    def _goal(self, view: View) -> Floats:
        """What the γ-agent asks for, (A, D) m/s²."""
        place = view.target if self.goal is None else np.asarray(self.goal)
        if place is None and self.goal_velocity is None:
            return np.zeros_like(view.velocity)
        moving = np.zeros(view.dim) if self.goal_velocity is None else np.asarray(self.goal_velocity)
        force = -self.c2_goal * (view.velocity - moving)
        if place is not None:
            away = view.space.displacement(place + view.time * moving, view.position)
            force -= self.c1_goal * away / np.sqrt(1.0 + (away * away).sum(axis=1))[:, None]
        return np.asarray(force)


def sigma_norm(length: Any, epsilon: float) -> Any:
    """σ-norm of vectors from their lengths in m: 0 at 0, and smooth there.

    (√(1 + ε z²) − 1) / ε as z² / (1 + √(1 + ε z²)), where nothing cancels and a small ε gives ½ z².
    """
    square = np.square(length)
    return square / (1.0 + np.sqrt(1.0 + epsilon * square))


def bump(share: Floats, h: float) -> Floats:
    """ρ_h: 1 below h, 0 from 1 on, smooth between."""
    fading = 0.5 * (1.0 + np.cos(np.pi * (np.clip(share, h, 1.0) - h) / (1.0 - h)))
    return np.where(share < 1.0, fading, 0.0)


@kernel
def lattice(
    indptr: Ints, indices: Ints, displacement: Floats, distance: Floats, velocity: Floats, shape: Floats,
    c1: float, c2: float,
) -> Floats:  # fmt: skip
    """c1 Σ φ_α n + c2 Σ a_ij (p_j − p_i), (A, D) m/s².

    Args:
        indptr, indices, displacement, distance: The neighbour graph (swarm.neighbours.Graph).
        velocity: (A, D) m/s.
        shape: ε, r_σ, d_σ, a, b, h.
        c1, c2: Gains.
    """
    agents, dim = velocity.shape
    total = np.zeros((agents, dim))
    epsilon, reach, apart, a, b, h = shape[0], shape[1], shape[2], shape[3], shape[4], shape[5]
    c = abs(a - b) / math.sqrt(4.0 * a * b)
    for i in range(agents):
        for edge in range(indptr[i], indptr[i + 1]):
            j, root = indices[edge], math.sqrt(1.0 + epsilon * distance[edge] * distance[edge])
            length = distance[edge] * distance[edge] / (1.0 + root)  # see sigma_norm
            share = length / reach
            if share >= 1.0:
                continue
            weight = 1.0 if share < h else 0.5 * (1.0 + math.cos(math.pi * (share - h) / (1.0 - h)))
            z = length - apart + c
            pull = c1 * weight * 0.5 * ((a + b) * z / math.sqrt(1.0 + z * z) + a - b)
            if distance[edge] == 0.0:  # n = 0, an equilibrium that no two should stay in: they part along x
                total[i, 0] += pull if i < j else -pull
            for k in range(dim):
                total[i, k] += pull * displacement[edge, k] / root + c2 * weight * (velocity[j, k] - velocity[i, k])
    return total
