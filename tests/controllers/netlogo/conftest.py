"""Views of made-up turtles: headings in NetLogo's degrees, ticks of a second."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from swarm.others import Others, nobody
from swarm.state import Floats, State
from swarm.view import Company, Senses, View
from swarm.worlds import build_world
from swarm.worlds.world import World


def pointing(degrees: Any, pitch: Any = None) -> Floats:
    """(A, D) unit vectors of NetLogo headings, and of pitches in three dimensions."""
    heading = np.radians(np.atleast_1d(np.asarray(degrees, float)))
    if pitch is None:
        return np.stack([np.sin(heading), np.cos(heading)], axis=1)
    rise = np.radians(np.broadcast_to(np.asarray(pitch, float), heading.shape))
    return np.stack([np.cos(rise) * np.sin(heading), np.cos(rise) * np.cos(heading), np.sin(rise)], axis=1)


def heading_of(velocity: Floats) -> Floats:
    """(A,) NetLogo headings, 0 to 360."""
    return np.degrees(np.arctan2(velocity[:, 0], velocity[:, 1])) % 360.0


class Turtles:
    """Builds worlds and views on the 33 x 33 torus."""

    pointing = staticmethod(pointing)
    heading_of = staticmethod(heading_of)

    def world(self, dim: int = 2, boundary: str = "torus", obstacles: Any = (), half: float = 16.5) -> World:
        """A square or cube about the origin."""
        return build_world(
            {
                "dim": dim,
                "bounds": [[-half] * dim, [half] * dim],
                "boundary": boundary,
                "obstacles": [dict(obstacle) for obstacle in obstacles],
            },
            "test",
        )

    def view(
        self, position: Any, velocity: Any, *, world: World | None = None, role: Any = None, predators: Any = None,
        prey: Any = None, time: float = 0.0, dt: float = 1.0, target: Any = None, speed_limit: float = 9.0,
    ) -> View:  # fmt: skip
        """What turtles perceive; predators and prey as (P, D) places."""
        position = np.array(position, dtype=float)
        agents, dim = position.shape
        world = self.world(dim) if world is None else world
        state = State(
            time=time,
            position=position,
            velocity=np.array(velocity, dtype=float),
            attitude=np.tile([0.0, 0.0, 0.0, 1.0], (agents, 1)),
            angular_velocity=np.zeros((agents, 3)),
            alive=np.ones(agents, bool),
            role=np.zeros(agents, np.int64) if role is None else np.array(role, np.int64),
            world_index=np.zeros(agents, np.int64),
        )
        senses = Senses(
            world=world, dt=dt, radius=0.0, speed_limit=speed_limit, acceleration_limit=np.inf, reach=50.0,
            field_of_view=2 * np.pi, box=world.space.period,
            target=None if target is None else np.array(target, float), path=None, way=None,
        )  # fmt: skip

        def others(places: Any) -> Others:
            if places is None:
                return nobody(dim)
            places = np.array(places, float)
            return Others(places, np.zeros_like(places), np.ones(len(places), bool))

        return View(senses, state, Company(others(predators), others(prey), np.zeros(agents)))

    def briefing(self, make_briefing: Any, view: View, seed: int = 0) -> Any:
        """What the controller of such turtles is told."""
        told = make_briefing(view.position, world=view._senses.world)
        return replace(told, dt=view.dt, rng=np.random.default_rng(seed))


@pytest.fixture(scope="session")
def turtles() -> Turtles:
    return Turtles()
