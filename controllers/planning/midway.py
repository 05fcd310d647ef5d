"""A line moved to where there is room around it: away from the corners that a shortest way hugs."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from swarm.compiled import kernel
from swarm.state import Floats, Ints

if TYPE_CHECKING:
    from swarm.worlds.world import World

STEP = 0.25  # m between the offsets that are tried
MOST_STEPS = 8  # to either side
HUG = 8.0  # 1/m^2, price per metre of lacking room
STRAY = 0.02  # 1/m^2, price per metre of being off the line
TURN = 0.4  # price of going sideways at 45 degrees for a metre
SOLID = 1e6  # price of a metre with less than the room that must be


def midway(world: World, line: Floats, spacing: float, wide: float, narrow: float) -> Floats:
    """The cheapest line within reach of one, by dynamic programming over offsets in its cross-sections.

    Args:
        world: Where.
        line: (K, D) m at even steps; its ends stay.
        spacing: m between stations.
        wide: m of room wanted around the line.
        narrow: m that it must have where it can be had.

    Returns:
        (K, D) m.
    """
    if len(line) < 3:
        return line
    steps = int(min(math.ceil(wide / STEP), MOST_STEPS))
    left, up = cross_section(line)
    fan: Floats = STEP * np.arange(-steps, steps + 1.0)
    rise: Floats = fan if line.shape[1] == 3 else np.zeros(1)
    offset = fan[:, None, None] * left[:, None, None] + rise[:, None] * up[:, None, None]  # (K, U, W, D)
    places = line[:, None, None] + offset
    room = world.clearance(places)[0]
    room[[0, -1]] = np.where((np.abs(fan)[:, None] + np.abs(rise)) < 1e-9, room[[0, -1]], -np.inf)
    chosen = _cheapest(room, fan, rise, spacing, wide, narrow)
    return np.asarray(places[np.arange(len(line)), chosen[:, 0], chosen[:, 1]])


def cross_section(line: Floats) -> tuple[Floats, Floats]:
    """Unit vectors (K, D) across a line: level to the left, and at a right angle to both (zero in the plane)."""
    tangent = np.gradient(line, axis=0)
    level = np.hypot(tangent[:, 0], tangent[:, 1])
    known = np.flatnonzero(level > 1e-3 * np.maximum(np.sqrt((tangent * tangent).sum(axis=1)), 1e-12))
    left, up = np.zeros_like(line), np.zeros_like(line)
    if len(known) == 0:  # straight up or down
        left[:, 1] = 1.0
    else:  # where the line is upright, left is as on the nearest part that is not
        nearest = known[np.abs(np.arange(len(line))[:, None] - known).argmin(axis=1)]
        left[:, 0] = -tangent[nearest, 1] / level[nearest]
        left[:, 1] = tangent[nearest, 0] / level[nearest]
    if line.shape[1] == 3:
        up = np.cross(tangent, left)
        up /= np.maximum(np.sqrt((up * up).sum(axis=1)), 1e-12)[:, None]
    return left, up


@kernel
def _cheapest(room: Floats, fan: Floats, rise: Floats, spacing: float, wide: float, narrow: float) -> Ints:
    """Offsets (K, 2), as places in fan and rise, on the cheapest way through room (K, U, W)."""
    stations, across, high = room.shape
    cost = np.empty(room.shape)
    ahead = np.zeros((stations, across, high, 2), np.int64)
    for k in range(stations - 1, -1, -1):
        for u in range(across):
            for w in range(high):
                lack = max(wide - room[k, u, w], 0.0)
                price = spacing * (HUG * min(lack * lack, 1e3) + STRAY * (fan[u] ** 2 + rise[w] ** 2))
                if room[k, u, w] < narrow:
                    price += SOLID * spacing * (1.0 + min(narrow - room[k, u, w], 1e3))
                if k < stations - 1:
                    best = math.inf
                    for du in range(-1, 2):
                        for dw in range(-1, 2):
                            if 0 <= u + du < across and 0 <= w + dw < high:
                                slope = (du * du + dw * dw) * (fan[1] - fan[0]) ** 2 / spacing
                                total = cost[k + 1, u + du, w + dw] + TURN * slope
                                if total < best:
                                    best, ahead[k, u, w, 0], ahead[k, u, w, 1] = total, u + du, w + dw
                    price += best
                cost[k, u, w] = price
    chosen = np.zeros((stations, 2), np.int64)
    chosen[0, 0], chosen[0, 1] = across // 2, high // 2
    for k in range(stations - 1):
        chosen[k + 1] = ahead[k, chosen[k, 0], chosen[k, 1]]
    return chosen
