"""The compiled command step: decide who may touch something, then fly everyone through the physics steps."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from swarm.bodies.drone import layout as at
from swarm.bodies.drone.dynamics import drift, push
from swarm.bodies.drone.velocity_loop import control
from swarm.compiled import kernel

Floats = NDArray[np.float64]

CONTACT_MARGIN = 0.05  # m: Bullet keeps contacts from 0.02 m on, and the clearance to a mesh is good to 0.02 m

FLOWN, TOUCHING, ASK, INVALID = 0, 1, 2, 3  # what `fly` answers
START, START_ASKED, CONTINUE = 0, 1, 2  # how `fly` is called


@kernel
def look_ahead(memory: Floats, parameters: Floats) -> int:
    """Mark the drones that may touch a surface or each other within the coming command period.

    The clearance is known at an earlier anchor point and cannot have shrunk by more than the distance flown since.

    Returns:
        FLOWN if none may, TOUCHING if pairs or surfaces are near, ASK if the clearance must be asked for anew.
    """
    count = memory.shape[0]
    period, hull = parameters[at.COMMAND_PERIOD], parameters[at.HULL_REACH]
    spare = period * period * parameters[at.ACCELERATION_BOUND]
    answer = FLOWN
    for i in range(count):
        row = memory[i]
        flown = 0.0
        speed = 0.0
        for k in range(3):
            away = row[at.POSITION + k] - row[at.ANCHOR + k]
            flown += away * away
            speed += row[at.VELOCITY + k] * row[at.VELOCITY + k]
        row[at.TRAVEL] = period * math.sqrt(speed) + spare
        # A drone turned over is marked too: the slow path judges it.
        row[at.NEAR] = 0.0
        x, y = row[at.ATTITUDE], row[at.ATTITUDE + 1]
        if row[at.ALIVE] != 0.0 and x * x + y * y > 0.5:
            row[at.NEAR] = 1.0
            answer = max(answer, TOUCHING)
        if row[at.ANCHOR_CLEARANCE] - math.sqrt(flown) < hull + CONTACT_MARGIN + row[at.TRAVEL]:
            row[at.NEAR] = 1.0
            answer = ASK
    for i in range(count):
        for j in range(i):
            apart = 0.0
            for k in range(3):
                away = memory[i, at.POSITION + k] - memory[j, at.POSITION + k]
                apart += away * away
            reach = 2.0 * hull + CONTACT_MARGIN + memory[i, at.TRAVEL] + memory[j, at.TRAVEL]
            if apart < reach * reach:
                memory[i, at.NEAR] = 1.0
                memory[j, at.NEAR] = 1.0
                answer = max(answer, TOUCHING)
    return answer


@kernel
def fly(
    motion: Floats, memory: Floats, command: Floats, parameters: Floats, settings: Floats, after: Floats, mode: int
) -> int:
    """Fly all drones: all physics steps of a command period at once where nobody can touch anything, else one.

    Args:
        motion: (13 N,) positions, attitudes, velocities, angular velocities of all drones, one block after the other.
        memory: (N, layout.WIDTH) per drone.
        command: (N, 3) m/s, world frame.
        parameters: (layout.PARAMETERS,).
        settings: (S, 2 N, 3) written: velocity and angular velocity to give each drone before each physics step.
        after: (13 N,) written where all steps are flown: the motion at their end, in the order of `motion`.
        mode: START reads `motion`, looks ahead and flies S steps if nobody is near; START_ASKED does so with fresh
            clearances; CONTINUE flies one step from `memory` as it is (written to settings[0]).

    Returns:
        FLOWN, or why it did not fly: TOUCHING, ASK (see look_ahead), INVALID (a command is not finite).
    """
    count, steps = memory.shape[0], settings.shape[0]
    if mode == CONTINUE:
        steps = 1
    else:
        for i in range(count):
            for k in range(3):
                if not math.isfinite(command[i, k]):
                    return INVALID
                memory[i, at.POSITION + k] = motion[3 * i + k]
                memory[i, at.VELOCITY + k] = motion[7 * count + 3 * i + k]
                memory[i, at.ANGULAR_VELOCITY + k] = motion[10 * count + 3 * i + k]
            for k in range(4):
                memory[i, at.ATTITUDE + k] = motion[3 * count + 4 * i + k]
        answer = look_ahead(memory, parameters)
        if answer == ASK and mode == START_ASKED:
            answer = TOUCHING
        if answer != FLOWN:
            return answer
    for i in range(count):
        row = memory[i]
        for step in range(steps):
            if row[at.ALIVE] != 0.0:
                control(row, command[i, 0], command[i, 1], command[i, 2], parameters)
            push(row, parameters)
            for k in range(3):
                settings[step, 2 * i, k] = row[at.VELOCITY + k]
                settings[step, 2 * i + 1, k] = row[at.ANGULAR_VELOCITY + k]
            drift(row, parameters)
        if mode != CONTINUE:
            for k in range(3):
                after[3 * i + k] = row[at.POSITION + k]
                after[7 * count + 3 * i + k] = row[at.VELOCITY + k]
                after[10 * count + 3 * i + k] = row[at.ANGULAR_VELOCITY + k]
            for k in range(4):
                after[3 * count + 4 * i + k] = row[at.ATTITUDE + k]
    return FLOWN
