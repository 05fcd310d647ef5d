"""Triangle meshes added to what was sensed of the primitives; compiled only for a world that has meshes."""

from __future__ import annotations

import math

import numpy as np

from swarm.compiled import kernel
from swarm.state import Floats, Ints
from swarm.worlds.meshes.triangles import TOUCHING, closest_triangle, winding_number
from swarm.worlds.obstacles import Mesh
from swarm.worlds.sensing import insert
from swarm.worlds.tree import gap

WITNESSES = 16  # most for one mesh


@kernel
def add_meshes(
    points: Floats,
    nodes: Floats,
    meshes: Floats,
    triangles: Floats,
    period: Floats,
    reach: float,
    room: int,
    distance: Floats,
    normal: Floats,
    surface: Ints,
    old_indptr: Ints,
    old_surface: Ints,
    old_distance: Floats,
    old_normal: Floats,
) -> tuple[Ints, Ints, Floats, Floats]:
    """Lower the nearest distances to those of the meshes, and add the meshes within reach.

    Args:
        points: (A, D) m.
        nodes: The meshes' trees, each in its mesh's own frame.
        meshes: One row per placed mesh: surface, root node, 1 if closed or 0, where its origin is (3), rotation from
            its frame to the world's (9, row by row), and a ball around it: centre from the origin (3), radius.
        triangles: (T, 12) of all meshes, own frames.
        period: As for `sense`.
        reach, room: As for `sense`.
        distance, normal, surface: What `sense` found nearest; changed in place.
        old_indptr, old_surface, old_distance, old_normal: What `sense` found within reach.

    Returns:
        indptr, surface, distance and normal of all within reach, as from `sense`.
    """
    agents, dim = points.shape
    indptr = np.empty(agents + 1, np.int64)
    near_surface, near_distance, near_normal = np.empty(room, np.int64), np.empty(room), np.empty((room, dim))
    wide, deep, high = 1 + 2 * int(period[0] > 0.0), 1 + 2 * int(period[1] > 0.0), 1 + 2 * int(period[2] > 0.0)
    stack, gaps, kept = np.empty(64, np.int64), np.empty(64), np.empty((WITNESSES, 4))
    indptr[0] = 0
    for agent in range(agents):
        start = end = indptr[agent]
        for k in range(old_indptr[agent], old_indptr[agent + 1]):
            if end < room:
                near_surface[end], near_distance[end] = old_surface[k], old_distance[k]
                near_normal[end] = old_normal[k]
            end += 1
        for image in range(wide * deep * high):
            px = points[agent, 0] + (image % wide - wide // 2) * period[0]
            py = points[agent, 1] + (image // wide % deep - deep // 2) * period[1]
            pz = points[agent, 2] + (image // (wide * deep) - high // 2) * period[2]
            for mesh in range(len(meshes)):
                row = meshes[mesh]
                limit = max(distance[agent], reach, 0.0)
                ux, uy, uz = px - row[3], py - row[4], pz - row[5]
                beyond = math.sqrt((ux - row[15]) ** 2 + (uy - row[16]) ** 2 + (uz - row[17]) ** 2) - row[18]
                if beyond > limit:
                    continue
                # In the mesh's own frame: the transposed rotation.
                x = row[6] * ux + row[9] * uy + row[12] * uz
                y = row[7] * ux + row[10] * uy + row[13] * uz
                z = row[8] * ux + row[11] * uy + row[14] * uz
                label, root = row[0], int(row[1])
                outside = gap(nodes, root, x, y, z)
                if outside > limit * limit:
                    continue
                inside = row[2] > 0.0 and outside == 0.0 and winding_number(triangles, nodes, root, x, y, z, stack) != 0
                taken = 0
                while taken < WITNESSES:  # each time round finds the nearest point not spoken for
                    # The depth inside a mesh counts however near another surface is.
                    limit = math.inf if inside else reach if taken > 0 else limit
                    d, u, v, w = closest_triangle(triangles, nodes, root, x, y, z, limit, kept, taken, stack, gaps)
                    if d == math.inf:
                        break
                    kept[taken, 0], kept[taken, 1], kept[taken, 2], kept[taken, 3] = u, v, w, d
                    if inside:
                        if d > TOUCHING:  # else the normal is the triangle's own
                            u, v, w = -u, -v, -w
                        d = -d
                    nx = row[6] * u + row[7] * v + row[8] * w
                    ny = row[9] * u + row[10] * v + row[11] * w
                    nz = row[12] * u + row[13] * v + row[14] * w
                    if d < distance[agent]:
                        distance[agent], surface[agent] = d, int(label)
                        normal[agent, 0], normal[agent, 1], normal[agent, 2] = nx, ny, nz
                    if d > reach:
                        break
                    insert(near_surface, near_distance, near_normal, start, end, d, nx, ny, nz, label)
                    end += 1
                    if inside:
                        break
                    taken += 1
        indptr[agent + 1] = end
    return indptr, near_surface, near_distance, near_normal


def distances(points: Floats, mesh: Mesh) -> Floats:
    """Distances (A,) in m of points (A, 3) from one mesh in its own frame, negative inside one that is closed."""
    nodes, triangles, _ = mesh.packed
    middle, radius = mesh.ball
    row = np.array([[0.0, 0.0, float(mesh.closed), *np.zeros(3), *np.eye(3).ravel(), *middle, radius * 1.001 + 1e-6]])
    points = np.array(points, dtype=np.float64)
    count = len(points)
    distance, normal, surface = np.full(count, np.inf), np.zeros((count, 3)), np.full(count, -1)
    none = np.zeros(count + 1, np.int64), np.empty(0, np.int64), np.empty(0), np.empty((0, 3))
    add_meshes(points, nodes, row, triangles, np.zeros(3), -1.0, 0, distance, normal, surface, *none)
    return distance
