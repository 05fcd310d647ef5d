"""The step of all walkers: as far as they were told, past the walls, which are obstacle cells and the plan's edge."""

from __future__ import annotations

import math
from typing import NamedTuple

from swarm.bodies.point.steering import yaw_between
from swarm.compiled import kernel
from swarm.state import Bools, Floats
from swarm.worlds.floor_plan.places import Ground, put_free, up_and_column
from swarm.worlds.floor_plan.plan import OBSTACLE

STILL = 1e-12  # m/s below which a velocity has no direction


class Legs(NamedTuple):
    """What walkers have and a step changes."""

    position: Floats  # (A, 2) m
    velocity: Floats  # (A, 2) m/s, what became of the command
    heading: Floats  # (A, 2) unit
    alive: Bools  # (A,); the others stay where they are
    turned: Floats  # (A,) rad/s in the last step
    pressed: Floats  # (A,) m/s at which a walker came at a wall that stopped it in the last step; 0 where none did


@kernel
def walk(command: Floats, legs: Legs, ground: Ground, dt: float, shuffle: float) -> None:
    """Move everybody for one step.

    Who is stopped by a wall goes on along it with what is left of the move. A way leads from a cell to one beside it
    only, so nobody slips between two walls that meet at a corner. Who stands in a wall, because it has come there, is
    put on the nearest walkable place first.

    Args:
        command: (A, 2) m/s.
        legs: Written, but for `alive`.
        ground: What they walk on.
        dt: s.
        shuffle: m/s; the heading follows a faster command, and is kept in a slower one, such as a step back.
    """
    position, heading = legs.position, legs.heading
    for i in range(len(position)):
        legs.pressed[i], legs.turned[i] = 0.0, 0.0
        if not legs.alive[i]:
            legs.velocity[i, 0], legs.velocity[i, 1] = 0.0, 0.0
            continue
        speed = math.sqrt(command[i, 0] ** 2 + command[i, 1] ** 2)
        if speed > max(shuffle, STILL):
            x, y = command[i, 0] / speed, command[i, 1] / speed
            legs.turned[i] = yaw_between(heading[i, 0], heading[i, 1], x, y) / dt
            heading[i, 0], heading[i, 1] = x, y
        x, y = position[i, 0], position[i, 1]
        legs.pressed[i] = move(position, i, command[i, 0] * dt, command[i, 1] * dt, ground) / dt
        legs.velocity[i, 0], legs.velocity[i, 1] = (position[i, 0] - x) / dt, (position[i, 1] - y) / dt


@kernel
def move(position: Floats, i: int, dx: float, dy: float, ground: Ground) -> float:
    """Move one walker past the walls.

    Args:
        position: (A, 2) m, row i is written.
        i: Which walker.
        dx, dy: m, how far it wants to go.
        ground: What it walks on.

    Returns:
        m that walls took from the move.
    """
    cells, cell, skin = ground.cells, ground.cell, ground.skin
    rows, columns = cells.shape
    up, column = up_and_column(position, i, ground)
    if cells[rows - 1 - up, column] == OBSTACLE:
        put_free(position, i, ground)
        up, column = up_and_column(position, i, ground)
    # In cells from here on, with the share `left` of the move still to be made.
    x, y = (position[i, 0] - ground.low_x) / cell, (position[i, 1] - ground.low_y) / cell
    going_x, going_y = dx / cell, dy / cell
    left, lost_x, lost_y, straight = 1.0, 0.0, 0.0, True
    while left > 0.0 and (going_x != 0.0 or going_y != 0.0):
        edge_x, edge_y = float(column + (going_x > 0.0)), float(up + (going_y > 0.0))
        until_x = max((edge_x - x) / going_x, 0.0) if going_x != 0.0 else math.inf
        until_y = max((edge_y - y) / going_y, 0.0) if going_y != 0.0 else math.inf
        if until_x > left and until_y > left:
            x, y, left = x + left * going_x, y + left * going_y, 0.0
        elif until_x <= until_y:
            left, y, x = left - until_x, y + until_x * going_y, edge_x
            beyond = column + (1 if going_x > 0.0 else -1)
            if beyond < 0 or beyond >= columns or cells[rows - 1 - up, beyond] == OBSTACLE:
                lost_x, going_x, straight = left * going_x, 0.0, False
            else:
                column = beyond
        else:
            left, x, y = left - until_y, x + until_y * going_x, edge_y
            beyond = up + (1 if going_y > 0.0 else -1)
            if beyond < 0 or beyond >= rows or cells[rows - 1 - beyond, column] == OBSTACLE:
                lost_y, going_y, straight = left * going_y, 0.0, False
            else:
                up = beyond
    if straight:
        position[i, 0] += dx
        position[i, 1] += dy
    if (
        not straight
        or math.floor((position[i, 0] - ground.low_x) / cell) != column
        or math.floor((position[i, 1] - ground.low_y) / cell) != up
    ):  # rounding must not put it on the other side of an edge, nor beyond the plan's
        position[i, 0] = ground.low_x + cell * min(max(x, column + skin), column + 1.0 - skin)
        position[i, 1] = ground.low_y + cell * min(max(y, up + skin), up + 1.0 - skin)
    return cell * math.sqrt(lost_x * lost_x + lost_y * lost_y)
