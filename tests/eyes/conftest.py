"""Worlds and flights made up by formula, so that what is seen of them can be worked out by hand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from swarm.mission import Mission
from swarm.mission_file import mission_from_table
from swarm.recording import Trajectory

ROOM: dict[str, Any] = {
    "name": "room",
    "bounds": [[-2.0, -4.0, 0.0], [12.0, 4.0, 3.0]],
    "boundary": "walls",
    "obstacles": [
        {
            "kind": "box",
            "name": "crate",
            "center": [6.0, -1.6, 1.2],
            "size": [1.0, 1.4, 0.8],
            "rpy": [10.0, 20.0, 30.0],
        },
        {"kind": "sphere", "name": "ball", "center": [5.0, 1.5, 1.5], "radius": 0.7},
    ],
}


def make_mission(world: dict[str, Any] | None = None, count: int = 3, **more: Any) -> Mission:
    """A mission in a room with a crate and a ball."""
    table = {
        "name": "made-up", "duration": 2.0, "world": ROOM if world is None else world, "controller": {"use": "boids"},
        "swarm": {"count": count, "spawn": {"shape": "line", "spacing": 0.8, "center": [0.0, 0.0, 1.5]}}, **more,
    }  # fmt: skip
    return mission_from_table(table, "made-up.toml")


def make_recording(seconds: float = 1.0, count: int = 3, dim: int = 3, attitude: bool = True) -> Trajectory:
    """Agents side by side that fly along x at 3 m/s, level."""
    time = np.arange(round(seconds * 48) + 1) / 48
    position = np.zeros((len(time), count, dim))
    position[..., 0] = 3.0 * time[:, None]
    position[..., 1] = 0.8 * (np.arange(count) - 0.5 * (count - 1))
    if dim == 3:
        position[..., 2] = 1.5
    velocity = np.zeros_like(position)
    velocity[..., 0] = 3.0
    turn = np.zeros((len(time), count, 4), np.float32)
    turn[..., 3] = 1.0
    full = np.ones(position.shape[:2])
    return Trajectory(
        time,
        position,
        velocity,
        velocity,
        full,
        full.astype(bool),
        np.zeros(count, np.int64),
        turn if attitude else None,
    )


@pytest.fixture
def pyramid(tmp_path: Path) -> Path:
    """A mesh file: a pyramid on a square of 2 m, 2 m high, about the origin."""
    file = tmp_path / "pyramid.obj"
    file.write_text(
        "v -1 -1 -1\nv 1 -1 -1\nv 1 1 -1\nv -1 1 -1\nv 0 0 1\nf 1 3 2\nf 1 4 3\nf 1 2 5\nf 2 3 5\nf 3 4 5\nf 4 1 5\n"
    )
    return file
