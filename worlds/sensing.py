"""The compiled query of a world: nearest surface and all surfaces within reach, of many points at once."""

from __future__ import annotations

import math

import numpy as np

from swarm.compiled import kernel
from swarm.state import Floats, Ints
from swarm.worlds.primitives import signed_distance
from swarm.worlds.tree import gap


@kernel
def sense(
    points: Floats, nodes: Floats, items: Floats, frame: Floats, reach: float, room: int
) -> tuple[Floats, Floats, Ints, Ints, Ints, Floats, Floats]:
    """Nearest primitive or plane of each point, and every one within reach.

    Args:
        points: (A, D) m, D 2 or 3.
        nodes: Tree of boxes over the primitives.
        items: Primitives in the order of the tree, then the bounding planes (see primitives).
        frame: Number of primitives, then the period of each axis (0: does not wrap).
        reach: m; negative when only the nearest is wanted.
        room: Entries that the answer can hold. More are counted, not stored: then ask again with room for indptr[-1].

    Returns:
        distance (A,), normal (A, D), surface (A,) of the nearest (inf, 0, -1 where there is none), and
        indptr (A + 1,), surface (room,), distance (room,), normal (room, D) of those within reach, nearest first.
    """
    agents, dim = points.shape
    solids = int(frame[0])
    distance, normal, surface = np.empty(agents), np.empty((agents, dim)), np.empty(agents, np.int64)
    indptr = np.empty(agents + 1, np.int64)
    near_surface, near_distance, near_normal = np.empty(room, np.int64), np.empty(room), np.empty((room, dim))
    wide, deep, high = 1 + 2 * int(frame[1] > 0.0), 1 + 2 * int(frame[2] > 0.0), 1 + 2 * int(frame[3] > 0.0)
    images = wide * deep * high if solids > 0 else 0
    stack, gaps = np.empty(64, np.int64), np.empty(64)
    end = 0
    for agent in range(agents):
        indptr[agent] = start = end
        best, bx, by, bz, hit = math.inf, 0.0, 0.0, 0.0, -1
        x0, y0, z0 = points[agent, 0], points[agent, 1], 0.0
        if dim == 3:
            z0 = points[agent, 2]
        for row in range(solids, len(items)):
            nx, ny, nz = items[row, 2], items[row, 3], items[row, 4]
            d = nx * x0 + ny * y0 + nz * z0 - items[row, 14]
            if d < best:
                best, bx, by, bz, hit = d, nx, ny, nz, int(items[row, 1])
            if d <= reach:
                insert(near_surface, near_distance, near_normal, start, end, d, nx, ny, nz, int(items[row, 1]))
                end += 1
        for image in range(images):
            x = x0 + (image % wide - wide // 2) * frame[1]
            y = y0 + (image // wide % deep - deep // 2) * frame[2]
            z = z0 + (image // (wide * deep) - high // 2) * frame[3]
            stack[0], gaps[0], top = 0, gap(nodes[0], x, y, z), 1
            while top > 0:
                top -= 1
                bound = max(best, reach, 0.0)
                if gaps[top] > bound * bound:
                    continue
                index = stack[top]
                if nodes[index, 7] < 0.0:
                    first, second = 2 * index + 1, 2 * index + 2
                    first_gap, second_gap = gap(nodes[first], x, y, z), gap(nodes[second], x, y, z)
                    if first_gap > second_gap:
                        first, second, first_gap, second_gap = second, first, second_gap, first_gap
                    stack[top], gaps[top], stack[top + 1], gaps[top + 1] = second, second_gap, first, first_gap
                    top += 2
                    continue
                for row in range(int(nodes[index, 6]), int(nodes[index, 6] + nodes[index, 7])):
                    d, nx, ny, nz = signed_distance(items[row], x, y, z)
                    if d < best:
                        best, bx, by, bz, hit = d, nx, ny, nz, int(items[row, 1])
                    if d <= reach:
                        insert(near_surface, near_distance, near_normal, start, end, d, nx, ny, nz, int(items[row, 1]))
                        end += 1
        distance[agent], surface[agent], normal[agent, 0], normal[agent, 1] = best, hit, bx, by
        if dim == 3:
            normal[agent, 2] = bz
    indptr[agents] = end
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
    surface: int,
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
    surfaces[place], distances[place], normals[place, 0], normals[place, 1] = surface, d, nx, ny
    if dim == 3:
        normals[place, 2] = nz
