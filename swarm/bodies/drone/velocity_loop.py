"""The velocity loop: from a wanted velocity to rotor speeds, once per physics step and drone.

A third-order reference with bounded acceleration and jerk (the command never reaches the rotors as a step), feed-forward of
its acceleration, jerk and snap by differential flatness (Mellinger and Kumar 2011; drag as in Faessler et al. 2018),
proportional and integral action on velocity, reduced-attitude control (Bullo and Murray 1995: only where thrust points matters; yaw is held
apart), and a thrust split that knows what each lagging rotor can reach within the step.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from swarm.bodies.drone import layout as at
from swarm.bodies.drone.dynamics import RADIANS_PER_REVOLUTION_MINUTE, rotation
from swarm.compiled import kernel

Floats = NDArray[np.float64]
Four = tuple[float, float, float, float]

SINK_THRUST_MIN = 0.5  # share of the weight the vertical thrust never falls below: thrust keeps pointing up
PLANNED_SHARE = 0.92  # of the horizontal force within the limits that the reference uses; the rest is left to feedback
TURNED_OVER = -0.8  # cosine beyond which the attitude error no longer grows


@kernel
def levelling(error: float, rate: float, jerk: float) -> float:
    """Acceleration that brings a velocity error >= 0 to zero: linear near zero, then what `jerk` can take away in time."""
    linear = jerk / (rate * rate)
    return rate * error if error <= linear else math.sqrt(2.0 * jerk * (error - 0.5 * linear))


@kernel
def sideways_limit(lift: float, parameters: Floats) -> float:
    """Largest horizontal force per mass in m/s2 beside the vertical one `lift` within the tilt and the thrust planned with."""
    top = parameters[at.LIFT_MAX]
    return min(math.tan(parameters[at.TILT_MAX]) * lift, math.sqrt(max(top * top - lift * lift, 0.0)))


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


@kernel
def reached(speed: float, target: float, linear: float, quadratic: float, timestep: float) -> float:
    """Thrust-giving rotor speed in rpm one step after `target` is asked for (midpoint rule)."""
    step = timestep * (linear + quadratic * (target + speed))
    return speed + step / (1.0 + 0.5 * step) * (target - speed)


@kernel
def target_speed(speed: float, wanted: float, linear: float, quadratic: float, timestep: float) -> float:
    """What to ask of a rotor at `speed` rpm so that it turns at `wanted` rpm one step later (midpoint rule)."""
    middle = 0.5 * (speed + wanted)
    rate = (wanted - speed) / timestep + middle * (linear + quadratic * middle)
    if quadratic == 0.0:
        return rate / linear
    return (-linear + math.sqrt(max(linear * linear + 4.0 * quadratic * rate, 0.0))) / (2.0 * quadratic)


@kernel
def reach(row: Floats, rotor: int, parameters: Floats) -> tuple[float, float]:
    """Least and largest thrust in N that a rotor can give one step from now."""
    speed, timestep = row[at.ROTOR_SPEED + rotor], parameters[at.TIMESTEP]
    low = reached(
        speed,
        parameters[at.ROTOR_SPEED_MIN],
        parameters[at.FALLING_LINEAR],
        parameters[at.FALLING_QUADRATIC],
        timestep,
    )
    high = reached(
        speed, parameters[at.ROTOR_SPEED_MAX], parameters[at.RISING_LINEAR], parameters[at.RISING_QUADRATIC], timestep
    )
    # A rotor that falls faster than it rises would trade height for every change of torque.
    slowest = parameters[at.SLEW_SYMMETRY] * max(high - speed, parameters[at.SLEW_MIN] * timestep)
    low = max(low, speed - slowest)
    linear, quadratic = parameters[at.THRUST_LINEAR], parameters[at.THRUST_QUADRATIC]
    return low * (linear + quadratic * low), high * (linear + quadratic * high)


@kernel
def differ(wanted: float, low_one: float, high_one: float, low_other: float, high_other: float) -> float:
    """Half the difference of two rotors' thrusts that is nearest to `wanted` and within reach."""
    return min(max(wanted, 0.5 * (low_one - high_other)), 0.5 * (high_one - low_other))


@kernel
def aim(row: Floats, rotor: int, thrust: float, parameters: Floats) -> None:
    """Ask rotor number `rotor` for what makes it give `thrust` N one step later, its lag inverted."""
    linear, quadratic = parameters[at.THRUST_LINEAR], parameters[at.THRUST_QUADRATIC]
    wanted = (-linear + math.sqrt(max(linear * linear + 4.0 * quadratic * thrust, 0.0))) / (2.0 * quadratic)
    speed, timestep = row[at.ROTOR_SPEED + rotor], parameters[at.TIMESTEP]
    if wanted > speed:
        linear, quadratic = parameters[at.RISING_LINEAR], parameters[at.RISING_QUADRATIC]
    else:
        linear, quadratic = parameters[at.FALLING_LINEAR], parameters[at.FALLING_QUADRATIC]
    target = target_speed(speed, wanted, linear, quadratic, timestep)
    row[at.ROTOR_TARGET + rotor] = min(max(target, parameters[at.ROTOR_SPEED_MIN]), parameters[at.ROTOR_SPEED_MAX])


