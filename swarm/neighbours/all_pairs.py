"""The neighbour graph as compressed rows, for any rule to read; and the way to it for few agents."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from swarm.compiled import kernel
from swarm.state import Bools, Floats, Ints

FARTHEST = 1e100  # m, beyond which squares of distances overflow


class Graph(NamedTuple):
    """Directed edges from each agent i to those it perceives; the edges of i are indptr[i]:indptr[i + 1]."""

    indptr: Ints  # (A + 1,)
    indices: Ints  # (E,) the perceived agent j, ascending within a row
    displacement: Floats  # (E, D) m, from i to j, the shortest way in this world
    distance: Floats  # (E,) m


@kernel
def edges(
    position: Floats, velocity: Floats, alive: Bools, world_index: Ints, box: Floats, reach: float, half_view: float
) -> tuple[Ints, Ints, Floats, Floats]:
    """The fields of the graph of neighbours, by comparing all pairs; arguments as for `swarm.neighbours.graph`.

    Args:
        half_view: rad, half the field of view.

    Returns:
        indptr, indices, displacement, distance; all empty where a living agent's position is not finite.
    """
    agents, dim = position.shape
    indptr = np.zeros(agents + 1, np.int64)
    room = agents * (agents - 1)
    indices = np.empty(room, np.int64)
    displacement = np.empty((room, dim))
    distance = np.empty(room)
    cosine = np.cos(half_view)
    count = 0
    for i in range(agents):
        if alive[i]:
            speed = 0.0
            for k in range(dim):
                if not abs(position[i, k]) < FARTHEST:
                    return indptr[:0], indices[:0], displacement[:0], distance[:0]
                speed += velocity[i, k] * velocity[i, k]
            speed = np.sqrt(speed)
            for j in range(agents):
                if j == i or not alive[j] or world_index[j] != world_index[i]:
                    continue
                square, along = 0.0, 0.0
                for k in range(dim):
                    step = position[j, k] - position[i, k]
                    if box[k] > 0.0:
                        step -= box[k] * np.floor(step * (1.0 / box[k]) + 0.5)
                    displacement[count, k] = step
                    square += step * step
                    along += step * velocity[i, k]
                if square > reach * reach:
                    continue
                length = np.sqrt(square)
                # An agent at rest has no heading to look along and sees all round, as it does one at its own place.
                if half_view < np.pi and speed > 1e-9 and length > 0.0 and along < cosine * speed * length:
                    continue
                indices[count] = j
                distance[count] = length
                count += 1
        indptr[i + 1] = count
    return indptr, indices[:count], displacement[:count], distance[:count]
