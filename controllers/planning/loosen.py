"""Lanes pushed off what they come too near to: surfaces and each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from swarm.controllers.planning.centreline import smooth
from swarm.state import Floats

if TYPE_CHECKING:
    from swarm.worlds.world import World

ROUNDS = 12
STEP = 0.5  # of what lacks is made up for in one round
FURTHEST = 0.06  # m that a place moves in one round
SPREAD = 0.25  # m along the way over which a push is spread


def loosen(world: World, lanes: Floats, spacing: float, room: float, apart: float) -> Floats:
    """Lanes with more room where it is tight, elsewhere as they were.

    Args:
        world: Where.
        lanes: (K, N, D) m, place of each slot at each station; the first stations stay.
        spacing: m between stations.
        room: m wanted from a slot's centre to surfaces.
        apart: m wanted between two slots.

    Returns:
        (K, N, D) m.
    """
    stations, slots = lanes.shape[:2]
    lanes, width = lanes.copy(), SPREAD / spacing
    fade = np.minimum(np.arange(stations) * spacing, 1.0)[:, None, None]  # lanes begin where the agents are
    pairs = np.triu_indices(slots, 1)
    for _ in range(ROUNDS):
        clearance, normal = world.clearance(lanes)
        push = np.maximum(room - clearance, 0.0)[..., None] * normal
        offset = lanes[:, pairs[0]] - lanes[:, pairs[1]]
        gap = np.sqrt((offset * offset).sum(axis=2))
        lack = np.maximum(apart - gap, 0.0) / np.maximum(gap, 1e-9)
        for k, (one, other) in enumerate(zip(*pairs)):
            push[:, one] += 0.5 * lack[:, k, None] * offset[:, k]
            push[:, other] -= 0.5 * lack[:, k, None] * offset[:, k]
        if not push.any():
            break
        push = fade * smooth((STEP * push).reshape(stations, -1), width, fixed_ends=False).reshape(lanes.shape)
        size = np.sqrt((push * push).sum(axis=2, keepdims=True))
        lanes += push * np.minimum(FURTHEST / np.maximum(size, 1e-9), 1.0)
    return lanes
