"""The moving obstacles of a world, all placed at once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from swarm.state import Ints
from swarm.worlds.geometry import Geometry
from swarm.worlds.motion import Tracks
from swarm.worlds.obstacles import Obstacle


class Movers:
    """The obstacles of a world that move, and the rows of its geometry that move with them.

    Args:
        obstacles: All of the world's, at least one of which moves.
        geometry: What `pack` made of them.
    """

    def __init__(self, obstacles: Sequence[Obstacle], geometry: Geometry) -> None:
        moving = [(k, o) for k, o in enumerate(obstacles) if o.motion is not None]
        self.surfaces: Ints = np.array([surface for surface, _ in moving], dtype=np.int64)  # (M,)
        self.tracks = Tracks([o.motion for _, o in moving if o.motion is not None])
        self._geometry = geometry
        solid = np.array([o.mesh is None for _, o in moving])
        self._solid, self._meshes = np.flatnonzero(solid), np.flatnonzero(~solid)
        self._rows = np.searchsorted(geometry.meshes[:, 0], self.surfaces[self._meshes])
        self._columns = slice(2, 2 + len(moving[0][1].center))

    def geometry(self, time: float) -> Geometry:
        """The geometry with the movers where they are at a time in s; what does not move is shared."""
        place, _ = self.tracks.at(time)
        geometry = self._geometry
        if len(self._solid):
            items = geometry.items.copy()
            items[-len(self._solid) :, self._columns] = place[self._solid]
            geometry = geometry._replace(items=items)
        if len(self._meshes):
            meshes = geometry.meshes.copy()
            meshes[self._rows, 3:6] = place[self._meshes]
            geometry = geometry._replace(meshes=meshes)
        return geometry
