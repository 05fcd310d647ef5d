"""A PyBullet world that holds only what can be seen, apart from the one that is flown in."""

from __future__ import annotations

import tempfile
import weakref
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from swarm.errors import SimulationError
from swarm.eyes.figures import CROWD, along, dart, quadrotor
from swarm.eyes.ground import SUN, ground_picture
from swarm.eyes.lens import Lens
from swarm.eyes.picture import NOTHING, Picture
from swarm.eyes.scenery import (
    GRASS,
    TALL,
    Color,
    Thing,
    lifted,
    obstacle_thing,
    plane_things,
    target_solid,
    zone_solid,
)  # fmt: skip
from swarm.eyes.solids import Solid, disc, sheet
from swarm.state import Bools, Floats
from swarm.worlds.engine import pybullet
from swarm.worlds.world import World

FACES = 30_000  # of one Bullet mesh; larger ones become several bodies, because a call's memory is limited
LOST: Color = (0.30, 0.30, 0.32)
HIDDEN = (0.0, 0.0, -1e5)  # m, where nobody looks
DOUBLE_SIDED = 4  # VISUAL_SHAPE_DOUBLE_SIDED, which PyBullet does not name
LEVEL = (0.0, 0.0, 0.0, 1.0)


@dataclass(frozen=True)
class Cast:
    """Who is to be seen."""

    count: int
    radius: float  # m, as drawn
    attitude: bool = True  # drawn with the attitude they have; else as darts along their velocity


