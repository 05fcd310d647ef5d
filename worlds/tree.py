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
    # Empty slots have their centres at infinity: every sort leaves them last, so a leaf's items come first in it.
    low = np.concatenate((lowest, np.full((slots - count, 3), np.inf)))
    high = np.concatenate((highest, np.full((slots - count, 3), -np.inf)))
    centre = np.concatenate(((lowest + highest) / 2.0, np.full((slots - count, 3), np.inf)))
    order = np.arange(slots)
    nodes = np.full((2 * (1 << levels) - 1, 8), -1.0)
    for level in range(levels + 1):
        groups = order.reshape(1 << level, -1)
        row = slice((1 << level) - 1, (2 << level) - 1)
        nodes[row, 0:3] = low[groups].min(axis=1)
        nodes[row, 3:6] = high[groups].max(axis=1)
        if level < levels:
            extent = nodes[row, 3:6] - nodes[row, 0:3]
            axis = extent.argmax(axis=1)
            keys = np.take_along_axis(centre[groups], axis[:, None, None], axis=2)[:, :, 0]
            order = np.take_along_axis(groups, keys.argsort(axis=1, kind="stable"), axis=1).ravel()
    leaves = order.reshape(1 << levels, leaf)
    filled = (leaves < count).sum(axis=1)
    nodes[-(1 << levels) :, 6] = np.concatenate(([0], filled.cumsum()[:-1]))
    nodes[-(1 << levels) :, 7] = filled
    return nodes, order[order < count]


@kernel
def gap(nodes: Floats, index: int, x: float, y: float, z: float) -> float:
    """Squared distance from a point to a node's box, 0 inside, m^2."""
    dx = max(nodes[index, 0] - x, x - nodes[index, 3], 0.0)
    dy = max(nodes[index, 1] - y, y - nodes[index, 4], 0.0)
    dz = max(nodes[index, 2] - z, z - nodes[index, 5], 0.0)
    return float(dx * dx + dy * dy + dz * dz)
