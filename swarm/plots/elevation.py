"""Obstacles seen from the side, as if of glass: what stands behind a wall, and its openings, show through."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from swarm.plots import style
from swarm.plots.marks import add_lines, add_rings, add_union
from swarm.plots.silhouettes import coarse, outline
from swarm.plots.views import Side
from swarm.state import Floats, Ints
from swarm.worlds.obstacles import Mesh, Obstacle

GLASS = 0.5  # opacity of one solid
DRAWN = 60_000  # faces up to which the edges of a mesh are drawn


def draw_elevation(axes: Axes, obstacle: Obstacle, side: Side, color: Any, edge: str) -> None:
    """Draw one obstacle of a world of three dimensions; limits of the axes stay."""
    if obstacle.mesh is None:
        shape = outline(obstacle, side.axes)
        add_rings(axes, [shape], 1.5, facecolor=color, alpha=GLASS, edgecolor="none")
        add_rings(axes, [shape], 1.51, facecolor="none", edgecolor=edge, linewidth=0.7)
        return
    corners = obstacle.vertices()
    for faces in pieces(obstacle.mesh):
        add_union(axes, coarse(corners[:, side.axes][faces]), 1.5, facecolor=color, alpha=GLASS, edgecolor="none")
        if len(faces) <= DRAWN:
            add_lines(axes, corners[contour(corners, faces, side)][..., side.axes], 1.51, colors=edge, linewidths=0.5)


def pieces(mesh: Mesh) -> Iterator[Ints]:
    """Faces (F, 3) of the parts of a mesh that hang together; all at once where there are many."""
    count, label = parts(mesh)
    if count > 200 or len(mesh.faces) > DRAWN:
        yield mesh.faces
        return
    of_face = label[mesh.faces[:, 0]]
    for k in np.unique(of_face):
        yield mesh.faces[of_face == k]


def parts(mesh: Mesh) -> tuple[int, Ints]:
    """Number of parts, and the part of each vertex (V,)."""
    a, b, c = mesh.faces.T
    rows, columns = np.concatenate([a, b]), np.concatenate([b, c])
    graph = coo_array((np.ones(len(rows)), (rows, columns)), shape=(len(mesh.vertices),) * 2)
    count, label = connected_components(graph, directed=False)
    return int(count), label.astype(np.int64)


def contour(corners: Floats, faces: Ints, side: Side) -> Ints:
    """Edges at which a surface turns away from the eye, or ends.

    Args:
        corners: (V, 3) m.
        faces: (F, 3).
        side: From where it is seen.

    Returns:
        (E, 2) vertices.
    """
    first, second = corners[faces[:, 1]] - corners[faces[:, 0]], corners[faces[:, 2]] - corners[faces[:, 0]]
    normals = np.cross(first, second)
    normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-12)
    towards = side.nearer * normals[:, side.depth]
    facing = np.where(np.abs(towards) < 1e-3, 0, np.sign(towards)).astype(np.int64)
    edges = np.sort(np.concatenate([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]]), axis=1)
    unique, which = np.unique(edges, axis=0, return_inverse=True)
    which = which.reshape(-1)
    most, least = np.full(len(unique), -2), np.full(len(unique), 2)
    np.maximum.at(most, which, np.tile(facing, 3))
    np.minimum.at(least, which, np.tile(facing, 3))
    alone = np.bincount(which, minlength=len(unique)) == 1
    return np.asarray(unique[((most == 1) & (least < 1)) | alone])
