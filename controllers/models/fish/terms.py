"""What a fish takes its direction from: those near it, and the school as a whole."""

from __future__ import annotations

import math

import numpy as np

from swarm.compiled import kernel
from swarm.controllers.models.headings import unit
from swarm.state import Floats, Ints
from swarm.view import View

SHORT = 1e-6  # length below which a mean has no direction


@kernel
def near_terms(
    indptr: Ints, indices: Ints, displacement: Floats, distance: Floats, heading: Floats, repulsion: float,
    vision: float,
) -> tuple[Floats, Floats, Floats]:  # fmt: skip
    """C, A and R of every fish: means over its neighbours, (A, D) each; zero where nobody counts.

    Args:
        indptr, indices, displacement, distance: The neighbour graph (swarm.neighbours.Graph).
        heading: (A, D) unit.
        repulsion, vision: m; those nearer than `repulsion` count for R, those from there to `vision` for C and A.

    Returns:
        C, mean offset to neighbours, m; A, mean heading of neighbours; R, mean offset away from those too near, m.
        Two at one place part along x, the one of higher index forwards, as if `repulsion` apart.
    """
    agents, dim = heading.shape
    towards, along, away = np.zeros((agents, dim)), np.zeros((agents, dim)), np.zeros((agents, dim))
    for i in range(agents):
        near, close = 0, 0
        for edge in range(indptr[i], indptr[i + 1]):
            j, apart = indices[edge], distance[edge]
            if apart < repulsion:
                close += 1
                for k in range(dim):
                    away[i, k] -= displacement[edge, k]
                if apart == 0.0:
                    away[i, 0] += repulsion if i > j else -repulsion
            elif apart <= vision:
                near += 1
                for k in range(dim):
                    towards[i, k] += displacement[edge, k]
                    along[i, k] += heading[j, k]
        for k in range(dim):
            towards[i, k] /= max(near, 1)
            along[i, k] /= max(near, 1)
            away[i, k] /= max(close, 1)
    return towards, along, away


def school_terms(view: View, heading: Floats) -> tuple[Floats, Floats]:
    """G and H of every fish: offset to the centre of its living school, m, and the school's mean heading, (A, D) each.

    On a torus the centre is the circular mean. Schools are told apart by the world they live in.
    """
    offset, mean = np.zeros_like(heading), np.zeros_like(heading)
    worlds = np.unique(view.world_index) if len(view.world_index) else view.world_index
    for world in worlds:
        here = view.world_index == world
        living = here & view.alive
        if living.any():
            centre = centre_of(view.position[living], view.space.period)
            offset[here] = view.space.displacement(view.position[here], centre)
            mean[here] = heading[living].mean(axis=0)
    return offset, mean


def centre_of(position: Floats, period: Floats) -> Floats:
    """Mean place (D,) m of points (N, D); the circular mean along an axis of a period above 0."""
    centre = position.mean(axis=0)
    for k in np.flatnonzero(period > 0.0):
        angle = position[:, k] * (2.0 * math.pi / period[k])
        centre[k] = math.atan2(float(np.sin(angle).sum()), float(np.cos(angle).sum())) * period[k] / (2.0 * math.pi)
    return np.asarray(centre)


def direction(vectors: Floats, short: float = SHORT) -> Floats:
    """Vectors (A, D) at length 1; those shorter than `short` in proportion, so that none turns about at 0."""
    length = np.sqrt((vectors * vectors).sum(axis=1))[:, None]
    return np.asarray(vectors / np.maximum(length, short))


def turned(before: Floats, wanted: Floats, share: float) -> Floats:
    """Unit headings (A, D) that go from `before` a share of the way to `wanted`; `before` where nothing is left."""
    return unit(before + share * (wanted - before), before)
