"""Meshes seen from the side, as if of glass: what stands behind a wall, and its openings, show through."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from matplotlib.axes import Axes
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from swarm.plots.marks import add_lines, add_union
from swarm.plots.silhouettes import coarse
from swarm.plots.views import Side
from swarm.state import Floats, Ints
from swarm.worlds.obstacles import Mesh, Obstacle

GLASS = 0.5  # opacity of one solid
APART = 20_000  # faces up to which the parts of a mesh are drawn one by one
EDGES = 8_000  # of a mesh up to which they are drawn: those of a scanned surface would cover it


def draw_mesh(axes: Axes, obstacle: Obstacle, side: Side, color: str, edge: str) -> None:
    """Draw a mesh part by part, and the edges at which it turns away from the eye; limits of the axes stay."""
    assert obstacle.mesh is not None
    corners = obstacle.vertices()
    for faces in pieces(obstacle.mesh):
        add_union(axes, coarse(corners[:, side.axes][faces]), 1.5, facecolor=color, alpha=GLASS, edgecolor="none")
        edges = contour(corners, faces, side)
        if len(edges) <= EDGES:
            add_lines(axes, corners[edges][..., side.axes], 1.51, colors=edge, linewidths=0.5)


def pieces(mesh: Mesh) -> Iterator[Ints]:
    """Faces (F, 3) of the parts of a mesh that hang together; all at once where there are many."""
    if len(mesh.faces) > APART:
        yield mesh.faces
        return
    label = parts(mesh)
    of_face = label[mesh.faces[:, 0]]
    for k in np.unique(of_face):
        yield mesh.faces[of_face == k]


def parts(mesh: Mesh) -> Ints:
    """(V,) the part that each vertex belongs to."""
    a, b, c = mesh.faces.T
    rows, columns = np.concatenate([a, b]), np.concatenate([b, c])
    graph = coo_array((np.ones(len(rows)), (rows, columns)), shape=(len(mesh.vertices),) * 2)
    return np.asarray(connected_components(graph, directed=False)[1], np.int64)


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
    keys, which = np.unique(edges @ np.array([len(corners), 1]), return_inverse=True)
    unique = np.column_stack(np.divmod(keys, len(corners)))
    most, least = np.full(len(unique), -2), np.full(len(unique), 2)
    np.maximum.at(most, which.reshape(-1), np.tile(facing, 3))
    np.minimum.at(least, which.reshape(-1), np.tile(facing, 3))
    alone = np.bincount(which.reshape(-1), minlength=len(unique)) == 1
    return np.asarray(unique[((most == 1) & (least < 1)) | alone])
