"""A world's surfaces as bodies in PyBullet: what stands still, and what moves whatever it meets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from swarm.state import Floats
from swarm.worlds.bullet_bodies import Builder
from swarm.worlds.engine import pybullet
from swarm.worlds.world import World

SHAPES = 16  # most shapes Bullet takes in one compound


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
    build = Builder(client)
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
