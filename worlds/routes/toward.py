"""Where to go from any point, read off a grid of ways."""

from __future__ import annotations

import math

import numpy as np

from swarm.compiled import kernel
from swarm.state import Floats, Ints
from swarm.worlds.routes.sight import number, room, slack

BLOCKED = 100.0  # cost of a metre through an obstacle or its margin, in metres outside: one leaves by the nearest way
OFF = 1e6  # m; a node that has a way is preferred to any that has none
ARRIVED = 1e-12  # m; nearer than this to the target, no direction is left
FAR = 1e12  # m; farther away nothing is
CUT = 0.25  # cells by which lines from any place may cut into the margin that lines between nodes keep
LEAST = 0.3  # cells that they keep at least
BESIDE = 2.0  # cells; a turning point this near is passed by if the next is in sight
TARGET = 16  # the target's row of offers; rows before it are the ways of the eight nodes, then these nodes themselves


@kernel
def toward(
    points: Floats,
    shape: Ints,
    frame: Floats,
    field: Floats,
    ahead: Floats,
    turn: Ints,
    keep: float,
    near: float,
    inside: float,
    target: Floats,
) -> tuple[Floats, Floats, Ints]:
    """Distance to go, direction and next turning point.

    Of the places to which the ways of the surrounding nodes are straight, and these nodes themselves, that one is made
    for which is in sight of the point and makes its way shortest.

    Args:
        points: (A, D) m.
        shape, frame, field: The grid (see sight). With one node along z it also serves three dimensions: where
            everything solid is upright, the shortest way is that of the plane, climbing evenly.
        ahead, turn: From `any_angle`; a node without a way has -2 minus the nearest that has one in `turn`, and that
            node's place and length in `ahead`.
        keep: m that ways between nodes keep; a line of sight from a point may cut into it by a quarter of a cell.
        near: m; a point this near to the target makes straight for it where that is free. 0 for a target that keeps
            the margin, because the nodes around it know.
        inside: m, the target's clearance.
        target: (D,) m.

    Returns:
        (A,) m, (A, D) unit vectors (zero at the target) and (A,) nodes (-1 for the target). A point that is not finite
        has an infinite way, no direction, and -2.
    """
    agents, dim = points.shape
    distance, direction, ends = np.empty(agents), np.empty((agents, dim)), np.empty(agents, np.int64)
    offers, cost, beside, onto = np.empty((17, 4)), np.empty(17), np.empty(8, np.int64), np.empty(17, np.int64)
    nx, ny, nz = shape[0], shape[1], shape[2]
    cell = min(frame[3], frame[4])
    margin = max(keep - CUT * cell, min(keep, LEAST * cell))
    for agent in range(agents):
        x, y = points[agent, 0] - frame[0], points[agent, 1] - frame[1]
        height = points[agent, 2] if dim == 3 else 0.0
        if not (abs(x) < FAR and abs(y) < FAR and abs(height) < FAR):
            distance[agent], direction[agent], ends[agent] = math.inf, 0.0, -2
            continue
        z = height - frame[2] if nz > 1 else 0.0
        x -= shape[3] * math.floor(x / (nx * frame[3])) * nx * frame[3]
        y -= shape[4] * math.floor(y / (ny * frame[4])) * ny * frame[4]
        z -= shape[5] * math.floor(z / (nz * frame[5])) * nz * frame[5]
        _offer(x, y, z, shape, frame, ahead, turn, offers, cost, beside, onto)
        here = room(field, shape, frame, x, y, z)
        cost[8:] = math.inf
        if near > 0.0 and here > 0.0:
            _offer_target(x, y, z, shape, frame, target, near, offers, cost, onto)
        first = chosen = _least(cost)
        known = chosen < 8 and _away(chosen, x, y, z, shape, frame, ahead, offers, beside) <= keep - margin
        u, v, w, onward, end = 0.0, 0.0, 0.0, 0.0, -2
        while cost[chosen] < math.inf:
            a, b, c = offers[chosen, 0], offers[chosen, 1], offers[chosen, 2]
            wanted = margin if chosen < TARGET else 0.5 * min(here, inside)
            if not known and slack(field, shape, frame, wanted, x, y, z, a, b, c, here) < 0.0:
                if end > -2:
                    break
                if chosen == first:  # the best is out of sight: now the nodes themselves are offered, too
                    for corner in range(8):
                        _offer_itself(corner, x, y, z, shape, frame, ahead, turn, offers, cost, beside, onto)
                cost[chosen] = math.inf
                chosen = _least(cost)
                continue
            known, u, v, w, onward, end = False, a, b, c, offers[chosen, 3], onto[chosen]
            du, dv, dw = u - x, v - y, w - z
            if end < 0 or du * du + dv * dv + dw * dw > (BESIDE * cell) ** 2:
                break
            # So near a turning point the next may be in sight.
            a, b, c = _place(end, shape, frame)
            offers[chosen, 0], offers[chosen, 1], offers[chosen, 2] = u - a, v - b, w - c
            for axis in range(3):
                offers[chosen, axis] += ahead[end, axis]
            offers[chosen, 3], onto[chosen] = ahead[end, 3], turn[end]
        if end == -2:  # nothing is in sight
            u, v, w, onward, end = offers[first, 0], offers[first, 1], offers[first, 2], offers[first, 3], onto[first]
        u, v, w = u - x, v - y, w - z
        way = onward + math.sqrt(u * u + v * v + w * w)
        if nz == 1 and dim == 3:
            w = rise = target[2] - height
            stretch = way / max(math.sqrt(u * u + v * v), 1e-300)
            u, v, way = u * stretch, v * stretch, math.sqrt(way * way + rise * rise)
        distance[agent], ends[agent] = way, end
        size = math.sqrt(u * u + v * v + w * w)
        scale = 1.0 / size if size > ARRIVED else 0.0
        direction[agent, 0], direction[agent, 1] = u * scale, v * scale
        if dim == 3:
            direction[agent, 2] = w * scale
    return distance, direction, ends


