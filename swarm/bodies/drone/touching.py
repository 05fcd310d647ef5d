"""What Bullet's contact points say: who touches whom or which surface, and how fast they closed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

Touch = tuple[int, int, int]  # agent; the other agent or -1; the surface or -1


def touches(
    points: Iterable[Sequence[Any]],
    agents: Mapping[int, int],
    velocity_at: Callable[[int, Any], Any],
    surface_at: Callable[[int, Any], int],
    surface_velocity: Callable[[int], Any] | None = None,
) -> dict[Touch, float]:
    """Sort contact points of one physics step by who touches.

    Args:
        points: What pybullet.getContactPoints gave.
        agents: Bullet body to agent index.
        velocity_at: (agent, point) to the velocity (3,) in m/s of the hull there before the step.
        surface_at: (Bullet body, point) to the index of the world's surface there.
        surface_velocity: Index of a surface to its velocity (3,) in m/s; None where none moves.

    Returns:
        Closing speed along the normal in m/s, 0 or more, of each touch; of several points of one touch the largest.
    """
    found: dict[Touch, float] = {}
    for point in points:
        first, second, place, place_second, normal, distance, force = *point[1:3], *point[5:10]
        # Bullet stops bodies just before they meet: such a contact ends at a tiny distance, but it has pushed.
        if distance > 0.0 and force <= 0.0:
            continue
        one, other = agents.get(first, -1), agents.get(second, -1)
        if one < 0 and other < 0:
            continue
        closing = 0.0  # the normal points from the second body to the first
        if one >= 0:
            closing -= float(np.dot(velocity_at(one, place), normal))
        if other >= 0:
            closing += float(np.dot(velocity_at(other, place_second), normal))
        if one < 0:
            touch = (other, -1, surface_at(first, place))
        elif other < 0:
            touch = (one, -1, surface_at(second, place_second))
        else:
            touch = (min(one, other), max(one, other), -1)
        if surface_velocity is not None and touch[1] < 0:
            closing += (1.0 if other < 0 else -1.0) * float(np.dot(surface_velocity(touch[2]), normal))
        found[touch] = max(found.get(touch, 0.0), closing)
    return found
