"""Steering boids of a tutorial in Japanese: three forces, added to the velocity with a weight each."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Literal

import numpy as np
from msgspec import Meta

from swarm.briefing import Briefing
from swarm.compiled import kernel
from swarm.controllers.models.cucker_smale import bounded
from swarm.controllers.models.headings import any_direction
from swarm.controllers.models.steering_force import steering
from swarm.controllers.models.turning_back import turned_back
from swarm.state import Bools, Floats, Ints
from swarm.view import View

Positive = Annotated[float, Meta(gt=0)]
Weight = Annotated[float, Meta(ge=0)]


@dataclass
class SteeringBoids:
    """Three forces, added to the velocity once a tick::

        v_i <- clip(v_i + w_s S_i + w_a A_i + w_c C_i, max_speed)
        A_i = clip(max_speed ŷ_i − v_i, max_force)   y_i the mean velocity of the neighbours
        C_i = clip(max_speed ŷ_i − v_i, max_force)   y_i the offset to their mean place
        S_i = (1/n) Σ_j −r̂_ij / max(d_ij², 1)       in `literal`
        S_i = clip(max_speed ŷ_i − v_i, max_force)   in `repaired`, y_i that same mean

    without neighbours 0 each. `literal` has three flaws. S is of 1/d² where A and C are of max_force, so that at a few
    metres the flock is pulled together as if S were not there. A mean velocity of 0, or a centre at one's own place,
    is taken for the wish to stand still, and brakes. And at distance 0 it divides 0 by 0: the boid's velocity is not a
    number ever after and it is gone; here it stands still from then on, and counts as `undefined`. `repaired`, the
    default, steers for separation as for the rest, asks for nothing where a mean is 0, and lets two at one place part
    along x, the one of higher index forwards.

    The text names no numbers and no world. Forces are of a tick, and a command of another length gets its share; those
    at rest at first get max_speed in a direction at random. Walls turn it back.

    Source: a tutorial in Japanese on spreading the word of Boids, after Reynolds, Steering Behaviors for Autonomous
    Characters (1999).

    Args:
        max_speed: m/s.
        max_force: m/s a tick.
        separation_weight, alignment_weight, cohesion_weight: of S, A and C.
        tick: s.
        variant: `repaired` or `literal`.
    """

    max_speed: Positive = 2.0
    max_force: Positive = 0.1
    separation_weight: Weight = 1.0
    alignment_weight: Weight = 1.0
    cohesion_weight: Weight = 1.0
    tick: Positive = 1.0
    variant: Literal["repaired", "literal"] = "repaired"

    _rng: np.random.Generator | None = field(default=None, init=False, repr=False, compare=False)
    _lost: Bools | None = field(default=None, init=False, repr=False, compare=False)

    def reset(self, briefing: Briefing) -> None:
        """Take the run's random numbers."""
        self._rng, self._lost = briefing.rng, None

    @property
    def undefined(self) -> int:
        """How many boids have divided 0 by 0 in `literal`."""
        return 0 if self._lost is None else int(self._lost.sum())

    def __call__(self, view: View) -> Floats:
        """Velocity commands (A, D) m/s."""
        velocity, graph = self._before(view), view.neighbours
        apart, along, towards, divided = means(
            graph.indptr, graph.indices, graph.displacement, graph.distance, velocity
        )
        alone = np.diff(graph.indptr)[:, None] == 0
        literal, force = self.variant == "literal", np.zeros_like(velocity)
        for weight, wanted in (
            (self.separation_weight, apart), (self.alignment_weight, along), (self.cohesion_weight, towards),
        ):  # fmt: skip
            if literal and wanted is apart:
                part = apart
            else:
                part = steering(wanted, velocity, self.max_speed, self.max_force)
                if literal:
                    stop = ~alone & (wanted == 0.0).all(axis=1, keepdims=True)
                    part = np.where(stop, bounded(-velocity, self.max_force), part)
            force += weight * part
        velocity = bounded(velocity + (view.dt / self.tick) * force, min(self.max_speed, view.speed_limit))
        if literal:
            lost = divided if self._lost is None or self._lost.shape != divided.shape else self._lost | divided
            self._lost = lost
            velocity = np.where(lost[:, None], 0.0, velocity)
        return turned_back(view, velocity)

    def _before(self, view: View) -> Floats:
        """Velocities (A, D) m/s before this step."""
        if self._rng is None:
            return view.velocity
        rng, self._rng = self._rng, None
        moving = (view.velocity != 0.0).any(axis=1, keepdims=True)
        return np.where(moving, view.velocity, self.max_speed * any_direction(rng, *view.position.shape))


@kernel
def means(
    indptr: Ints, indices: Ints, displacement: Floats, distance: Floats, velocity: Floats
) -> tuple[Floats, Floats, Floats, Bools]:
    """Means over the neighbours: −r̂ / max(d², 1), their velocity m/s and the offset to them m; and who is at one place.

    Args:
        indptr, indices, displacement, distance: The neighbour graph (swarm.neighbours.Graph).
        velocity: (A, D) m/s.

    Returns:
        (A, D) each, 0 without neighbours; and (A,) whether some neighbour is at distance 0, which pushes along x by 1.
    """
    agents, dim = velocity.shape
    apart, along, towards = np.zeros((agents, dim)), np.zeros((agents, dim)), np.zeros((agents, dim))
    together = np.zeros(agents, np.bool_)
    for i in range(agents):
        number = indptr[i + 1] - indptr[i]
        for edge in range(indptr[i], indptr[i + 1]):
            j, length = indices[edge], distance[edge]
            square = max(length * length, 1.0)
            if length == 0.0:
                together[i] = True
                apart[i, 0] += 1.0 if i > j else -1.0
            for k in range(dim):
                if length > 0.0:
                    apart[i, k] -= displacement[edge, k] / length / square
                along[i, k] += velocity[j, k]
                towards[i, k] += displacement[edge, k]
        for k in range(dim):
            apart[i, k] /= max(number, 1)
            along[i, k] /= max(number, 1)
            towards[i, k] /= max(number, 1)
    return apart, along, towards, together
