"""Pace: how fast the frame may run at each station so that every drone can keep to its lane."""

from __future__ import annotations

import math

import numpy as np

from swarm.compiled import kernel
from swarm.controllers.planning.field import look_up
from swarm.controllers.safety.barrier import closing_limit
from swarm.state import Floats, Ints

SHARE = 0.9  # of the barrier's closing speed that a plan uses: what is left is for deviations
SLOWEST = 0.15  # m/s, so that a frame never stands still on its way


@kernel
def pace(
    lanes: Floats, spacing: float, wanted: Floats, field: Floats, origin: Floats, cell: float, level: Ints,
    surface_margin: float, pair_margin: float, braking: float, delay: float,
    fastest: float, sideways: float, along: float,
) -> Floats:  # fmt: skip
    """Frame speed at each station.

    Limited by the wanted speed, the drones' own speed and acceleration on their lanes, the safety barrier's closing
    speeds against surfaces and between drones, and braking for what comes after; zero at the end.

    Args:
        lanes: (K, N, D) m, place of each slot at each station.
        spacing: m between stations.
        wanted: (K,) m/s.
        field, origin, cell, level: Clearance on a grid (see Field).
        surface_margin: m of clearance, pair_margin: m between centres, braking: m/s^2, delay: s: the barrier's.
        fastest: m/s of a drone.
        sideways: m/s^2 of a drone at constant pace.
        along: m/s^2 of the frame.

    Returns:
        (K,) m/s.
    """
    stations, slots, dim = lanes.shape
    speed = np.zeros(stations)
    for k in range(stations - 1):
        before, after = max(k - 1, 0), k + 1
        run = (after - before) * spacing
        limit = wanted[k]
        for n in range(slots):
            square, bent = 0.0, 0.0
            for d in range(dim):
                slope = (lanes[after, n, d] - lanes[before, n, d]) / run
                square += slope * slope
                if k > 0:
                    curve = (lanes[after, n, d] - 2.0 * lanes[k, n, d] + lanes[before, n, d]) / (spacing * spacing)
                    bent += curve * curve
            if square > 0.0:
                limit = min(limit, fastest / math.sqrt(square))
            if bent > 0.0:
                limit = min(limit, math.sqrt(sideways / math.sqrt(bent)))
            free, gx, gy = look_up(
                field, level[n], (lanes[k, n, 0] - origin[0]) / cell, (lanes[k, n, 1] - origin[1]) / cell
            )
            closing = -(
                gx * (lanes[after, n, 0] - lanes[before, n, 0]) + gy * (lanes[after, n, 1] - lanes[before, n, 1])
            )
            closing /= cell * run
            if closing > 0.0:
                limit = min(
                    limit, SHARE * max(closing_limit(free - surface_margin, braking, delay, 0.0), 0.0) / closing
                )
            for other in range(n):
                apart, closing = 0.0, 0.0
                for d in range(dim):
                    gap = lanes[k, n, d] - lanes[k, other, d]
                    apart += gap * gap
                    change = lanes[after, n, d] - lanes[before, n, d] - lanes[after, other, d] + lanes[before, other, d]
                    closing -= gap * change / run
                apart = math.sqrt(apart)
                if closing > 0.0 and apart > 0.0:
                    allowed = max(closing_limit(apart - pair_margin, braking, delay, 0.0), 0.0)
                    limit = min(limit, SHARE * allowed * apart / closing)
        speed[k] = max(limit, min(SLOWEST, wanted[k]))
    for k in range(stations - 2, -1, -1):
        speed[k] = min(speed[k], math.sqrt(speed[k + 1] * speed[k + 1] + 2.0 * along * spacing))
    return speed
