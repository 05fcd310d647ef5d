"""Shortest ways around obstacles on a grid, free to turn at any node and by any angle (lazy Theta*; Nash et al. 2010).

A wave spreads from the target, node by node in the order of their distance. Each node takes over the turning point of
the node that reached it, so its way begins with one straight line of exact length; whether that line is free is checked
once, when the node's turn comes, and only where it is not does the way bend. Against the eikonal equation on the same
grid this has no first-order error, and where the target is in sight the way is straight.

All lengths are in cells, places from the first node. Nodes are numbered with z running fastest; the target is number -1
and has the last row of `places` and `length`.
"""

from __future__ import annotations

import math

from swarm.compiled import kernel
from swarm.state import Bools, Floats, Ints
from swarm.worlds.heap import drop_first, lift
from swarm.worlds.sight import clear


@kernel
def spread(
    clearance: Floats,
    margin: float,
    places: Floats,
    length: Floats,
    turn: Ints,
    seen: Bools,
    reached: Bools,
    heap: Ints,
    place: Ints,
    size: int,
) -> None:
    """Find the way to the target from every node that has one; all arrays but the first two are completed in place.

    Args:
        clearance: (X, Y, Z) of each node; Z is 1 in the plane.
        margin: To keep from obstacles.
        places: (N + 1, 3) of the nodes and the target.
        length: (N + 1,) of the way: known for nodes that see the target and for the target itself (0), else inf.
        turn: (N,) the node to which the way is straight; -1 at first.
        seen: (N,) whether it is known that nothing is between a node and its turn.
        reached: (N,) whether there is a way; False at first.
        heap, place, size: The nodes that see the target, as a heap by length (see swarm.worlds.heap).
    """
    nx, ny, nz = clearance.shape
    while size > 0:
        node = heap[0]
        size = drop_first(heap, place, length, size)
        x, y, z = places[node, 0], places[node, 1], places[node, 2]
        end = turn[node]
        ex, ey, ez = places[end, 0], places[end, 1], places[end, 2]
        spared = 1.0 if end < 0 else 0.0  # the target may be nearer to an obstacle than nodes may
        if not seen[node] and not clear(clearance, margin, x, y, z, ex, ey, ez, spared):
            length[node], turn[node], seen[node] = _bend(node, nx, ny, nz, places, length, turn, reached)
            size = lift(heap, place, length, size, node)
            continue
        reached[node] = True
        for side in range(6):
            step = 1 - 2 * (side % 2)
            i, j, k = int(x), int(y), int(z)
            if side < 2:
                i += step
            elif side < 4:
                j += step
            else:
                k += step
            if not (0 <= i < nx and 0 <= j < ny and 0 <= k < nz) or clearance[i, j, k] < margin:
                continue
            other = (i * ny + j) * nz + k
            way = length[end] + math.sqrt((i - ex) ** 2 + (j - ey) ** 2 + (k - ez) ** 2)
            if way < length[other] and not reached[other]:
                length[other], turn[other], seen[other] = way, end, False
                size = lift(heap, place, length, size, other)


@kernel
def _bend(
    node: int, nx: int, ny: int, nz: int, places: Floats, length: Floats, turn: Ints, reached: Bools
) -> tuple[float, int, bool]:
    """Next best way of a node whose straight line was found blocked: to a neighbour, or on from it to its turn.

    Returns:
        Length, turning point, and whether that is a neighbour, which is always in sight. Turning points come up in the
        order of length, beginning after the one just refused.
    """
    x, y, z = places[node, 0], places[node, 1], places[node, 2]
    refused, best, chosen, beside = length[node], math.inf, -1, True
    for i in range(max(int(x) - 1, 0), min(int(x) + 2, nx)):
        for j in range(max(int(y) - 1, 0), min(int(y) + 2, ny)):
            for k in range(max(int(z) - 1, 0), min(int(z) + 2, nz)):
                other = (i * ny + j) * nz + k
                if not reached[other]:
                    continue
                for onward in range(2):
                    end = turn[other] if onward else other
                    way = length[end] + math.sqrt(
                        (x - places[end, 0]) ** 2 + (y - places[end, 1]) ** 2 + (z - places[end, 2]) ** 2
                    )
                    if way < best and (onward == 0 or way > refused):
                        best, chosen, beside = way, end, onward == 0
    return best, chosen, beside
