"""Reynolds' steering force: the change of velocity that is wanted, as much of it as a force can give at once."""

from __future__ import annotations

import math

import numpy as np

from swarm.compiled import kernel
from swarm.state import Floats


@kernel
def steering(wanted: Floats, velocity: Floats, speed: float, force: float) -> Floats:
    """Reynolds' steering force: the change to `speed` in the direction wanted, no longer than `force`; (A, D).

    Where nothing is wanted the force is 0. Source: Reynolds, Steering Behaviors for Autonomous Characters (1999).
    """
    agents, dim = wanted.shape
    total = np.zeros((agents, dim))
    for i in range(agents):
        square = 0.0
        for k in range(dim):
            square += wanted[i, k] * wanted[i, k]
        length = math.sqrt(square)
        if length < 1e-9:
            continue
        square = 0.0
        for k in range(dim):
            total[i, k] = speed * wanted[i, k] / length - velocity[i, k]
            square += total[i, k] * total[i, k]
        size = math.sqrt(square)
        if size > force:
            for k in range(dim):
                total[i, k] *= force / size
    return total
