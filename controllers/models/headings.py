"""Directions: of a velocity, and one that is off another by an angle drawn at random."""

from __future__ import annotations

import numpy as np

from swarm.state import Floats
from swarm.view import View

STANDSTILL = 1e-9  # m/s, below which a velocity has no direction


def unit(vectors: Floats, instead: Floats, least: float = STANDSTILL) -> Floats:
    """Vectors (A, D) at length 1; those no longer than `least` are replaced by the rows of `instead` (A, D)."""
    length = np.sqrt((vectors * vectors).sum(axis=1))[:, None]
    return np.where(length > least, vectors / np.where(length > least, length, 1.0), instead)


def any_direction(rng: np.random.Generator, agents: int, dim: int) -> Floats:
    """(A, D) unit vectors, all directions equally likely."""
    ahead = np.zeros((agents, dim))
    ahead[:, 0] = 1.0
    return unit(rng.standard_normal((agents, dim)), ahead)


def across(direction: Floats, drawn: Floats) -> Floats:
    """The part of `drawn` (A, D) at right angles to unit vectors (A, D)."""
    return np.asarray(drawn - (drawn * direction).sum(axis=1)[:, None] * direction)


def deviate(direction: Floats, side: Floats, angle: Floats) -> Floats:
    """Unit vectors (A, D) turned by `angle` (A,) rad towards unit vectors `side` (A, D) at right angles to them."""
    return np.cos(angle)[:, None] * direction + np.sin(angle)[:, None] * side


def left(direction: Floats) -> Floats:
    """(A, 2) unit vectors a quarter turn to the left."""
    return np.stack([-direction[:, 1], direction[:, 0]], axis=1)


def facing(view: View) -> Floats:
    """(A, D) unit vectors along the velocities; who is at rest looks where its body is turned to, level."""
    attitude, looking = view.state.attitude, np.zeros(view.position.shape)
    yaw = 2.0 * np.arctan2(attitude[:, 2], attitude[:, 3])
    looking[:, 0], looking[:, 1] = np.cos(yaw), np.sin(yaw)
    return np.ascontiguousarray(unit(view.velocity, looking))
