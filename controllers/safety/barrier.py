"""Closing-speed barrier: no agent approaches a surface or another agent faster than it could still brake."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated

import numpy as np
from msgspec import Meta

from swarm.compiled import kernel
from swarm.state import Floats, Ints
from swarm.view import View

if TYPE_CHECKING:
    from swarm.briefing import Briefing


STILL = np.zeros(0)  # the approach of surfaces where none moves
GLIDE = 0.2  # m/s of difference in closing speed at which the share of the faster one has reached three quarters


@dataclass(frozen=True)
class Barrier:
    """Limits the closing speed to what leaves room for the reaction time and for braking::

        v_b(h) = -a tau + sqrt(a^2 tau^2 + 2 a h)      solves  h = v tau + v^2 / 2a

        v_b |          ____---
            |     _--''
            |  .-'
          0 |_/_________________ h

    For each near surface (w - v) . n <= v_b(h) with the surface's own velocity w, for each pair (v_i - v_j) . e_ij <=
    v_b(h_ij), where h is what is left beyond the margin; a and tau are the body's. A command that breaks a limit is
    projected onto it; of a pair the one that closes faster takes three quarters, equals share, and at one place the
    higher index counts as ahead along x. Sweeps over pairs, then surfaces, repeat until all hold. Inside a margin v_b
    is negative, h / tau down to -`retreat`: agents back out. In a last sweep what still breaks a surface's limit is
    slowed down as a whole.

    Source: braking-distance barrier, as Wang, Ames and Egerstedt (2017), Safety Barrier Certificates for
    Collisions-Free Multirobot Systems, with a reaction time added.

    Args:
        surface_margin: m of clearance kept to surfaces.
        pair_margin: m kept between two hulls.
        foresight: s by which commands run ahead of the motion wanted, as planned ones can; tau is less by it.
        retreat: m/s, most with which agents back out of a margin.
        sweeps: Most sweeps.
    """

    surface_margin: Annotated[float, Meta(ge=0)] = 0.1
    pair_margin: Annotated[float, Meta(ge=0)] = 0.2
    foresight: Annotated[float, Meta(ge=0)] = 0.0
    retreat: Annotated[float, Meta(ge=0)] = 0.5
    sweeps: Annotated[int, Meta(ge=1, le=100)] = 12
    _body: list[float] = field(default_factory=list, init=False, repr=False, compare=False)

    def reset(self, briefing: Briefing) -> None:
        """Take the body's reaction time."""
        self._body[:] = [briefing.reaction_time]

    def delay(self, dt: float) -> float:
        """tau, s, at least a command period dt."""
        return max((self._body[0] if self._body else 0.0) - self.foresight, dt)

    def __call__(self, view: View, velocity: Floats) -> Floats:
        """The nearest allowed velocity.

        Args:
            view: What the agents perceive.
            velocity: (A, D) m/s wanted.

        Returns:
            (A, D) m/s, no faster than the body's speed limit.
        """
        near = view.near
        apart = 2.0 * view.radius + self.pair_margin
        return restrain(
            velocity, near.indptr, near.distance, near.normal, STILL if view.approach is None else view.approach,
            *view.neighbours,
            view.acceleration_limit, self.delay(view.dt), self.foresight, self.surface_margin, apart, self.retreat,
            view.speed_limit, self.sweeps,
        )  # fmt: skip


@kernel
def closing_limit(h: float, braking: float, delay: float, retreat: float) -> float:
    """v_b(h) in a form without cancellation that holds for infinite braking as well, m/s."""
    if h <= 0.0:
        return max(h / delay, -retreat)
    return 2.0 * h / (delay + math.sqrt(delay * delay + 2.0 * h / braking))


@kernel
def restrain(
    wanted: Floats, near_indptr: Ints, clearance: Floats, normal: Floats, approach: Floats,
    indptr: Ints, indices: Ints, displacement: Floats, distance: Floats,
    braking: float, delay: float, foresight: float, surface_margin: float, pair_margin: float, retreat: float,
    speed_limit: float, sweeps: int,
) -> Floats:  # fmt: skip
    """Project wanted velocities onto all limits of Barrier.

    Args:
        wanted: (A, D) m/s.
        near_indptr, clearance, normal: Near surfaces in compressed rows.
        approach: m/s at which each comes nearer on its own; empty where none moves.
        indptr, indices, displacement, distance: The neighbour graph.
        braking, delay, foresight: m/s^2, s, s.
        surface_margin: m of clearance.
        pair_margin: m between centres.
        retreat, speed_limit: m/s.
        sweeps: Most sweeps.

    Returns:
        (A, D) m/s.
    """
    agents, dim = wanted.shape
    result: Floats = wanted.copy()
    away = np.empty(displacement.shape)
    pair_limit, limit = np.empty(len(indices)), np.empty(len(clearance))
    for i in range(agents):
        for edge in range(indptr[i], indptr[i + 1]):
            pair_limit[edge] = closing_limit(distance[edge] - pair_margin, braking, delay, retreat)
            for k in range(dim):
                away[edge, k] = -displacement[edge, k] / distance[edge] if distance[edge] > 0.0 else 0.0
            if not distance[edge] > 0.0:
                away[edge, 0] = 1.0 if i > indices[edge] else -1.0
    for edge in range(len(clearance)):
        room = clearance[edge] - surface_margin
        if len(approach) > 0:  # who is to be as fast as what comes has first to notice and to get going
            room -= max(approach[edge], 0.0) * (delay + foresight)
        limit[edge] = closing_limit(room, braking, delay, retreat)
        if len(approach) > 0:
            limit[edge] -= approach[edge]
    held = False
    while sweeps > 0 and not held:
        sweeps -= 1
        held = True
        for i in range(agents):
            for edge in range(indptr[i], indptr[i + 1]):
                j, mine, other = indices[edge], 0.0, 0.0
                for k in range(dim):
                    mine -= result[i, k] * away[edge, k]
                    other += result[j, k] * away[edge, k]
                excess = mine + other - pair_limit[edge]
                if excess > 0.0:
                    held = False
                    # The share glides, so that two equals do not take turns in yielding.
                    share = 0.5 + 0.25 * min(max((mine - other) / GLIDE, -1.0), 1.0)
                    for k in range(dim):
                        result[i, k] += share * excess * away[edge, k]
                        result[j, k] -= (1.0 - share) * excess * away[edge, k]
        for i in range(agents):
            for edge in range(near_indptr[i], near_indptr[i + 1]):
                excess = -limit[edge]
                for k in range(dim):
                    excess -= result[i, k] * normal[edge, k]
                if excess > 0.0:
                    held = False
                    for k in range(dim):
                        result[i, k] += excess * normal[edge, k]
    for i in range(agents):
        square = 0.0
        for k in range(dim):
            square += result[i, k] * result[i, k]
        scale = 1.0 if square <= speed_limit * speed_limit else speed_limit / math.sqrt(square)
        for edge in range(near_indptr[i], near_indptr[i + 1]):
            closing = 0.0
            for k in range(dim):
                closing -= result[i, k] * normal[edge, k]
            if scale * closing > max(limit[edge], 0.0):
                scale = max(limit[edge], 0.0) / closing
        for k in range(dim):
            result[i, k] *= scale
    return result
