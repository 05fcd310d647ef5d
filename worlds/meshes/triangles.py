"""Distance to a triangle mesh: closest triangle and inside test, through the mesh's own tree of boxes.

A triangle is one row of twelve: its three corners and its unit normal (by the right-hand rule), m, in the mesh's own
frame.
"""

from __future__ import annotations

import math

from swarm.compiled import kernel
from swarm.state import Floats, Ints
from swarm.worlds.tree import gap

SAME_DIRECTION = math.cos(math.radians(25.0))  # witnesses whose normals differ less say the same to an agent
LEVEL = 1e-6  # m; a point so little in front of a plane lies on it
TOUCHING = 1e-9  # m; nearer than this a triangle's own normal stands in for the direction to the point


@kernel
def closest_on_triangle(t: Floats, x: float, y: float, z: float) -> tuple[float, float, float]:
    """Closest point of one triangle (Ericson, Real-Time Collision Detection, 2005, section 5.1.5)."""
    ax, ay, az = t[3] - t[0], t[4] - t[1], t[5] - t[2]
    bx, by, bz = t[6] - t[0], t[7] - t[1], t[8] - t[2]
    px, py, pz = x - t[0], y - t[1], z - t[2]
    d1 = ax * px + ay * py + az * pz
    d2 = bx * px + by * py + bz * pz
    if d1 <= 0.0 and d2 <= 0.0:
        return t[0], t[1], t[2]
    aa, ab, bb = ax * ax + ay * ay + az * az, ax * bx + ay * by + az * bz, bx * bx + by * by + bz * bz
    d3, d4 = d1 - aa, d2 - ab  # the same products seen from the second corner
    if d3 >= 0.0 and d4 <= d3:
        return t[3], t[4], t[5]
    d5, d6 = d1 - ab, d2 - bb  # and from the third
    if d6 >= 0.0 and d5 <= d6:
        return t[6], t[7], t[8]
    va, vb, vc = d3 * d6 - d5 * d4, d5 * d2 - d1 * d6, d1 * d4 - d3 * d2
    if vc <= 0.0 and d1 >= 0.0 and d3 <= 0.0:
        along, across = d1 / (d1 - d3), 0.0
    elif vb <= 0.0 and d2 >= 0.0 and d6 <= 0.0:
        along, across = 0.0, d2 / (d2 - d6)
    elif va <= 0.0 and d4 >= d3 and d5 >= d6:
        across = (d4 - d3) / ((d4 - d3) + (d5 - d6))
        along = 1.0 - across
    else:
        along, across = vb / (va + vb + vc), vc / (va + vb + vc)
    return t[0] + along * ax + across * bx, t[1] + along * ay + across * by, t[2] + along * az + across * bz


@kernel
def closest_triangle(
    triangles: Floats,
    nodes: Floats,
    root: int,
    x: float,
    y: float,
    z: float,
    limit: float,
    kept: Floats,
    count: int,
    stack: Ints,
    gaps: Floats,
) -> tuple[float, float, float, float]:
    """Nearest point of a mesh that the witnesses kept so far do not speak for.

    A witness speaks for what lies behind its tangent plane, as that of a box does for all of the box, and for what is
    seen in nearly its direction. So a flat wall has one witness, and the inside of a room one for each wall.

    Args:
        triangles, nodes, root: The mesh.
        x, y, z: Point, m.
        limit: m; what is farther is not found.
        kept, count: (16, 4) unit normal and distance of each witness, of which the first `count` are taken.
        stack, gaps: (64,) working memory.

    Returns:
        Distance (inf when nothing was found) and unit vector from the mesh to the point.
    """
    best, nx, ny, nz = math.inf, 0.0, 0.0, 0.0
    bound = limit * limit
    stack[0], gaps[0], top = 0, 0.0, 1
    while top > 0:
        top -= 1
        local = stack[top]
        if gaps[top] > bound:
            continue
        if _hidden(nodes, root + local, x, y, z, kept, count):
            continue
        node = nodes[root + local]
        if node[7] < 0.0:
            near, far = 2 * local + 1, 2 * local + 2
            near_gap, far_gap = gap(nodes, root + near, x, y, z), gap(nodes, root + far, x, y, z)
            if near_gap > far_gap:
                near, far, near_gap, far_gap = far, near, far_gap, near_gap
            stack[top], gaps[top], stack[top + 1], gaps[top + 1] = far, far_gap, near, near_gap
            top += 2
            continue
        for index in range(int(node[6]), int(node[6] + node[7])):
            t = triangles[index]
            cx, cy, cz = closest_on_triangle(t, x, y, z)
            dx, dy, dz = x - cx, y - cy, z - cz
            square = dx * dx + dy * dy + dz * dz
            if square > bound or square >= best:
                continue
            length = math.sqrt(square)
            if length > TOUCHING:
                dx, dy, dz = dx / length, dy / length, dz / length
            else:
                dx, dy, dz = t[9], t[10], t[11]
            fresh = True
            for k in range(count):
                along = dx * kept[k, 0] + dy * kept[k, 1] + dz * kept[k, 2]
                if along > SAME_DIRECTION or along * length >= kept[k, 3] - LEVEL:
                    fresh = False
                    break
            if fresh:
                best, nx, ny, nz = square, dx, dy, dz
                bound = min(bound, square)
    return math.sqrt(best), nx, ny, nz


@kernel
def _hidden(nodes: Floats, index: int, x: float, y: float, z: float, kept: Floats, count: int) -> bool:
    """Whether all of a node's box lies behind the tangent plane of a witness that is kept."""
    for k in range(count):
        u, v, w = kept[k, 0], kept[k, 1], kept[k, 2]
        front = u * (nodes[index, 3] if u > 0.0 else nodes[index, 0])
        front += v * (nodes[index, 4] if v > 0.0 else nodes[index, 1])
        front += w * (nodes[index, 5] if w > 0.0 else nodes[index, 2])
        if front <= u * x + v * y + w * z - kept[k, 3] + LEVEL:
            return True
    return False


@kernel
def winding_number(triangles: Floats, nodes: Floats, root: int, x: float, y: float, z: float, stack: Ints) -> int:
    """How often a closed mesh winds around a point: signed crossings of the ray from it straight up.

    The seen-from-above test decides each edge by the same comparison for both of its triangles, so a ray through an
    edge or a corner is counted once.
    """
    crossings = 0
    stack[0], top = 0, 1
    while top > 0:
        top -= 1
        local = stack[top]
        node = nodes[root + local]
        if not (node[0] <= x <= node[3] and node[1] <= y <= node[4] and z <= node[5]):
            continue
        if node[7] < 0.0:
            stack[top], stack[top + 1] = 2 * local + 1, 2 * local + 2
            top += 2
            continue
        for index in range(int(node[6]), int(node[6] + node[7])):
            t = triangles[index]
            inside = False
            for corner in range(3):
                a, b = 3 * corner, 3 * ((corner + 1) % 3)
                if t[a + 1] > t[b + 1] or (t[a + 1] == t[b + 1] and t[a] > t[b]):
                    a, b = b, a
                if t[a + 1] <= y < t[b + 1]:
                    right = (t[b] - t[a]) * (y - t[a + 1]) > (x - t[a]) * (t[b + 1] - t[a + 1])
                    inside = inside != right
            if inside:
                height = t[9] * (x - t[0]) + t[10] * (y - t[1]) + t[11] * (z - t[2])
                if t[11] > 0.0 and height < 0.0:
                    crossings += 1
                elif t[11] < 0.0 and height > 0.0:
                    crossings -= 1
    return crossings
