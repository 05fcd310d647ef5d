"""Shortest ways around obstacles on a grid, free to turn at any node and by any angle (lazy Theta*; Nash et al. 2010).

A wave spreads from the target, node by node in the order of their distance. Each node takes over the turning point of
the node that reached it, so its way begins with one straight line of exact length; whether that line is free is checked
once, when the node's turn comes, and only where it is not does the way bend. Against the eikonal equation on the same
grid this has no first-order error, and where the target is in sight the way is straight.

All lengths are in cells, places from the first node. Nodes are numbered with z running fastest.
"""

from __future__ import annotations

import math

import numpy as np

from swarm.compiled import kernel
from swarm.state import Bools, Floats, Ints
from swarm.worlds.heap import drop_first, lift
from swarm.worlds.sight import clear

BLOCKED = 100.0  # cost of a step through an obstacle or its margin, in steps outside: one leaves by the nearest way
CROSSING = 1e4  # cost of a step that may go through a thin wall


@kernel
def spread(clearance: Floats, margin: float, target: Floats, seeds: Ints) -> tuple[Floats, Ints, Bools]:
    """Find the way to the target from every node that has one.

    Args:
        clearance: (X, Y, Z) of each node; Z is 1 in the plane.
        margin: To keep from obstacles.
        target: (3,).
        seeds: Nodes that see the target.

    Returns:
        length (N,) of the way, inf where there is none;
        turn (N,) the node to which it is straight, -1 for the target;
        reached (N,) whether there is a way.
    """
    nx, ny, nz = clearance.shape
    count = nx * ny * nz
    length, turn = np.full(count, math.inf), np.full(count, -1)
    reached, seen = np.zeros(count, np.bool_), np.zeros(count, np.bool_)
    heap, place, size = np.empty(count, np.int64), np.full(count, -1), 0
    for node in seeds:
        x, y, z = where(node, ny, nz, target)
        length[node] = math.sqrt((x - target[0]) ** 2 + (y - target[1]) ** 2 + (z - target[2]) ** 2)
        seen[node] = True
        size = lift(heap, place, length, size, node)
    while size > 0:
        node = heap[0]
        size = drop_first(heap, place, length, size)
        end = turn[node]
        x, y, z = where(node, ny, nz, target)
        ex, ey, ez = where(end, ny, nz, target)
        spared = 1.0 if end < 0 else 0.0  # the target may be nearer to an obstacle than nodes may
        if not seen[node] and not clear(clearance, margin, x, y, z, ex, ey, ez, spared):
            length[node], turn[node], seen[node] = _bend(node, clearance, target, length, turn, reached)
            size = lift(heap, place, length, size, node)
            continue
        reached[node] = True
        beyond = length[end] if end >= 0 else 0.0
        for side in range(6 if nz > 1 else 4):
            i, j, k = _beside(side, int(x), int(y), int(z))
            if not (0 <= i < nx and 0 <= j < ny and 0 <= k < nz) or clearance[i, j, k] < margin:
                continue
            other = (i * ny + j) * nz + k
            if reached[other]:
                continue
            way = beyond + math.sqrt((i - ex) ** 2 + (j - ey) ** 2 + (k - ez) ** 2)
            if way < length[other]:
                length[other], turn[other], seen[other] = way, end, False
                size = lift(heap, place, length, size, other)
    return length, turn, reached


@kernel
def where(node: int, ny: int, nz: int, target: Floats) -> tuple[float, float, float]:
    """Place of a node, of the target for -1."""
    if node < 0:
        return target[0], target[1], target[2]
    column = node // nz
    return float(column // ny), float(column % ny), float(node - column * nz)


@kernel
def _beside(side: int, i: int, j: int, k: int) -> tuple[int, int, int]:
    """The neighbour on one of six sides: x, y, z, each up and down."""
    step = 1 - 2 * (side % 2)
    if side < 2:
        return i + step, j, k
    if side < 4:
        return i, j + step, k
    return i, j, k + step


@kernel
def _bend(
    node: int, clearance: Floats, target: Floats, length: Floats, turn: Ints, reached: Bools
) -> tuple[float, int, bool]:
    """Next best way of a node whose straight line was found blocked: to a neighbour, or on from it to its turn.

    Returns:
        Length, turning point, and whether that is a neighbour, which is always in sight. Turning points come up in the
        order of length, beginning after the one just refused.
    """
    nx, ny, nz = clearance.shape
    x, y, z = where(node, ny, nz, target)
    refused, best, chosen, beside = length[node], math.inf, -1, True
    for i in range(max(int(x) - 1, 0), min(int(x) + 2, nx)):
        for j in range(max(int(y) - 1, 0), min(int(y) + 2, ny)):
            for k in range(max(int(z) - 1, 0), min(int(z) + 2, nz)):
                other = (i * ny + j) * nz + k
                if not reached[other]:
                    continue
                way = length[other] + math.sqrt((x - i) ** 2 + (y - j) ** 2 + (z - k) ** 2)
                if way < best:
                    best, chosen, beside = way, other, True
                end = turn[other]
                ex, ey, ez = where(end, ny, nz, target)
                way = length[end] if end >= 0 else 0.0
                way += math.sqrt((x - ex) ** 2 + (y - ey) ** 2 + (z - ez) ** 2)
                if refused < way < best:
                    best, chosen, beside = way, end, False
    return best, chosen, beside


@kernel
def fill(clearance: Floats, length: Floats, turn: Ints, reached: Bools) -> None:
    """Give each node without a way the node by which to get onto one: the nearest out of an obstacle or its margin.

    Args:
        clearance: (X, Y, Z) of each node.
        length, turn, reached: From `spread`; turn is completed in place.
    """
    nx, ny, nz = clearance.shape
    cost, settled, target = length.copy(), reached.copy(), np.zeros(3)
    heap, place, size = np.empty(len(turn), np.int64), np.full(len(turn), -1), 0
    first = 0
    while first < len(turn) or size > 0:
        if first < len(turn):  # first every node with a way tells its neighbours, then those tell theirs
            node = first
            first += 1
            if not reached[node]:
                continue
            gate = node
        else:
            node = heap[0]
            size = drop_first(heap, place, cost, size)
            settled[node] = True
            gate = turn[node]
        x, y, z = where(node, ny, nz, target)
        ex, ey, ez = where(gate, ny, nz, target)
        far = math.sqrt((x - ex) ** 2 + (y - ey) ** 2 + (z - ez) ** 2)
        for side in range(6 if nz > 1 else 4):
            i, j, k = _beside(side, int(x), int(y), int(z))
            other = (i * ny + j) * nz + k
            if not (0 <= i < nx and 0 <= j < ny and 0 <= k < nz) or settled[other]:
                continue
            way = cost[node] + BLOCKED * (math.sqrt((i - ex) ** 2 + (j - ey) ** 2 + (k - ez) ** 2) - far)
            if clearance[int(x), int(y), int(z)] + clearance[i, j, k] <= 1.0:  # free balls around both do not meet
                way += CROSSING
            if way < cost[other]:
                cost[other], turn[other] = way, gate
                size = lift(heap, place, cost, size, other)
