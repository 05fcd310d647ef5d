"""Views in the units of the source systems: a metre, a tick of a second, and predators where a test names them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from swarm.briefing import Briefing
from swarm.others import Others
from swarm.state import State
from swarm.view import Company, Senses, View
from swarm.worlds import build_world


def others(position: Any, velocity: Any = None, alive: Any = None, dim: int = 3) -> Others:
    place = np.array(position, float).reshape(-1, dim)
    return Others(
        place,
        np.zeros_like(place) if velocity is None else np.array(velocity, float).reshape(-1, dim),
        np.ones(len(place), bool) if alive is None else np.array(alive, bool),
    )


def seen(
    position: Any, velocity: Any = None, *, side: float = 10.0, boundary: str = "open", dt: float = 1.0,
    speed_limit: float = 1e9, reach: float = 100.0, alive: Any = None, role: Any = None, world_index: Any = None,
    obstacles: Any = (), predators: Any = None, hunting: Any = None, prey: Any = None, prey_alive: Any = None,
) -> View:  # fmt: skip
    """What agents at these places perceive in a box from the origin to `side`, given as a number or for each axis."""
    place = np.array(position, float)
    agents, dim = place.shape
    world = build_world(
        {
            "dim": dim,
            "bounds": [[0.0] * dim, np.broadcast_to(side, dim).tolist()],
            "boundary": boundary,
            "obstacles": [dict(o) for o in obstacles],
            **({"floor": False} if dim == 3 and boundary == "open" else {}),
        },
        "test",
    )
    state = State(
        time=0.0,
        position=place,
        velocity=np.zeros_like(place) if velocity is None else np.array(velocity, float),
        attitude=np.tile([0.0, 0.0, 0.0, 1.0], (agents, 1)),
        angular_velocity=np.zeros((agents, 3)),
        alive=np.ones(agents, bool) if alive is None else np.array(alive, bool),
        role=np.zeros(agents, np.int64) if role is None else np.array(role, np.int64),
        world_index=np.zeros(agents, np.int64) if world_index is None else np.array(world_index, np.int64),
    )
    senses = Senses(
        world=world, dt=dt, radius=0.0, speed_limit=speed_limit, acceleration_limit=np.inf, reach=reach,
        field_of_view=2 * np.pi, box=world.space.period, target=None, path=None, way=None,
    )  # fmt: skip
    company = Company(
        others([] if predators is None else predators, hunting, dim=dim),
        others([] if prey is None else prey, None, prey_alive, dim=dim),
        np.zeros(agents),
    )
    return View(senses, state, company)


def told(view: View, seed: int = 0) -> Briefing:
    """What a controller of those in a view would be told before a run."""
    return Briefing(
        world=view._senses.world, count=len(view.position), dim=view.dim, dt=view.dt, radius=0.0,
        speed_limit=view.speed_limit, acceleration_limit=np.inf, reaction_time=0.0, target=None, path=None,
        path_speed=None, formation=None, position=view.position, rng=np.random.default_rng(seed), role=view.role,
    )  # fmt: skip


@pytest.fixture(scope="session")
def look() -> Callable[..., View]:
    return seen


@pytest.fixture(scope="session")
def brief() -> Callable[..., Briefing]:
    return told
