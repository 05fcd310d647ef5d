"""Rotors that lag, and how thrust and torques are shared among them."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from swarm.bodies.drone import layout as at
from swarm.compiled import kernel

Floats = NDArray[np.float64]

RADIANS_PER_REVOLUTION_MINUTE = 2.0 * math.pi / 60.0


@kernel
def lagged(speed: float, target: float, linear: float, quadratic: float, timestep: float) -> float:
    """Rotor speed in rpm one step later, exact for d rpm/dt = linear (target - rpm) + quadratic (target^2 - rpm^2)."""
    rate = linear + 2.0 * quadratic * target
    decay = math.exp(-rate * timestep)
    reach = (1.0 - decay) / rate if rate > 0.0 else timestep
    excess = speed - target
    return target + excess * decay / (1.0 + quadratic * excess * reach)


@kernel
def target_speed(speed: float, wanted: float, linear: float, quadratic: float, timestep: float) -> float:
    """What to ask of a rotor at `speed` rpm so that it turns at `wanted` rpm one step later (midpoint rule)."""
    middle = 0.5 * (speed + wanted)
    rate = (wanted - speed) / timestep + middle * (linear + quadratic * middle)
    if quadratic == 0.0:
        return rate / linear
    return (-linear + math.sqrt(max(linear * linear + 4.0 * quadratic * rate, 0.0))) / (2.0 * quadratic)


@kernel
def reach(speed: float, parameters: Floats) -> tuple[float, float]:
    """Least and largest thrust in N that a rotor at `speed` rpm is asked to give one step from now (midpoint rule)."""
    timestep = parameters[at.TIMESTEP]
    target = parameters[at.ROTOR_SPEED_MAX]
    step = timestep * (parameters[at.RISING_LINEAR] + parameters[at.RISING_QUADRATIC] * (target + speed))
    rise = step / (1.0 + 0.5 * step) * (target - speed)
    target = parameters[at.ROTOR_SPEED_MIN]
    step = timestep * (parameters[at.FALLING_LINEAR] + parameters[at.FALLING_QUADRATIC] * (target + speed))
    fall = step / (1.0 + 0.5 * step) * (speed - target)
    # A rotor that falls faster than it rises would trade height for every change of torque.
    fall = min(fall, parameters[at.SLEW_SYMMETRY] * max(rise, parameters[at.SLEW_MIN] * timestep))
    low, high = speed - fall, speed + rise
    linear, quadratic = parameters[at.THRUST_LINEAR], parameters[at.THRUST_QUADRATIC]
    return low * (linear + quadratic * low), high * (linear + quadratic * high)


@kernel
def differ(wanted: float, low_one: float, high_one: float, low_other: float, high_other: float) -> float:
    """Half the difference of two rotors' thrusts that is nearest to `wanted` and within reach."""
    return min(max(wanted, 0.5 * (low_one - high_other)), 0.5 * (high_one - low_other))


@kernel
def aim(speed: float, thrust: float, parameters: Floats) -> float:
    """What to ask of a rotor at `speed` rpm, in rpm, that makes it give `thrust` N one step later."""
    linear, quadratic = parameters[at.THRUST_LINEAR], parameters[at.THRUST_QUADRATIC]
    wanted = (-linear + math.sqrt(max(linear * linear + 4.0 * quadratic * thrust, 0.0))) / (2.0 * quadratic)
    if wanted > speed:
        linear, quadratic = parameters[at.RISING_LINEAR], parameters[at.RISING_QUADRATIC]
    else:
        linear, quadratic = parameters[at.FALLING_LINEAR], parameters[at.FALLING_QUADRATIC]
    target: float = target_speed(speed, wanted, linear, quadratic, parameters[at.TIMESTEP])
    slowest: float = parameters[at.ROTOR_SPEED_MIN]
    fastest: float = parameters[at.ROTOR_SPEED_MAX]
    return min(max(target, slowest), fastest)


@kernel
def split(row: Floats, thrust: float, roll: float, pitch: float, yaw: float, parameters: Floats) -> None:
    """Share thrust (N) and torques (N m) among the rotors: roll and pitch first, then thrust, then yaw.

    Rotors 0 and 2 turn one way, 1 and 3 the other. Within such a pair the difference of the thrusts is torque about the
    diagonal across, the sum is thrust and yaw; what the lagging rotors reach within the step bounds first the one, then
    the other. Writes the rotor targets into the row.
    """
    speed0, speed1 = row[at.ROTOR_SPEED], row[at.ROTOR_SPEED + 1]
    speed2, speed3 = row[at.ROTOR_SPEED + 2], row[at.ROTOR_SPEED + 3]
    low0, high0 = reach(speed0, parameters)
    low1, high1 = reach(speed1, parameters)
    low2, high2 = reach(speed2, parameters)
    low3, high3 = reach(speed3, parameters)
    lever = 0.25 / parameters[at.ARM]
    even = differ(lever * (-roll - pitch), low0, high0, low2, high2)
    odd = differ(lever * (pitch - roll), low1, high1, low3, high3)
    even_low, even_high = max(low0 - even, low2 + even), min(high0 - even, high2 + even)
    odd_low, odd_high = max(low1 - odd, low3 + odd), min(high1 - odd, high3 + odd)

    mean = min(max(0.25 * thrust, 0.5 * (even_low + odd_low)), 0.5 * (even_high + odd_high))
    speed = 0.25 * (speed0 + speed1 + speed2 + speed3)
    turning = 0.25 * yaw * (parameters[at.THRUST_LINEAR] + 2.0 * parameters[at.THRUST_QUADRATIC] * speed)
    turning /= parameters[at.TORQUE_LINEAR] + 2.0 * parameters[at.TORQUE_QUADRATIC] * speed
    turning = max(max(turning, mean - even_high), odd_low - mean)
    turning = min(min(turning, mean - even_low), odd_high - mean)
    row[at.ROTOR_TARGET] = aim(speed0, mean - turning + even, parameters)
    row[at.ROTOR_TARGET + 1] = aim(speed1, mean + turning + odd, parameters)
    row[at.ROTOR_TARGET + 2] = aim(speed2, mean - turning - even, parameters)
    row[at.ROTOR_TARGET + 3] = aim(speed3, mean + turning - odd, parameters)
