"""What every walker does in a tick: it backs up from what is in its way, or turns a little and steps on."""

from __future__ import annotations

import math
from typing import NamedTuple

from swarm.chance import uniform, whole
from swarm.compiled import kernel
from swarm.controllers.models.hadimassa.perception import Crowd, blocked, perceive, sort
from swarm.controllers.models.hadimassa.way import Ways, next_cell
from swarm.state import Bools, Floats, Ints
from swarm.worlds.floor_plan.places import Ground, up_and_column

STEP, FACED, CELL = range(3)  # purposes of what is left to chance
JUST_OUT = 1e-4  # rad beyond the rim of the field of view


class Habits(NamedTuple):
    """How walkers walk, with lengths and angles of one tick."""

    mean_step: float  # m/s
    step_spread: float  # share
    radius: float  # m, of the personal space
    cosine: float  # of half the field of view
    turn_cosine: float  # of the angle turned in a tick
    turn_sine: float
    aside_cosine: float  # of the angle to something that is just out of view
    aside_sine: float
    backup: float  # by what a step back is smaller than a step
    repaired: bool
    behind: float  # m
    patience: float  # ticks
    stubborn: float  # ticks


class Minds(NamedTuple):
    """What walkers remember from tick to tick."""

    heading: Floats  # (A, 2) unit
    backed: Ints  # (A,) ticks in a row in which it has backed up
    aside: Floats  # (A,) side to which each turned aside last: 1 left, -1 right
    seed: int  # of all that is left to chance


@kernel
def decide(
    position: Floats, alive: Bools, minds: Minds, habits: Habits, tick: int, ground: Ground, ways: Ways,
    crowd: Crowd, command: Floats,
) -> None:  # fmt: skip
    """Velocities of all walkers, all on what they perceive at the start of the tick.

    Args:
        position, alive: (A, 2) m and (A,).
        minds: Written.
        habits: How they walk.
        tick: Number of this tick, 1 or more.
        ground: What they walk on.
        ways: What they know of it.
        crowd: Room to sort them in.
        command: (A, 2) m/s, written.
    """
    sort(position, alive, ground, crowd)
    for i in range(len(position)):
        command[i, 0], command[i, 1] = 0.0, 0.0
        if not alive[i]:
            continue
        step = step_size(habits, minds.seed, i)
        x, y = minds.heading[i, 0], minds.heading[i, 1]
        up, column = up_and_column(position, i, ground)
        walls = not ways.open[len(ways.open) - 1 - up, column]
        count = perceive(i, position, x, y, habits.radius, habits.cosine, walls, habits.repaired, ground, crowd)
        if count > 0:
            back_up(i, position, crowd.seen[whole(minds.seed, tick, i, FACED, count)], step, minds, habits, ground,
                    crowd, command)  # fmt: skip
            continue
        minds.backed[i] = 0
        to_up, to_column = next_cell(up, column, ways, uniform(minds.seed, tick, i, CELL))
        if to_up >= 0:
            dx = ground.low_x + (to_column + 0.5) * ground.cell - position[i, 0]
            dy = ground.low_y + (to_up + 0.5) * ground.cell - position[i, 1]
            side = side_of(x, y, dx, dy)
            if side != 0.0:
                turn_left(minds.heading, i, habits.turn_cosine, side * habits.turn_sine)
        command[i, 0], command[i, 1] = step * minds.heading[i, 0], step * minds.heading[i, 1]


@kernel
def back_up(
    i: int, position: Floats, offset: Floats, step: float, minds: Minds, habits: Habits, ground: Ground, crowd: Crowd,
    command: Floats,
) -> None:  # fmt: skip
    """One small step of walker i away from what is at `offset` (2,) m; straight back where that is its own place."""
    x, y, dx, dy = minds.heading[i, 0], minds.heading[i, 1], offset[0], offset[1]
    away = math.sqrt(dx * dx + dy * dy)
    if away > 0.0:
        dx, dy = dx / away, dy / away
    else:
        dx, dy = x, y
    minds.backed[i] += 1
    if not habits.repaired or not blocked(i, position, -dx, -dy, habits.behind, ground, crowd):
        command[i, 0], command[i, 1] = -dx * step / habits.backup, -dy * step / habits.backup
    if habits.repaired and minds.backed[i] > habits.patience:
        if minds.backed[i] <= habits.stubborn or minds.aside[i] == 0.0:  # the nearer side: away from where the thing is
            minds.aside[i] = -1.0 if x * dy - y * dx > 0.0 else 1.0
        minds.heading[i, 0], minds.heading[i, 1] = dx, dy
        turn_left(minds.heading, i, habits.aside_cosine, minds.aside[i] * habits.aside_sine)


@kernel
def step_size(habits: Habits, seed: int, agent: int) -> float:
    """m/s at which a walker always steps: uniform about the mean."""
    return habits.mean_step * (1.0 + habits.step_spread * (2.0 * uniform(seed, 0, agent, STEP) - 1.0))


@kernel
def side_of(x: float, y: float, dx: float, dy: float) -> float:
    """Where (dx, dy) is for one who looks along (x, y): 1 to the left, -1 to the right and straight behind, 0 ahead."""
    across = x * dy - y * dx
    if across > 0.0:
        return 1.0
    return -1.0 if across < 0.0 or x * dx + y * dy < 0.0 else 0.0


@kernel
def turn_left(heading: Floats, i: int, cosine: float, sine: float) -> None:
    """Turn heading i by an angle given by its cosine and sine, positive to the left."""
    x, y = heading[i, 0], heading[i, 1]
    x, y = x * cosine - y * sine, x * sine + y * cosine
    length = math.sqrt(x * x + y * y)  # many small roundings must not make it longer or shorter
    heading[i, 0], heading[i, 1] = x / length, y / length
