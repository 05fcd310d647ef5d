"""A world's surfaces as bodies in PyBullet: what stands still, and what moves whatever it meets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from swarm.state import Floats
from swarm.worlds.engine import pybullet
from swarm.worlds.geometry import Plane
from swarm.worlds.obstacles import Mesh, Obstacle
from swarm.worlds.world import World

SHAPES = 16  # most shapes Bullet takes in one compound
THICKNESS = 10.0  # m, of the boxes that stand for floor, ceiling and walls
WIDE = 1e4  # m, how far a floor without walls goes on
FACES = 20_000  # of one Bullet mesh; larger meshes become several bodies, because a call's memory is limited


@dataclass(frozen=True, eq=False)
class Realisation:
    """Which Bullet body stands for which surfaces of the world."""

    world: World
    client: int  # PyBullet connection
    bodies: dict[int, tuple[int, ...]]  # body id -> indices into world.surfaces
    movers: tuple[tuple[int, int, Sequence[float]], ...]  # body id, mover (row of world.movers), quaternion

    def move(self, time: float) -> None:
        """Put what moves where it is at a time (s), and give it its velocity, with which it pushes what it meets."""
        if self.world.movers is None:
            return
        place, velocity = (array.tolist() for array in self.world.movers.tracks.at(time))
        for body, row, turn in self.movers:
            pybullet.resetBasePositionAndOrientation(body, place[row], turn, self.client)
            pybullet.resetBaseVelocity(body, velocity[row], (0.0, 0.0, 0.0), self.client)

    def surface(self, body: int, position: Sequence[float]) -> int:
        """The surface that a contact with a body is on.

        Args:
            body: Bullet body id.
            position: (3,) m, contact point, world frame.

        Returns:
            Index into world.surfaces: the body's surface nearest to the point; -1 if the body is not the world's.
        """
        surfaces = self.bodies.get(body, ())
        if len(surfaces) < 2:
            return surfaces[0] if surfaces else -1
        point, reach = np.array([position], dtype=np.float64), 0.1
        while True:
            near = self.world.near(point, reach)
            mine = np.flatnonzero(np.isin(near.surface, surfaces))
            if len(mine):  # a contact is on a surface, be it inside another obstacle
                return int(near.surface[mine[np.abs(near.distance[mine]).argmin()]])
            reach *= 10.0


def realise(world: World, client: int) -> Realisation:
    """Build everything solid of a world.

    Args:
        world: Three-dimensional, not a torus (see World.walled).
        client: PyBullet connection.

    Returns:
        The bodies. Convex obstacles that stand still share compound bodies with their neighbours, up to 16 in one:
        Bullet's broad phase then has a few bodies to look at and not one for each obstacle. What moves is where it is
        at the world's time.
    """
    bodies: dict[int, tuple[int, ...]] = {}
    build = _Builder(client)
    fixed = [k for k, obstacle in enumerate(world.obstacles) if obstacle.mesh is None and obstacle.motion is None]
    for group in neighbourhoods(np.array([world.obstacles[k].center for k in fixed]).reshape(-1, 3)):
        members = tuple(fixed[k] for k in group)
        bodies[build.compound([world.obstacles[k] for k in members])] = members
    movers: list[tuple[int, int, Sequence[float]]] = []
    for index, obstacle in enumerate(world.obstacles):
        made: list[int] = []
        if obstacle.mesh is not None:
            made = build.mesh(obstacle)
        elif obstacle.motion is not None:
            made = [build.mover(obstacle)]
        bodies.update((body, (index,)) for body in made)
        if world.movers is not None and obstacle.motion is not None:
            row = int(np.searchsorted(world.movers.surfaces, index))
            turn = pybullet.getQuaternionFromEuler(obstacle.rpy)
            movers += [(body, row, turn) for body in made]
    for index, plane in enumerate(world.planes, start=len(world.obstacles)):
        bodies[build.slab(plane, world)] = (index,)
    realisation = Realisation(world, client, bodies, tuple(movers))
    realisation.move(world.time)
    return realisation


def neighbourhoods(centers: Floats) -> list[list[int]]:
    """Groups of at most 16 points that lie together, by halving along the longer side.

    Args:
        centers: (n, 3) m.
    """
    groups: list[list[int]] = []
    waiting = [np.arange(len(centers))] if len(centers) else []
    while waiting:
        group = waiting.pop()
        if len(group) <= SHAPES:
            groups.append(group.tolist())
            continue
        axis = int(np.ptp(centers[group], axis=0).argmax())
        ranked = group[centers[group, axis].argsort(kind="stable")]
        half = SHAPES * ((len(group) + 2 * SHAPES - 1) // (2 * SHAPES))  # full groups, so as few as can be
        waiting += [ranked[half:], ranked[:half]]
    return groups


class _Builder:
    """Makes bodies without a mass in one connection: nothing that meets them changes how they move."""

    def __init__(self, client: int) -> None:
        self._client = client
        # Bullet would tessellate every body for its renderer, which takes longer than all the rest: a speck stands in
        # where there is no window.
        window = pybullet.getConnectionInfo(client)["connectionMethod"] == pybullet.GUI
        speck = [1e-6, 1e-6, 1e-6]
        self._visual = (
            -1 if window else pybullet.createVisualShape(pybullet.GEOM_BOX, halfExtents=speck, physicsClientId=client)
        )
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
        types = {"box": pybullet.GEOM_BOX, "sphere": pybullet.GEOM_SPHERE, "cylinder": pybullet.GEOM_CYLINDER}
        return self._body(
            pybullet.createCollisionShapeArray(
                [types[o.kind] for o in obstacles],
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
        types = {"box": pybullet.GEOM_BOX, "sphere": pybullet.GEOM_SPHERE, "cylinder": pybullet.GEOM_CYLINDER}
        shape = pybullet.createCollisionShape(
            types[obstacle.kind],
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
