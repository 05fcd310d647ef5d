"""Views of made-up swarms, so that rules and filters are tested without a simulation."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import pytest

from swarm.briefing import Briefing
from swarm.others import Others, nobody
from swarm.state import Floats, State
from swarm.view import Company, Senses, View
from swarm.worlds import build_world
from swarm.worlds.world import World

RADIUS = 0.06  # m


def world_of(
    dim: int = 3, obstacles: Sequence[Mapping[str, Any]] = (), half: float = 50.0, boundary: str = "open"
) -> World:
    """A world about the origin; without obstacles nothing in it is solid unless it has walls."""
    return build_world(
        {
            "dim": dim,
            "bounds": [[-half] * dim, [half] * dim],
            "boundary": boundary,
            "obstacles": [dict(o) for o in obstacles],
            **({"floor": False} if boundary == "open" and dim == 3 else {}),
        },
        "test",
    )


def view_of(
    position: Any,
    velocity: Any = None,
    *,
    world: World | None = None,
    alive: Any = None,
    world_index: Any = None,
    target: Any = None,
    reach: float = 5.0,
    acceleration_limit: float = 6.0,
    time: float = 0.0,
    role: Any = None,
    predators: Any = None,
    prey: Any = None,
    path: Any = None,
    dt: float = 1 / 48,
) -> View:
    """What agents at these places would perceive; predators and prey as (position, velocity[, alive])."""
    position = np.array(position, dtype=float)
    agents, dim = position.shape
    world = world_of(dim) if world is None else world
    state = State(
        time=time,
        position=position,
        velocity=np.zeros_like(position) if velocity is None else np.array(velocity, dtype=float),
        attitude=np.tile([0.0, 0.0, 0.0, 1.0], (agents, 1)),
        angular_velocity=np.zeros((agents, 3)),
        alive=np.ones(agents, bool) if alive is None else np.array(alive, dtype=bool),
        role=np.zeros(agents, np.int64) if role is None else np.array(role, dtype=np.int64),
        world_index=np.zeros(agents, np.int64) if world_index is None else np.array(world_index, dtype=np.int64),
    )
    senses = Senses(
        world=world,
        dt=dt,
        radius=RADIUS,
        speed_limit=3.0,
        acceleration_limit=acceleration_limit,
        reach=reach,
        field_of_view=2 * np.pi,
        box=world.space.period,
        target=None if target is None else np.array(target, dtype=float),
        path=None if path is None else np.array(path, dtype=float),
        way=None,
    )
    company = None
    if predators is not None or prey is not None:
        company = Company(others_of(predators, dim), others_of(prey, dim), np.zeros(agents))
    return View(senses, state, company)


def others_of(given: Any, dim: int) -> Others:
    """The other party from (position, velocity[, alive]); None is nobody."""
    if given is None:
        return nobody(dim)
    position, velocity = (np.array(part, dtype=float).reshape(-1, dim) for part in given[:2])
    alive = np.array(given[2], dtype=bool) if len(given) > 2 else np.ones(len(position), bool)
    return Others(position, velocity, alive)


def briefing_of(
    position: Any,
    *,
    world: World | None = None,
    target: Any = None,
    path: Any = None,
    path_speed: Any = None,
    formation: Any = None,
    reaction_time: float = 0.0,
) -> Briefing:
    """What a controller of agents starting at these places would be told."""
    position = np.array(position, dtype=float)
    agents, dim = position.shape
    return Briefing(
        world=world_of(dim) if world is None else world,
        count=agents,
        dim=dim,
        dt=1 / 48,
        radius=RADIUS,
        speed_limit=3.0,
        acceleration_limit=6.0,
        reaction_time=reaction_time,
        target=None if target is None else np.array(target, dtype=float),
        path=None if path is None else np.array(path, dtype=float),
        path_speed=None if path_speed is None else np.array(path_speed, dtype=float),
        formation=None if formation is None else np.array(formation, dtype=float),
        position=position,
        rng=np.random.default_rng(0),
    )


def flight_of(controller: Any, briefing: Briefing, seconds: float, alive: Any = None) -> tuple[Floats, Floats]:
    """Positions (T, A, D) and least clearance (T,) of agents whose velocity is the command at once."""
    controller.reset(briefing)
    position, velocity = briefing.position.copy(), np.zeros_like(briefing.position)
    path, clearance = [position.copy()], []
    for step in range(round(seconds / briefing.dt)):
        view = view_of(
            position, velocity, world=briefing.world, target=briefing.target, time=step * briefing.dt, alive=alive
        )
        velocity = controller(view)
        assert np.isfinite(velocity).all()
        if alive is not None:
            velocity = velocity * np.asarray(alive, dtype=float)[:, None]
        clearance.append(view.clearance.min())
        position = position + velocity * briefing.dt
        path.append(position.copy())
    return np.array(path), np.array(clearance)


@pytest.fixture(scope="session")
def make_world() -> Callable[..., World]:
    return world_of


@pytest.fixture(scope="session")
def make_view() -> Callable[..., View]:
    return view_of


@pytest.fixture(scope="session")
def make_briefing() -> Callable[..., Briefing]:
    return briefing_of


@pytest.fixture(scope="session")
def fly() -> Callable[..., tuple[Floats, Floats]]:
    return flight_of
