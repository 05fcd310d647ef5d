"""Separate, align and cohere as the chapter's text writes them down, with arithmetic means of angles and places."""

from __future__ import annotations

import math

import numpy as np

from swarm.compiled import kernel
from swarm.controllers.models.netlogo.degrees import heading, pitch, subtract_headings
from swarm.state import LEADER, Floats, Ints


@kernel
def literal_wishes(
    indptr: Ints, indices: Ints, displacement: Floats, distance: Floats, position: Floats, direction: Floats,
    role: Ints, period: Floats, vision: float, minimum_separation: float, leader_weight: float,
) -> tuple[Floats, Floats, Floats]:  # fmt: skip
    """Where the text's three procedures want each agent to head::

        separate   mean of subtract-headings (heading of j) (towards i from j), a difference, taken as a heading
        align      arithmetic mean of the headings 0 to 360: of 350 and 10 it is 180, the opposite way
        cohere     towards (mean xcor, mean ycor), arithmetic too: of 16 and -16 on a torus it is 0, the far side

    In three dimensions, for which the text has no code, the same is done with pitch beside heading. Where NetLogo
    stops with an error, because no heading leads from a point to itself, that one flockmate or centre is passed over.

    Args:
        indptr, indices, displacement, distance: The neighbour graph (swarm.neighbours.Graph).
        position: (A, D) m, as the world's coordinates are.
        direction: (A, D) unit.
        role: (A,) see swarm.state.
        period: (D,) m of each axis, 0 where it does not wrap.
        vision, minimum_separation: m.
        leader_weight: Weight of a leader's heading in the mean.

    Returns:
        Three arrays (A, D), unit or zero.
    """
    agents, dim = direction.shape
    away, along, centre = np.zeros((agents, dim)), np.zeros((agents, dim)), np.zeros((agents, dim))
    bearing, slope = np.zeros(agents), np.zeros(agents)
    for i in range(agents):
        bearing[i] = heading(direction[i, 0], direction[i, 1])
        if dim == 3:
            slope[i] = pitch(math.hypot(direction[i, 0], direction[i, 1]), direction[i, 2])
    mean = np.empty(3)
    for i in range(agents):
        near, seen, weights = 0, 0, 0.0
        turned, tilted, level, rise = 0.0, 0.0, 0.0, 0.0
        mean[0], mean[1], mean[2] = 0.0, 0.0, 0.0
        for edge in range(indptr[i], indptr[i + 1]):
            j, apart = indices[edge], distance[edge]
            if apart > vision:
                continue
            weight = leader_weight if role[j] == LEADER else 1.0
            seen += 1
            weights += weight
            level += weight * bearing[j]
            rise += weight * slope[j]
            for k in range(dim):
                mean[k] += position[j, k]
            if 0.0 < apart < minimum_separation:
                near += 1
                x, y = -displacement[edge, 0], -displacement[edge, 1]
                turned += subtract_headings(bearing[j], heading(x, y))
                if dim == 3:
                    tilted += slope[j] - pitch(math.hypot(x, y), -displacement[edge, 2])
        if near > 0:
            point(away, i, turned / near, tilted / near)
        if weights > 0.0:
            point(along, i, level / weights, rise / weights)
        if seen > 0:
            length = 0.0
            for k in range(dim):
                step = mean[k] / seen - position[i, k]
                if period[k] > 0.0:
                    step -= period[k] * math.floor(step / period[k] + 0.5)
                centre[i, k] = step
                length += step * step
            if length <= 1e-24:
                for k in range(dim):
                    centre[i, k] = 0.0
    return away, along, centre


@kernel
def point(vectors: Floats, i: int, bearing: float, slope: float) -> None:
    """Write the unit vector of a heading and a pitch in degrees into row i."""
    level = math.cos(math.radians(slope)) if vectors.shape[1] == 3 else 1.0
    vectors[i, 0] = level * math.sin(math.radians(bearing))
    vectors[i, 1] = level * math.cos(math.radians(bearing))
    if vectors.shape[1] == 3:
        vectors[i, 2] = math.sin(math.radians(slope))
