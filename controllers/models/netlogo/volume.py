"""The third dimension: heading and pitch, each with its cap, and a height to fly at."""

from __future__ import annotations

import math

import numpy as np

from swarm.compiled import kernel
from swarm.state import Floats


@kernel
def turn_heading_and_pitch(direction: Floats, wanted: Floats, most: float) -> Floats:
    """Directions turned towards what is wanted: the heading by at most an angle, and the pitch by at most the same.

    So a turtle of NetLogo 3D turns, `right` and `tilt-up` one after the other. Half a circle is turned to the right. A
    wish straight up or down leaves the heading as it is; one that points straight up or down itself heads north.

    Args:
        direction: (A, 3) unit.
        wanted: (A, 3) of any length; whose is zero keeps its direction.
        most: rad.

    Returns:
        (A, 3) unit.
    """
    turned: Floats = direction.copy()
    for i in range(len(direction)):
        x, y, z = wanted[i, 0], wanted[i, 1], wanted[i, 2]
        level = math.hypot(x, y)
        if math.hypot(level, z) <= 1e-12:
            continue
        heading = math.atan2(direction[i, 0], direction[i, 1])
        pitch = math.atan2(direction[i, 2], math.hypot(direction[i, 0], direction[i, 1]))
        if level > 1e-12:
            off = (math.atan2(x, y) - heading) % (2.0 * math.pi)
            if off > math.pi:
                off -= 2.0 * math.pi
            heading += min(max(off, -most), most)
        pitch += min(max(math.atan2(z, level) - pitch, -most), most)
        turned[i, 0] = math.cos(pitch) * math.sin(heading)
        turned[i, 1] = math.cos(pitch) * math.cos(heading)
        turned[i, 2] = math.sin(pitch)
    return turned


def climb(direction: Floats, height: Floats, preferred: float, ahead: float) -> Floats:
    """Where to point to reach a height: straight on, at the pitch that leads to it some way ahead.

    Args:
        direction: (A, 3) unit.
        height: (A,) m.
        preferred: m.
        ahead: m in the level plane.

    Returns:
        (A, 3) of any length.
    """
    level = np.hypot(direction[:, 0], direction[:, 1])[:, None]
    forward = np.where(level > 1e-12, direction[:, :2] / np.maximum(level, 1e-12), [[0.0, 1.0]])
    return np.column_stack([ahead * forward, preferred - height])
