"""Giving way to what moves: how fast the frame may run so that no agent meets a moving obstacle."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from swarm.controllers.planning.plan import Plan
    from swarm.worlds.world import World

PACES = (1.0, 0.5, 0.0)  # of the frame's speed that are weighed, the best first
AHEAD = (0.4, 0.8, 1.2, 1.6, 2.0, 2.5)  # s


def give_way(
    world: World, around: World, time: float, plan: Plan, place: float, speed: float, along: float, room: float
) -> float:
    """The largest of a few paces with which all slots keep clear for a while of everything that moves.

    Args:
        world: With movers, at any time.
        around: As it was taken to be when the way was planned.
        time: s, now.
        plan: That is flown.
        place: m, way of the frame.
        speed: m/s, of the frame.
        along: m/s^2 of the frame.
        room: m that the centre of a slot should keep from surfaces.

    Returns:
        Share of the plan's speed; that which comes least near where none keeps the room.
    """
    ahead = np.array(AHEAD)
    wanted = float(np.interp(place / plan.spacing, np.arange(len(plan.speed)), plan.speed))
    last = plan.spacing * (len(plan.speed) - 1)
    ways = []
    for pace in PACES:
        target = pace * wanted
        rate = np.sign(target - speed) * along
        changing = np.minimum(ahead, abs(target - speed) / along)
        ways.append(speed * changing + 0.5 * rate * changing**2 + target * (ahead - changing))
    at = np.clip(place + np.array(ways), 0.0, last) / plan.spacing  # (P, T) stations
    first = np.minimum(at.astype(np.int64), len(plan.speed) - 2)
    part = (at - first)[..., None, None]
    slots = plan.lanes[first] * (1.0 - part) + plan.lanes[first + 1] * part  # (P, T, N, D)
    nearest = np.full(len(PACES), np.inf)
    for k, later in enumerate(AHEAD):
        clearance = world.at(time + later).clearance(slots[:, k])[0]
        nearest = np.minimum(nearest, clearance.min(axis=1))
    # What stands where it stood comes as near as planned at full pace, which is no reason to be slow.
    room = min(room, float(around.clearance(slots)[0].min()) - 0.02)
    enough = np.flatnonzero(nearest >= room)
    return PACES[int(enough[0] if len(enough) else nearest.argmax())]
