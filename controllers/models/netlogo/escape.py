"""Escape from a predator: turn about at once and go faster."""

from __future__ import annotations

import numpy as np

from swarm.others import Nearest
from swarm.state import Bools, Floats


def escape(direction: Floats, threat: Nearest, vision: float) -> tuple[Floats, Bools]:
    """Directions of those that see a predator, straight away from the nearest: `face threat`, `rt 180`.

    One at the predator's own place has nothing to face, and turns about.

    Args:
        direction: (A, D) unit.
        threat: The nearest living predator of each.
        vision: m.

    Returns:
        (A, D) unit, and (A,) who flees.
    """
    flees = (threat.index >= 0) & (threat.distance <= vision)
    apart = threat.distance > 0.0
    away = -threat.displacement / np.where(apart & flees, threat.distance, 1.0)[:, None]
    away = np.where(apart[:, None], away, -direction)
    return np.where(flees[:, None], away, direction), flees
