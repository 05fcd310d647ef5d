"""Turning back: whoever is about to leave the world, or has left it, heads inward."""

from __future__ import annotations

import numpy as np

from swarm.state import Floats
from swarm.view import View


def turned_back(view: View, command: Floats) -> Floats:
    """Commands whose part across a bound points inward where one more step of it would end beyond that bound.

    The bounds are drawn in by the hull and by the way that the body needs to stop; both are 0 for plain points. On a
    torus, which has no outside, commands stay as they are.

    Args:
        view: What the agents perceive.
        command: (A, D) m/s.

    Returns:
        (A, D) m/s, of the same speeds.
    """
    if view.boundary == "torus":
        return command
    limit = view.acceleration_limit
    braking = view.velocity**2 / (2.0 * limit) if np.isfinite(limit) and limit > 0.0 else 0.0
    # No more than a quarter of the way across, so that the middle of a narrow world stays free.
    margin = np.minimum(view.radius + braking, 0.25 * (view.bounds[1] - view.bounds[0]))
    ahead = view.position + command * view.dt
    size = np.abs(command)
    below = ahead < view.bounds[0] + margin
    above = ahead > view.bounds[1] - margin
    return np.where(below, size, np.where(above, -size, command))
