"""Shortest ways around obstacles on a grid, free to turn at any node and by any angle (lazy Theta*; Nash et al. 2010).

A wave spreads from the target, node by node in the order of their distance. Each node takes over the turning point of
the node that reached it, so its way begins with one straight line of exact length; whether that line is free is checked
once, when the node's turn comes, and only where it is not does the way bend. Against the eikonal equation on the same
grid this has no first-order error, and where the target is in sight the way is straight.

Places are in m from the first node. Nodes are numbered with z running fastest. Where an axis wraps, the turning point
of a node is the image to which its way leads, which may lie beyond the grid.
"""

from __future__ import annotations

import math

from swarm.compiled import kernel
from swarm.state import Floats, Ints
from swarm.worlds.routes.heap import drop_first, lift
from swarm.worlds.routes.sight import slack

FREE, SEEN, REACHED, BLOCKED = 0, 1, 2, 3  # states of a node; SEEN: the target is in its sight
WAITING = -2


@kernel
def spread(
    field: Floats,
    shape: Ints,
    frame: Floats,
    margin: float,
    ahead: Floats,
    length: Floats,
    turn: Ints,
    state: Ints,
    heap: Ints,
    place: Ints,
    size: int,
    open_target: bool,
) -> None:
    """Find the way to the target from every node that has one; arrays from `ahead` on are completed in place.

    Args:
        field, shape, frame: Clearances on the grid (see swarm.worlds.routes.sight).
        margin: m to keep.
        ahead: (N, 5) m, the place to which the way of a node is straight, how long the way is from there, and by how
            much the node could be moved without losing sight of the place; less than 0 where that is not known.
        length: (N,) m of the way: known for nodes that see the target, else inf.
        turn: (N,) the node to which the way is straight, -1 for the target.
        state: (N,) FREE, SEEN for those that see the target, or BLOCKED for those within the margin.
        heap, place, size: The nodes that see the target, as a heap by length (see swarm.worlds.routes.heap).
        open_target: Whether the target itself keeps the margin; else ways lead over the nodes that see it.
    """
    nx, ny, nz = shape[0], shape[1], shape[2]
    while size > 0:
        node = heap[0]
        size = drop_first(heap, place, length, size)
        i, j, k = node // (ny * nz), node // nz % ny, node % nz
        x, y, z = i * frame[3], j * frame[4], k * frame[5]
        ex, ey, ez, onward, end = ahead[node, 0], ahead[node, 1], ahead[node, 2], ahead[node, 3], turn[node]
        if state[node] != SEEN and ahead[node, 4] < 0.0:
            ahead[node, 4] = slack(field, shape, frame, margin, x, y, z, ex, ey, ez, margin)
        if ahead[node, 4] < 0.0:
            _bend(node, i, j, k, shape, frame, ahead, length, turn, state)
            if length[node] < math.inf:
                size = lift(heap, place, length, size, node)
            continue
        state[node] = REACHED
        if end < 0 and not open_target:
            ex, ey, ez, onward, end = x, y, z, length[node], node
        for side in range(6):
            other = _beside(shape, node, i, j, k, side)
            if state[other] >= REACHED:
                continue
            step, a, b, c, u, v, w = 1 - 2 * (side % 2), i, j, k, ex, ey, ez
            if side < 2:
                a += step
                if a < 0 or a >= nx:
                    a, u = a - step * nx, u - step * nx * frame[3]
            elif side < 4:
                b += step
                if b < 0 or b >= ny:
                    b, v = b - step * ny, v - step * ny * frame[4]
            else:
                c += step
                if c < 0 or c >= nz:
                    c, w = c - step * nz, w - step * nz * frame[5]
            way = onward + math.sqrt((a * frame[3] - u) ** 2 + (b * frame[4] - v) ** 2 + (c * frame[5] - w) ** 2)
            if way < length[other]:
                length[other], turn[other], state[other] = way, end, FREE
                ahead[other, 4] = ahead[node, 4] - frame[3 + side // 2] if end == turn[node] else -1.0
                ahead[other, 0], ahead[other, 1], ahead[other, 2], ahead[other, 3] = u, v, w, onward
                size = lift(heap, place, length, size, other)
    _lead_out(shape, frame, ahead, length, turn, state, heap, place)


@kernel
def _lead_out(
    shape: Ints, frame: Floats, ahead: Floats, length: Floats, turn: Ints, state: Ints, gate: Ints, queue: Ints
) -> None:
    """Let each node without a way go to the nearest that has one, handed on from those that do.

    Its `turn` is then -2 minus that node.

    Args:
        gate, queue: (N,) working memory.
    """
    ny, nz = shape[1], shape[2]
    size, done = 0, 0
    for node in range(len(turn)):
        gate[node] = -1
        if state[node] == REACHED:
            gate[node], queue[size] = node, node
            size += 1
    while done < size:
        node, least, nearest = queue[done], math.inf, -1
        done += 1
        i, j, k = node // (ny * nz), node // nz % ny, node % nz
        for side in range(6):
            other = _beside(shape, node, i, j, k, side)
            if gate[other] == -1:
                gate[other], queue[size] = WAITING, other
                size += 1
            other = gate[other]
            if state[node] == REACHED or other < 0 or other == nearest:
                continue
            x = _shortest(other // (ny * nz) - i, shape[0], shape[3]) * frame[3]
            y = _shortest(other // nz % ny - j, ny, shape[4]) * frame[4]
            z = _shortest(other % nz - k, nz, shape[5]) * frame[5]
            away = x * x + y * y + z * z
            if away < least:
                least, nearest = away, other
                ahead[node, 0], ahead[node, 1], ahead[node, 2] = i * frame[3] + x, j * frame[4] + y, k * frame[5] + z
        if nearest >= 0:
            gate[node], turn[node], ahead[node, 3], ahead[node, 4] = nearest, -2 - nearest, length[nearest], -1.0


@kernel
def _beside(shape: Ints, node: int, i: int, j: int, k: int, side: int) -> int:
    """The neighbour of node (i, j, k) along x, y or z, up or down; the node itself where there is none."""
    if side < 2:
        place, count, wraps, stride = i, shape[0], shape[3], shape[1] * shape[2]
    elif side < 4:
        place, count, wraps, stride = j, shape[1], shape[4], shape[2]
    else:
        place, count, wraps, stride = k, shape[2], shape[5], 1
    if side % 2:
        return int(node - stride if place > 0 else node + wraps * (count - 1) * stride)
    return int(node + stride if place < count - 1 else node - wraps * (count - 1) * stride)


@kernel
def _shortest(cells: int, count: int, wraps: int) -> int:
    """A difference of coordinates, the other way round where that is shorter and the axis wraps."""
    if wraps and 2 * abs(cells) > count:
        return cells - count if cells > 0 else cells + count
    return cells


@kernel
def _bend(
    node: int,
    i: int,
    j: int,
    k: int,
    shape: Ints,
    frame: Floats,
    ahead: Floats,
    length: Floats,
    turn: Ints,
    state: Ints,
) -> None:
    """Give a node whose straight line was found blocked its next best way: to a neighbour, or on from it to its turn.

    Turning points come up in the order of length, beginning after the one just refused; whether they are in sight is
    looked at when it is their turn. Without any the length is inf, until another neighbour is reached.
    """
    nx, ny, nz = shape[0], shape[1], shape[2]
    x, y, z = i * frame[3], j * frame[4], k * frame[5]
    refused = length[node]
    length[node], ahead[node, 4], state[node] = math.inf, -1.0, FREE
    for side in range(27):
        a, b, c, sx, sy, sz = i + side // 9 - 1, j + side // 3 % 3 - 1, k + side % 3 - 1, 0.0, 0.0, 0.0
        if a < 0 or a >= nx:
            if shape[3] == 0:
                continue
            sx = nx * frame[3] if a >= nx else -nx * frame[3]
            a %= nx
        if b < 0 or b >= ny:
            if shape[4] == 0:
                continue
            sy = ny * frame[4] if b >= ny else -ny * frame[4]
            b %= ny
        if c < 0 or c >= nz:
            if shape[5] == 0:
                continue
            sz = nz * frame[5] if c >= nz else -nz * frame[5]
            c %= nz
        other = (a * ny + b) * nz + c
        if state[other] != REACHED or other == node:
            continue
        u, v, w = a * frame[3] + sx, b * frame[4] + sy, c * frame[5] + sz
        way = length[other] + math.sqrt((x - u) ** 2 + (y - v) ** 2 + (z - w) ** 2)
        if refused < way < length[node]:
            length[node], turn[node] = way, other
            ahead[node, 0], ahead[node, 1], ahead[node, 2], ahead[node, 3] = u, v, w, length[other]
        u, v, w, onward = ahead[other, 0] + sx, ahead[other, 1] + sy, ahead[other, 2] + sz, ahead[other, 3]
        way = onward + math.sqrt((x - u) ** 2 + (y - v) ** 2 + (z - w) ** 2)
        if refused < way < length[node]:
            length[node], turn[node] = way, turn[other]
            ahead[node, 0], ahead[node, 1], ahead[node, 2], ahead[node, 3] = u, v, w, onward
