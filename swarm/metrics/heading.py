"""Which way the swarm goes: how well headings agree, where they point, whether they circle.

A heading is a unit velocity v̂; an agent slower than 1e-9 m/s has none and counts as a zero vector.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from swarm.metrics import motion_kernel as column
from swarm.metrics.frames import Value, unpack
from swarm.metrics.measure import measure_motion
from swarm.state import Floats


def order(velocity: ArrayLike, alive: ArrayLike | None = None) -> Value:
    """Polarisation ‖(1/N) Σ v̂_i‖: 1 when all fly the same way, about 0.886/√N for random headings in 2D.

    Args:
        velocity: (N, D) or (T, N, D) m/s.
        alive: (N,) or (T, N); the lost are left out.

    Returns:
        0 to 1; 0 for nobody.

    Source: Vicsek et al. 1995, equation 3.
    """
    return unpack(measure_motion(velocity=velocity, alive=alive)[0][:, column.ORDER], velocity)


def mean_heading(velocity: ArrayLike, alive: ArrayLike | None = None, reference: ArrayLike = 0.0) -> Value:
    """Direction of Σ v̂_i in the plane, counted from a reference direction such as the wind's.

    Args:
        velocity: (N, D) or (T, N, D) m/s.
        alive: (N,) or (T, N); the lost are left out.
        reference: rad, counter-clockwise from +x; one, or (T,).

    Returns:
        rad in (-π, π]; 0 where the headings cancel.
    """
    table = measure_motion(velocity=velocity, alive=alive)[0]
    return unpack(direction(table[:, column.HEADING_X], table[:, column.HEADING_Y], reference), velocity)


def direction(x: ArrayLike, y: ArrayLike, reference: ArrayLike) -> Floats:
    """rad in (-π, π] from the reference direction; 0 for a zero vector."""
    x, y = np.asarray(x, np.float64), np.asarray(y, np.float64)
    cosine, sine = np.cos(reference), np.sin(reference)
    angle: Floats = np.arctan2(y * cosine - x * sine, x * cosine + y * sine)
    return angle


def milling(
    position: ArrayLike, velocity: ArrayLike, alive: ArrayLike | None = None, box: ArrayLike | None = None
) -> Value:
    """Rotation about the centroid ‖(1/N) Σ r̂_ic × v̂_i‖: 1 when all circle it the same way.

    Args:
        position, velocity: (N, D) or (T, N, D) m, m/s.
        alive: (N,) or (T, N); the lost are left out.
        box: (D,) m, period of each axis of a torus, 0 where it does not wrap.

    Returns:
        0 to 1; 0 for nobody. An agent at the centroid counts as a zero vector.

    Source: Couzin et al. 2002, group angular momentum.
    """
    return unpack(measure_motion(position, velocity, alive=alive, box=box)[0][:, column.MILLING], position)
