"""How far the middle of the living swarm is from a place."""

from __future__ import annotations

from math import atan2, cos, pi, sin

from swarm.compiled import kernel
from swarm.state import Bools, Floats


@kernel
def centre_distance(position: Floats, alive: Bools, place: Floats, box: Floats) -> float:
    """Distance from a place to the centroid of the living, m; inf when none lives.

    Args:
        position: (A, D) m.
        alive: (A,) bool.
        place: (D,) m.
        box: (D,) m, period of each axis, 0 where it does not wrap; along one that does the centroid is the circular
            mean, so that a swarm scattered over a torus has one somewhere, and not wherever it is asked for.
    """
    square, living = 0.0, 0
    for i in range(position.shape[0]):
        living += alive[i]
    if living == 0:
        return float("inf")
    for k in range(position.shape[1]):
        total, across, along = 0.0, 0.0, 0.0
        for i in range(position.shape[0]):
            if alive[i]:
                offset = position[i, k] - place[k]
                total += offset
                if box[k] > 0.0:
                    across += sin(2.0 * pi * offset / box[k])
                    along += cos(2.0 * pi * offset / box[k])
        mean = total / living if box[k] <= 0.0 else atan2(across, along) * box[k] / (2.0 * pi)
        square += mean**2
    return float(square**0.5)
