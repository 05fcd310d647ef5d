"""Where each quantity stands in the two arrays the drone kernels pass around.

One row of memory per drone and one vector of parameters: every array argument of a compiled call costs 0.2 us, and a
command step has no room for thirty of them.
"""

from __future__ import annotations

PARAMETERS = (
    "gravity",
    "timestep",
    "command_period",
    "hull_reach",
    "acceleration_bound",
    "lift_max",
    "mass",
    "arm",
    "inertia_x",
    "inertia_y",
    "inertia_z",
    "thrust_linear",
    "thrust_quadratic",
    "torque_linear",
    "torque_quadratic",
    "rotor_speed_min",
    "rotor_speed_max",
    "rising_linear",
    "rising_quadratic",
    "falling_linear",
    "falling_quadratic",
    "rotor_inertia",
    "linear_drag_x",
    "linear_drag_y",
    "linear_drag_z",
    "rotor_drag_x",
    "rotor_drag_y",
    "rotor_drag_z",
    "acceleration_max",
    "climb_acceleration_max",
    "sink_acceleration_max",
    "jerk_max",
    "vertical_jerk_max",
    "velocity_rate",
    "acceleration_rate",
    "jerk_rate",
    "braking_jerk",
    "velocity_gain",
    "integral_gain",
    "vertical_velocity_gain",
    "vertical_integral_gain",
    "integral_max",
    "tilt_tangent",
    "attitude_frequency",
    "attitude_damping",
    "heading_frequency",
    "heading_damping",
    "slew_symmetry",
    "slew_min",
    "vertical_correction_max",
    "lead_max",
    "turning_max",
    "snap_max",
)
(
    GRAVITY,  # m/s2
    TIMESTEP,  # s, one physics step
    COMMAND_PERIOD,  # s
    HULL_REACH,  # m, radius of the ball around the hull
    ACCELERATION_BOUND,  # m/s2, no free drone accelerates more than this
    LIFT_MAX,  # m/s2, thrust per mass the loop plans with
    MASS,
    ARM,
    INERTIA_X,
    INERTIA_Y,
    INERTIA_Z,
    THRUST_LINEAR,
    THRUST_QUADRATIC,
    TORQUE_LINEAR,
    TORQUE_QUADRATIC,
    ROTOR_SPEED_MIN,
    ROTOR_SPEED_MAX,
    RISING_LINEAR,
    RISING_QUADRATIC,
    FALLING_LINEAR,
    FALLING_QUADRATIC,
    ROTOR_INERTIA,
    LINEAR_DRAG_X,
    LINEAR_DRAG_Y,
    LINEAR_DRAG_Z,
    ROTOR_DRAG_X,
    ROTOR_DRAG_Y,
    ROTOR_DRAG_Z,
    ACCELERATION_MAX,
    CLIMB_ACCELERATION_MAX,
    SINK_ACCELERATION_MAX,
    JERK_MAX,
    VERTICAL_JERK_MAX,
    VELOCITY_RATE,
    ACCELERATION_RATE,
    JERK_RATE,
    BRAKING_JERK,
    VELOCITY_GAIN,
    INTEGRAL_GAIN,
    VERTICAL_VELOCITY_GAIN,
    VERTICAL_INTEGRAL_GAIN,
    INTEGRAL_MAX,
    TILT_TANGENT,  # of the largest tilt of the wanted thrust
    ATTITUDE_FREQUENCY,
    ATTITUDE_DAMPING,
    HEADING_FREQUENCY,
    HEADING_DAMPING,
    SLEW_SYMMETRY,
    SLEW_MIN,
    VERTICAL_CORRECTION_MAX,
    LEAD_MAX,
    TURNING_MAX,
    SNAP_MAX,
) = range(len(PARAMETERS))

# Columns of memory (N, WIDTH). The first MOTION columns are a drone's position, attitude and velocities.
POSITION = 0  # 3, m, world frame
ATTITUDE = 3  # 4, quaternion x, y, z, w, body to world
VELOCITY = 7  # 3, m/s, world frame
ANGULAR_VELOCITY = 10  # 3, rad/s, world frame
MOTION = 13
ROTOR_SPEED = 13  # 4, rpm
ROTOR_TARGET = 17  # 4, rpm, what the velocity loop asks of the rotors
REFERENCE_VELOCITY = 21  # 3, m/s
REFERENCE_ACCELERATION = 24  # 3, m/s2
REFERENCE_JERK = 27  # 3, m/s3
INTEGRAL = 30  # 3, m/s2, integral action
HEADING = 33  # 2, cosine and sine of the yaw to hold
ALIVE = 35  # 1 while the rotors turn, else 0
ANCHOR = 36  # 3, m, where the clearance was last asked for
ANCHOR_CLEARANCE = 39  # m, centre to surface, there
TRAVEL = 40  # m, the furthest it can fly within the coming command period
NEAR = 41  # 1 when something may be touched within the coming command period
WIND = 42  # 3, m/s, velocity of the air
WIDTH = 45
