"""Cucker and Smale's flock: everybody's velocity is drawn to that of the others, less from further away."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated

import numpy as np
from msgspec import Meta

from swarm.briefing import Briefing
from swarm.compiled import kernel
from swarm.controllers.models.headings import any_direction
from swarm.state import Floats, Ints
from swarm.view import View


@dataclass
class CuckerSmale:
    """Alignment that fades with the distance::

        dv_i/dt = (K / N) Σ_j (v_j − v_i) / (1 + ‖x_j − x_i‖²)^β

    The command is v_i + dt dv_i/dt. If everybody perceives everybody, velocities agree in the end from every start
    where β < 1/2, and from some starts only where β is larger. The mean velocity stays what it is.

    A flock that starts at rest would agree already: those at rest at the first step get velocities drawn evenly from
    a ball instead.

    Source: Cucker, Smale, Emergent Behavior in Flocks (2007).

    Args:
        strength: K, 1/s.
        beta: β.
        initial_speed: m/s, radius of the ball; 0 leaves those at rest as they are.
    """

    strength: Annotated[float, Meta(ge=0)] = 1.0
    beta: Annotated[float, Meta(ge=0)] = 0.25
    initial_speed: Annotated[float, Meta(ge=0)] = 1.0

    _rng: np.random.Generator | None = field(default=None, init=False, repr=False, compare=False)

    def reset(self, briefing: Briefing) -> None:
        """Take the run's random numbers."""
        self._rng = briefing.rng

    def __call__(self, view: View) -> Floats:
        """Velocity commands (A, D) m/s."""
        velocity = view.velocity
        if self._rng is not None and self.initial_speed > 0.0:
            rng, (agents, dim) = self._rng, velocity.shape
            speed = self.initial_speed * rng.random((agents, 1)) ** (1 / dim)
            velocity = np.where(
                (velocity != 0.0).any(axis=1, keepdims=True), velocity, speed * any_direction(rng, agents, dim)
            )
        self._rng = None
        graph = view.neighbours
        change = consensus(graph.indptr, graph.indices, graph.distance, velocity, self.beta)
        _, world, living = np.unique(view.world_index[view.alive], return_inverse=True, return_counts=True)
        count = np.ones(len(velocity))
        count[view.alive] = living[world]
        return bounded(velocity + (self.strength * view.dt / count)[:, None] * change, view.speed_limit)


def bounded(velocity: Floats, most: float) -> Floats:
    """Velocities (A, D) m/s, those faster than `most` m/s at that speed."""
    speed = np.sqrt((velocity * velocity).sum(axis=1))[:, None]
    return velocity * np.where(speed > most, most / np.maximum(speed, most), 1.0)


@kernel
def consensus(indptr: Ints, indices: Ints, distance: Floats, velocity: Floats, beta: float) -> Floats:
    """Σ_j (v_j − v_i) / (1 + r_ij²)^β, (A, D) m/s.

    Args:
        indptr, indices, distance: The neighbour graph (swarm.neighbours.Graph).
        velocity: (A, D) m/s.
        beta: β.
    """
    agents, dim = velocity.shape
    total = np.zeros((agents, dim))
    for i in range(agents):
        for edge in range(indptr[i], indptr[i + 1]):
            weight = (1.0 + distance[edge] * distance[edge]) ** -beta
            for k in range(dim):
                total[i, k] += weight * (velocity[indices[edge], k] - velocity[i, k])
    return total
