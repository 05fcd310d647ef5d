"""Signed distance and outward normal of one sphere, cylinder or box, in closed form.

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
def signed_distance(row: Floats, x: float, y: float, z: float) -> tuple[float, float, float, float]:
    """Distance and unit normal of one obstacle.

    Args:
        row: Obstacle as in the table above.
        x, y, z: Point in the world frame, m.

    Returns:
        Distance in m (negative inside) and the three components of the outward normal, never NaN.
    """
    kind = row[0]
    dx, dy, dz = x - row[2], y - row[3], z - row[4]
    if kind == SPHERE:
        distance = math.sqrt(dx * dx + dy * dy + dz * dz)
        if distance < TOUCHING:
            return -row[14], 1.0, 0.0, 0.0
        return distance - row[14], dx / distance, dy / distance, dz / distance
    # In the obstacle's own frame, R^T d.
    u = row[5] * dx + row[8] * dy + row[11] * dz
    v = row[6] * dx + row[9] * dy + row[12] * dz
    w = row[7] * dx + row[10] * dy + row[13] * dz
    if kind == CYLINDER:
        distance, u, v, w = _cylinder(u, v, w, row[14], row[15])
    else:
        distance, u, v, w = _box(u, v, w, row[14], row[15], row[16])
    return (
        distance,
        row[5] * u + row[6] * v + row[7] * w,
        row[8] * u + row[9] * v + row[10] * w,
        row[11] * u + row[12] * v + row[13] * w,
    )


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
