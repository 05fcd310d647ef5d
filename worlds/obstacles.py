"""What stands in a world: frozen descriptions of boxes, spheres, cylinders and meshes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from swarm.state import Floats, Ints

KINDS = ("box", "sphere", "cylinder", "mesh")


@dataclass(frozen=True, eq=False)
class Mesh:
    """Triangles as they are in the file, scaled; the file's origin stands at the obstacle's centre."""

    file: str
    vertices: Floats  # (V, 3) m, obstacle frame
    faces: Ints  # (F, 3) corners of each triangle; outward by the right-hand rule when closed
    closed: bool  # watertight, so it has an inside


@dataclass(frozen=True, eq=False)
class Obstacle:
    """One obstacle; the fields its kind does not use keep their defaults.

    In a world of two dimensions spheres and cylinders are circles, and a box has two sizes.
    """

    kind: str  # box, sphere, cylinder or mesh
    center: tuple[float, ...]  # m
    name: str
    size: tuple[float, ...] = ()  # m, whole edge lengths of a box
    radius: float = 0.0  # m, of a sphere or cylinder
    height: float = 0.0  # m, whole height of a cylinder, along its own z axis
    rpy: tuple[float, float, float] = (0.0, 0.0, 0.0)  # rad, roll, pitch, yaw about the fixed x, y, z axes in turn
    mesh: Mesh | None = None

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
