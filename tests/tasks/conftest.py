"""Goals without a flight: worlds of a few boxes, and states of swarms put where a test wants them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import pytest

from swarm.state import State
from swarm.tasks.scene import Scene
from swarm.view import Senses, View
from swarm.worlds import build_world
from swarm.worlds.world import World

RADIUS = 0.06  # m


def room_of(
    obstacles: Sequence[Mapping[str, Any]] = (),
    zones: Sequence[Mapping[str, Any]] = (),
    bounds: Any = ((0.0, 0.0, 0.0), (10.0, 6.0, 3.0)),
    boundary: str = "walls",
) -> World:
    return build_world(
        {
            "dim": len(bounds[0]),
            "bounds": [list(corner) for corner in bounds],
            "boundary": boundary,
            "obstacles": [dict(o) for o in obstacles],
            "zones": [dict(z) for z in zones],
        },
        "test",
    )


def state_of(position: Any, *, alive: Any = None, time: float = 0.0) -> State:
    position = np.array(position, dtype=float)
    agents = len(position)
    return State(
        time=time,
        position=position,
        velocity=np.zeros_like(position),
        attitude=np.tile([0.0, 0.0, 0.0, 1.0], (agents, 1)),
        angular_velocity=np.zeros((agents, 3)),
        alive=np.ones(agents, bool) if alive is None else np.array(alive, dtype=bool),
        role=np.zeros(agents, np.int64),
        world_index=np.zeros(agents, np.int64),
    )


def scene_of(world: World, start: Any, seed: int = 0) -> Scene:
    return Scene(world, np.array(start, dtype=float), RADIUS, np.random.default_rng(seed), "m.toml: task")


@pytest.fixture(scope="session")
def make_room() -> Callable[..., World]:
    return room_of


@pytest.fixture(scope="session")
def make_state() -> Callable[..., State]:
    return state_of


@pytest.fixture(scope="session")
def make_scene() -> Callable[..., Scene]:
    return scene_of


def view_at(world: World, position: Any, target: Any, way: Any) -> View:
    senses = Senses(
        world=world,
        dt=1 / 48,
        radius=RADIUS,
        speed_limit=3.0,
        acceleration_limit=6.0,
        reach=5.0,
        field_of_view=2 * np.pi,
        box=world.space.period,
        target=target,
        path=None,
        way=way,
    )
    return View(senses, state_of(position, time=world.time))


@pytest.fixture(scope="session")
def make_view_at() -> Callable[..., View]:
    return view_at
