"""Flights made up by formula, so that pictures are tested without flying."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from swarm.bodies import Contact
from swarm.metrics import METRICS
from swarm.mission import Mission
from swarm.mission_file import mission_from_table
from swarm.recording import Trajectory
from swarm.result import Result
from swarm.verdicts import Verdict
from swarm.worlds import Mesh, Obstacle

FOREST = {
    "name": "grove",
    "bounds": [[-4.0, -6.0, 0.0], [36.0, 6.0, 4.0]],
    "boundary": "walls",
    "generator": {
        "kind": "forest",
        "density": 0.2,
        "area": [[4.0, -6.0], [24.0, 6.0]],
        "radius": [0.15, 0.35],
        "spacing": 1.5,
    },
}
Flight = tuple[Mission, Result]


def fly(
    world: dict[str, Any] | None = None,
    count: int = 5,
    seconds: float = 6.0,
    *,
    dim: int = 3,
    formation: bool = True,
    lose: tuple[int, float] | None = None,
    contacts: tuple[Contact, ...] = (),
    target: bool = True,
    clearance: float = 0.5,
    series: bool = True,
    seed: int = 0,
    criteria: dict[str, Any] | None = None,
) -> Flight:
    """A V of `count` agents that swings along +x at 32 m in `seconds`."""
    time = np.arange(round(seconds * 48) + 1) / 48
    table: dict[str, Any] = {
        "name": "made-up",
        "duration": max(seconds, 1.0),
        "world": FOREST if world is None else world,
        "swarm": {"count": count},
        "controller": {"use": "boids"},
        "criteria": criteria or {"min_separation": {"at_least": 0.3}, "formation_error": {"at_most": 0.35}},
    }
    if formation:
        table["formation"] = {"shape": "v", "spacing": 1.0}
    if target:
        table["task"] = {"kind": "reach", "target": [32.0, 0.0, 1.5][:dim], "radius": 1.0}
    mission = mission_from_table(table, "made-up.toml")
    slots = mission.formation_slots(dim) if formation else np.random.default_rng(1).uniform(-2, 2, (count, dim))
    middle = np.zeros((len(time), dim))
    middle[:, 0] = 32.0 * time / max(seconds, 1.0)
    middle[:, 1] = 2.0 * np.sin(middle[:, 0] / 4.0)
    if dim == 3:
        middle[:, 2] = 1.5 + 0.4 * np.sin(middle[:, 0] / 6.0)
    position = middle[:, None] + slots
    velocity = np.gradient(position, 1 / 48, axis=0) if len(time) > 1 else np.zeros_like(position)
    alive = np.ones(position.shape[:2], bool)
    if lose is not None:
        agent, moment = lose
        alive[time >= moment, agent] = False
        position[time >= moment, agent] = position[time >= moment, agent][0]
    trajectory = Trajectory(
        time, position, velocity, velocity.copy(), np.full(position.shape[:2], clearance), alive,
        np.zeros(count, np.int64),
    )  # fmt: skip
    wave = 0.1 + 0.1 * np.sin(time) ** 2
    kept = {"min_separation": 0.9 - wave, "order": 1 - wave / 4, "formation_error": wave} if series else {}
    metrics = {"min_separation": 0.7, "formation_error": 0.15, "time_to_target": seconds, "order": 0.97, "speed": 1.5}
    verdicts = tuple(
        Verdict(c, metrics[c.name], METRICS[c.name].unit, c.met(metrics[c.name])) for c in mission.criteria
    )
    result = Result(
        mission.name, seed, "formation", "drone", "bullet", True, verdicts, metrics, seconds, len(time) - 1, "", {},
        trajectory, kept, contacts,
    )  # fmt: skip
    return mission, result


@pytest.fixture
def make_flight() -> Callable[..., Flight]:
    """`fly`, for tests."""
    return fly


def _torus(rpy: tuple[float, float, float] = (0.0, 0.0, 0.0)) -> Obstacle:
    """2 m from the axis to the middle of a tube of radius 0.5 m; its middle is 2.5 m high."""
    import trimesh

    made = trimesh.creation.torus(2.0, 0.5, major_sections=96, minor_sections=48)
    mesh = Mesh("torus.obj", np.asarray(made.vertices, float), np.asarray(made.faces, np.int64), True)
    return Obstacle("mesh", (0.0, 0.0, 2.5), "torus", mesh=mesh, rpy=rpy)


@pytest.fixture
def doorway() -> Obstacle:
    """A wall 4 m long and 3 m high with a door 1 m wide and 2 m high: two posts and a lintel."""
    import trimesh

    parts = []
    for x, z, size in ((-1.25, 1.5, (1.5, 0.2, 3.0)), (1.25, 1.5, (1.5, 0.2, 3.0)), (0.0, 2.5, (1.0, 0.2, 1.0))):
        box = trimesh.creation.box(size)
        box.apply_translation((x, 0.0, z))
        parts.append(box)
    made = trimesh.util.concatenate(parts)
    mesh = Mesh("door.obj", np.asarray(made.vertices, float), np.asarray(made.faces, np.int64), True)
    return Obstacle("mesh", (0.0, 0.0, 0.0), "door", mesh=mesh)


@pytest.fixture
def torus() -> Callable[..., Obstacle]:
    """`_torus`, for tests."""
    return _torus