@dataclass(frozen=True, eq=False)
class Marks:
    """What is drawn though it is not there."""

    target: Floats | None = None  # (D,) m
    radius: float = 0.5  # m, of the target
    shadows: bool = True  # a dark spot on the ground below each agent


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
        self._labels: dict[int, int] = {}
        self._ground = float(world.bounds[0, 2]) if world.dim == 3 else 0.0
        self._poses: list[tuple[Any, Any]] = []
        self._lost = np.zeros(cast.count, bool)
        self._movers: list[tuple[int, list[int]]] = []
        for index, obstacle in enumerate(world.obstacles):
            if moving if obstacle.motion is not None else still:
                bodies = self._add(obstacle_thing(obstacle, index, marks is not None))
                if obstacle.motion is not None:
                    self._movers.append((index, bodies))
        if still:
            self._add_planes(marks is not None)
        if still and marks is not None:
            self._add_marks(marks)
        self._spots: list[int] = []
        self._agents = self._add_agents(marks is not None and marks.shadows)
        self._table = np.full(max(self._labels, default=0) + 2, NOTHING, np.int32)
        self._table[list(self._labels)] = list(self._labels.values())

    def _add_planes(self, painted: bool) -> None:
        grounded = False
        for plane, thing in plane_things(self.world):
            if painted and plane.name == "floor":
                self._paint_ground(thing.label)
                grounded = True
                if self.world.boundary == "walls":
                    continue
                thing = thing._replace(center=np.array([0.0, 0.0, -0.02]))
            self._add(thing)
        if painted and not grounded:  # tiles to see speed by, pale where they are no ground
            self._paint_ground(NOTHING)

    def _paint_ground(self, label: int) -> None:
        low, high = self.world.bounds[0, :2], self.world.bounds[1, :2]
        flat = sheet(low, high, self._ground)
        share = (flat.vertices[:, :2] - low) / (high - low)
        body = self._body(flat, (1.0, 1.0, 1.0), np.zeros(3), uv=share.tolist())
        self._labels[body] = label
        self._dress(body, ground_picture(self.world))

    def _add_marks(self, marks: Marks) -> None:
        from matplotlib.colors import to_rgb

        from swarm.plots import style

        size = float(np.linalg.norm(self.world.bounds[1] - self.world.bounds[0]))
        thickness = float(np.clip(0.002 * size, 0.03, 0.12))
        if marks.target is not None:
            place = lifted(marks.target, 0.5 * TALL)
            self._add(Thing(target_solid(marks.radius), to_rgb(style.GOAL), NOTHING, place))
        for zone in self.world.zones:
            color = (0.86, 0.62, 0.16) if zone.kind == "gate" else (0.36, 0.56, 0.72)
            self._add(Thing(zone_solid(zone, thickness), color, NOTHING, lifted(zone.center, 0.5 * TALL)))

    def _add_agents(self, shadows: bool) -> list[int]:
        from matplotlib.colors import to_rgb

        from swarm.plots import style

        cast, first = self.cast, len(self.world.surfaces)
        simple = cast.count > CROWD
        figure = quadrotor(cast.radius, simple) if cast.attitude else dart(cast.radius)
        cloth: dict[str, int] = {}
        agents = []
        for agent in range(cast.count):
            name = style.agent_color(agent, cast.count)
            uv = np.column_stack([(figure.swatch + 0.5) / 4.0, np.full(len(figure.swatch), 0.5)]).tolist()
            body = self._body(figure, (1.0, 1.0, 1.0), np.array(HIDDEN), uv=uv)
            if name not in cloth:
                color = np.array(to_rgb(name))
                swatches = np.array([[0.13, 0.15, 0.17], 0.12 + 0.88 * color, 0.85 * color, [1.0, 1.0, 1.0]])
                blocks = np.repeat(np.repeat(swatches[None], 8, axis=0), 8, axis=1)
                cloth[name] = self._dress(body, np.rint(255 * blocks).astype(np.uint8))
            else:
                pybullet.changeVisualShape(body, -1, textureUniqueId=cloth[name], physicsClientId=self._client)
            self._labels[body] = first + agent
            agents.append(body)
        if shadows:
            dark: Color = tuple(0.62 * part for part in GRASS)  # type: ignore[assignment]
            spot = disc(0.9 * cast.radius, 12)
            self._spots = [self._body(spot, dark, np.array(HIDDEN)) for _ in range(cast.count)]
            floor = self.world.surfaces.index("floor") if "floor" in self.world.surfaces else NOTHING
            self._labels.update(dict.fromkeys(self._spots, floor))
        return agents

    def _add(self, thing: Thing) -> list[int]:
        bodies = []
        for first in range(0, len(thing.solid.faces), FACES):
            corners, faces = np.unique(thing.solid.faces[first : first + FACES], return_inverse=True)
            part = Solid(
                thing.solid.vertices[corners], thing.solid.normals[corners], faces.reshape(-1, 3),
                thing.solid.swatch[corners],
            )  # fmt: skip
            body = self._body(part, thing.color, thing.center, DOUBLE_SIDED if thing.both_sides else 0)
            self._labels[body] = thing.label
            bodies.append(body)
        return bodies

    def _body(self, solid: Solid, color: Color, place: Floats, flags: int = 0, uv: Any = None) -> int:
        options = {} if uv is None else {"uvs": uv}
        shape = pybullet.createVisualShape(
            pybullet.GEOM_MESH, vertices=solid.vertices.tolist(), normals=solid.normals.tolist(),
            indices=solid.faces.ravel().tolist(), rgbaColor=[*color, 1.0], specularColor=[0.0, 0.0, 0.0], flags=flags,
            physicsClientId=self._client, **options,
        )  # fmt: skip
        body = pybullet.createMultiBody(0.0, -1, shape, basePosition=place.tolist(), physicsClientId=self._client)
        return int(body)

    def _dress(self, body: int, picture: NDArray[np.uint8]) -> int:
        """Lay a picture over a body; returns it as a texture for others."""
        from PIL import Image

        with tempfile.TemporaryDirectory(prefix="swarm-stage-") as folder:
            path = Path(folder) / "texture.png"
            Image.fromarray(picture, "RGB").save(path, compress_level=1)
            texture = pybullet.loadTexture(str(path), physicsClientId=self._client)
            pybullet.changeVisualShape(body, -1, textureUniqueId=texture, physicsClientId=self._client)
        return int(texture)

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
        labels = self._table[np.reshape(np.asarray(mask), (height, width))]
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
