"""Couzin's zones: keep away from the nearest, else fly as those further off do and towards those furthest."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Annotated

import numpy as np
from msgspec import Meta

from swarm.briefing import Briefing
from swarm.compiled import kernel
from swarm.controllers.models.headings import across, any_direction, deviate, unit
from swarm.state import Floats, Ints
from swarm.view import View

Width = Annotated[float, Meta(ge=0)]


@dataclass
class Couzin:
    """Three zones about each agent, one inside the other::

        someone within r_r:       d_i = −Σ_j r̂_ij
        else in the outer zones:  d_i = ½ (Σ_o v̂_j + Σ_a r̂_ij),  or the one sum alone where one zone is empty
        no one, or a sum of 0:    d_i = v̂_i

    with r̂_ij from i to j, orientation within r_r + Δr_o and attraction within r_r + Δr_o + Δr_a. Those in the blind
    cone behind an agent do not count in the outer zones. d_i is turned by an angle from a Gaussian wrapped on the
    sphere, and v_i turns towards it by at most the turn rate. Speed is constant. As in the paper the place moves with
    the new velocity, which is what a body does that takes up a command at once.

    Δr_o from narrow to wide gives a swarm, a torus and a parallel group. One at rest takes its direction at once.

    Source: Couzin, Krause, James, Ruxton, Franks, Collective Memory and Spatial Sorting in Animal Groups (2002),
    equations 1 to 3.

    Args:
        repulsion_radius: r_r, m.
        orientation_width: Δr_o, m.
        attraction_width: Δr_a, m; no more than the perception range counts.
        field_of_view: α, degrees, full opening angle about the heading.
        turn_rate: θ, degrees/s.
        speed: s, m/s.
        noise: σ, rad.
    """

    repulsion_radius: Width = 1.0
    orientation_width: Width = 3.0
    attraction_width: Width = 14.0
    field_of_view: Annotated[float, Meta(gt=0, le=360)] = 270.0
    turn_rate: Annotated[float, Meta(ge=0)] = 40.0
    speed: Annotated[float, Meta(ge=0)] = 3.0
    noise: Width = 0.05

    _rng: np.random.Generator | None = field(default=None, init=False, repr=False, compare=False)

    def reset(self, briefing: Briefing) -> None:
        """Take the run's random numbers."""
        self._rng = briefing.rng

    def __call__(self, view: View) -> Floats:
        """Velocity commands (A, D) m/s."""
        rng = self._rng = self._rng or np.random.default_rng(0)
        drawn = rng.standard_normal(view.position.shape)
        still = np.zeros_like(drawn)
        heading = unit(view.velocity, still)
        graph = view.neighbours
        wanted = zones(
            graph.indptr, graph.indices, graph.displacement, graph.distance, heading, self.repulsion_radius,
            self.repulsion_radius + self.orientation_width,
            self.repulsion_radius + self.orientation_width + self.attraction_width,
            0.5 * math.radians(self.field_of_view),
        )  # fmt: skip
        resting = ~heading.any(axis=1)
        if resting.any():
            heading[resting] = unit(wanted, any_direction(rng, *drawn.shape))[resting]
        wanted = unit(wanted, heading)
        sideways = self.noise * across(wanted, drawn)
        off = np.sqrt((sideways * sideways).sum(axis=1))
        wanted = deviate(wanted, unit(sideways, still, 0.0), off)
        turned = turn_towards(heading, wanted, math.radians(self.turn_rate) * view.dt)
        return turned * min(self.speed, view.speed_limit)


def turn_towards(heading: Floats, wanted: Floats, most: float) -> Floats:
    """Unit vectors (A, D) turned towards others by at most `most` rad; straight back, to the left in the plane."""
    cosine = np.clip((heading * wanted).sum(axis=1), -1.0, 1.0)
    aside = np.zeros_like(heading)
    aside[:, 0], aside[:, 1] = -heading[:, 1], heading[:, 0]
    level = np.hypot(heading[:, 0], heading[:, 1]) > 1e-9
    aside[~level] = 0.0
    aside[~level, 1] = 1.0
    side = unit(across(heading, wanted), unit(aside, aside))
    near = np.arccos(cosine) <= most
    turned = np.where(near[:, None], wanted, deviate(heading, side, np.full(len(heading), most)))
    return unit(turned, heading)


@kernel
def zones(
    indptr: Ints, indices: Ints, displacement: Floats, distance: Floats, heading: Floats,
    repulsion: float, orientation: float, attraction: float, half_view: float,
) -> Floats:  # fmt: skip
    """The direction d_i of each agent as the zones ask for it, (A, D), of length 1 or 0.

    Args:
        indptr, indices, displacement, distance: The neighbour graph (swarm.neighbours.Graph).
        heading: (A, D) unit; zero for one that sees all round because it is at rest.
        repulsion, orientation, attraction: m, outer radii of the zones.
        half_view: rad, half the field of view.
    """
    agents, dim = heading.shape
    wanted = np.zeros((agents, dim))
    away, along, towards = np.empty(dim), np.empty(dim), np.empty(dim)
    cosine = math.cos(half_view)
    for i in range(agents):
        near = 0
        for k in range(dim):
            away[k], along[k], towards[k] = 0.0, 0.0, 0.0
        for edge in range(indptr[i], indptr[i + 1]):
            j, apart = indices[edge], distance[edge]
            if apart < repulsion:
                near += 1
                if apart > 0.0:
                    for k in range(dim):
                        away[k] -= displacement[edge, k] / apart
                else:  # at one place: they part along x, the one of higher index forwards
                    away[0] += 1.0 if i > j else -1.0
            elif apart <= attraction and apart > 0.0:
                ahead, square = 0.0, 0.0
                for k in range(dim):
                    ahead += heading[i, k] * displacement[edge, k]
                    square += heading[i, k] * heading[i, k]
                if square > 0.0 and half_view < math.pi and ahead < cosine * apart:
                    continue
                if apart < orientation:
                    for k in range(dim):
                        along[k] += heading[j, k]
                else:
                    for k in range(dim):
                        towards[k] += displacement[edge, k] / apart
        square = 0.0
        for k in range(dim):
            # The half of both sums is left out: only the direction counts.
            wanted[i, k] = away[k] if near > 0 else along[k] + towards[k]
            square += wanted[i, k] * wanted[i, k]
        length = math.sqrt(square)
        for k in range(dim):
            wanted[i, k] = wanted[i, k] / length if length > 1e-9 else 0.0
    return wanted
