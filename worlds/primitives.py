"""Signed distance and outward normal of one sphere, cylinder, box or bounding plane.

An obstacle or bounding plane is one row of a float table, so that a compiled query reads a whole world from one array:

| column | 0 | 1 | 2-4 | 5-13 | 14-16 |
| --- | --- | --- | --- | --- | --- |
| sphere | kind | surface | centre | - | radius |
| cylinder | kind | surface | centre | rotation, row by row | radius, half height |
| box | kind | surface | centre | rotation, row by row | half sizes |
| plane | kind | surface | inward normal | - | offset |
"""

from __future__ import annotations

import math

from swarm.compiled import kernel
from swarm.state import Floats

SPHERE, CYLINDER, BOX, PLANE = 0, 1, 2, 3
COLUMNS = 17
TOUCHING = 1e-12  # m; nearer than this, the direction to the closest point is noise and the face's normal stands in


@kernel
def signed_distance(items: Floats, row: int, x: float, y: float, z: float) -> tuple[float, float, float, float]:
    """Distance and unit normal of one obstacle or plane.

    Args:
        items: Table of obstacles as above.
        row: Which of them.
        x, y, z: Point in the world frame, m.

    Returns:
        Distance in m (negative inside) and the three components of the outward normal, never NaN.
    """
    kind, a, b, c = items[row, 0], items[row, 2], items[row, 3], items[row, 4]
    if kind == PLANE:
        return a * x + b * y + c * z - items[row, 14], a, b, c
    dx, dy, dz = x - a, y - b, z - c
    if kind == SPHERE:
        distance = math.sqrt(dx * dx + dy * dy + dz * dz)
        if distance < TOUCHING:
            return -items[row, 14], 1.0, 0.0, 0.0
        return distance - items[row, 14], dx / distance, dy / distance, dz / distance
    r11, r12, r13 = items[row, 5], items[row, 6], items[row, 7]
    r21, r22, r23 = items[row, 8], items[row, 9], items[row, 10]
    r31, r32, r33 = items[row, 11], items[row, 12], items[row, 13]
    # In the obstacle's own frame: the transposed rotation.
    u, v, w = r11 * dx + r21 * dy + r31 * dz, r12 * dx + r22 * dy + r32 * dz, r13 * dx + r23 * dy + r33 * dz
    if kind == CYLINDER:
        distance, u, v, w = _cylinder(u, v, w, items[row, 14], items[row, 15])
    else:
        distance, u, v, w = _box(u, v, w, items[row, 14], items[row, 15], items[row, 16])
    return distance, r11 * u + r12 * v + r13 * w, r21 * u + r22 * v + r23 * w, r31 * u + r32 * v + r33 * w


@kernel
def _cylinder(u: float, v: float, w: float, radius: float, half: float) -> tuple[float, float, float, float]:
    axial = math.sqrt(u * u + v * v)
    a, b = (u / axial, v / axial) if axial > TOUCHING else (1.0, 0.0)
    side = axial - radius
    cap = abs(w) - half
    up = 1.0 if w >= 0.0 else -1.0
    if side > 0.0 and cap > 0.0:  # nearest to a rim
        distance = math.sqrt(side * side + cap * cap)
        if distance > TOUCHING:
            return distance, a * side / distance, b * side / distance, up * cap / distance
    if side >= cap:
        return side, a, b, 0.0
    return cap, 0.0, 0.0, up


@kernel
def _box(u: float, v: float, w: float, a: float, b: float, c: float) -> tuple[float, float, float, float]:
    right = 1.0 if u >= 0.0 else -1.0
    left = 1.0 if v >= 0.0 else -1.0
    up = 1.0 if w >= 0.0 else -1.0
    p, q, r = abs(u) - a, abs(v) - b, abs(w) - c
    s, t, o = max(p, 0.0), max(q, 0.0), max(r, 0.0)
    distance = math.sqrt(s * s + t * t + o * o)
    if distance > TOUCHING:
        return distance, right * s / distance, left * t / distance, up * o / distance
    if p >= q and p >= r:
        return p, right, 0.0, 0.0
    if q >= r:
        return q, 0.0, left, 0.0
    return r, 0.0, 0.0, up
