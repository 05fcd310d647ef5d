"""The velocity loop: from a wanted velocity to rotor speeds, once per physics step and drone.

A reference the drone can fly (see reference), feed-forward of its derivatives and of drag by differential flatness
(Mellinger and Kumar 2011; Faessler et al. 2018), proportional and integral action on velocity, control of where the
thrust points (see attitude), and a split among rotors that knows what each can reach within the step (see rotors).
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from swarm.bodies.drone import layout as at
from swarm.bodies.drone.attitude import hold_heading, point_thrust
from swarm.bodies.drone.dynamics import rotation
from swarm.bodies.drone.reference import reference, sideways_limit
from swarm.bodies.drone.rotors import RADIANS_PER_REVOLUTION_MINUTE, split
from swarm.compiled import kernel

Floats = NDArray[np.float64]

SINK_THRUST_MIN = 0.5  # share of the weight the vertical thrust never falls below: thrust keeps pointing up


@kernel
def control(row: Floats, x: float, y: float, z: float, parameters: Floats) -> None:
    """One step of the velocity loop of one drone.

    Args:
        row: The drone's memory (layout.WIDTH,): motion and rotor speeds are read, reference, integral and rotor targets
            are written.
        x, y, z: Commanded velocity, m/s, world frame.
        parameters: (layout.PARAMETERS,).
    """
    mass, gravity = parameters[at.MASS], parameters[at.GRAVITY]
    vx, vy, vz = row[at.VELOCITY], row[at.VELOCITY + 1], row[at.VELOCITY + 2]
    ex = row[at.REFERENCE_VELOCITY] - vx
    ey = row[at.REFERENCE_VELOCITY + 1] - vy
    ez = row[at.REFERENCE_VELOCITY + 2] - vz
    # The reference does not run away from a drone that cannot follow: held up by an obstacle, or by its limits.
    lead = math.sqrt(ex * ex + ey * ey + ez * ez)
    if lead > parameters[at.LEAD_MAX]:
        share = parameters[at.LEAD_MAX] / lead
        ex, ey, ez = share * ex, share * ey, share * ez
        row[at.REFERENCE_VELOCITY] = vx + ex
        row[at.REFERENCE_VELOCITY + 1] = vy + ey
        row[at.REFERENCE_VELOCITY + 2] = vz + ez
    sx, sy, sz = reference(row, x, y, z, parameters)
    ax, ay, az = row[at.REFERENCE_ACCELERATION], row[at.REFERENCE_ACCELERATION + 1], row[at.REFERENCE_ACCELERATION + 2]
    jx, jy, jz = row[at.REFERENCE_JERK], row[at.REFERENCE_JERK + 1], row[at.REFERENCE_JERK + 2]

    total_speed = 0.0
    thrust = 0.0
    for rotor in range(4):
        speed = row[at.ROTOR_SPEED + rotor]
        total_speed += RADIANS_PER_REVOLUTION_MINUTE * speed
        thrust += speed * (parameters[at.THRUST_LINEAR] + parameters[at.THRUST_QUADRATIC] * speed)
    drag = (parameters[at.LINEAR_DRAG_X] + parameters[at.ROTOR_DRAG_X] * total_speed) / mass  # 1/s
    vertical_drag = (parameters[at.LINEAR_DRAG_Z] + parameters[at.ROTOR_DRAG_Z] * total_speed) / mass

    # Wanted force per mass, m/s2.
    gain, integral_gain = parameters[at.VELOCITY_GAIN], parameters[at.INTEGRAL_GAIN]
    fx = ax + gain * ex + row[at.INTEGRAL] + drag * row[at.REFERENCE_VELOCITY]
    fy = ay + gain * ey + row[at.INTEGRAL + 1] + drag * row[at.REFERENCE_VELOCITY + 1]
    bound = parameters[at.VERTICAL_CORRECTION_MAX]
    correction = min(max(parameters[at.VERTICAL_VELOCITY_GAIN] * ez + row[at.INTEGRAL + 2], -bound), bound)
    wanted = gravity + az + correction + vertical_drag * row[at.REFERENCE_VELOCITY + 2]
    fz = min(max(wanted, SINK_THRUST_MIN * gravity), parameters[at.LIFT_MAX])
    sideways = math.sqrt(fx * fx + fy * fy)
    bound = sideways_limit(fz, parameters)
    clipped = sideways > bound
    if clipped:
        share = bound / sideways
        fx, fy = share * fx, share * fy

    # The integral stands still while it would push further into a limit.
    limit, timestep = parameters[at.INTEGRAL_MAX], parameters[at.TIMESTEP]
    if not (clipped and ex * fx + ey * fy > 0.0):
        ix = row[at.INTEGRAL] + timestep * integral_gain * ex
        iy = row[at.INTEGRAL + 1] + timestep * integral_gain * ey
        share = min(1.0, limit / max(math.sqrt(ix * ix + iy * iy), 1e-9))
        row[at.INTEGRAL], row[at.INTEGRAL + 1] = share * ix, share * iy
    if (fz - wanted) * ez >= 0.0:
        iz = row[at.INTEGRAL + 2] + timestep * parameters[at.VERTICAL_INTEGRAL_GAIN] * ez
        row[at.INTEGRAL + 2] = min(max(iz, -limit), limit)

    frame = rotation(row[at.ATTITUDE], row[at.ATTITUDE + 1], row[at.ATTITUDE + 2], row[at.ATTITUDE + 3])
    upward = (frame[2], frame[5], frame[8])
    if clipped:  # a force at its limit does not follow the reference
        jx = jy = sx = sy = 0.0
    else:  # of drag, velocity error and integral; the integral is the disturbance that the thrust works against
        push = thrust / mass
        jx += drag * ax + integral_gain * ex + gain * (ax - push * upward[0] + drag * vx + row[at.INTEGRAL])
        jy += drag * ay + integral_gain * ey + gain * (ay - push * upward[1] + drag * vy + row[at.INTEGRAL + 1])
    roll, pitch = point_thrust(row, frame, (fx, fy, fz), (jx, jy, jz), (sx, sy, sz), parameters)
    lift = mass * max(fx * upward[0] + fy * upward[1] + fz * upward[2], 0.0)
    split(row, lift, roll, pitch, hold_heading(row, frame, parameters), parameters)
