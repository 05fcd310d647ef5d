"""Whom a rule that goes towards or away from somebody means, and where that one will be."""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np

from swarm.errors import BadInput
from swarm.state import Bools, Floats
from swarm.view import View

Whom = Literal["target", "predator", "prey"] | tuple[float, ...]


class Quarry(NamedTuple):
    """One for each agent; zeros where there is nobody."""

    displacement: Floats  # (A, D) m, from the agent to it, the shortest way
    velocity: Floats  # (A, D) m/s
    there: Bools  # (A,)


def check(whom: Whom) -> None:
    """Refuse a place that is none.

    Raises:
        BadInput: Neither 2 nor 3 numbers.
    """
    if isinstance(whom, tuple) and len(whom) not in (2, 3):
        raise BadInput(f"whom: expected 2 or 3 numbers, got {len(whom)}")


def find(view: View, whom: Whom) -> Quarry:
    """The task's target, the nearest living predator or prey, or a place in m; places and targets stand still."""
    agents, dim = view.position.shape
    still = np.zeros((agents, dim))
    if whom == "predator" or whom == "prey":
        others, near = (view.predators, view.nearest_predator) if whom == "predator" else (view.prey, view.nearest_prey)
        there = near.index >= 0
        if not there.any():
            return Quarry(still, still, there)
        return Quarry(near.displacement, np.where(there[:, None], others.velocity[near.index], 0.0), there)
    place = view.target if whom == "target" else np.asarray(whom, float)
    if place is None:
        return Quarry(still, still, np.zeros(agents, bool))
    if place.shape != (dim,):
        raise BadInput(f"whom: expected {dim} numbers, got {len(place)}")
    return Quarry(view.space.displacement(view.position, place), still, np.ones(agents, bool))


def meeting_time(displacement: Floats, velocity: Floats, speed: float, horizon: float) -> Floats:
    """Least time t >= 0 with |displacement + velocity t| = speed t, (A,) s; `horizon` where it is later or never.

    The straight way at `speed` that meets a quarry of constant velocity is towards where that one is then: the roots of
    (v.v - s^2) t^2 + 2 d.v t + d.d = 0.
    """
    a = (velocity * velocity).sum(axis=1) - speed * speed
    b, c = (displacement * velocity).sum(axis=1), (displacement * displacement).sum(axis=1)
    inner = b * b - a * c
    root = np.sqrt(np.maximum(inner, 0.0))
    # Both roots without cancellation: q / a and c / q.
    q = -(b + np.where(b >= 0.0, root, -root))
    first = np.divide(q, a, out=np.full_like(q, np.inf), where=a != 0.0)
    second = np.divide(c, q, out=np.full_like(q, np.inf), where=q != 0.0)
    first = np.where((inner >= 0.0) & (first >= 0.0), first, np.inf)
    second = np.where((inner >= 0.0) & (second >= 0.0), second, np.inf)
    result = np.minimum(np.minimum(first, second), horizon)
    return np.asarray(np.where(c == 0.0, 0.0, result))


def ahead(quarry: Quarry, speed: float, horizon: float) -> Floats:
    """Displacement (A, D) m to where each quarry is predicted to be met."""
    time = meeting_time(quarry.displacement, quarry.velocity, speed, horizon)
    return np.asarray(quarry.displacement + time[:, None] * quarry.velocity)