@kernel
def split(row: Floats, thrust: float, roll: float, pitch: float, yaw: float, parameters: Floats) -> None:
    """Share thrust (N) and torques (N m) among the rotors: roll and pitch first, then thrust, then yaw, as far as each fits.

    Rotors 0 and 2 turn one way, 1 and 3 the other. Within such a pair the difference of the thrusts is torque about the
    diagonal across, the sum is thrust and yaw; what the lagging rotors reach within the step bounds first the one, then
    the other.
    """
    low0, high0 = reach(row, 0, parameters)
    low1, high1 = reach(row, 1, parameters)
    low2, high2 = reach(row, 2, parameters)
    low3, high3 = reach(row, 3, parameters)
    lever = 0.25 / parameters[at.ARM]
    even = differ(lever * (-roll - pitch), low0, high0, low2, high2)
    odd = differ(lever * (pitch - roll), low1, high1, low3, high3)
    even_low, even_high = max(low0 - even, low2 + even), min(high0 - even, high2 + even)
    odd_low, odd_high = max(low1 - odd, low3 + odd), min(high1 - odd, high3 + odd)

    mean = min(max(0.25 * thrust, 0.5 * (even_low + odd_low)), 0.5 * (even_high + odd_high))
    speed = 0.0
    for i in range(4):
        speed += 0.25 * row[at.ROTOR_SPEED + i]
    turning = 0.25 * yaw * (parameters[at.THRUST_LINEAR] + 2.0 * parameters[at.THRUST_QUADRATIC] * speed)
    turning /= parameters[at.TORQUE_LINEAR] + 2.0 * parameters[at.TORQUE_QUADRATIC] * speed
    turning = min(max(turning, mean - even_high, odd_low - mean), mean - even_low, odd_high - mean)
    aim(row, 0, mean - turning + even, parameters)
    aim(row, 1, mean + turning + odd, parameters)
    aim(row, 2, mean - turning - even, parameters)
    aim(row, 3, mean + turning - odd, parameters)


