"""Pace: how fast the frame may run at each station so that every drone can keep to its lane."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from swarm.state import Floats

if TYPE_CHECKING:
    from swarm.controllers.planning.plan import Manner
    from swarm.worlds.world import World

SHARE = 0.9  # of the barrier's closing speed that a plan uses: what is left is for deviations
SLOWEST = 0.15  # m/s, so that a frame never stands still on its way


def pace(world: World, lanes: Floats, spacing: float, wanted: Floats, manner: Manner) -> Floats:
    """Frame speed at each station.

    Limited by the wanted speed, the agents' own speed and acceleration on their lanes, the safety barrier's closing
    speeds against the nearest surface and between agents, and braking for what comes after; zero at the end.

    Args:
        world: For clearance along the lanes.
        lanes: (K, N, D) m, place of each slot at each station.
        spacing: m between stations.
        wanted: (K,) m/s.
        manner: Limits of body and barrier.

    Returns:
        (K,) m/s.
    """
    # An unlimited quantity divides by zero on purpose: a lane that stands still allows any pace.
    with np.errstate(divide="ignore", invalid="ignore"):
        slope = np.gradient(lanes, spacing, axis=0)
        curve = np.zeros_like(lanes)
        curve[1:-1] = (lanes[2:] - 2.0 * lanes[1:-1] + lanes[:-2]) / spacing**2
        speed = np.minimum(wanted, manner.fastest / _length(slope).max(axis=1))
        speed = np.minimum(speed, np.sqrt(manner.sideways / _length(curve).max(axis=1)))

        clearance, normal = world.clearance(lanes)
        closing = -(normal * slope).sum(axis=2)
        allowed = _closing_limit(clearance - manner.radius - manner.surface_margin, manner)
        speed = np.minimum(speed, np.where(closing > 0.0, allowed / closing, math.inf).min(axis=1))
        for n in range(1, lanes.shape[1]):
            gap = lanes[:, n, None] - lanes[:, :n]
            apart = _length(gap)
            closing = -(gap * (slope[:, n, None] - slope[:, :n])).sum(axis=2)
            allowed = apart * _closing_limit(apart - manner.pair_margin, manner)
            speed = np.minimum(speed, np.where(closing > 0.0, allowed / closing, math.inf).min(axis=1))
    paces: list[float] = np.maximum(speed, np.minimum(SLOWEST, wanted)).tolist()
    paces[-1] = 0.0
    for k in range(len(paces) - 2, -1, -1):
        paces[k] = min(paces[k], math.sqrt(paces[k + 1] ** 2 + 2.0 * manner.along * spacing))
    return np.array(paces)


def _length(vectors: Floats) -> Floats:
    result: Floats = np.sqrt((vectors * vectors).sum(axis=-1))
    return result


def _closing_limit(room: Floats, manner: Manner) -> Floats:
    """The share of the barrier's v_b (see Barrier) for an array of distances beyond the margin."""
    h = np.maximum(room, 0.0)
    result: Floats = SHARE * 2.0 * h / (manner.delay + np.sqrt(manner.delay**2 + 2.0 * h / manner.braking))
    return np.where(np.isinf(h), math.inf, result)
