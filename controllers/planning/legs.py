"""Way-points joined by ways around obstacles, as wide as there is room for."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from swarm.errors import BadInput
from swarm.state import Floats, Ints

if TYPE_CHECKING:
    from swarm.worlds.world import World

LOOK = 0.1  # m between the points at which a straight leg is checked
NARROWER = 0.3  # share by which a way of no width at all counts as longer than one of full width
NEAR_ENOUGH = 1.05  # times the straight distance: no narrower way is looked for then


def joined(world: World, points: Floats, wide: float, narrow: float) -> tuple[Floats, Ints]:
    """A polyline through all way-points that keeps clear of everything solid.

    Args:
        world: Where.
        points: (K, D) m, K at least 2.
        wide: m that the way should keep from surfaces: half the width of what flies on it.
        narrow: m that it must keep.

    Returns:
        (M, D) m, straight where a leg has room or there is no way at all; (M - 1,) the leg each piece belongs to.
    """
    way, legs = [points[0]], []
    for leg, (start, end) in enumerate(pairwise(points)):
        pieces = _leg(world, start, end, wide, narrow)[1:]
        way.extend(pieces)
        legs += [leg] * len(pieces)
    return np.array(way), np.array(legs)


def _leg(world: World, start: Floats, end: Floats, wide: float, narrow: float) -> Floats:
    straight = np.stack([start, end])
    length = float(np.sqrt(((end - start) ** 2).sum()))
    share = np.linspace(0.0, 1.0, 2 + int(length / LOOK))[:, None]
    room = world.clearance(start + share * (end - start))[0]
    if room.min() >= min(wide, float(room[0]), float(room[-1])):
        return straight
    best, least = straight, np.inf
    for margin in np.unique(np.minimum([wide, 0.5 * (wide + narrow), narrow], 0.98 * room[-1]))[::-1]:
        try:
            route = world.route(end, max(float(margin), 0.0))
        except BadInput:
            continue
        if not route.reachable(start[None])[0]:
            continue
        along = float(route.distance(start[None])[0])
        price = along * (1.0 + NARROWER * (1.0 - margin / wide))
        if price < least:
            best, least = route.path(start), price
        if along <= NEAR_ENOUGH * length:
            break
    return best
