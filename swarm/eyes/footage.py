"""A recorded flight at the instants of a film's frames."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from swarm.eyes.scenery import TALL
from swarm.recording import Trajectory
from swarm.state import Bools, Floats
from swarm.worlds.world import World

SLOW = 0.05  # m/s below which a velocity says nothing about where an agent heads


@dataclass(frozen=True, eq=False)
class Footage:
    """F frames of N agents; worlds of two dimensions have been given a height."""

    world: World
    radius: float  # m, of an agent's hull
    time: Floats  # (F,) s
    position: Floats  # (F, N, 3) m
    velocity: Floats  # (F, N, 3) m/s; of an agent that stands still where it headed last
    attitude: Floats | None  # (F, N, 4) quaternions x, y, z, w
    alive: Bools  # (F, N)
    target: Floats | None  # (3,) m

    @property
    def count(self) -> int:
        """N."""
        return int(self.position.shape[1])


def footage(
    world: World, radius: float, trajectory: Trajectory, time: Floats, target: Floats | None, attitude: bool
) -> Footage:
    """Samples between those recorded, so that motion is even at any rate of frames.

    Args:
        world: Where it was flown.
        radius: m, of an agent's hull.
        trajectory: The recording.
        time: (F,) s.
        target: (3,) m or None.
        attitude: Whether the agents have one.
    """
    last = len(trajectory.time) - 1
    before = np.clip(np.searchsorted(trajectory.time, time + 1e-9) - 1, 0, last)
    after = np.minimum(before + 1, last)
    gap = np.maximum(trajectory.time[after] - trajectory.time[before], 1e-9)
    share = np.clip((time - trajectory.time[before]) / gap, 0.0, 1.0)[:, None, None]
    step = world.space.displacement(trajectory.position[before], trajectory.position[after])
    position = trajectory.position[before] + share * step
    if world.boundary == "torus":
        position = world.space.wrap(position)
    turn = None
    if attitude and trajectory.attitude is not None:
        first, second = (trajectory.attitude[k].astype(np.float64) for k in (before, after))
        second *= np.where((first * second).sum(axis=-1, keepdims=True) < 0.0, -1.0, 1.0)
        turn = first + share * (second - first)
        turn /= np.linalg.norm(turn, axis=-1, keepdims=True)
    heading = _latest(trajectory.velocity)[before]
    return Footage(
        world,
        radius,
        time,
        _lifted(position, 0.5 * TALL),
        _lifted(heading, 0.0),
        turn,
        trajectory.alive[before],
        target,
    )


def _lifted(points: Floats, height: float) -> Floats:
    if points.shape[-1] == 3:
        return points
    return np.concatenate([points, np.full((*points.shape[:-1], 1), height)], axis=-1)


def _latest(velocity: Floats) -> Floats:
    """(T, N, D) the last velocity that was not about zero, so that darts do not spin where agents hover."""
    moving = np.linalg.norm(velocity, axis=-1) > SLOW
    sample = np.where(moving, np.arange(len(velocity))[:, None], -1)
    latest = np.maximum.accumulate(sample, axis=0)
    source = np.where(latest < 0, np.argmax(moving, axis=0), latest)
    return np.take_along_axis(velocity, source[..., None], axis=0)
