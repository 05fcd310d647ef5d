"""What stands in a world: frozen descriptions of boxes, spheres, cylinders and meshes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from swarm.state import Floats, Ints
from swarm.worlds.motion import Motion
from swarm.worlds.tree import tree

KINDS = ("box", "sphere", "cylinder", "mesh")
TRIANGLES_PER_LEAF = 4


class Packed(NamedTuple):
    """A mesh laid out for compiled queries."""

    nodes: Floats  # (n, 8), see tree
    triangles: Floats  # (F, 12), see triangles
    order: Ints  # (F,) which face each triangle is; those that lie together follow each other


@dataclass(frozen=True, eq=False)
class Mesh:
    """Triangles as they are in the file, scaled; the file's origin stands at the obstacle's centre."""

    file: str
    vertices: Floats  # (V, 3) m, obstacle frame
    faces: Ints  # (F, 3) corners of each triangle; outward by the right-hand rule when closed
    closed: bool  # watertight, so it has an inside
    notices: tuple[str, ...] = ()  # what was mended when it was read

    @cached_property
    def packed(self) -> Packed:
        """Tree and triangles in the mesh's own frame, as `mesh_sensing` reads them; made once."""
        corners = self.vertices[self.faces]
        low, high = (narrow(narrow(corners[:, 0], corners[:, 1]), corners[:, 2]) for narrow in (np.minimum, np.maximum))
        nodes, order = tree(low, high, TRIANGLES_PER_LEAF)
        corners = corners[order]
        triangles = np.empty((len(corners), 12))
        triangles[:, :9] = corners.reshape(-1, 9)
        normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        triangles[:, 9:] = normal / np.linalg.norm(normal, axis=1, keepdims=True)
        return Packed(nodes, triangles, order)

    @cached_property
    def ball(self) -> tuple[Floats, float]:
        """Centre (3,) and radius of a ball around all vertices, m, in the mesh's own frame."""
        middle = (self.vertices.min(axis=0) + self.vertices.max(axis=0)) / 2.0
        return middle, float(np.sqrt(((self.vertices - middle) ** 2).sum(axis=1).max()))


@dataclass(frozen=True, eq=False)
class Obstacle:
    """One obstacle; the fields its kind does not use keep their defaults.

    In a world of two dimensions spheres and cylinders are circles, and a box has two sizes.
    """

    kind: str  # box, sphere, cylinder or mesh
    center: tuple[float, ...]  # m; of one that moves, where it is at the world's time
    name: str
    size: tuple[float, ...] = ()  # m, whole edge lengths of a box
    radius: float = 0.0  # m, of a sphere or cylinder
    height: float = 0.0  # m, whole height of a cylinder, along its own z axis
    rpy: tuple[float, float, float] = (0.0, 0.0, 0.0)  # rad, roll, pitch, yaw about the fixed x, y, z axes in turn
    mesh: Mesh | None = None
    motion: Motion | None = None  # None for one that stands still

    @property
    def rotation(self) -> Floats:
        """(3, 3) matrix from the obstacle's frame to the world's."""
        return rotation(*self.rpy)

    def vertices(self) -> Floats:
        """(V, 3) m, corners of the mesh in the world frame."""
        assert self.mesh is not None
        return np.ascontiguousarray(self.mesh.vertices @ self.rotation.T + np.asarray(self.center))


def rotation(roll: float, pitch: float, yaw: float) -> Floats:
    """Matrix of a roll about x, then a pitch about y, then a yaw about z, all axes fixed (rad)."""
    (a, b, c), (s, t, u) = np.cos((roll, pitch, yaw)), np.sin((roll, pitch, yaw))
    matrix = np.array(
        [
            [b * c, s * t * c - a * u, a * t * c + s * u],
            [b * u, s * t * u + a * c, a * t * u - s * c],
            [-t, s * b, a * b],
        ]
    )
    return matrix + 0.0  # no negative zeros
