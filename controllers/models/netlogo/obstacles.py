"""Obstacles: look ahead, and turn by so many degrees until the way is free."""

from __future__ import annotations

import math

import numpy as np

from swarm.controllers.models.netlogo.degrees import turned_right
from swarm.state import Bools, Floats
from swarm.worlds.world import World

CUT = 8  # turns after which the text's endless loop is cut off
SAMPLE = 0.25  # m between the places looked at on the way ahead


def literal_turns(agents: int, obstacle_turn: float) -> Floats:
    """Degrees (A,) by which the text's `avoid-obstacle` turns everybody to the right.

    The text colours obstacles black. Black is what every cell is, so a boid sees an obstacle whichever way it looks;
    and `heading < heading + 180` is always true, so the loop never ends. Here it is cut off after eight turns: with 45
    degrees a full circle, and obstacles do nothing.
    """
    return np.full(agents, CUT * obstacle_turn)


def avoid(
    direction: Floats, position: Floats, world: World, look_ahead: float, step: Floats, radius: float,
    obstacle_turn: float,
) -> Floats:  # fmt: skip
    """Directions turned to the right, again and again by the same angle, until nothing solid is ahead.

    Who finds no way free looks only as far as the next step, then half as far; who is shut in all the same goes
    straight away from the nearest surface.

    Args:
        direction: (A, D) unit.
        position: (A, D) m.
        world: At this time.
        look_ahead: m; at least one step.
        step: (A,) m, of the next move.
        radius: m, of a hull.
        obstacle_turn: degrees.

    Returns:
        (A, D) unit.
    """
    reach = np.maximum(look_ahead, step)
    distance, normal = world.clearance(position)
    stuck = np.flatnonzero(distance <= reach + radius + SAMPLE)
    if len(stuck) == 0:
        return direction
    free: Floats = direction.copy()
    for far in (reach, step, 0.5 * step):
        for turns in range(max(1, math.ceil(360.0 / obstacle_turn))):
            tried = turned_right(direction[stuck], np.full(len(stuck), turns * obstacle_turn))
            clear = clear_ahead(world, position[stuck], tried, far[stuck], radius)
            free[stuck[clear]] = tried[clear]
            stuck = stuck[~clear]
            if len(stuck) == 0:
                return free
    away = normal[stuck]
    free[stuck] = np.where((away * away).sum(axis=1)[:, None] > 0.5, away, -direction[stuck])
    return free


def clear_ahead(world: World, position: Floats, direction: Floats, reach: Floats, radius: float) -> Bools:
    """Whether a hull can go straight on for a stretch, (A,).

    Places along the way must have a clearance that covers the gaps between them, so nothing thin is stepped over, and
    a hull keeps half a gap from what it passes.

    Args:
        world: At this time.
        position, direction: (A, D) m and unit.
        reach: (A,) m.
        radius: m.
    """
    samples = max(1, math.ceil(float(reach.max(initial=0.0)) / SAMPLE))
    ahead = reach[:, None] * (np.arange(1, samples + 1) / samples)
    places = position[:, None, :] + ahead[:, :, None] * direction[:, None, :]
    clearance = world.clearance(places)[0] - radius
    return np.asarray((clearance >= 0.5 * reach[:, None] / samples).all(axis=1))
