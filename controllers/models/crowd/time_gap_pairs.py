"""The collision-free speed model where who sees is seen: each pair is worked out once, with the bytes of `walk`."""

from __future__ import annotations

import math

import numpy as np

from swarm.compiled import kernel
from swarm.controllers.models.crowd.time_gap import TINY, nearer, push_by, push_by_wall
from swarm.state import Floats, Ints


@kernel
def walk_in_pairs(
    indptr: Ints, indices: Ints, away: Floats, distance: Floats, wall_ptr: Ints, wall_distance: Floats,
    wall_normal: Floats, wanted: Floats, speed: float, time_gap: float, length: float, strength: float, decay: float,
    wall_strength: float, wall_decay: float, velocity: Floats,
) -> None:  # fmt: skip
    """Write velocities (A, 2) m/s.

    Rows are taken in order, and in each the higher indices ascend: so everybody adds up its neighbours in the order of
    their indices, the lower ones in their rows and then the higher ones in its own, as if it had them all in one row.

    Args:
        indptr, indices, away, distance: Upper half of the neighbour graph in a plane; the lower is its mirror image.
        velocity: Written.
        wall_ptr, wall_distance, wall_normal, wanted, speed, time_gap, length, strength, decay, wall_strength,
            wall_decay: As of `time_gap.walk`.
    """
    agents, pairs = len(wanted), indptr[-1]
    pushes, gap = np.empty(pairs), np.full(agents, math.inf)
    for pair in range(pairs):  # apart from the rest: several at a time
        pushes[pair] = push_by(distance[pair], length, strength, decay)
    for i in range(agents):
        velocity[i, 0], velocity[i, 1] = wanted[i, 0], wanted[i, 1]
    for i in range(agents):
        x, y = velocity[i, 0], velocity[i, 1]
        for pair in range(indptr[i], indptr[i + 1]):
            j, push = indices[pair], pushes[pair]
            if distance[pair] > 0.0:
                dx, dy = push * away[pair, 0], push * away[pair, 1]
                x, y = x - dx, y - dy
                velocity[j, 0] += dx
                velocity[j, 1] += dy
            else:
                x -= push
                velocity[j, 0] += push
        for edge in range(wall_ptr[i], wall_ptr[i + 1]):
            push = push_by_wall(wall_distance[edge], length, wall_strength, wall_decay)
            x, y = x + push * wall_normal[edge, 0], y + push * wall_normal[edge, 1]
        square = x * x + y * y
        if square < TINY:
            x, y = wanted[i, 0], wanted[i, 1]
        else:
            square = math.sqrt(square)
            x, y = x / square, y / square
        velocity[i, 0], velocity[i, 1] = x, y
    for i in range(agents):
        x, y, nearest = velocity[i, 0], velocity[i, 1], gap[i]
        for pair in range(indptr[i], indptr[i + 1]):
            j, d, dx, dy = indices[pair], distance[pair], away[pair, 0], away[pair, 1]
            back = -(velocity[j, 0] * dx + velocity[j, 1] * dy)
            ahead = x * dx + y * dy
            if d == 0.0:
                ahead, back = x, -velocity[j, 0]
            nearest, gap[j] = nearer(nearest, d, ahead, length), nearer(gap[j], d, back, length)
        gap[i] = nearest
    for i in range(agents):
        pace = min(speed, max(0.0, (gap[i] - length) / time_gap))
        if wanted[i, 0] * wanted[i, 0] + wanted[i, 1] * wanted[i, 1] == 0.0:
            pace, velocity[i, 0], velocity[i, 1] = 0.0, 0.0, 0.0
        velocity[i, 0], velocity[i, 1] = pace * velocity[i, 0], pace * velocity[i, 1]
