"""Triangle meshes from files: OBJ, STL and whatever else trimesh reads."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np

from swarm.errors import BadInput
from swarm.state import Floats, Ints
from swarm.worlds.obstacles import Mesh

SMALLEST = 1e-6  # scale; a smaller one makes a speck of any building


def load_mesh(path: Path, scale: float) -> Mesh:
    """Load a mesh; its axes are kept as they are in the file.

    Args:
        path: The file.
        scale: Factor on all its coordinates (m per file unit).

    Returns:
        Merged vertices and the faces that have an area, wound outward when the mesh is closed.

    Raises:
        BadInput: "file: ..." or "scale: ...", one line.
    """
    if not SMALLEST <= scale <= 1.0 / SMALLEST:
        raise BadInput(f"scale: expected a number from {SMALLEST:g} to {1.0 / SMALLEST:g}, got {scale:g}")
    if path.is_dir():
        raise BadInput(f"file: expected a mesh, got a directory: {path}")
    if not path.exists():
        raise BadInput(f"file: no such file: {path}")

    import trimesh  # imported here because it is slow to import and most worlds have no mesh

    try:
        loaded = trimesh.load_mesh(path, process=False, validate=False)
        vertices = np.asarray(loaded.vertices, dtype=np.float64).reshape(-1, 3)
        faces = np.asarray(loaded.faces, dtype=np.int64).reshape(-1, 3)
    except Exception as error:  # each of trimesh's readers fails in its own way on a broken file
        said = " ".join(str(error).split())[:120] or type(error).__name__
        raise BadInput(f"file: cannot be read as a mesh: {path}: {said}") from None
    if len(faces) == 0 or len(vertices) == 0:
        raise BadInput(f"file: expected a mesh with faces, got none: {path}")
    used = np.unique(faces)
    if used[0] < 0 or used[-1] >= len(vertices):
        raise BadInput(f"file: a face has a corner that does not exist: {path}")
    if not np.isfinite(vertices[used]).all():
        raise BadInput(f"file: expected finite vertices, got NaN or infinity: {path}")
    if np.abs(vertices[used]).max() * scale > 1.0 / SMALLEST:
        raise BadInput(f"file: expected vertices within {1.0 / SMALLEST:g} m at scale {scale:g}: {path}")

    # Corners written once per face, as STL does, become one; faces without an area, which have no normal, go.
    merged, place = np.unique(vertices[used] * scale, axis=0, return_inverse=True)
    corners = np.zeros(len(vertices), dtype=np.int64)
    corners[used] = place.ravel()
    faces = corners[faces]
    edges = merged[faces[:, 1:]] - merged[faces[:, :1]]
    doubled = np.linalg.norm(np.cross(edges[:, 0], edges[:, 1]), axis=1)
    longest = np.maximum(np.linalg.norm(edges, axis=2).max(axis=1), 1e-30)
    faces = faces[doubled > 1e-12 * longest * longest]
    if len(faces) == 0:
        raise BadInput(f"file: expected faces with an area, got none: {path}")

    solid = trimesh.Trimesh(merged, faces, process=False)
    closed = bool(solid.is_watertight)
    if closed:
        if not solid.is_winding_consistent:
            solid.fix_normals(multibody=True)
        faces = np.array(solid.faces, dtype=np.int64)
        if _volume(merged, faces) < 0.0:
            faces = faces[:, ::-1]
    return Mesh(str(path), np.ascontiguousarray(merged), np.ascontiguousarray(faces), closed)


def _volume(vertices: Floats, faces: Ints) -> float:
    """Signed volume by the divergence theorem, m^3; positive when the faces look outward."""
    a, b, c = (vertices[faces[:, k]] for k in range(3))
    return math.fsum(np.einsum("ij,ij->i", a, np.cross(b, c))) / 6.0
