"""The one pass over places from which containment and altitude keeping are read."""

from __future__ import annotations

import numpy as np

from swarm.compiled import kernel
from swarm.state import Floats


@kernel
def hold(
    position: Floats, velocity: Floats, bounds: Floats,
    containment: float, margin: float, horizon: float, containment_speed: float,
    altitude: float, height: Floats, altitude_speed: float,
) -> Floats:  # fmt: skip
    """Weighted sum of containment and altitude keeping, each as its own module defines it.

    Args:
        position, velocity: (A, D) m and m/s.
        bounds: (2, D) m.
        containment: Weight of containment; 0 leaves it out.
        margin, horizon, containment_speed: m, s and m/s (see Containment).
        altitude: 1/s, climb per metre below `height`; 0 leaves it out.
        height: (A,) m, wanted z.
        altitude_speed: m/s, the most altitude keeping asks for.

    Returns:
        (A, D) m/s.
    """
    agents, dim = position.shape
    total = np.zeros((agents, dim))
    for i in range(agents):
        if containment != 0.0:
            for k in range(dim):
                ahead = position[i, k] + velocity[i, k] * horizon
                below, above = bounds[0, k] + margin - ahead, ahead - bounds[1, k] + margin
                back = (max(0.0, below) - max(0.0, above)) / horizon
                total[i, k] += containment * min(max(back, -containment_speed), containment_speed)
        if altitude != 0.0 and dim == 3:
            climb = altitude * (height[i] - position[i, 2])
            total[i, 2] += min(max(climb, -altitude_speed), altitude_speed)
    return total
