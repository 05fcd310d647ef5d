"""Rigid-body dynamics of a quadrotor: rotor lag, thrust, torque, drag, and the step Bullet takes with them.

The forces of a physics step enter Bullet as the velocity they lead to, so `push` ends in the velocity handed to the
engine and `drift` does with it exactly what Bullet does with a free body (btMultiBody without links: explicit
gyroscopic term, then position, then attitude). Rotors as in Panerati et al. 2021: x-configuration, numbers 0 and 2 turn
counter-clockwise seen from above. A further force, such as ground effect or downwash, belongs where `push` sums them.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from swarm.bodies.drone import layout as at
from swarm.bodies.drone.rotors import RADIANS_PER_REVOLUTION_MINUTE, lagged
from swarm.compiled import kernel

Floats = NDArray[np.float64]
Matrix = tuple[float, float, float, float, float, float, float, float, float]

SPIN_MAX = 100.0  # rad/s, Bullet's bound on each velocity coordinate of a multibody
TURN_MAX = 0.25 * math.pi  # rad, Bullet's bound on the turn of one step
TURN_SMALL = 0.001  # rad/s, below which Bullet expands the sine


@kernel
def rotation(x: float, y: float, z: float, w: float) -> Matrix:
    """Matrix of a unit quaternion, row by row: body to world."""
    return (
        1.0 - 2.0 * (y * y + z * z),
        2.0 * (x * y - z * w),
        2.0 * (x * z + y * w),
        2.0 * (x * y + z * w),
        1.0 - 2.0 * (x * x + z * z),
        2.0 * (y * z - x * w),
        2.0 * (x * z - y * w),
        2.0 * (y * z + x * w),
        1.0 - 2.0 * (x * x + y * y),
    )


@kernel
def push(row: Floats, parameters: Floats) -> None:
    """Turn the rotors and put the velocity that this step's forces lead to into a drone's memory row.

    Args:
        row: One drone's memory (layout.WIDTH,): rotor speeds and both velocities change.
        parameters: (layout.PARAMETERS,).
    """
    timestep = parameters[at.TIMESTEP]
    thrust = 0.0
    roll = 0.0
    pitch = 0.0
    yaw = 0.0
    total_speed = 0.0
    rotor_momentum = 0.0  # kg m2/s about body z
    spin_up = 0.0  # N m about body z
    if row[at.ALIVE] != 0.0:
        for rotor in range(4):
            before = row[at.ROTOR_SPEED + rotor]
            target = row[at.ROTOR_TARGET + rotor]
            if target > before:
                linear, quadratic = parameters[at.RISING_LINEAR], parameters[at.RISING_QUADRATIC]
            else:
                linear, quadratic = parameters[at.FALLING_LINEAR], parameters[at.FALLING_QUADRATIC]
            speed = lagged(before, target, linear, quadratic, timestep)
            row[at.ROTOR_SPEED + rotor] = speed
            force = speed * (parameters[at.THRUST_LINEAR] + parameters[at.THRUST_QUADRATIC] * speed)
            drag_torque = speed * (parameters[at.TORQUE_LINEAR] + parameters[at.TORQUE_QUADRATIC] * speed)
            turn = 1.0 if rotor % 2 == 1 else -1.0  # sign of the torque that the rotor's drag puts on the body
            thrust += force
            roll += -force if rotor < 2 else force
            pitch += force if rotor == 1 or rotor == 2 else -force
            yaw += turn * drag_torque
            total_speed += speed
            momentum = -turn * parameters[at.ROTOR_INERTIA] * RADIANS_PER_REVOLUTION_MINUTE
            rotor_momentum += momentum * speed
            spin_up += momentum * (speed - before) / timestep
    roll *= parameters[at.ARM]
    pitch *= parameters[at.ARM]
    total_speed *= RADIANS_PER_REVOLUTION_MINUTE

    xx, xy, xz, yx, yy, yz, zx, zy, zz = rotation(
        row[at.ATTITUDE], row[at.ATTITUDE + 1], row[at.ATTITUDE + 2], row[at.ATTITUDE + 3]
    )
    vx, vy, vz = row[at.VELOCITY], row[at.VELOCITY + 1], row[at.VELOCITY + 2]
    ax, ay, az = vx - row[at.WIND], vy - row[at.WIND + 1], vz - row[at.WIND + 2]  # through the air
    force_x = -(parameters[at.LINEAR_DRAG_X] + parameters[at.ROTOR_DRAG_X] * total_speed) * (
        xx * ax + yx * ay + zx * az
    )
    force_y = -(parameters[at.LINEAR_DRAG_Y] + parameters[at.ROTOR_DRAG_Y] * total_speed) * (
        xy * ax + yy * ay + zy * az
    )
    force_z = -(parameters[at.LINEAR_DRAG_Z] + parameters[at.ROTOR_DRAG_Z] * total_speed) * (
        xz * ax + yz * ay + zz * az
    )
    force_z += thrust
    per_mass = timestep / parameters[at.MASS]
    row[at.VELOCITY] = vx + per_mass * (xx * force_x + xy * force_y + xz * force_z)
    row[at.VELOCITY + 1] = vy + per_mass * (yx * force_x + yy * force_y + yz * force_z)
    row[at.VELOCITY + 2] = (
        vz + per_mass * (zx * force_x + zy * force_y + zz * force_z) - timestep * parameters[at.GRAVITY]
    )

    wx, wy, wz = row[at.ANGULAR_VELOCITY], row[at.ANGULAR_VELOCITY + 1], row[at.ANGULAR_VELOCITY + 2]
    body_x = xx * wx + yx * wy + zx * wz
    body_y = xy * wx + yy * wy + zy * wz
    turn_x = timestep * (roll - body_y * rotor_momentum) / parameters[at.INERTIA_X]
    turn_y = timestep * (pitch + body_x * rotor_momentum) / parameters[at.INERTIA_Y]
    turn_z = timestep * (yaw - spin_up) / parameters[at.INERTIA_Z]
    row[at.ANGULAR_VELOCITY] = wx + xx * turn_x + xy * turn_y + xz * turn_z
    row[at.ANGULAR_VELOCITY + 1] = wy + yx * turn_x + yy * turn_y + yz * turn_z
    row[at.ANGULAR_VELOCITY + 2] = wz + zx * turn_x + zy * turn_y + zz * turn_z


@kernel
def drift(row: Floats, parameters: Floats) -> None:
    """Move a free drone by one physics step as Bullet does.

    Args:
        row: One drone's memory (layout.WIDTH,): position, attitude and angular velocity change.
        parameters: (layout.PARAMETERS,).
    """
    timestep = parameters[at.TIMESTEP]
    x, y, z, w = row[at.ATTITUDE], row[at.ATTITUDE + 1], row[at.ATTITUDE + 2], row[at.ATTITUDE + 3]
    xx, xy, xz, yx, yy, yz, zx, zy, zz = rotation(x, y, z, w)
    wx, wy, wz = row[at.ANGULAR_VELOCITY], row[at.ANGULAR_VELOCITY + 1], row[at.ANGULAR_VELOCITY + 2]
    body_x = xx * wx + yx * wy + zx * wz
    body_y = xy * wx + yy * wy + zy * wz
    body_z = xz * wx + yz * wy + zz * wz
    ix, iy, iz = parameters[at.INERTIA_X], parameters[at.INERTIA_Y], parameters[at.INERTIA_Z]
    gyro_x = -timestep * (body_y * body_z * (iz - iy)) / ix
    gyro_y = -timestep * (body_z * body_x * (ix - iz)) / iy
    gyro_z = -timestep * (body_x * body_y * (iy - ix)) / iz
    wx = min(max(wx + xx * gyro_x + xy * gyro_y + xz * gyro_z, -SPIN_MAX), SPIN_MAX)
    wy = min(max(wy + yx * gyro_x + yy * gyro_y + yz * gyro_z, -SPIN_MAX), SPIN_MAX)
    wz = min(max(wz + zx * gyro_x + zy * gyro_y + zz * gyro_z, -SPIN_MAX), SPIN_MAX)
    row[at.ANGULAR_VELOCITY] = wx
    row[at.ANGULAR_VELOCITY + 1] = wy
    row[at.ANGULAR_VELOCITY + 2] = wz
    for k in range(3):
        row[at.POSITION + k] += timestep * row[at.VELOCITY + k]

    rate = math.sqrt(wx * wx + wy * wy + wz * wz)
    rate = min(rate, TURN_MAX / timestep)
    if rate < TURN_SMALL:
        scale = 0.5 * timestep - timestep * timestep * timestep * 0.020833333333 * rate * rate
    else:
        scale = math.sin(0.5 * rate * timestep) / rate
    turn_x, turn_y, turn_z, turn_w = scale * wx, scale * wy, scale * wz, math.cos(0.5 * rate * timestep)
    new_x = turn_w * x + turn_x * w + turn_y * z - turn_z * y
    new_y = turn_w * y - turn_x * z + turn_y * w + turn_z * x
    new_z = turn_w * z + turn_x * y - turn_y * x + turn_z * w
    new_w = turn_w * w - turn_x * x - turn_y * y - turn_z * z
    length = math.sqrt(new_x * new_x + new_y * new_y + new_z * new_z + new_w * new_w)
    row[at.ATTITUDE] = new_x / length
    row[at.ATTITUDE + 1] = new_y / length
    row[at.ATTITUDE + 2] = new_z / length
    row[at.ATTITUDE + 3] = new_w / length
