"""Flocks made up by formula, on a torus, with leaders, hunters and prey that is caught."""

from __future__ import annotations

from typing import Any

import numpy as np

from swarm.mission import Mission
from swarm.mission_file import mission_from_table
from swarm.recording import Trajectory
from swarm.result import Result
from swarm.state import LEADER, MEMBER, PREDATOR

SIDE = 10.0  # m


def flock(
    members: int = 40,
    steps: int = 30,
    *,
    dim: int = 2,
    leaders: int = 0,
    predators: int = 0,
    caught: dict[int, int] | None = None,
    boundary: str = "torus",
    speed: float = 0.3,
    straight: bool = False,
) -> tuple[Mission, Result]:
    """Each agent flies straight on at `speed` m/s, a step a second; `caught` is agent: step from which it is gone."""
    count = members + leaders + predators
    table: dict[str, Any] = {
        "name": "made-up-flock",
        "duration": float(max(steps, 1)),
        "world": {"dim": dim, "bounds": [[0.0] * dim, [SIDE] * dim], "boundary": boundary, "floor": False},
        "swarm": {"count": members, "body": "point", "physics_hz": 1, "command_hz": 1, "speed_limit": speed},
        "controller": {"use": "vicsek"},
    }
    if dim == 2:
        del table["world"]["floor"]
    mission = mission_from_table(table, "made-up-flock.toml")
    rng = np.random.default_rng(3)
    ahead = rng.standard_normal((count, dim))
    if straight:
        ahead[:] = np.eye(dim)[0]
    ahead /= np.linalg.norm(ahead, axis=1, keepdims=True)
    time = np.arange(steps + 1.0)
    position = rng.uniform(0.0, SIDE, (count, dim)) + speed * time[:, None, None] * ahead
    if boundary == "torus":
        position %= SIDE
    velocity = np.broadcast_to(speed * ahead, position.shape).copy()
    alive = np.ones((steps + 1, count), bool)
    for agent, step in (caught or {}).items():
        alive[step:, agent] = False
        position[step:, agent] = position[step, agent]
        velocity[step:, agent] = 0.0
    role = np.repeat([MEMBER, LEADER, PREDATOR], [members, leaders, predators])
    trajectory = Trajectory(time, position, velocity, velocity, np.full(alive.shape, np.inf), alive, role)
    wave = 0.5 + 0.4 * np.sin(time / 5.0)
    series = {
        "order": wave, "compactness": 3.0 + wave, "compactness_sd": 0.5 * wave, "groups": np.round(5 * wave),
        "nearest_neighbour": wave, "min_separation": wave,
    }  # fmt: skip
    metrics = {name: float(values.mean()) for name, values in series.items()}
    result = Result(
        mission.name, 0, "vicsek", "point", None, True, (), metrics, float(steps), steps, "", {}, trajectory, series
    )
    return mission, result
