"""Turning back: whoever is about to leave the world, or has left it, heads inward."""

from __future__ import annotations

import numpy as np

from swarm.controllers.models.cucker_smale import bounded
from swarm.state import Floats
from swarm.view import View


def turned_back(view: View, command: Floats) -> Floats:
    """Commands whose part across a bound points inward where one more step of it would end beyond that bound.

    The bounds are drawn in by the hull and, for a body of limited acceleration, by twice the way that it needs to stop;
    both are 0 for plain points. On a torus, which has no outside, commands stay as they are.

    Args:
        view: What the agents perceive.
        command: (A, D) m/s.

    Returns:
        (A, D) m/s; of the same speeds for plain points, and there no slower than the way out for others.
    """
    if view.boundary == "torus":
        return command
    ahead = soonest = view.dt * command
    margin = np.full_like(command, view.radius)
    limit = view.acceleration_limit
    if 0.0 < limit < np.inf:
        margin += view.velocity**2 / limit  # twice the way to stop: it may have to turn sideways as well
        soonest, ahead = np.minimum(ahead, view.dt * view.velocity), np.maximum(ahead, view.dt * view.velocity)
    # No more than a quarter of the way across, so that the middle of a narrow world stays free.
    margin = np.minimum(margin, 0.25 * (view.bounds[1] - view.bounds[0]))
    below = view.position + soonest < view.bounds[0] + margin
    above = view.position + ahead > view.bounds[1] - margin
    size = np.maximum(np.abs(command), np.abs(view.velocity)) if limit < np.inf else np.abs(command)
    return bounded(np.where(below, size, np.where(above, -size, command)), view.speed_limit)
