"""Straight lines against boxes, primitives and triangles.

A line begins at (x, y, z) and goes along all of (u, v, w); a share of 0 is its beginning, one of 1 its end.
"""

from __future__ import annotations

import math

from swarm.compiled import kernel
from swarm.state import Floats
from swarm.worlds.primitives import BOX, PLANE, SPHERE, TOUCHING


@kernel
def meets_box(nodes: Floats, index: int, x: float, y: float, z: float, u: float, v: float, w: float) -> bool:
    """Whether a line meets a node's box, its faces included (slab test; Kay and Kajiya 1986)."""
    if nodes[index, 0] > nodes[index, 3]:  # of a node that holds nothing
        return False
    first, last = between(0.0, 1.0, x, u, nodes[index, 0], nodes[index, 3])
    first, last = between(first, last, y, v, nodes[index, 1], nodes[index, 4])
    first, last = between(first, last, z, w, nodes[index, 2], nodes[index, 5])
    return bool(first <= last)


@kernel
def between(first: float, last: float, x: float, u: float, low: float, high: float) -> tuple[float, float]:
    """Shares at which a line comes and goes between two planes across one axis; never if first > last."""
    if u == 0.0:
        return (first, last) if low <= x <= high else (1.0, 0.0)
    near, far = (low - x) / u, (high - x) / u
    if near > far:
        near, far = far, near
    return max(first, near), min(last, far)


@kernel
def within(x: float, y: float, z: float, u: float, v: float, w: float, radius: float) -> tuple[float, float]:
    """Shares at which a line comes and goes within a radius of the origin; never if first >= last."""
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
def enters(item: Floats, x: float, y: float, z: float, u: float, v: float, w: float) -> bool:
    """Whether a part of a line with a length is inside one primitive or behind one plane."""
    kind, a, b, c = item[0], item[2], item[3], item[4]
    if kind == PLANE:
        start = a * x + b * y + c * z - item[14]
        return bool(min(start, start + a * u + b * v + c * w) < 0.0)
    dx, dy, dz = x - a, y - b, z - c
    if kind == SPHERE:
        first, last = within(dx, dy, dz, u, v, w, item[14])
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
        first, last = between(0.0, 1.0, p, s, TOUCHING - item[14], item[14] - TOUCHING)
        first, last = between(first, last, q, t, TOUCHING - item[15], item[15] - TOUCHING)
        first, last = between(first, last, r, o, TOUCHING - item[16], item[16] - TOUCHING)
    else:
        first, last = within(p, q, 0.0, s, t, 0.0, item[14])
        first, last = between(first, last, r, o, TOUCHING - item[15], item[15] - TOUCHING)
    if s == 0.0 and t == 0.0 and o == 0.0:  # a point has no length, but it can be inside
        return bool(first <= last)
    return bool(last - first > 1e-12)


@kernel
def crosses(t: Floats, x: float, y: float, z: float, u: float, v: float, w: float) -> bool:
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
