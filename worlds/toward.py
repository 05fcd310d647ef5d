"""Where to go from any point, read off a grid of ways."""

from __future__ import annotations

import math

import numpy as np

from swarm.compiled import kernel
from swarm.state import Floats, Ints

BLOCKED = 100.0  # cost of a metre through an obstacle or its margin, in metres outside: one leaves by the nearest way
OFF = 1e6  # cells; a node that has a way is preferred to any that has none
ARRIVED = 1e-12  # m; nearer than this to the target, no direction is left


@kernel
def toward(
    points: Floats, shape: Ints, frame: Floats, places: Floats, length: Floats, turn: Ints, height: float
) -> tuple[Floats, Floats, Ints]:
    """Distance to go, direction and next turning point.

    Of the nodes around a point, the one whose straight line makes the way shortest is followed, from the point itself.

    Args:
        points: (A, D) m.
        shape: Nodes along x, y, z; one along z in a plane grid, which also serves three dimensions: where everything
            solid is upright, the shortest way is that of the plane, climbing evenly.
        frame: First node's x, y, z in m, and the cell in m.
        places, length, turn: From `any_angle`.
        height: m, the target's z.

    Returns:
        (A,) m, (A, D) unit vectors (zero at the target) and (A,) nodes (-1 for the target).
    """
    agents, dim = points.shape
    distance, direction, ends = np.empty(agents), np.empty((agents, dim)), np.empty(agents, np.int64)
    nx, ny, nz, cell = shape[0], shape[1], shape[2], frame[3]
    for agent in range(agents):
        x, y = (points[agent, 0] - frame[0]) / cell, (points[agent, 1] - frame[1]) / cell
        z = (points[agent, 2] - frame[2]) / cell if nz > 1 else 0.0
        i, j, k = int(min(max(x, 0.0), nx - 1.0)), int(min(max(y, 0.0), ny - 1.0)), int(min(max(z, 0.0), nz - 1.0))
        best, chosen, way, u, v, w = math.inf, -1, 0.0, 0.0, 0.0, 0.0
        for corner in range(8):
            a, b, c = min(i + corner // 4, nx - 1), min(j + corner // 2 % 2, ny - 1), min(k + corner % 2, nz - 1)
            node = (a * ny + b) * nz + c
            end = turn[node]
            dx, dy, dz = places[end, 0] - x, places[end, 1] - y, places[end, 2] - z
            straight = math.sqrt(dx * dx + dy * dy + dz * dz)
            cost = length[end] + straight
            if length[node] == math.inf:
                cost += BLOCKED * straight + OFF
            if cost < best:
                best, chosen, way, u, v, w = cost, end, length[end] + straight, dx, dy, dz
        if nz == 1 and dim == 3:
            w = (height - points[agent, 2]) / cell
            stretch = way / max(math.sqrt(u * u + v * v), 1e-300)
            u, v, way = u * stretch, v * stretch, math.sqrt(way * way + w * w)
        distance[agent], ends[agent] = cell * way, chosen
        size = math.sqrt(u * u + v * v + w * w)
        scale = 1.0 / size if size * cell > ARRIVED else 0.0
        direction[agent, 0], direction[agent, 1] = u * scale, v * scale
        if dim == 3:
            direction[agent, 2] = w * scale
    return distance, direction, ends
