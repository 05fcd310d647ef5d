"""Obstacles and worlds that several tests build."""

from __future__ import annotations

import numpy as np
import pytest

from swarm.worlds import Mesh, Obstacle, World


class Scene:
    """Builds small worlds in a room of 10 x 10 x 5 m."""

    room = np.array([[-5.0, -5.0, 0.0], [5.0, 5.0, 5.0]])

    def world(self, *obstacles, boundary="open", floor=False, bounds=None):
        """A world of some obstacles."""
        return World("scene", self.room if bounds is None else np.array(bounds), boundary, floor, obstacles)

    def mesh(self, solid, center=(0.0, 0.0, 0.0), rpy=(0.0, 0.0, 0.0), closed=True, name="mesh"):
        """A trimesh as an obstacle."""
        form = Mesh("made", np.array(solid.vertices, dtype=np.float64), np.array(solid.faces, dtype=np.int64), closed)
        return Obstacle("mesh", tuple(center), name, rpy=tuple(rpy), mesh=form)

    def scattered(self, kind, count, rng):
        """Obstacles of one kind anywhere in the room, turned anyhow."""
        return [
            Obstacle(
                kind,
                tuple(rng.uniform([-4.0, -4.0, 1.0], [4.0, 4.0, 4.0])),
                f"{kind} {k}",
                size=tuple(rng.uniform(0.1, 2.0, 3)),
                radius=float(rng.uniform(0.1, 0.6)),
                height=float(rng.uniform(0.2, 3.0)),
                rpy=tuple(rng.uniform(-np.pi, np.pi, 3)),
            )
            for k in range(count)
        ]


@pytest.fixture(scope="session")
def scene():
    """The builder."""
    return Scene()
