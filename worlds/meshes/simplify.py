"""Fewer faces for a mesh, and how far that is from what it was."""

from __future__ import annotations

import numpy as np

from swarm.errors import BadInput
from swarm.state import Floats, Ints
from swarm.worlds.meshes.repair import Mended
from swarm.worlds.meshes.sensing import distances
from swarm.worlds.obstacles import Mesh


def simplify(vertices: Floats, faces: Ints, most: int) -> tuple[Floats, Ints]:
    """Collapse edges where it changes the shape least (quadric errors; Garland and Heckbert 1997).

    Args:
        vertices: (V, 3) m.
        faces: (F, 3).
        most: Faces to keep at most.

    Returns:
        Vertices and faces of the simpler mesh.

    Raises:
        BadInput: "faces: ...": the package is missing, or no such simple mesh was found.
    """
    try:
        import fast_simplification
    except ImportError:
        raise BadInput(
            "faces: simplifying needs a package that is not installed: pip install fast-simplification"
        ) from None
    middle, size = vertices.mean(axis=0), float(np.ptp(vertices, axis=0).max())
    points = (vertices - middle) / size  # its numbers are single precision
    for hardness in (7.0, 2.0, 0.0):  # the last collapses whatever is left
        points, corners = fast_simplification.simplify(points, faces, target_count=most, agg=hardness)
        faces = np.asarray(corners, dtype=np.int64)
        if len(faces) <= most:
            return np.asarray(points, dtype=np.float64) * size + middle, faces
    raise BadInput(f"faces: expected {len(faces)} or more, the fewest this mesh can be simplified to, got {most}")


def farthest(points: Floats, mesh: Mended) -> float:
    """Largest distance of points (V, 3) from a mesh, m."""
    placed = Mesh("", mesh.vertices, mesh.faces, closed=False)
    return float(distances(points, placed).max())
