"""The compiled query of a world: nearest surface and all surfaces within reach, of many points at once."""

from __future__ import annotations

import math

import numpy as np

from swarm.compiled import kernel
from swarm.state import Floats, Ints
from swarm.worlds.primitives import PLANE, signed_distance
from swarm.worlds.tree import gap

ROUNDING = 1e-12  # share by which a box may seem too far away: the nearest must not depend on what else is asked for


@kernel
def sense(
    points: Floats, nodes: Floats, items: Floats, period: Floats, reach: float, room: int
) -> tuple[Floats, Floats, Ints, Ints, Ints, Floats, Floats]:
    """Nearest primitive or plane of each point, and every one within reach.

    Args:
        points: (A, D) m, D 2 or 3.
        nodes: Tree of boxes over the primitives, then one more leaf that holds the bounding planes.
        items: Primitives in the order of the tree, then the planes (see primitives).
        period: (3,) m of each axis, 0 where it does not wrap.
        reach: m; negative when only the nearest is wanted.
        room: Entries that the answer can hold. More are counted, not stored: then ask again with room for indptr[-1].

    Returns:
        distance (A,), normal (A, D), surface (A,) of the nearest (inf, 0, -1 where there is none), and
        indptr (A + 1,), surface (room,), distance (room,), normal (room, D) of those within reach, nearest first.
    """
    agents, dim = points.shape
    distance, normal, surface = np.empty(agents), np.empty((agents, dim)), np.empty(agents, np.int64)
    indptr = np.empty(agents + 1, np.int64)
    near_surface, near_distance, near_normal = np.empty(room, np.int64), np.empty(room), np.empty((room, dim))
    wide, deep, high = 1 + 2 * int(period[0] > 0.0), 1 + 2 * int(period[1] > 0.0), 1 + 2 * int(period[2] > 0.0)
    stack, gaps = np.empty(64, np.int64), np.empty(64)
    indptr[0] = 0
    images = wide * deep * high
    bare = images == 1  # nothing but planes: no tree to go through
    for row in range(len(items)):
        bare = bare and items[row, 0] == PLANE
    for agent in range(agents):
        start = end = indptr[agent]
        best, bx, by, bz, hit = math.inf, 0.0, 0.0, 0.0, -1.0
        if bare:
            x, y, z = points[agent, 0], points[agent, 1], points[agent, 2] if dim == 3 else 0.0
            for row in range(len(items)):
                nx, ny, nz = items[row, 2], items[row, 3], items[row, 4]
                d = nx * x + ny * y + nz * z - items[row, 14]
                if d < best:
                    best, bx, by, bz, hit = d, nx, ny, nz, items[row, 1]
                if d <= reach:
                    insert(near_surface, near_distance, near_normal, start, end, d, nx, ny, nz, items[row, 1])
                    end += 1
        for image in range(0 if bare else images):
            x = points[agent, 0] + (image % wide - wide // 2) * period[0]
            y = points[agent, 1] + (image // wide % deep - deep // 2) * period[1]
            z = points[agent, 2] + (image // (wide * deep) - high // 2) * period[2] if dim == 3 else 0.0
            stack[0], gaps[0], stack[1], gaps[1], top = 0, 0.0, len(nodes) - 1, 0.0, 2
            while top > 0:
                top -= 1
                index, bound = stack[top], max(best, reach, 0.0)
                if gaps[top] > bound * bound * (1.0 + ROUNDING):
                    continue
                if nodes[index, 7] < 0.0:
                    first, second = 2 * index + 1, 2 * index + 2
                    first_gap, second_gap = gap(nodes, first, x, y, z), gap(nodes, second, x, y, z)
                    if first_gap > second_gap:
                        first, second, first_gap, second_gap = second, first, second_gap, first_gap
                    stack[top], gaps[top], stack[top + 1], gaps[top + 1] = second, second_gap, first, first_gap
                    top += 2
                    continue
                for row in range(int(nodes[index, 6]), int(nodes[index, 6] + nodes[index, 7])):
                    d, nx, ny, nz = signed_distance(items, row, x, y, z)
                    if d < best:
                        best, bx, by, bz, hit = d, nx, ny, nz, items[row, 1]
                    if d <= reach:
                        insert(near_surface, near_distance, near_normal, start, end, d, nx, ny, nz, items[row, 1])
                        end += 1
        indptr[agent + 1] = end
        distance[agent], surface[agent], normal[agent, 0], normal[agent, 1] = best, int(hit), bx, by
        if dim == 3:
            normal[agent, 2] = bz
    return distance, normal, surface, indptr, near_surface, near_distance, near_normal


@kernel
def insert(
    surfaces: Ints,
    distances: Floats,
    normals: Floats,
    start: int,
    end: int,
    d: float,
    nx: float,
    ny: float,
    nz: float,
    surface: float,
) -> None:
    """Put a witness among the entries start...end of its agent, in order of distance, if there is room."""
    if end >= len(surfaces):
        return
    dim = normals.shape[1]
    place = end
    while place > start and distances[place - 1] > d:
        surfaces[place], distances[place] = surfaces[place - 1], distances[place - 1]
        for axis in range(dim):
            normals[place, axis] = normals[place - 1, axis]
        place -= 1
    surfaces[place], distances[place], normals[place, 0], normals[place, 1] = int(surface), d, nx, ny
    if dim == 3:
        normals[place, 2] = nz
