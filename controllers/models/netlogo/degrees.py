"""NetLogo's angles: degrees from north, clockwise; pitch in degrees up from the level."""

from __future__ import annotations

import math

import numpy as np

from swarm.compiled import kernel
from swarm.state import Floats


@kernel
def heading(x: float, y: float) -> float:
    """Heading of a level vector, 0 <= heading < 360; 0 for none."""
    degrees = math.degrees(math.atan2(x, y)) % 360.0
    return degrees if degrees < 360.0 else 0.0


@kernel
def pitch(level: float, z: float) -> float:
    """Pitch of a vector of a length in the level plane and a height, -90 to 90; 0 for none."""
    return math.degrees(math.atan2(z, level))


@kernel
def subtract_headings(first: float, second: float) -> float:
    """How far to turn clockwise from the second heading to the first, -180 < angle <= 180."""
    angle = (first - second) % 360.0
    return angle - 360.0 if angle > 180.0 else angle


def headings(direction: Floats) -> Floats:
    """Headings (A,) of vectors (A, D)."""
    degrees = np.degrees(np.arctan2(direction[:, 0], direction[:, 1])) % 360.0
    return np.where(degrees < 360.0, degrees, 0.0)


def turned_right(direction: Floats, degrees: Floats) -> Floats:
    """Vectors (A, D) turned clockwise in the level plane by (A,) degrees."""
    cosine, sine = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    turned: Floats = direction.copy()
    turned[:, 0] = cosine * direction[:, 0] + sine * direction[:, 1]
    turned[:, 1] = cosine * direction[:, 1] - sine * direction[:, 0]
    return turned
