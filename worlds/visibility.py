"""Whether nothing solid stands between two points: straight lines through the trees of a world's geometry."""

from __future__ import annotations

import numpy as np

from swarm.compiled import kernel
from swarm.state import Bools, Floats, Ints
from swarm.worlds.lines import crosses, enters, meets_box, within
from swarm.worlds.meshes.triangles import winding_number


@kernel
def in_sight(
    a: Floats,
    b: Floats,
    nodes: Floats,
    items: Floats,
    period: Floats,
    mesh_nodes: Floats,
    meshes: Floats,
    triangles: Floats,
) -> Bools:
    """Whether the lines from a to b are free; touching a surface from outside does not block one.

    Args:
        a, b: (M, D) m, D 2 or 3. Where an axis wraps, a is within one period and b its nearest image.
        nodes, items, period, mesh_nodes, meshes, triangles: See geometry.Geometry.

    Returns:
        (M,); False as well when an end is inside something solid.
    """
    lines, dim = a.shape
    free = np.ones(lines, np.bool_)
    wide, deep, high = 1 + 2 * int(period[0] > 0.0), 1 + 2 * int(period[1] > 0.0), 1 + 2 * int(period[2] > 0.0)
    stack = np.empty(64, np.int64)
    for line in range(lines):
        u, v, w = b[line, 0] - a[line, 0], b[line, 1] - a[line, 1], b[line, 2] - a[line, 2] if dim == 3 else 0.0
        for image in range(wide * deep * high):
            x = a[line, 0] + (image % wide - wide // 2) * period[0]
            y = a[line, 1] + (image // wide % deep - deep // 2) * period[1]
            z = a[line, 2] + (image // (wide * deep) - high // 2) * period[2] if dim == 3 else 0.0
            if _meets_primitive(nodes, items, x, y, z, u, v, w, stack):
                free[line] = False
                break
            for mesh in range(len(meshes)):
                if _meets_mesh(mesh_nodes, triangles, meshes[mesh], x, y, z, u, v, w, stack):
                    free[line] = False
                    break
            if not free[line]:
                break
    return free


@kernel
def _meets_primitive(
    nodes: Floats, items: Floats, x: float, y: float, z: float, u: float, v: float, w: float, stack: Ints
) -> bool:
    """Whether the line from (x, y, z) along all of (u, v, w) enters a primitive or goes behind a bounding plane."""
    stack[0], stack[1], top = 0, len(nodes) - 1, 2
    while top > 0:
        top -= 1
        index = stack[top]
        if not meets_box(nodes, index, x, y, z, u, v, w):
            continue
        if nodes[index, 7] < 0.0:
            stack[top], stack[top + 1] = 2 * index + 1, 2 * index + 2
            top += 2
            continue
        for row in range(int(nodes[index, 6]), int(nodes[index, 6] + nodes[index, 7])):
            if enters(items[row], x, y, z, u, v, w):
                return True
    return False


@kernel
def _meets_mesh(
    nodes: Floats,
    triangles: Floats,
    mesh: Floats,
    px: float,
    py: float,
    pz: float,
    pu: float,
    pv: float,
    pw: float,
    stack: Ints,
) -> bool:
    """Whether a line crosses a triangle of a mesh, or begins inside a closed one."""
    first, last = within(
        px - mesh[3] - mesh[15], py - mesh[4] - mesh[16], pz - mesh[5] - mesh[17], pu, pv, pw, mesh[18]
    )
    if first >= last:
        return False
    ux, uy, uz = px - mesh[3], py - mesh[4], pz - mesh[5]
    x = mesh[6] * ux + mesh[9] * uy + mesh[12] * uz
    y = mesh[7] * ux + mesh[10] * uy + mesh[13] * uz
    z = mesh[8] * ux + mesh[11] * uy + mesh[14] * uz
    u = mesh[6] * pu + mesh[9] * pv + mesh[12] * pw
    v = mesh[7] * pu + mesh[10] * pv + mesh[13] * pw
    w = mesh[8] * pu + mesh[11] * pv + mesh[14] * pw
    root = int(mesh[1])
    stack[0], top = 0, 1
    while top > 0:
        top -= 1
        local = stack[top]
        node = nodes[root + local]
        if not meets_box(nodes, root + local, x, y, z, u, v, w):
            continue
        if node[7] < 0.0:
            stack[top], stack[top + 1] = 2 * local + 1, 2 * local + 2
            top += 2
            continue
        for index in range(int(node[6]), int(node[6] + node[7])):
            if crosses(triangles[index], x, y, z, u, v, w):
                return True
    return bool(mesh[2] > 0.0 and winding_number(triangles, nodes, root, x, y, z, stack) != 0)
