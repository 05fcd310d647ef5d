"""Attitude control: turn the thrust to where it is wanted, hold the heading apart from that."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from swarm.bodies.drone import layout as at
from swarm.bodies.drone.dynamics import Matrix
from swarm.compiled import kernel

Floats = NDArray[np.float64]
Vector = tuple[float, float, float]

TURNED_OVER = -0.8  # cosine of the tilt error beyond which the answer no longer grows


@kernel
def point_thrust(
    row: Floats, frame: Matrix, force: Vector, jerk: Vector, snap: Vector, parameters: Floats
) -> tuple[float, float]:
    """Roll and pitch torque in N m that turn the thrust along `force`, following as it turns.

    Reduced-attitude control (Bullo and Murray 1995) with the turning rate and acceleration of the wanted direction fed
    forward (Mellinger and Kumar 2011).

    Args:
        row: One drone's memory (layout.WIDTH,).
        frame: Its rotation matrix, row by row.
        force, jerk, snap: Wanted force per mass in m/s2 and its two time derivatives, world frame.
        parameters: (layout.PARAMETERS,).
    """
    xx, xy, xz, yx, yy, yz, zx, zy, zz = frame
    fx, fy, fz = force
    length = math.sqrt(fx * fx + fy * fy + fz * fz)
    dx, dy, dz = fx / length, fy / length, fz / length
    jx, jy, jz = jerk[0] / length, jerk[1] / length, jerk[2] / length
    sx, sy, sz = snap[0] / length, snap[1] / length, snap[2] / length

    # The direction d turns at d x j; differentiated once more for the acceleration of the turn.
    along = dx * jx + dy * jy + dz * jz
    rx, ry, rz = dy * jz - dz * jy, dz * jx - dx * jz, dx * jy - dy * jx
    tx = dy * sz - dz * sy - 2.0 * along * rx
    ty = dz * sx - dx * sz - 2.0 * along * ry
    tz = dx * sy - dy * sx - 2.0 * along * rz

    # 2 tan(angle / 2): the angle while small, and growing on to where the drone is nearly turned over.
    cosine = max(xz * dx + yz * dy + zz * dz, TURNED_OVER)
    frequency = parameters[at.ATTITUDE_FREQUENCY]
    twist = 2.0 * frequency * frequency / (1.0 + cosine)
    damping = 2.0 * parameters[at.ATTITUDE_DAMPING] * frequency
    tx += twist * (yz * dz - zz * dy) + damping * (rx - row[at.ANGULAR_VELOCITY])
    ty += twist * (zz * dx - xz * dz) + damping * (ry - row[at.ANGULAR_VELOCITY + 1])
    tz += twist * (xz * dy - yz * dx) + damping * (rz - row[at.ANGULAR_VELOCITY + 2])

    # Rotors that lag cannot reverse a large torque in time: ask for no more than can be taken back.
    share = min(1.0, parameters[at.TURNING_MAX] / max(math.sqrt(tx * tx + ty * ty + tz * tz), 1e-9))
    return (
        share * parameters[at.INERTIA_X] * (xx * tx + yx * ty + zx * tz),
        share * parameters[at.INERTIA_Y] * (xy * tx + yy * ty + zy * tz),
    )


@kernel
def hold_heading(row: Floats, frame: Matrix, parameters: Floats) -> float:
    """Yaw torque in N m that turns the nose back to the heading of the start."""
    xx, _, xz, yx, _, yz, _, _, zz = frame
    cosine, sine = row[at.HEADING], row[at.HEADING + 1]
    astray = math.atan2(yx * cosine - xx * sine, xx * cosine + yx * sine)
    turning = xz * row[at.ANGULAR_VELOCITY] + yz * row[at.ANGULAR_VELOCITY + 1] + zz * row[at.ANGULAR_VELOCITY + 2]
    frequency = parameters[at.HEADING_FREQUENCY]
    pull = frequency * astray + 2.0 * parameters[at.HEADING_DAMPING] * turning
    torque: float = -parameters[at.INERTIA_Z] * frequency * pull
    return torque
