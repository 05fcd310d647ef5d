"""Lanes: how each slot's path bends sideways around what stands in its way."""

from __future__ import annotations

import math

import numpy as np

from swarm.compiled import kernel
from swarm.controllers.planning.field import look_up
from swarm.state import Floats, Ints

STEEPEST = 2  # steps sideways per station that the search may take
SLOPE = 0.15  # m^2, price of going sideways at 45 degrees for a metre, in the search
START = 20.0  # m, price of not starting in place
FIRM = 60.0  # 1, weight of lacking clearance against being out of place
SOLID = 600.0  # the same inside an obstacle
ROUNDS = 12  # of smoothing


@kernel
def bend(
    path: Floats, normal: Floats, spacing: float, field: Floats, origin: Floats, cell: float, level: Ints,
    clearance: float, apart: float, stiffness: float, reach: float, step: float,
) -> Floats:  # fmt: skip
    """Sideways offsets of all slots that keep clear of obstacles and of each other and stay near the formation.

    For each slot, one after the other, dynamic programming over a fan of offsets u picks the side on which to pass
    everything; then Gauss-Newton on

        sum_k u_k^2 + stiffness (u'')_k^2 + firm * lack_k^2,    lack = max(0, clearance - c(u)), max(0, apart - d(u))

    makes it smooth. The search knows the slots searched before, the smoothing all others.

    Args:
        path: (K, N, 2) m, each slot's own place at each station.
        normal: (K, 2) unit, to the left of the way.
        spacing: m between stations.
        field, origin, cell: Clearance on a grid (see Field).
        level: (N,) level of the field of each slot.
        clearance: m wanted to surfaces.
        apart: m wanted between centres.
        stiffness: m^4, weight of curvature.
        reach: m, largest offset searched.
        step: m between offsets.

    Returns:
        (K, N) m to the left.
    """
    stations, slots = path.shape[0], path.shape[1]
    fan = 2 * int(reach / step) + 1
    offset = np.zeros((stations, slots))
    cost, ahead = np.empty((stations, fan)), np.empty((stations, fan), np.int64)
    for n in range(slots):
        for k in range(stations):
            for m in range(fan):
                u = (m - fan // 2) * step
                cost[k, m] = spacing * _price(
                    path, normal, offset, k, n, u, n, field, origin, cell, level, clearance, apart
                )
        for k in range(stations - 2, -1, -1):
            for m in range(fan):
                best, chosen = math.inf, m
                for turn in range(-STEEPEST, STEEPEST + 1):
                    if 0 <= m + turn < fan:
                        slope = turn * step / spacing
                        total = cost[k + 1, m + turn] + SLOPE * slope * slope * spacing
                        if total < best:
                            best, chosen = total, m + turn
                cost[k, m] += best
                ahead[k, m] = chosen
        m = 0
        for other in range(fan):
            # The start is where the slot is, as near to it as can be.
            u, best = (other - fan // 2) * step, (m - fan // 2) * step
            if cost[0, other] + START * abs(u) < cost[0, m] + START * abs(best):
                m = other
        for k in range(stations):
            offset[k, n] = (m - fan // 2) * step
            if k < stations - 1:
                m = ahead[k, m]
    _smooth(path, normal, spacing, field, origin, cell, level, clearance, apart, stiffness, offset)
    return offset


@kernel
def _price(
    path: Floats, normal: Floats, offset: Floats, k: int, n: int, u: float, known: int,
    field: Floats, origin: Floats, cell: float, level: Ints, clearance: float, apart: float,
) -> float:  # fmt: skip
    """Price per metre of slot n being u to the left at station k."""
    x, y = path[k, n, 0] + u * normal[k, 0], path[k, n, 1] + u * normal[k, 1]
    free, _, _ = look_up(field, level[n], (x - origin[0]) / cell, (y - origin[1]) / cell)
    lack = max(0.0, clearance - free)
    price = u * u + FIRM * lack * lack
    if free < 0.0:
        price += SOLID * (1.0 - free)
    for other in range(known):
        dx = path[k, other, 0] + offset[k, other] * normal[k, 0] - x
        dy = path[k, other, 1] + offset[k, other] * normal[k, 1] - y
        square = dx * dx + dy * dy
        if square < apart * apart:
            lack = apart - math.sqrt(square)
            price += FIRM * lack * lack
    return price


@kernel
def _smooth(
    path: Floats, normal: Floats, spacing: float, field: Floats, origin: Floats, cell: float, level: Ints,
    clearance: float, apart: float, stiffness: float, offset: Floats,
) -> None:  # fmt: skip
    """Gauss-Newton on all slots in turn, each a pentadiagonal system; `offset` (K, N) is changed in place."""
    stations, slots = offset.shape
    bending = stiffness / spacing**4
    diagonal, right = np.empty(stations), np.empty(stations)
    first, second = np.empty(stations), np.empty(stations)
    for _ in range(ROUNDS):
        for n in range(slots):
            for k in range(stations):
                diagonal[k], right[k] = 1.0, 0.0
                u = offset[k, n]
                x, y = path[k, n, 0] + u * normal[k, 0], path[k, n, 1] + u * normal[k, 1]
                free, gx, gy = look_up(field, level[n], (x - origin[0]) / cell, (y - origin[1]) / cell)
                slope = (gx * normal[k, 0] + gy * normal[k, 1]) / cell
                if free < clearance:
                    diagonal[k] += FIRM * slope * slope
                    right[k] += FIRM * slope * (clearance - free + slope * u)
                for other in range(slots):
                    if other != n:
                        dx = x - path[k, other, 0] - offset[k, other] * normal[k, 0]
                        dy = y - path[k, other, 1] - offset[k, other] * normal[k, 1]
                        square = dx * dx + dy * dy
                        if 0.0 < square < apart * apart:
                            away = math.sqrt(square)
                            slope = (dx * normal[k, 0] + dy * normal[k, 1]) / away
                            diagonal[k] += FIRM * slope * slope
                            right[k] += FIRM * slope * (apart - away + slope * u)
            _solve(diagonal, bending, first, second, right)
            for k in range(stations):
                offset[k, n] = right[k]


@kernel
def _solve(diagonal: Floats, bending: float, first: Floats, second: Floats, right: Floats) -> None:
    """(diag + bending * D) u = right by LDL', with D the fourth difference of a u that is 0 beyond both ends.

    `right` (K,) becomes u; `first` and `second` (K,) are room for the two bands of L.
    """
    # One and two rows back: pivot D, entries of L, and right-hand side.
    pivot1, pivot2, first1, second1, second2, right1, right2 = 1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for k in range(len(right)):
        pivot = diagonal[k] + 6.0 * bending - pivot1 * first1 * first1 - pivot2 * second2 * second2
        first[k] = (-4.0 * bending - pivot1 * first1 * second1) / pivot
        second[k] = bending / pivot
        right[k] -= first1 * right1 + second2 * right2
        right1, right2 = right[k], right1
        right[k] /= pivot
        pivot1, pivot2, first1, second1, second2 = pivot, pivot1, first[k], second[k], second1
    right1, right2 = 0.0, 0.0
    for k in range(len(right) - 1, -1, -1):
        right[k] -= first[k] * right1 + second[k] * right2
        right1, right2 = right[k], right1
