"""A PyBullet world that holds only what can be seen, apart from the one that is flown in."""

from __future__ import annotations

import weakref
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from swarm.errors import SimulationError
from swarm.eyes.figures import along
from swarm.eyes.ground import SUN
from swarm.eyes.lens import Lens
from swarm.eyes.picture import Picture
from swarm.eyes.props import HIDDEN, Cast, Marks, add_agents, add_marks, add_planes, add_spots, ground_height
from swarm.eyes.scenery import TALL, Color, lifted, obstacle_thing
from swarm.eyes.visuals import Visuals
from swarm.state import Bools, Floats
from swarm.worlds.engine import pybullet
from swarm.worlds.world import World

LOST: Color = (0.30, 0.30, 0.32)
LEVEL = (0.0, 0.0, 0.0, 1.0)


class Stage:
    """What can be seen of a world and the agents in it.

    Args:
        world: Any world; one of two dimensions is given a height.
        cast: The agents.
        still: Whether what does not move is drawn.
        moving: Whether obstacles that move are drawn.
        marks: What is drawn beside what is solid; None draws nothing else.
        client: PyBullet connection to fill; None makes one without a window.

    Raises:
        SimulationError: Bullet cannot be started.
    """

    def __init__(
        self,
        world: World,
        cast: Cast,
        *,
        still: bool = True,
        moving: bool = True,
        marks: Marks | None = None,
        client: int | None = None,
    ) -> None:
        self.world, self.cast = world, cast
        self._client: int = pybullet.connect(pybullet.DIRECT) if client is None else client
        if self._client < 0:
            raise SimulationError("PyBullet: no client to draw with could be started (too many open simulations?)")
        self._finalizer = weakref.finalize(self, _disconnect, self._client)
        visuals = Visuals(self._client)
        self._ground = ground_height(world)
        self._poses: list[tuple[Any, Any]] = []
        self._lost = np.zeros(cast.count, bool)
        self._movers: list[tuple[int, list[int]]] = []
        for index, obstacle in enumerate(world.obstacles):
            if moving if obstacle.motion is not None else still:
                bodies = visuals.add(obstacle_thing(obstacle, index, marks is not None))
                if obstacle.motion is not None:
                    self._movers.append((index, bodies))
        if still:
            add_planes(visuals, world, marks is not None)
        if still and marks is not None:
            add_marks(visuals, world, marks)
        self._agents = add_agents(visuals, world, cast)
        self._spots = add_spots(visuals, world, cast) if marks is not None and marks.shadows else []
        self._labels = visuals.table()

    def show(self, time: float, position: Floats, velocity: Floats, attitude: Floats | None, alive: Bools) -> None:
        """Put everybody in place.

        Args:
            time: s, which obstacles that move are moved to.
            position, velocity: (A, D) m and m/s.
            attitude: (A, 4) quaternions x, y, z, w; None where none was recorded.
            alive: (A,); the lost are drawn grey.
        """
        turn = attitude if self.cast.attitude and attitude is not None else along(velocity)
        places = np.zeros((len(position), 3))
        places[:, 2] = 0.5 * TALL
        places[:, : position.shape[1]] = position
        self._poses = list(zip(places.tolist(), turn.tolist()))
        for body, pose in zip(self._agents, self._poses):
            self._move(body, *pose)
        spots = places.copy()
        spots[:, 2] = self._ground + 0.012
        for body, place in zip(self._spots, spots.tolist()):
            self._move(body, place, LEVEL)
        for agent in np.flatnonzero(self._lost == alive).tolist():
            color = (1.0, 1.0, 1.0) if alive[agent] else LOST
            pybullet.changeVisualShape(self._agents[agent], -1, rgbaColor=[*color, 1.0], physicsClientId=self._client)
        self._lost = ~np.asarray(alive)
        for index, bodies in self._movers:
            motion = self.world.obstacles[index].motion
            assert motion is not None
            center = lifted(motion.position(time), 0.5 * TALL).tolist()
            for body in bodies:
                self._move(body, center, LEVEL)

    def _move(self, body: int, place: Any, quaternion: Any) -> None:
        pybullet.resetBasePositionAndOrientation(body, place, quaternion, physicsClientId=self._client)

    def place(self, agent: int) -> Floats:
        """(3,) m, where an agent is shown."""
        return np.array(self._poses[agent][0])

    @contextmanager
    def without(self, agent: int) -> Iterator[None]:
        """An agent is not to be seen meanwhile."""
        self._move(self._agents[agent], HIDDEN, LEVEL)
        try:
            yield
        finally:
            self._move(self._agents[agent], *self._poses[agent])

    def hide(self, agents: Iterable[int]) -> None:
        """Take agents away until the next `show`."""
        for agent in agents:
            for body in (self._agents[agent], *self._spots[agent : agent + 1]):
                self._move(body, HIDDEN, LEVEL)

    def picture(self, lens: Lens, width: int, height: int) -> Picture:
        """What a lens sees in width x height pixels."""
        _, _, rgba, buffer, mask = pybullet.getCameraImage(
            width, height, lens.view_matrix(), lens.projection_matrix(width, height), lightDirection=SUN.tolist(),
            lightColor=[1.0, 1.0, 1.0], lightAmbientCoeff=0.68, lightDiffuseCoeff=0.40, lightSpecularCoeff=0.0,
            shadow=0, renderer=pybullet.ER_TINY_RENDERER, physicsClientId=self._client,
        )  # fmt: skip
        rgb = np.reshape(np.asarray(rgba, np.uint8), (height, width, 4))[..., :3]
        share = np.reshape(np.asarray(buffer, np.float64), (height, width))
        labels = self._labels[np.reshape(np.asarray(mask), (height, width))]
        near, far = lens.near, lens.far
        depth = (far * near / (far - (far - near) * share)).astype(np.float32)
        seen = np.reshape(np.asarray(mask), (height, width)) >= 0
        return Picture(rgb.copy(), np.where(seen, depth, np.float32(far)), labels)

    def close(self) -> None:
        """Let go of the client; a second call does nothing."""
        self._finalizer()


def _disconnect(client: int) -> None:
    if pybullet.isConnected(client):
        pybullet.disconnect(client)