@kernel
def control(row: Floats, x: float, y: float, z: float, parameters: Floats) -> None:
    """One step of the velocity loop of one drone.

    Args:
        row: The drone's memory (layout.WIDTH,): reads motion and rotor speeds, changes reference, integral and rotor targets.
        x, y, z: Commanded velocity, m/s, world frame.
        parameters: (layout.PARAMETERS,).
    """
    timestep, mass, gravity = parameters[at.TIMESTEP], parameters[at.MASS], parameters[at.GRAVITY]
    vx, vy, vz = row[at.VELOCITY], row[at.VELOCITY + 1], row[at.VELOCITY + 2]
    ex = row[at.REFERENCE_VELOCITY] - vx
    ey = row[at.REFERENCE_VELOCITY + 1] - vy
    ez = row[at.REFERENCE_VELOCITY + 2] - vz
    # The reference does not run away from a drone that cannot follow (held up by an obstacle or by its limits).
    length = math.sqrt(ex * ex + ey * ey + ez * ez)
    held_up = length > parameters[at.LEAD_MAX]
    if held_up:
        share = parameters[at.LEAD_MAX] / length
        ex *= share
        ey *= share
        ez *= share
        row[at.REFERENCE_VELOCITY] = vx + ex
        row[at.REFERENCE_VELOCITY + 1] = vy + ey
        row[at.REFERENCE_VELOCITY + 2] = vz + ez
    sx, sy, sz = reference(row, x, y, z, parameters)
    ax = row[at.REFERENCE_ACCELERATION]
    ay = row[at.REFERENCE_ACCELERATION + 1]
    az = row[at.REFERENCE_ACCELERATION + 2]

    total_speed = 0.0
    thrust_now = 0.0
    for i in range(4):
        speed = row[at.ROTOR_SPEED + i]
        total_speed += RADIANS_PER_REVOLUTION_MINUTE * speed
        thrust_now += speed * (parameters[at.THRUST_LINEAR] + parameters[at.THRUST_QUADRATIC] * speed)
    drag = (parameters[at.LINEAR_DRAG_X] + parameters[at.ROTOR_DRAG_X] * total_speed) / mass  # 1/s
    vertical_drag = (parameters[at.LINEAR_DRAG_Z] + parameters[at.ROTOR_DRAG_Z] * total_speed) / mass

    # Wanted force per mass, m/s2.
    gain, vertical_gain = parameters[at.VELOCITY_GAIN], parameters[at.VERTICAL_VELOCITY_GAIN]
    fx = ax + gain * ex + row[at.INTEGRAL] + drag * row[at.REFERENCE_VELOCITY]
    fy = ay + gain * ey + row[at.INTEGRAL + 1] + drag * row[at.REFERENCE_VELOCITY + 1]
    correction = vertical_gain * ez + row[at.INTEGRAL + 2]
    bound = parameters[at.VERTICAL_CORRECTION_MAX]
    correction = min(max(correction, -bound), bound)
    wanted = az + correction + vertical_drag * row[at.REFERENCE_VELOCITY + 2] + gravity
    fz = min(max(wanted, SINK_THRUST_MIN * gravity), parameters[at.LIFT_MAX])
    sideways = math.sqrt(fx * fx + fy * fy)
    bound = sideways_limit(fz, parameters)
    clipped = sideways > bound
    if clipped:
        fx *= bound / sideways
        fy *= bound / sideways

    # The integral stands still while the drone is held up and while it would push further into a limit.
    limit = parameters[at.INTEGRAL_MAX]
    if not held_up and not (clipped and ex * fx + ey * fy > 0.0):
        ix = row[at.INTEGRAL] + timestep * parameters[at.INTEGRAL_GAIN] * ex
        iy = row[at.INTEGRAL + 1] + timestep * parameters[at.INTEGRAL_GAIN] * ey
        length = math.sqrt(ix * ix + iy * iy)
        share = 1.0 if length <= limit else limit / length
        row[at.INTEGRAL] = share * ix
        row[at.INTEGRAL + 1] = share * iy
    if not held_up and (fz - wanted) * ez >= 0.0:
        iz = row[at.INTEGRAL + 2] + timestep * parameters[at.VERTICAL_INTEGRAL_GAIN] * ez
        row[at.INTEGRAL + 2] = min(max(iz, -limit), limit)

    # Where the thrust shall point, how fast that direction turns, and how fast it turns faster.
    xx, xy, xz, yx, yy, yz, zx, zy, zz = rotation(
        row[at.ATTITUDE], row[at.ATTITUDE + 1], row[at.ATTITUDE + 2], row[at.ATTITUDE + 3]
    )
    force = math.sqrt(fx * fx + fy * fy + fz * fz)
    dx, dy, dz = fx / force, fy / force, fz / force
    now = thrust_now / mass
    if clipped:
        jx = jy = sx = sy = 0.0
    else:
        jx = row[at.REFERENCE_JERK] + drag * ax + gain * (ax - now * xz + drag * vx) + parameters[at.INTEGRAL_GAIN] * ex
        jy = (
            row[at.REFERENCE_JERK + 1]
            + drag * ay
            + gain * (ay - now * yz + drag * vy)
            + parameters[at.INTEGRAL_GAIN] * ey
        )
    jz = row[at.REFERENCE_JERK + 2]
    jx, jy, jz = jx / force, jy / force, jz / force
    along = dx * jx + dy * jy + dz * jz
    rx, ry, rz = dy * jz - dz * jy, dz * jx - dx * jz, dx * jy - dy * jx
    tx = (dy * sz - dz * sy) / force - 2.0 * along * rx
    ty = (dz * sx - dx * sz) / force - 2.0 * along * ry
    tz = (dx * sy - dy * sx) / force - 2.0 * along * rz

    cosine = max(xz * dx + yz * dy + zz * dz, TURNED_OVER)
    cx, cy, cz = yz * dz - zz * dy, zz * dx - xz * dz, xz * dy - yz * dx
    stiffness = parameters[at.ATTITUDE_FREQUENCY] * parameters[at.ATTITUDE_FREQUENCY]
    damping = 2.0 * parameters[at.ATTITUDE_DAMPING] * parameters[at.ATTITUDE_FREQUENCY]
    twist = 2.0 * stiffness / (1.0 + cosine)
    wx, wy, wz = row[at.ANGULAR_VELOCITY], row[at.ANGULAR_VELOCITY + 1], row[at.ANGULAR_VELOCITY + 2]
    tx += twist * cx + damping * (rx - wx)
    ty += twist * cy + damping * (ry - wy)
    tz += twist * cz + damping * (rz - wz)
    # Rotors that lag cannot reverse a large torque in time: ask for no more angular acceleration than can be taken back.
    length = math.sqrt(tx * tx + ty * ty + tz * tz)
    if length > parameters[at.TURNING_MAX]:
        share = parameters[at.TURNING_MAX] / length
        tx *= share
        ty *= share
        tz *= share
    roll = parameters[at.INERTIA_X] * (xx * tx + yx * ty + zx * tz)
    pitch = parameters[at.INERTIA_Y] * (xy * tx + yy * ty + zy * tz)

    cosine_heading, sine_heading = row[at.HEADING], row[at.HEADING + 1]
    astray = math.atan2(yx * cosine_heading - xx * sine_heading, xx * cosine_heading + yx * sine_heading)
    frequency = parameters[at.HEADING_FREQUENCY]
    yaw_rate = xz * wx + yz * wy + zz * wz
    yaw = -frequency * (frequency * astray + 2.0 * parameters[at.HEADING_DAMPING] * yaw_rate)
    thrust = mass * max(fx * xz + fy * yz + fz * zz, 0.0)
    split(row, thrust, roll, pitch, parameters[at.INERTIA_Z] * yaw, parameters)
