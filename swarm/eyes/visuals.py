"""Bodies in a PyBullet world that can only be seen, and what each of them stands for."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from swarm.eyes.picture import NOTHING
from swarm.eyes.scenery import Color, Thing
from swarm.eyes.solids import Solid
from swarm.state import Floats
from swarm.worlds.engine import pybullet

FACES = 30_000  # of one Bullet mesh; larger ones become several bodies, because a call's memory is limited
DOUBLE_SIDED = 4  # VISUAL_SHAPE_DOUBLE_SIDED, which PyBullet does not name


class Visuals:
    """Makes such bodies in one PyBullet connection.

    Attributes:
        labels: Segmentation by body id.
    """

    def __init__(self, client: int) -> None:
        self._client = client
        self.labels: dict[int, int] = {}

    def add(self, thing: Thing) -> list[int]:
        """The bodies of one thing."""
        bodies = []
        for first in range(0, len(thing.solid.faces), FACES):
            corners, faces = np.unique(thing.solid.faces[first : first + FACES], return_inverse=True)
            part = Solid(
                thing.solid.vertices[corners], thing.solid.normals[corners], faces.reshape(-1, 3),
                thing.solid.swatch[corners],
            )  # fmt: skip
            body = self.body(part, thing.color, thing.center, thing.label, DOUBLE_SIDED if thing.both_sides else 0)
            bodies.append(body)
        return bodies

    def body(
        self, solid: Solid, color: Color, place: Floats, label: int, flags: int = 0, uv: Floats | None = None
    ) -> int:
        """One body.

        Args:
            solid: Its triangles, few enough for one Bullet mesh.
            color: Of all of it, or that a picture laid over it is multiplied by.
            place: (3,) m.
            label: Segmentation.
            flags: Of Bullet's visual shapes.
            uv: (V, 2) places of the vertices in such a picture, from its lower left corner.
        """
        options: dict[str, Any] = {} if uv is None else {"uvs": uv.tolist()}
        shape = pybullet.createVisualShape(
            pybullet.GEOM_MESH, vertices=solid.vertices.tolist(), normals=solid.normals.tolist(),
            indices=solid.faces.ravel().tolist(), rgbaColor=[*color, 1.0], specularColor=[0.0, 0.0, 0.0], flags=flags,
            physicsClientId=self._client, **options,
        )  # fmt: skip
        body = pybullet.createMultiBody(0.0, -1, shape, basePosition=place.tolist(), physicsClientId=self._client)
        self.labels[body] = label
        return int(body)

    def dress(self, body: int, picture: NDArray[np.uint8]) -> int:
        """Lay a picture over a body; returns it as a texture for others."""
        from PIL import Image

        with tempfile.TemporaryDirectory(prefix="swarm-stage-") as folder:
            path = Path(folder) / "texture.png"
            Image.fromarray(picture, "RGB").save(path, compress_level=1)
            texture = pybullet.loadTexture(str(path), physicsClientId=self._client)
            pybullet.changeVisualShape(body, -1, textureUniqueId=texture, physicsClientId=self._client)
        return int(texture)

    def wear(self, body: int, texture: int) -> None:
        """Lay a picture over a body that another one has already."""
        pybullet.changeVisualShape(body, -1, textureUniqueId=texture, physicsClientId=self._client)

    def table(self) -> NDArray[np.int32]:
        """(B + 2,) segmentation by body id; the last entry, which is also that of id -1, stands for nothing."""
        table = np.full(max(self.labels, default=0) + 2, NOTHING, np.int32)
        table[list(self.labels)] = list(self.labels.values())
        return table
