"""Quadrotor parameter sets: airframe constants as published, and the gains of the velocity loop tuned for them.

Sources:
    cf2x: the Crazyflie 2.x constants most simulators share (Förster 2015; Luis and Le Ny 2016; Panerati et al. 2021).
        Rotor lag: settling time 0.15 s = 4 time constants (Molchanov et al. 2019, "Sim-to-(Multi)-Real").
    cf2x_L250: identified on hardware with the 250 mAh battery (crazyflow, University of Toronto / TU Munich).
"""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from swarm.bodies.drone import layout

GRAVITY = 9.8  # m/s2


@dataclass(frozen=True, slots=True)
class Airframe:
    """What the drone is made of. Rotor speeds in rpm; x forward, y left, z up in the body frame."""

    mass: float  # kg
    arm: float  # m, distance of each rotor from the roll and the pitch axis
    inertia: tuple[float, float, float]  # kg m2 about x, y, z
    thrust_linear: float  # N/rpm, per rotor: thrust = linear * rpm + quadratic * rpm^2
    thrust_quadratic: float  # N/rpm2
    torque_linear: float  # N m/rpm, drag torque of a rotor about z
    torque_quadratic: float  # N m/rpm2
    rotor_speed_min: float  # rpm, the slowest the loop commands
    rotor_speed_max: float  # rpm
    rising_linear: float  # 1/s, d rpm/dt = linear (target - rpm) + quadratic (target^2 - rpm^2) while it rises
    rising_quadratic: float  # 1/(s rpm)
    falling_linear: float  # 1/s, the same while it falls
    falling_quadratic: float  # 1/(s rpm)
    rotor_inertia: float  # kg m2, gyroscopic and spin-up reaction
    linear_drag: tuple[float, float, float]  # N s/m, body frame: force = -coefficient * velocity
    rotor_drag: tuple[float, float, float]  # N s2/(m rad), body frame: force = -coefficient * velocity * sum of rad/s
    hull_radius: float = 0.06  # m, collision cylinder
    hull_height: float = 0.025  # m

    def thrust(self, rotor_speed: float) -> float:
        """Thrust of one rotor in N at `rotor_speed` rpm."""
        return self.thrust_linear * rotor_speed + self.thrust_quadratic * rotor_speed**2

    def rotor_speed(self, thrust: float) -> float:
        """Speed in rpm at which one rotor gives `thrust` N."""
        linear, quadratic = self.thrust_linear, self.thrust_quadratic
        return float((-linear + np.sqrt(linear**2 + 4.0 * quadratic * thrust)) / (2.0 * quadratic))

    @property
    def hover_rotor_speed(self) -> float:
        """Rotor speed in rpm that carries the weight."""
        return self.rotor_speed(self.mass * GRAVITY / 4.0)

    @property
    def thrust_to_weight(self) -> float:
        """Largest thrust of the four rotors over the weight."""
        return 4.0 * self.thrust(self.rotor_speed_max) / (self.mass * GRAVITY)

    @property
    def drag_rate_max(self) -> float:
        """Deceleration by drag for each m/s through the air, at most, 1/s."""
        spinning = 4.0 * self.rotor_speed_max * 2.0 * np.pi / 60.0
        return float((max(map(abs, self.linear_drag)) + max(map(abs, self.rotor_drag)) * spinning) / self.mass)


@dataclass(frozen=True, slots=True)
class Gains:
    """Limits and gains of the velocity loop (see velocity_loop)."""

    acceleration_max: float  # m/s2, horizontal reference
    climb_acceleration_max: float  # m/s2, upward reference
    sink_acceleration_max: float  # m/s2, downward reference
    jerk_max: float  # m/s3, horizontal reference
    vertical_jerk_max: float  # m/s3
    velocity_rate: float  # 1/s, reference acceleration per velocity error
    acceleration_rate: float  # 1/s, reference jerk per acceleration error
    jerk_rate: float  # 1/s, reference snap per jerk error
    braking_jerk: float  # m/s3, jerk the reference counts on when it levels out
    velocity_gain: float  # 1/s, horizontal
    integral_gain: float  # 1/s2, horizontal
    vertical_velocity_gain: float  # 1/s
    vertical_integral_gain: float  # 1/s2
    integral_max: float  # m/s2, bound of the integral action
    tilt_max: float  # rad, of the wanted thrust
    thrust_share_max: float  # share of the largest thrust the loop plans with; the rest is left for steering
    attitude_frequency: float  # rad/s, natural frequency of roll and pitch
    attitude_damping: float  # ratio
    heading_frequency: float  # rad/s
    heading_damping: float  # ratio
    slew_symmetry: float  # how much faster than it rises a rotor may fall
    slew_min: float  # rpm/s, fall that is always allowed
    vertical_correction_max: float  # m/s2, bound of the vertical feedback
    lead_max: float  # m/s, how far the reference may be from the drone's velocity
    turning_max: float  # rad/s2, angular acceleration about roll and pitch
    snap_max: float  # m/s4, horizontal reference


