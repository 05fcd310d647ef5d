"""Whether nothing solid stands between two points: straight lines through the trees of a world's geometry."""

from __future__ import annotations

import math

import numpy as np

from swarm.compiled import kernel
from swarm.state import Bools, Floats, Ints
from swarm.worlds.primitives import BOX, PLANE, SPHERE, TOUCHING
from swarm.worlds.triangles import winding_number


@kernel
def in_sight(
    a: Floats,
    b: Floats,
    nodes: Floats,
    items: Floats,
    period: Floats,
    mesh_nodes: Floats,
    meshes: Floats,
    triangles: Floats,
) -> Bools:
    """Whether the lines from a to b are free; touching a surface from outside does not block one.

    Args:
        a, b: (M, D) m, D 2 or 3. Where an axis wraps, a is within one period and b its nearest image.
        nodes, items, period, mesh_nodes, meshes, triangles: See geometry.Geometry.

    Returns:
        (M,); False as well when an end is inside something solid.
    """
    lines, dim = a.shape
    free = np.ones(lines, np.bool_)
    wide, deep, high = 1 + 2 * int(period[0] > 0.0), 1 + 2 * int(period[1] > 0.0), 1 + 2 * int(period[2] > 0.0)
    stack = np.empty(64, np.int64)
    for line in range(lines):
        u, v, w = b[line, 0] - a[line, 0], b[line, 1] - a[line, 1], b[line, 2] - a[line, 2] if dim == 3 else 0.0
        for image in range(wide * deep * high):
            x = a[line, 0] + (image % wide - wide // 2) * period[0]
            y = a[line, 1] + (image // wide % deep - deep // 2) * period[1]
            z = a[line, 2] + (image // (wide * deep) - high // 2) * period[2] if dim == 3 else 0.0
            if _meets_primitive(nodes, items, x, y, z, u, v, w, stack):
                free[line] = False
                break
            for mesh in range(len(meshes)):
                if _meets_mesh(mesh_nodes, triangles, meshes[mesh], x, y, z, u, v, w, stack):
                    free[line] = False
                    break
            if not free[line]:
                break
    return free


@kernel
def _meets_primitive(
    nodes: Floats, items: Floats, x: float, y: float, z: float, u: float, v: float, w: float, stack: Ints
) -> bool:
    """Whether the line from (x, y, z) along all of (u, v, w) enters a primitive or goes behind a bounding plane."""
    stack[0], stack[1], top = 0, len(nodes) - 1, 2
    while top > 0:
        top -= 1
        index = stack[top]
        if not _meets_box(nodes, index, x, y, z, u, v, w):
            continue
        if nodes[index, 7] < 0.0:
            stack[top], stack[top + 1] = 2 * index + 1, 2 * index + 2
            top += 2
            continue
        for row in range(int(nodes[index, 6]), int(nodes[index, 6] + nodes[index, 7])):
            if _enters(items[row], x, y, z, u, v, w):
                return True
    return False


@kernel
def _meets_box(nodes: Floats, index: int, x: float, y: float, z: float, u: float, v: float, w: float) -> bool:
    """Whether a line meets a node's box, its faces included (slab test; Kay and Kajiya 1986)."""
    if nodes[index, 0] > nodes[index, 3]:  # of a node that holds nothing
        return False
    first, last = _slab(0.0, 1.0, x, u, nodes[index, 0], nodes[index, 3])
    first, last = _slab(first, last, y, v, nodes[index, 1], nodes[index, 4])
    first, last = _slab(first, last, z, w, nodes[index, 2], nodes[index, 5])
    return bool(first <= last)


@kernel
def _slab(first: float, last: float, x: float, u: float, low: float, high: float) -> tuple[float, float]:
    """Shares of a line's length at which it comes and goes between two planes across one axis; never if first > last."""
    if u == 0.0:
        return (first, last) if low <= x <= high else (1.0, 0.0)
    near, far = (low - x) / u, (high - x) / u
    if near > far:
        near, far = far, near
    return max(first, near), min(last, far)


@kernel
def _enters(item: Floats, x: float, y: float, z: float, u: float, v: float, w: float) -> bool:
    """Whether a part of a line with a length is inside one primitive or behind one plane."""
    kind, a, b, c = item[0], item[2], item[3], item[4]
    if kind == PLANE:
        start = a * x + b * y + c * z - item[14]
        return bool(min(start, start + a * u + b * v + c * w) < 0.0)
    dx, dy, dz = x - a, y - b, z - c
    if kind == SPHERE:
        first, last = _round(dx, dy, dz, u, v, w, item[14])
        return bool(first < last)
    # In the obstacle's own frame: the transposed rotation.
    p, q, r = (
        item[5] * dx + item[8] * dy + item[11] * dz,
        item[6] * dx + item[9] * dy + item[12] * dz,
        item[7] * dx + item[10] * dy + item[13] * dz,
    )
    s, t, o = (
        item[5] * u + item[8] * v + item[11] * w,
        item[6] * u + item[9] * v + item[12] * w,
        item[7] * u + item[10] * v + item[13] * w,
    )
    if kind == BOX:
        first, last = _slab(0.0, 1.0, p, s, TOUCHING - item[14], item[14] - TOUCHING)
        first, last = _slab(first, last, q, t, TOUCHING - item[15], item[15] - TOUCHING)
        first, last = _slab(first, last, r, o, TOUCHING - item[16], item[16] - TOUCHING)
    else:
        first, last = _round(p, q, 0.0, s, t, 0.0, item[14])
        first, last = _slab(first, last, r, o, TOUCHING - item[15], item[15] - TOUCHING)
    if s == 0.0 and t == 0.0 and o == 0.0:  # a point has no length, but it can be inside
        return bool(first <= last)
    return bool(last - first > 1e-12)


@kernel
def _round(x: float, y: float, z: float, u: float, v: float, w: float, radius: float) -> tuple[float, float]:
    """Shares of its length at which a line comes and goes within a radius of the origin; never if first >= last."""
    along, square = x * u + y * v + z * w, u * u + v * v + w * w
    beyond = x * x + y * y + z * z - radius * radius
    if square == 0.0:
        return (0.0, 1.0) if beyond < 0.0 else (1.0, 0.0)
    root = along * along - square * beyond
    if root <= 0.0:
        return 1.0, 0.0
    root = math.sqrt(root)
    return max(0.0, (-along - root) / square), min(1.0, (-along + root) / square)


@kernel
def _meets_mesh(
    nodes: Floats,
    triangles: Floats,
    mesh: Floats,
    px: float,
    py: float,
    pz: float,
    pu: float,
    pv: float,
    pw: float,
    stack: Ints,
) -> bool:
    """Whether a line crosses a triangle of a mesh, or begins inside a closed one."""
    first, last = _round(
        px - mesh[3] - mesh[15], py - mesh[4] - mesh[16], pz - mesh[5] - mesh[17], pu, pv, pw, mesh[18]
    )
    if first >= last:
        return False
    ux, uy, uz = px - mesh[3], py - mesh[4], pz - mesh[5]
    x = mesh[6] * ux + mesh[9] * uy + mesh[12] * uz
    y = mesh[7] * ux + mesh[10] * uy + mesh[13] * uz
    z = mesh[8] * ux + mesh[11] * uy + mesh[14] * uz
    u = mesh[6] * pu + mesh[9] * pv + mesh[12] * pw
    v = mesh[7] * pu + mesh[10] * pv + mesh[13] * pw
    w = mesh[8] * pu + mesh[11] * pv + mesh[14] * pw
    root = int(mesh[1])
    stack[0], top = 0, 1
    while top > 0:
        top -= 1
        local = stack[top]
        node = nodes[root + local]
        if not _meets_box(nodes, root + local, x, y, z, u, v, w):
            continue
        if node[7] < 0.0:
            stack[top], stack[top + 1] = 2 * local + 1, 2 * local + 2
            top += 2
            continue
        for index in range(int(node[6]), int(node[6] + node[7])):
            if _crosses(triangles[index], x, y, z, u, v, w):
                return True
    return bool(mesh[2] > 0.0 and winding_number(triangles, nodes, root, x, y, z, stack) != 0)


@kernel
def _crosses(t: Floats, x: float, y: float, z: float, u: float, v: float, w: float) -> bool:
    """Whether a line passes from one side of a triangle, its edges included, to the other."""
    before = t[9] * (x - t[0]) + t[10] * (y - t[1]) + t[11] * (z - t[2])
    change = t[9] * u + t[10] * v + t[11] * w
    if before * (before + change) >= 0.0:
        return False
    # Volumes of the corners taken in pairs with the line have one sign all round when it passes between them.
    ax, ay, az = t[0] - x, t[1] - y, t[2] - z
    bx, by, bz = t[3] - x, t[4] - y, t[5] - z
    cx, cy, cz = t[6] - x, t[7] - y, t[8] - z
    one = u * (ay * bz - az * by) + v * (az * bx - ax * bz) + w * (ax * by - ay * bx)
    two = u * (by * cz - bz * cy) + v * (bz * cx - bx * cz) + w * (bx * cy - by * cx)
    three = u * (cy * az - cz * ay) + v * (cz * ax - cx * az) + w * (cx * ay - cy * ax)
    return bool((one >= 0.0 and two >= 0.0 and three >= 0.0) or (one <= 0.0 and two <= 0.0 and three <= 0.0))
