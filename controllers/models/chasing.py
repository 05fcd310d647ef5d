"""Chasing: straight to the nearest, and not past it."""

from __future__ import annotations

import numpy as np

from swarm.controllers.models.headings import unit
from swarm.controllers.models.turning_back import turned_back
from swarm.state import Floats
from swarm.view import View


def chase(view: View, speed: float) -> Floats:
    """Commands (A, D) m/s of predators to the nearest living prey of each; none where nobody is left.

    Args:
        view: What the predators perceive.
        speed: m/s; less in the last step, which ends at the prey.
    """
    prey = view.nearest_prey
    distance = np.where(np.isfinite(prey.distance), prey.distance, 0.0)
    pace = np.minimum(min(speed, view.speed_limit), distance / view.dt)
    still = np.zeros_like(view.position)
    return turned_back(view, unit(prey.displacement, still) * pace[:, None])
