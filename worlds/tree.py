"""A balanced binary tree of axis-aligned boxes over obstacles or triangles.

Node i has the children 2i + 1 and 2i + 2. A node is one row of eight: lowest corner, highest corner, first item,
number of items (-1 for an inner node). Items are reordered so that each leaf holds a run of rows.
"""

from __future__ import annotations

import numpy as np

from swarm.compiled import kernel
from swarm.state import Floats, Ints


def tree(lowest: Floats, highest: Floats, leaf: int) -> tuple[Floats, Ints]:
    """Split boxes at the median of the longest axis, level by level.

    Args:
        lowest, highest: (n, 3) corners of the boxes, m; n >= 1.
        leaf: Most items a leaf holds.

    Returns:
        Nodes (2^(levels + 1) - 1, 8) and the order (n,) in which the nodes expect the items.
    """
    count = len(lowest)
    levels = max(0, int(np.ceil(np.log2(count / leaf))))
    slots = leaf << levels
    # Slots left over stand where the first box does, and end up in leaves around it, which are then not full.
    spare = np.zeros(slots - count, np.int64)
    centre = np.concatenate((np.arange(count), spare))
    places = [np.take((lowest[:, axis] + highest[:, axis]) / 2.0, centre) for axis in range(3)]
    order = np.arange(slots)
    for level in range(levels):
        shape = 1 << level, slots >> level
        groups = [place.reshape(shape) for place in places]
        spread = np.stack([group.max(axis=1) - group.min(axis=1) for group in groups])
        axis = spread.argmax(axis=0)
        keys = groups[0]
        for other in (1, 2):
            keys = np.where((axis == other)[:, None], groups[other], keys)
        sides = keys.argpartition(shape[1] // 2, axis=1)
        sides += np.arange(0, slots, shape[1])[:, None]
        chosen = sides.ravel()
        places, order = [place[chosen] for place in places], order[chosen]
    held = (order.reshape(1 << levels, leaf) < count).sum(axis=1)
    nodes = np.full((2 * (1 << levels) - 1, 8), -1.0)
    leaves = slice((1 << levels) - 1, None)
    nodes[leaves, 6] = np.concatenate(([0], held.cumsum()[:-1]))
    nodes[leaves, 7] = held
    for columns, corner, none, narrow in (
        (slice(0, 3), lowest, np.inf, np.minimum),
        (slice(3, 6), highest, -np.inf, np.maximum),
    ):
        padded = np.concatenate((corner, np.full((slots - count, 3), none)))
        nodes[leaves, columns] = narrow.reduce(padded[order].reshape(1 << levels, leaf, 3), axis=1)
        for level in reversed(range(levels)):
            below = nodes[(2 << level) - 1 : (4 << level) - 1, columns]
            nodes[(1 << level) - 1 : (2 << level) - 1, columns] = narrow(below[0::2], below[1::2])
    return nodes, order[order < count]


@kernel
def gap(nodes: Floats, index: int, x: float, y: float, z: float) -> float:
    """Squared distance from a point to a node's box, 0 inside, m^2."""
    dx = max(nodes[index, 0] - x, x - nodes[index, 3], 0.0)
    dy = max(nodes[index, 1] - y, y - nodes[index, 4], 0.0)
    dz = max(nodes[index, 2] - z, z - nodes[index, 5], 0.0)
    return float(dx * dx + dy * dy + dz * dz)
