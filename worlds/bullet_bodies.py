"""PyBullet bodies of obstacles and bounding planes, none of which has a mass."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from swarm.worlds.engine import pybullet
from swarm.worlds.geometry import Plane
from swarm.worlds.obstacles import Mesh, Obstacle
from swarm.worlds.world import World

THICKNESS = 10.0  # m, of the boxes that stand for floor, ceiling and walls
WIDE = 1e4  # m, how far a floor without walls goes on
FACES = 20_000  # of one Bullet mesh; larger meshes become several bodies, because a call's memory is limited
TYPES = {"box": pybullet.GEOM_BOX, "sphere": pybullet.GEOM_SPHERE, "cylinder": pybullet.GEOM_CYLINDER}


class Builder:
    """Makes bodies without a mass in one connection: nothing that meets them changes how they move."""

    def __init__(self, client: int) -> None:
        self._client = client
        # Bullet would tessellate every body for its renderer, which takes longer than all the rest; nobody looks here.
        speck = [1e-6, 1e-6, 1e-6]
        self._visual = pybullet.createVisualShape(pybullet.GEOM_BOX, halfExtents=speck, physicsClientId=client)
        self._shapes: dict[int, list[int]] = {}  # of each mesh, which several obstacles may have

    def _body(
        self,
        shape: int,
        position: Sequence[float] = (0.0, 0.0, 0.0),
        rpy: Sequence[float] = (0.0, 0.0, 0.0),
        moves: bool = False,
    ) -> int:
        body = pybullet.createMultiBody(
            0.0,
            shape,
            self._visual,
            basePosition=position,
            baseOrientation=pybullet.getQuaternionFromEuler(rpy),
            # A plain rigid body takes two thirds of the time of a step among trunks, but without a mass Bullet takes
            # it to stand still: only the other sort pushes with the velocity that it is given.
            useMaximalCoordinates=int(not moves),
            physicsClientId=self._client,
        )
        return int(body)

    def compound(self, obstacles: Sequence[Obstacle]) -> int:
        """One body of several boxes, spheres and cylinders."""
        return self._body(
            pybullet.createCollisionShapeArray(
                [TYPES[o.kind] for o in obstacles],
                radii=[o.radius for o in obstacles],
                halfExtents=[[edge / 2.0 for edge in o.size or (0.0, 0.0, 0.0)] for o in obstacles],
                lengths=[o.height for o in obstacles],
                collisionFramePositions=[o.center for o in obstacles],
                collisionFrameOrientations=[pybullet.getQuaternionFromEuler(o.rpy) for o in obstacles],
                physicsClientId=self._client,
            )
        )

    def mover(self, obstacle: Obstacle) -> int:
        """One body of a box, sphere or cylinder."""
        shape = pybullet.createCollisionShape(
            TYPES[obstacle.kind],
            radius=obstacle.radius,
            halfExtents=[edge / 2.0 for edge in obstacle.size or (0.0, 0.0, 0.0)],
            height=obstacle.height,
            physicsClientId=self._client,
        )
        return self._body(shape, obstacle.center, obstacle.rpy, moves=True)

    def mesh(self, obstacle: Obstacle) -> list[int]:
        """Bodies of bare triangles, hollow corners and all."""
        mesh = obstacle.mesh
        assert mesh is not None
        if id(mesh) not in self._shapes:
            self._shapes[id(mesh)] = [self._triangles(mesh, first) for first in range(0, len(mesh.faces), FACES)]
        moves = obstacle.motion is not None
        return [self._body(shape, obstacle.center, obstacle.rpy, moves) for shape in self._shapes[id(mesh)]]

    def _triangles(self, mesh: Mesh, first: int) -> int:
        near = mesh.packed.order[first : first + FACES]  # whatever the order in the file, each body is in one place
        corners, indices = np.unique(mesh.faces[near], return_inverse=True)
        shape = pybullet.createCollisionShape(
            pybullet.GEOM_MESH,
            vertices=mesh.vertices[corners].tolist(),
            indices=indices.ravel().tolist(),
            flags=pybullet.GEOM_FORCE_CONCAVE_TRIMESH,
            physicsClientId=self._client,
        )
        return int(shape)

    def slab(self, plane: Plane, world: World) -> int:
        """A thick box outside the bounds, one face on the plane."""
        beyond = THICKNESS if world.boundary == "walls" else WIDE
        half = (world.bounds[1] - world.bounds[0]) / 2.0 + beyond
        center = world.bounds.mean(axis=0)
        half[plane.axis] = THICKNESS / 2.0
        center[plane.axis] = plane.position - plane.inward * THICKNESS / 2.0
        shape = pybullet.createCollisionShape(
            pybullet.GEOM_BOX, halfExtents=half.tolist(), physicsClientId=self._client
        )
        return self._body(shape, center.tolist())
