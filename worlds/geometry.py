"""A world's obstacles and bounds packed into the few arrays that compiled queries read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from swarm.state import Floats
from swarm.worlds.obstacles import Obstacle
from swarm.worlds.primitives import BOX, COLUMNS, CYLINDER, PLANE, SPHERE
from swarm.worlds.tree import tree

ENDLESS = 1e9  # m, half height of what stands for a flat shape in a world of two dimensions
MESH_COLUMNS = 19  # of a mesh's row, see mesh_sensing


class Geometry(NamedTuple):
    """The arguments of `sensing.sense` and `mesh_sensing.add_meshes`; see there."""

    nodes: Floats
    items: Floats
    period: Floats
    mesh_nodes: Floats
    meshes: Floats
    triangles: Floats


class Plane(NamedTuple):
    """A side of the bounds that is a surface."""

    name: str
    axis: int
    inward: float  # +1 at the low side, -1 at the high one
    position: float  # m along the axis


def planes(boundary: str, floor: bool, bounds: Floats) -> tuple[Plane, ...]:
    """Floor, ceiling and walls of a world, those that it has."""
    dim = bounds.shape[1]
    sides = [Plane("floor", 2, 1.0, float(bounds[0, 2]))] if floor and dim == 3 else []
    if boundary == "walls":
        if dim == 3:
            sides.append(Plane("ceiling", 2, -1.0, float(bounds[1, 2])))
        for axis, letter in enumerate("xy"):
            sides.append(Plane(f"wall {letter}-", axis, 1.0, float(bounds[0, axis])))
            sides.append(Plane(f"wall {letter}+", axis, -1.0, float(bounds[1, axis])))
    return tuple(sides)


def pack(obstacles: Sequence[Obstacle], sides: Sequence[Plane], period: Floats) -> Geometry:
    """Lay out obstacles (surface = their position in the sequence) and bounding planes (the surfaces after them).

    The tree is over what stands still. Planes and movers are in one leaf that is everywhere, the movers last.
    """
    solid = [row for row, obstacle in enumerate(obstacles) if obstacle.mesh is None and obstacle.motion is None]
    movers = [row for row, obstacle in enumerate(obstacles) if obstacle.mesh is None and obstacle.motion is not None]
    items = np.zeros((len(solid) + len(sides) + len(movers), COLUMNS))
    nodes = np.array([[0.0] * 8])
    if solid:
        boxes = np.array([extent(obstacles[row]) for row in solid])
        nodes, order = tree(boxes[:, 0], boxes[:, 1], leaf=1)
        for place, row in enumerate(order.tolist()):
            items[place] = primitive(obstacles[solid[row]], solid[row])
    for row, side in enumerate(sides, start=len(solid)):
        items[row, 0:2] = PLANE, len(obstacles) + row - len(solid)
        items[row, 2 + side.axis], items[row, 14] = side.inward, side.inward * side.position
    for row, surface in enumerate(movers, start=len(solid) + len(sides)):
        items[row] = primitive(obstacles[surface], surface)
    everywhere = np.array([[*[-np.inf] * 3, *[np.inf] * 3, len(solid), len(sides) + len(movers)]])
    whole = np.zeros(3)
    whole[: len(period)] = period
    return Geometry(np.concatenate((nodes, everywhere)), items, whole, *_pack_meshes(obstacles))


def _pack_meshes(obstacles: Sequence[Obstacle]) -> tuple[Floats, Floats, Floats]:
    """Trees, rows and triangles of all meshes; obstacles of one mesh share its tree and triangles."""
    rows = np.zeros((sum(obstacle.mesh is not None for obstacle in obstacles), MESH_COLUMNS))
    trees, soups, roots = [np.empty((0, 8))], [np.empty((0, 12))], dict[int, int]()
    place = 0
    for surface, obstacle in enumerate(obstacles):
        mesh = obstacle.mesh
        if mesh is None:
            continue
        if id(mesh) not in roots:
            roots[id(mesh)] = sum(map(len, trees))
            nodes, triangles, _ = mesh.packed
            first = sum(map(len, soups))
            if first:
                nodes = nodes.copy()
                nodes[nodes[:, 7] >= 0.0, 6] += first
            trees.append(nodes)
            soups.append(triangles)
        middle, radius = mesh.ball
        rows[place, 0:3] = surface, roots[id(mesh)], float(mesh.closed)
        rows[place, 3:6], rows[place, 6:15] = obstacle.center, obstacle.rotation.ravel()
        rows[place, 15:18], rows[place, 18] = obstacle.rotation @ middle, radius * (1.0 + 1e-9) + 1e-9
        place += 1
    # A large mesh alone, the usual case, is not copied.
    return _joined(trees), rows, _joined(soups)


def _joined(parts: list[Floats]) -> Floats:
    return parts[1] if len(parts) == 2 else np.concatenate(parts)


def primitive(obstacle: Obstacle, surface: int) -> Floats:
    """The row of one obstacle, (17,); not of a mesh."""
    row = np.zeros(COLUMNS)
    row[1] = surface
    flat = len(obstacle.center) == 2
    row[2 : 2 + len(obstacle.center)] = obstacle.center
    if obstacle.kind == "sphere" or (flat and obstacle.kind == "cylinder"):
        row[0], row[14] = SPHERE, obstacle.radius
    else:
        row[5:14] = obstacle.rotation.ravel()
        if obstacle.kind == "cylinder":
            row[0], row[14:16] = CYLINDER, (obstacle.radius, obstacle.height / 2.0)
        else:
            half = [edge / 2.0 for edge in obstacle.size]
            row[0], row[14:17] = BOX, half + [ENDLESS] if flat else half
    return row


def extent(obstacle: Obstacle) -> tuple[Floats, Floats]:
    """Lowest and highest corner of the axis-aligned box around one obstacle, (3,) each, m."""
    if obstacle.mesh is not None:
        vertices = obstacle.vertices()
        return vertices.min(axis=0), vertices.max(axis=0)
    center = np.zeros(3)
    center[: len(obstacle.center)] = obstacle.center
    if obstacle.kind == "box":
        half = np.zeros(3)
        half[: len(obstacle.size)] = obstacle.size
        reach = np.abs(obstacle.rotation) @ half / 2.0
    elif obstacle.kind == "cylinder" and len(obstacle.center) == 3:
        axis = obstacle.rotation[:, 2]
        reach = np.abs(axis) * obstacle.height / 2.0 + obstacle.radius * np.sqrt(np.maximum(0.0, 1.0 - axis * axis))
    else:
        reach = np.full(3, obstacle.radius)
    return center - reach, center + reach
