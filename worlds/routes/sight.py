"""Lines of sight through a field of clearances: what is known of a place from the nodes around it.

At every node of a grid the field holds the distance to the nearest surface and that surface's normal. Together they
give a plane behind which the surface lies, if it is convex. Between nodes these planes are interpolated, not the
distances: the error is of second order, and a wall or a beam far thinner than a cell still has clearance 0 where it is,
while an interpolation of distances would show nothing there.
"""

from __future__ import annotations

import math

from swarm.compiled import kernel
from swarm.state import Floats, Ints

STRIDE = 0.5  # cells, shortest step along a line
FINEST = 0.05  # cells, shortest where less than that much clearance is asked for
RISE = 0.6  # m of clearance gained per metre on a line out of the margin


@kernel
def room(field: Floats, shape: Ints, frame: Floats, x: float, y: float, z: float) -> float:
    """Clearance of any place, m; for places beyond the grid that of its edge.

    Args:
        field: (N, 4) clearance in m and unit normal at each node, z running fastest.
        shape: (6,) nodes along x, y, z, and 1 for each axis that wraps, else 0.
        frame: (6,) first node in m, and cells along x, y, z in m.
        x, y, z: m from the first node.
    """
    i, u = _cell(x / frame[3], shape[0], shape[3])
    j, v = _cell(y / frame[4], shape[1], shape[4])
    k, w = _cell(z / frame[5], shape[2], shape[5])
    row, column, level = shape[1] * shape[2], shape[2], 1
    if i == shape[0] - 1:  # the node after it: the first, where the axis wraps, else there is none and u is 0
        row = -i * row if shape[3] else 0
    if j == shape[1] - 1:
        column = -j * column if shape[4] else 0
    if k == shape[2] - 1:
        level = -k if shape[5] else 0
    node = (i * shape[1] + j) * shape[2] + k
    total = 0.0
    for corner in range(8 if w > 0.0 else 4):  # a bound known only here keeps the loop short when compiled
        a, b, c = corner & 1, corner >> 1 & 1, corner >> 2
        share = (u if a else 1.0 - u) * (v if b else 1.0 - v) * (w if c else 1.0 - w)
        here = node + a * row + b * column + c * level
        along = field[here, 1] * (u - a) * frame[3] + field[here, 2] * (v - b) * frame[4]
        total += share * (field[here, 0] + along + field[here, 3] * (w - c) * frame[5])
    return total


@kernel
def _cell(place: float, count: int, wraps: int) -> tuple[int, float]:
    """The last node before a place in cells, wrapped or moved into the grid, and how far from it the place is."""
    if wraps:
        low = math.floor(place)
        return low % count, place - low
    place = min(max(place, 0.0), count - 1.0)
    low = int(place)
    return low, place - low


@kernel
def number(shape: Ints, i: int, j: int, k: int) -> int:
    """Of a node by its place in the grid, each coordinate wrapped where its axis does, else moved into the grid."""
    i = i % shape[0] if shape[3] else min(max(i, 0), shape[0] - 1)
    j = j % shape[1] if shape[4] else min(max(j, 0), shape[1] - 1)
    k = k % shape[2] if shape[5] else min(max(k, 0), shape[2] - 1)
    return int((i * shape[1] + j) * shape[2] + k)


@kernel
def slack(
    field: Floats,
    shape: Ints,
    frame: Floats,
    margin: float,
    x: float,
    y: float,
    z: float,
    ex: float,
    ey: float,
    ez: float,
    here: float,
) -> float:
    """How far the first end of a straight line can be moved and the line still keeps a margin from everything solid.

    Clearance changes by at most one metre per metre, so where there is much of it the line is followed in long steps
    (sphere tracing; Hart 1996).

    Args:
        field, shape, frame: As for `room`.
        margin: m to keep between the ends.
        x, y, z, ex, ey, ez: The two ends, m from the first node.
        here: m, clearance at the first end: where it is below the margin, the line has to lead out of the margin.

    Returns:
        m, at least 0; -1 where the line does not keep the margin.
    """
    dx, dy, dz = ex - x, ey - y, ez - z
    length = math.sqrt(dx * dx + dy * dy + dz * dz)
    scale = 1.0 / max(length, 1e-300)
    dx, dy, dz = dx * scale, dy * scale, dz * scale
    over_x, over_y, over_z = 1.0 / frame[3], 1.0 / frame[4], 1.0 / frame[5]
    cell = min(frame[3], frame[4], frame[5])
    longest, shortest = cell * min(max(0.75 * margin / cell, STRIDE), 1.0), FINEST * cell
    least = length
    along = min(longest, max(min(margin, here), shortest))
    while along < length:
        px, py, pz = x + along * dx, y + along * dy, z + along * dz
        i, j, k = math.floor(px * over_x + 0.5), math.floor(py * over_y + 0.5), math.floor(pz * over_z + 0.5)
        ax, ay, az = px - i * frame[3], py - j * frame[4], pz - k * frame[5]
        wanted = min(margin, here + RISE * along)
        stride = min(longest, max(wanted, shortest))
        spare = field[number(shape, i, j, k), 0] - math.sqrt(ax * ax + ay * ay + az * az) - margin
        if spare < stride:
            spare = room(field, shape, frame, px, py, pz) - wanted
            if spare < 0.0:
                return -1.0
        # Up to the next look half of what is spare is left, and the line moves the less the nearer to its other end.
        least = min(least, 0.8 * spare * length / (length - along))
        along += max(spare, stride)
    return least