@dataclass(frozen=True, slots=True)
class Model:
    """A drone one can fly."""

    name: str
    source: str
    airframe: Airframe
    gains: Gains
    crash_speed: float  # m/s, a hull hit at more than this along the contact normal breaks the drone
    speed_limit: float  # m/s
    acceleration_limit: float  # m/s2, a of the closing speed v(h) = -a tau + sqrt(a^2 tau^2 + 2 a h), horizontal
    reaction_time: float  # s, tau of the same; a drone told v(h) at the distance h stops less than 5 mm past it
    stopping_distance: tuple[tuple[float, float], ...]  # (m/s, m) from level flight, commanded to stand still

    def packed(self, physics_hz: float, command_hz: float) -> NDArray[np.float64]:
        """Everything the kernels need as one vector, in the order of layout.PARAMETERS."""
        scalars: dict[str, float] = {
            "gravity": GRAVITY,
            "timestep": 1.0 / physics_hz,
            "command_period": 1.0 / command_hz,
            "hull_reach": float(np.hypot(self.airframe.hull_radius, self.airframe.hull_height / 2.0)),
            "tilt_tangent": float(np.tan(self.gains.tilt_max)),
            "lift_max": GRAVITY * self.airframe.thrust_to_weight * self.gains.thrust_share_max,
            "acceleration_bound": GRAVITY * (1.0 + self.airframe.thrust_to_weight),
        }
        for part in (self.airframe, self.gains):
            for field in part.__dataclass_fields__:
                value = getattr(part, field)
                if isinstance(value, tuple):
                    scalars.update({f"{field}_{axis}": number for axis, number in zip("xyz", value, strict=True)})
                else:
                    scalars[field] = value
        return np.array([scalars[name] for name in layout.PARAMETERS])


_LAG = 4.0 / 0.15  # 1/s

CF2X = Model(
    name="cf2x",
    source="Crazyflie 2.x constants shared by most simulators",
    airframe=Airframe(
        mass=0.027,
        arm=0.0397 / 2.0**0.5,
        inertia=(1.4e-5, 1.4e-5, 2.17e-5),
        thrust_linear=0.0,
        thrust_quadratic=3.16e-10,
        torque_linear=0.0,
        torque_quadratic=7.94e-12,
        rotor_speed_min=4070.3,
        rotor_speed_max=21702.6,
        rising_linear=_LAG,
        rising_quadratic=0.0,
        falling_linear=_LAG,
        falling_quadratic=0.0,
        rotor_inertia=0.0,
        linear_drag=(0.0, 0.0, 0.0),
        rotor_drag=(9.1785e-7, 9.1785e-7, 1.0311e-6),
    ),
    gains=Gains(
        acceleration_max=9.5,
        climb_acceleration_max=6.0,
        sink_acceleration_max=4.5,
        jerk_max=90.0,
        vertical_jerk_max=50.0,
        velocity_rate=5.5,
        acceleration_rate=13.7,
        jerk_rate=23.0,
        braking_jerk=100.0,
        velocity_gain=7.0,
        integral_gain=8.0,
        vertical_velocity_gain=10.5,
        vertical_integral_gain=20.0,
        integral_max=2.0,
        tilt_max=np.deg2rad(45.0),
        thrust_share_max=0.95,
        attitude_frequency=24.0,
        attitude_damping=0.8,
        heading_frequency=5.0,
        heading_damping=0.8,
        slew_symmetry=2.0,
        slew_min=20000.0,
        vertical_correction_max=4.0,
        lead_max=0.3,
        turning_max=230.0,
        snap_max=1600.0,
    ),
    crash_speed=0.5,
    speed_limit=3.0,
    acceleration_limit=6.0,
    reaction_time=0.45,
    stopping_distance=((1.5, 0.28), (2.0, 0.41), (3.0, 0.77)),
)

CF2X_L250 = Model(
    name="cf2x_L250",
    source="Crazyflie 2.x with the 250 mAh battery, identified on hardware",
    airframe=Airframe(
        mass=0.0328,
        arm=0.03253,
        inertia=(1.68e-5, 1.68e-5, 2.98e-5),
        thrust_linear=-5.382e-7,
        thrust_quadratic=2.458e-10,
        torque_linear=1.41e-9,
        torque_quadratic=1.459e-12,
        rotor_speed_min=2500.0,
        rotor_speed_max=23216.5,
        rising_linear=7.356,
        rising_quadratic=0.0,
        falling_linear=0.0,
        falling_quadratic=2.444e-4,
        rotor_inertia=3.45e-8,
        linear_drag=(0.01495, 0.01495, 0.0139),
        rotor_drag=(0.0, 0.0, 0.0),
    ),
    gains=Gains(
        acceleration_max=8.8,
        climb_acceleration_max=2.8,
        sink_acceleration_max=2.8,
        jerk_max=36.0,
        vertical_jerk_max=15.0,
        velocity_rate=4.75,
        acceleration_rate=11.2,
        jerk_rate=24.0,
        braking_jerk=160.0,
        velocity_gain=5.4,
        integral_gain=8.0,
        vertical_velocity_gain=9.3,
        vertical_integral_gain=12.0,
        integral_max=1.5,
        tilt_max=np.deg2rad(44.0),
        thrust_share_max=0.94,
        attitude_frequency=19.3,
        attitude_damping=1.1,
        heading_frequency=3.3,
        heading_damping=1.0,
        slew_symmetry=1.2,
        slew_min=30000.0,
        vertical_correction_max=2.5,
        lead_max=0.3,
        turning_max=58.0,
        snap_max=480.0,
    ),
    crash_speed=0.5,
    speed_limit=3.0,
    acceleration_limit=5.0,
    reaction_time=0.5,
    stopping_distance=((1.5, 0.40), (2.0, 0.58), (3.0, 1.02)),
)

MODELS = MappingProxyType({model.name: model for model in (CF2X, CF2X_L250)})
