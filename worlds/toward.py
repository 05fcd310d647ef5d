"""Where to go from any point, read off a grid of ways."""

from __future__ import annotations

import math

import numpy as np

from swarm.compiled import kernel
from swarm.state import Bools, Floats, Ints
from swarm.worlds.any_angle import BLOCKED, where

ARRIVED = 1e-12  # m; nearer than this to the target, no direction is left


@kernel
def toward(
    points: Floats, shape: Ints, frame: Floats, length: Floats, turn: Ints, reached: Bools, target: Floats
) -> tuple[Floats, Floats, Ints]:
    """Distance to go, direction and next turning point.

    Of the nodes around a point, the one whose straight line makes the way shortest is followed, from the point itself.

    Args:
        points: (A, D) m.
        shape: Nodes along x, y, z; one along z in a plane grid, which also serves three dimensions: where everything
            solid is upright, the shortest way is that of the plane, climbing evenly.
        frame: First node's x, y, z in m, and the cell in m.
        length, turn, reached: (N,) from `any_angle`.
        target: (D,) m.

    Returns:
        (A,) m, (A, D) unit vectors (zero at the target) and (A,) nodes (-1 for the target).
    """
    agents, dim = points.shape
    distance, direction, ends = np.empty(agents), np.zeros((agents, dim)), np.empty(agents, np.int64)
    nx, ny, nz = shape
    cell = frame[3]
    goal = np.zeros(3)
    for axis in range(dim if nz > 1 else 2):
        goal[axis] = (target[axis] - frame[axis]) / cell
    for agent in range(agents):
        x, y, z = (points[agent, 0] - frame[0]) / cell, (points[agent, 1] - frame[1]) / cell, 0.0
        if nz > 1:
            z = (points[agent, 2] - frame[2]) / cell
        i, j, k = int(min(max(x, 0.0), nx - 1.0)), int(min(max(y, 0.0), ny - 1.0)), int(min(max(z, 0.0), nz - 1.0))
        best, chosen, shortest, u, v, w, onto = math.inf, -1, 0.0, 0.0, 0.0, 0.0, False
        for a in range(i, min(i + 2, nx)):
            for b in range(j, min(j + 2, ny)):
                for c in range(k, min(k + 2, nz)):
                    node = (a * ny + b) * nz + c
                    if onto and not reached[node]:
                        continue
                    end = turn[node]
                    ex, ey, ez = where(end, ny, nz, goal)
                    ex, ey, ez = ex - x, ey - y, ez - z
                    straight = math.sqrt(ex * ex + ey * ey + ez * ez)
                    way = straight + (length[end] if end >= 0 else 0.0)
                    cost = way if reached[node] else way + BLOCKED * straight
                    if cost < best or (reached[node] and not onto):
                        best, chosen, shortest, u, v, w = cost, end, way, ex, ey, ez
                        onto = reached[node]
        climb = 0.0
        if nz == 1 and dim == 3:
            climb = (target[2] - points[agent, 2]) / cell
            straight = math.sqrt(u * u + v * v)
            if straight > 0.0:
                u, v = u * shortest / straight, v * shortest / straight
            w = climb
        distance[agent] = cell * math.sqrt(shortest * shortest + climb * climb)
        ends[agent] = chosen
        size = math.sqrt(u * u + v * v + w * w)
        if size * cell > ARRIVED:
            direction[agent, 0], direction[agent, 1] = u / size, v / size
            if dim == 3:
                direction[agent, 2] = w / size
    return distance, direction, ends
