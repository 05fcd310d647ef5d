"""The reference of the velocity loop: what the drone can fly of what it is told.

Third order, so that the wanted thrust neither jumps nor kinks: the velocity error asks for an acceleration, that for a
jerk, that for a snap, and each is bounded.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from swarm.bodies.drone import layout as at
from swarm.compiled import kernel

Floats = NDArray[np.float64]

PLANNED_SHARE = 0.92  # of the horizontal force within the limits that the reference uses; the rest is left to feedback


@kernel
def levelling(error: float, rate: float, jerk: float) -> float:
    """Acceleration that takes a velocity error >= 0 to zero: linear near zero, then what `jerk` can undo in time."""
    linear = jerk / (rate * rate)
    return rate * error if error <= linear else math.sqrt(2.0 * jerk * (error - 0.5 * linear))


@kernel
def sideways_limit(lift: float, parameters: Floats) -> float:
    """Largest horizontal force per mass, m/s2, beside the vertical `lift` within the tilt and thrust planned with."""
    top = parameters[at.LIFT_MAX]
    tilted: float = parameters[at.TILT_TANGENT] * lift
    return min(tilted, math.sqrt(max(top * top - lift * lift, 0.0)))


@kernel
def reference(row: Floats, x: float, y: float, z: float, parameters: Floats) -> tuple[float, float, float]:
    """Advance the reference of one drone towards the command (x, y, z) m/s; returns its snap in m/s4."""
    timestep, gravity = parameters[at.TIMESTEP], parameters[at.GRAVITY]
    rate, jerk = parameters[at.VELOCITY_RATE], parameters[at.BRAKING_JERK]
    ex = x - row[at.REFERENCE_VELOCITY]
    ey = y - row[at.REFERENCE_VELOCITY + 1]
    ez = z - row[at.REFERENCE_VELOCITY + 2]
    az = math.copysign(levelling(abs(ez), rate, jerk), ez)
    az = min(max(az, -parameters[at.SINK_ACCELERATION_MAX]), parameters[at.CLIMB_ACCELERATION_MAX])
    now = row[at.REFERENCE_ACCELERATION + 2]
    bound = min(sideways_limit(gravity + az, parameters), sideways_limit(gravity + now, parameters))
    bound = min(PLANNED_SHARE * bound, parameters[at.ACCELERATION_MAX])
    horizontal = math.sqrt(ex * ex + ey * ey)
    share = rate if horizontal == 0.0 else min(levelling(horizontal, rate, jerk), bound) / horizontal

    rate = parameters[at.ACCELERATION_RATE]
    jx = rate * (share * ex - row[at.REFERENCE_ACCELERATION])
    jy = rate * (share * ey - row[at.REFERENCE_ACCELERATION + 1])
    jz = rate * (az - now)
    share = min(1.0, parameters[at.JERK_MAX] / max(math.sqrt(jx * jx + jy * jy), 1e-9))
    jz = min(max(jz, -parameters[at.VERTICAL_JERK_MAX]), parameters[at.VERTICAL_JERK_MAX])

    rate = parameters[at.JERK_RATE]
    sx = rate * (share * jx - row[at.REFERENCE_JERK])
    sy = rate * (share * jy - row[at.REFERENCE_JERK + 1])
    sz = rate * (jz - row[at.REFERENCE_JERK + 2])
    share = min(1.0, parameters[at.SNAP_MAX] / max(math.sqrt(sx * sx + sy * sy), 1e-9))
    snap = (share * sx, share * sy, sz)
    for k in range(3):
        row[at.REFERENCE_JERK + k] += timestep * snap[k]
        row[at.REFERENCE_ACCELERATION + k] += timestep * row[at.REFERENCE_JERK + k]
        row[at.REFERENCE_VELOCITY + k] += timestep * row[at.REFERENCE_ACCELERATION + k]
    return snap