@kernel
def _least(cost: Floats) -> int:
    """The first row of least cost."""
    best = 0
    for row in range(1, len(cost)):
        if cost[row] < cost[best]:
            best = row
    return best


@kernel
def _place(node: int, shape: Ints, frame: Floats) -> tuple[float, float, float]:
    """m from the first node."""
    plane = shape[1] * shape[2]
    return node // plane * frame[3], node % plane // shape[2] * frame[4], node % shape[2] * frame[5]


@kernel
def _offer(
    x: float,
    y: float,
    z: float,
    shape: Ints,
    frame: Floats,
    ahead: Floats,
    turn: Ints,
    offers: Floats,
    cost: Floats,
    beside: Ints,
    onto: Ints,
) -> None:
    """What the ways of the nodes around a place offer: where they are straight to, seen from it, at what cost."""
    i, j, k = _lower(x / frame[3], shape[0], shape[3]), _lower(y / frame[4], shape[1], shape[4]), 0
    if shape[2] > 1:
        k = _lower(z / frame[5], shape[2], shape[5])
    corner = 0
    for a in range(i, i + 2):
        for b in range(j, j + 2):
            for c in range(k, k + 2):
                node = number(shape, a, b, c)
                u, v, w = ahead[node, 0], ahead[node, 1], ahead[node, 2]
                if shape[3] and a == shape[0]:
                    u += a * frame[3]
                if shape[4] and b == shape[1]:
                    v += b * frame[4]
                if shape[5] and c == shape[2]:
                    w += c * frame[5]
                straight = math.sqrt((u - x) ** 2 + (v - y) ** 2 + (w - z) ** 2)
                offers[corner, 0], offers[corner, 1], offers[corner, 2], offers[corner, 3] = u, v, w, ahead[node, 3]
                cost[corner], beside[corner] = ahead[node, 3] + straight, node
                onto[corner] = turn[node] if turn[node] >= -1 else -2 - turn[node]
                if turn[node] < -1:
                    cost[corner] += BLOCKED * straight + OFF
                corner += 1


@kernel
def _lower(place: float, count: int, wraps: int) -> int:
    """Coordinate of the last node before a place in cells, such that the one after it is in the grid, if there is."""
    return int(min(max(place, 0.0), count - 1.0 if wraps else max(count - 2.0, 0.0)))


@kernel
def _offer_itself(
    corner: int,
    x: float,
    y: float,
    z: float,
    shape: Ints,
    frame: Floats,
    ahead: Floats,
    turn: Ints,
    offers: Floats,
    cost: Floats,
    beside: Ints,
    onto: Ints,
) -> None:
    """Offer a node beside a place, after its way was, in the eight rows that follow; not one without a way."""
    node = beside[corner]
    if turn[node] < -1:
        return
    a, b, c = _place(node, shape, frame)
    du, dv, dw = ahead[node, 0] - a, ahead[node, 1] - b, ahead[node, 2] - c
    u, v, w = offers[corner, 0] - du, offers[corner, 1] - dv, offers[corner, 2] - dw
    onward = ahead[node, 3] + math.sqrt(du * du + dv * dv + dw * dw)
    row = 8 + corner
    offers[row, 0], offers[row, 1], offers[row, 2], offers[row, 3] = u, v, w, onward
    onto[row] = node
    cost[row] = onward + math.sqrt((u - x) ** 2 + (v - y) ** 2 + (w - z) ** 2)


@kernel
def _away(
    corner: int, x: float, y: float, z: float, shape: Ints, frame: Floats, ahead: Floats, offers: Floats, beside: Ints
) -> float:
    """How much farther a place is from a node beside it than the node could be moved and see the same, m."""
    node = beside[corner]
    u, v, w = _place(node, shape, frame)
    u += offers[corner, 0] - ahead[node, 0] - x
    v += offers[corner, 1] - ahead[node, 1] - y
    w += offers[corner, 2] - ahead[node, 2] - z
    return float(math.sqrt(u * u + v * v + w * w) - ahead[node, 4])


@kernel
def _offer_target(
    x: float,
    y: float,
    z: float,
    shape: Ints,
    frame: Floats,
    target: Floats,
    near: float,
    offers: Floats,
    cost: Floats,
    onto: Ints,
) -> None:
    """Offer the target itself to a place that is near."""
    u, v, w = target[0] - frame[0] - x, target[1] - frame[1] - y, 0.0
    if shape[2] > 1:
        w = target[2] - frame[2] - z
    u -= shape[3] * math.floor(u / (shape[0] * frame[3]) + 0.5) * shape[0] * frame[3]
    v -= shape[4] * math.floor(v / (shape[1] * frame[4]) + 0.5) * shape[1] * frame[4]
    w -= shape[5] * math.floor(w / (shape[2] * frame[5]) + 0.5) * shape[2] * frame[5]
    away = math.sqrt(u * u + v * v + w * w)
    if away <= near:
        offers[TARGET, 0], offers[TARGET, 1], offers[TARGET, 2], offers[TARGET, 3] = x + u, y + v, z + w, 0.0
        cost[TARGET], onto[TARGET] = away, -1
