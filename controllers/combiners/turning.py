"""Turning a direction towards another by at most an angle."""

from __future__ import annotations

import math

import numpy as np

from swarm.compiled import kernel
from swarm.state import Floats

NOTHING = 1e-12  # length below which a wish has no direction


@kernel
def turn(direction: Floats, wanted: Floats, most: float) -> Floats:
    """Directions turned towards what is wanted, the shortest way, by at most an angle.

    Half a circle is turned to the right, as a NetLogo turtle does; in three dimensions in the level plane.

    Args:
        direction: (A, D) unit.
        wanted: (A, D) of any length; whose is zero keeps its direction.
        most: rad.

    Returns:
        (A, D) unit.
    """
    agents, dim = direction.shape
    turned: Floats = direction.copy()
    side = np.zeros(3)
    for i in range(agents):
        square, along = 0.0, 0.0
        for k in range(dim):
            square += wanted[i, k] * wanted[i, k]
            along += wanted[i, k] * direction[i, k]
        length = math.sqrt(square)
        if length <= NOTHING:
            continue
        along /= length
        square = 0.0
        for k in range(dim):
            side[k] = wanted[i, k] / length - along * direction[i, k]
            square += side[k] * side[k]
        across = math.sqrt(square)
        if math.atan2(across, along) <= most:
            for k in range(dim):
                turned[i, k] = wanted[i, k] / length
            continue
        if across < 1e-9:  # straight back
            side[0], side[1], side[2] = direction[i, 1], -direction[i, 0], 0.0
            across = math.sqrt(side[0] * side[0] + side[1] * side[1])
            if across < 1e-9:  # it points straight up or down
                side[0], side[1], across = 0.0, 1.0, 1.0
        square = 0.0
        for k in range(dim):
            turned[i, k] = math.cos(most) * direction[i, k] + math.sin(most) * side[k] / across
            square += turned[i, k] * turned[i, k]
        length = math.sqrt(square)
        for k in range(dim):
            turned[i, k] /= length
    return turned
