"""The step of all points in one pass: limits, the move, the boundary and who has to look out for surfaces."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from swarm.compiled import kernel
from swarm.state import Bools, Floats

STILL = 1e-12  # m/s below which a velocity has no direction

LOWEST, HIGHEST, ACCELERATION, TURN, DT = range(5)  # m/s, m/s, m/s^2, rad/s, s: the places in `limits`


@kernel
def steer(
    command: Floats, position: Floats, velocity: Floats, heading: Floats, alive: Bools, room: Floats, limits: Floats,
    spare: float, box: Floats, carried: Floats, windy: bool, shown: bool,
) -> tuple[Floats, Floats, Floats, Floats, int]:  # fmt: skip
    """Velocity of every point for one step, and the move of those that nothing can stop.

    The velocity is the command; its change is cut to the acceleration, then its direction to the turn rate, then its
    length to the speed limits. What a limit does not touch is the command to the last bit. A command of zero, and what
    is left of one after braking, keeps the heading. A turn of half a circle goes to the left.

    Args:
        command, position, velocity: (A, D) m/s, m, m/s.
        heading: (A, D) unit, written: the direction of the last motion.
        alive: (A,); the dead stay where they are.
        room: (A,) m, written: what a hull can at least move before it meets a surface.
        limits: (5,) see above; infinite where there is none.
        spare: m that has to be left of the room after the move.
        box: (3, D) m: lowest corner, highest corner, and the period of each axis, 0 where it does not wrap.
        carried: (D,) m, by the wind in the step.
        windy: Whether there is any.
        shown: Whether attitude and angular velocity are wanted; else they are left zero.

    Returns:
        position, velocity (A, D) and attitude (A, 4), angular velocity (A, 3) after the step, and how many have to look
        out for surfaces: their room is negative, and they have not been moved.
    """
    agents, dim = position.shape
    after, moving = np.empty((agents, dim)), np.empty((agents, dim))
    attitude, spin = np.zeros((agents, 4)), np.zeros((agents, 3))
    dt, looking = limits[DT], 0
    new = np.empty(3)
    blown = 0.0
    for k in range(dim):
        blown += carried[k] * carried[k]
    blown = math.sqrt(blown)
    for i in range(agents):
        if not alive[i]:
            if shown:
                look_along(heading, i, attitude)
            for k in range(dim):
                after[i, k], moving[i, k] = position[i, k], 0.0
            continue
        aim(command, velocity, heading, i, limits, new)
        square = 0.0
        for k in range(dim):
            square += new[k] * new[k]
        speed = math.sqrt(square)
        x, y = heading[i, 0], heading[i, 1]
        if speed > STILL:
            for k in range(dim):
                heading[i, k] = new[k] / speed
        if shown:
            spin[i, 2] = yaw_between(x, y, heading[i, 0], heading[i, 1]) / dt
            look_along(heading, i, attitude)
        room[i] -= speed * dt
        if windy:
            room[i] -= blown
        if room[i] <= spare:
            room[i] = -1.0
            looking += 1
            for k in range(dim):
                after[i, k], moving[i, k] = position[i, k], new[k]
        else:
            for k in range(dim):
                moving[i, k] = new[k]
                place = position[i, k] + new[k] * dt
                if windy:
                    place += carried[k]
                after[i, k] = wrapped(place, box[0, k], box[1, k], box[2, k])
    return after, moving, attitude, spin, looking


@kernel
def aim(command: Floats, velocity: Floats, heading: Floats, i: int, limits: Floats, new: Floats) -> None:
    """The velocity that agent i takes up, within its limits, into `new`."""
    dim = command.shape[1]
    square = 0.0
    for k in range(dim):
        new[k] = command[i, k]
        square += (command[i, k] - velocity[i, k]) ** 2
    most = limits[ACCELERATION] * limits[DT]
    if square > most * most:
        share = most / math.sqrt(square)
        for k in range(dim):
            new[k] = velocity[i, k] + share * (command[i, k] - velocity[i, k])
    square, along = 0.0, 0.0
    for k in range(dim):
        square += new[k] * new[k]
        along += new[k] * heading[i, k]
    speed = math.sqrt(square)
    lasting = speed <= STILL  # nothing to turn to
    if not lasting and limits[TURN] < math.inf:
        turn(new, speed, along / speed, heading, i, limits[TURN] * limits[DT])
    bounded = min(max(speed, limits[LOWEST]), limits[HIGHEST])
    if lasting:
        for k in range(dim):
            new[k] = bounded * heading[i, k]
    elif bounded != speed:
        for k in range(dim):
            new[k] *= bounded / speed


@kernel
def turn(new: Floats, speed: float, cosine: float, heading: Floats, i: int, most: float) -> None:
    """Cut the angle between heading i and the velocity `new` to `most` rad; the speed stays."""
    if most >= math.pi or cosine >= math.cos(most):
        return
    dim = heading.shape[1]
    side = np.zeros(3)
    length = 0.0
    for k in range(dim):
        side[k] = new[k] / speed - cosine * heading[i, k]
        length += side[k] * side[k]
    length = math.sqrt(length)
    if length < 1e-9:  # straight back: to the left, in the level plane
        level = math.sqrt(heading[i, 0] ** 2 + heading[i, 1] ** 2)
        side[0], side[1], side[2], length = -heading[i, 1], heading[i, 0], 0.0, level
        if level < 1e-9:  # it flies straight up or down
            side[0], side[1], length = 0.0, 1.0, 1.0
    for k in range(dim):
        new[k] = speed * (math.cos(most) * heading[i, k] + math.sin(most) * side[k] / length)


@kernel
def wrapped(place: float, low: float, high: float, period: float) -> float:
    """A coordinate inside the bounds of an axis that wraps; one that is inside is left as it is, to the bit."""
    if period > 0.0 and not low <= place < high:
        inside = (place - low) % period
        return low if inside >= period else low + inside
    return place


@kernel
def yaw_between(ax: float, ay: float, bx: float, by: float) -> float:
    """Angle in rad from one level direction to another; 0 where one of them has none."""
    if ax == bx and ay == by:
        return 0.0
    return math.atan2(ax * by - ay * bx, ax * bx + ay * by)


@kernel
def look_along_all(heading: Floats, attitude: NDArray[Any]) -> None:
    """Quaternions (A, 4), of which z and w are written, of headings (A, D)."""
    for i in range(len(heading)):
        look_along(heading, i, attitude)


@kernel
def look_along(heading: Floats, i: int, attitude: NDArray[Any]) -> None:
    """The quaternion that turns +x about z to where heading i points in the level plane."""
    x, y = heading[i, 0], heading[i, 1]
    level = math.sqrt(x * x + y * y)
    cosine = x / level if level > 1e-12 else 1.0
    half = math.sqrt(max(0.5 * (1.0 + cosine), 0.0))
    other = math.sqrt(max(0.5 * (1.0 - cosine), 0.0))
    attitude[i, 2], attitude[i, 3] = (other if y >= 0.0 else -other), half
