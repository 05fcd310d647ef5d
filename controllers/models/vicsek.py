"""Vicsek's self-propelled particles: everybody takes the mean direction about it, with noise."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated

import numpy as np
from msgspec import Meta

from swarm.briefing import Briefing
from swarm.compiled import kernel
from swarm.controllers.models.headings import across, any_direction, deviate, left, unit
from swarm.state import Floats, Ints
from swarm.view import View


@dataclass
class Vicsek:
    """Constant speed, the mean direction of all within a radius, and noise::

        x_i(t + dt) = x_i(t) + v_i(t) dt
        θ_i(t + dt) = arg Σ_j exp(i θ_j(t)) + Δθ,   j with ‖x_j(t) − x_i(t)‖ <= r, i itself among them
        Δθ uniform on [−η/2, η/2]

    The position moves with the old velocity. A body that takes up a command at once and then moves with it for one
    period is therefore told v(t) at time t, while θ(t + dt) is worked out from the places and directions at t and kept
    for the next call. So the places are the paper's to the step, and the velocity of a recording is the paper's of one
    step before, which leaves every mean over time as it is.

    Where the directions cancel, an agent keeps its own. One at rest at the start gets a direction at random. In three
    dimensions the noise turns towards any side, all equally likely.

    Source: Vicsek, Czirók, Ben-Jacob, Cohen, Shochet, Novel Type of Phase Transition in a System of Self-Driven
    Particles (1995), equations 1 and 2.

    Args:
        noise: η, rad, width of the interval from which the noise is drawn.
        radius: r, m; no more than the perception range counts.
        speed: v, m/s.
    """

    noise: Annotated[float, Meta(ge=0, le=2 * np.pi)] = 3.0
    radius: Annotated[float, Meta(gt=0)] = 1.0
    speed: Annotated[float, Meta(ge=0)] = 0.03

    _rng: np.random.Generator | None = field(default=None, init=False, repr=False, compare=False)
    _direction: Floats | None = field(default=None, init=False, repr=False, compare=False)

    def reset(self, briefing: Briefing) -> None:
        """Forget the directions, and take the run's random numbers."""
        self._rng, self._direction = briefing.rng, None

    def __call__(self, view: View) -> Floats:
        """Velocity commands (A, D) m/s."""
        rng = self._rng = self._rng or np.random.default_rng(0)
        agents, dim = view.position.shape
        now = self._direction
        if now is None or now.shape != view.position.shape:
            now = unit(view.velocity, any_direction(rng, agents, dim))
        graph = view.neighbours
        mean = unit(summed(graph.indptr, graph.indices, graph.distance, now, self.radius), now)
        angle = np.asarray(rng.uniform(-0.5 * self.noise, 0.5 * self.noise, agents))
        side = left(mean) if dim == 2 else any_side(mean, rng)
        self._direction = unit(deviate(mean, side, angle), mean)
        return now * min(self.speed, view.speed_limit)


def any_side(direction: Floats, rng: np.random.Generator) -> Floats:
    """(A, D) unit vectors at right angles to `direction`, all equally likely."""
    return unit(across(direction, rng.standard_normal(direction.shape)), np.zeros_like(direction))


@kernel
def summed(indptr: Ints, indices: Ints, distance: Floats, direction: Floats, radius: float) -> Floats:
    """Sum of the directions of an agent and of its neighbours within a radius, (A, D).

    Args:
        indptr, indices, distance: The neighbour graph (swarm.neighbours.Graph).
        direction: (A, D) unit.
        radius: m, inclusive.
    """
    total: Floats = direction.copy()
    agents, dim = direction.shape
    for i in range(agents):
        for edge in range(indptr[i], indptr[i + 1]):
            if distance[edge] <= radius:
                for k in range(dim):
                    total[i, k] += direction[indices[edge], k]
    return total
