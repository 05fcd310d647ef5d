"""Tracking: the velocity that keeps each agent on its lane while the frame runs along the plan."""

from __future__ import annotations

import math

import numpy as np

from swarm.compiled import kernel
from swarm.state import Bools, Floats, Ints


@kernel
def track(
    position: Floats, alive: Bools, seat: Ints, lanes: Floats, speed: Floats, spacing: float, progress: Floats,
    near_indptr: Ints, clearance: Floats, normal: Floats,
    dt: float, anticipation: float, along: float, gain: float, correction: float, patience: float,
    push: float, push_distance: float,
) -> Floats:  # fmt: skip
    """One step of the frame and the velocities wanted of the agents.

    The frame's speed follows the plan's, within `along`, less so the further an agent lags behind its place, not at
    all beyond twice `patience`. Each agent gets the velocity its place will have in `anticipation` seconds, when the
    body will have answered, plus gain * (place - position) up to `correction`, plus a push from surfaces nearer than
    `push_distance`.

    Args:
        position: (A, D) m.
        alive: (A,).
        seat: (A,) slot of each agent, -1 for none.
        lanes, speed, spacing: The plan.
        progress: (2,) way of the frame in m and its speed in m/s; changed in place.
        near_indptr, clearance, normal: Near surfaces in compressed rows.
        dt: s.
        anticipation: s.
        along: m/s^2 of the frame.
        gain: 1/s.
        correction: m/s.
        patience: m.
        push: 1/s.
        push_distance: m.

    Returns:
        (A, D) m/s.
    """
    agents, dim = position.shape
    wanted = np.zeros((agents, dim))
    place, ahead = progress[0], progress[1]

    station, part = _station(place, spacing, len(speed))
    lag = 0.0
    for i in range(agents):
        if alive[i] and seat[i] >= 0:
            behind, length = 0.0, 0.0
            for d in range(dim):
                run = lanes[station + 1, seat[i], d] - lanes[station, seat[i], d]
                miss = lanes[station, seat[i], d] + part * run - position[i, d]
                behind += run * miss
                length += run * run
                wanted[i, d] = gain * miss
            if length > 0.0:
                lag = max(lag, behind / math.sqrt(length))
    share = min(max(2.0 - lag / patience, 0.0), 1.0)

    # Where the frame will be when the bodies will have answered.
    steps = int(anticipation / dt + 0.5)
    now_place, now_speed = place, ahead
    for step in range(max(steps, 1)):
        station, part = _station(place, spacing, len(speed))
        limit = share * (speed[station] + part * (speed[station + 1] - speed[station]))
        ahead = min(max(limit, ahead - 2.0 * along * dt), ahead + along * dt)
        place = min(place + ahead * dt, spacing * (len(speed) - 1))
        if step == 0:
            now_place, now_speed = place, ahead
    progress[0], progress[1] = now_place, now_speed

    # The slope of a lane over one spacing about the place, so that it does not jump at stations.
    fore, fore_part = _station(place + 0.5 * spacing, spacing, len(speed))
    aft, aft_part = _station(place - 0.5 * spacing, spacing, len(speed))
    width = (fore + fore_part - aft - aft_part) * spacing
    for i in range(agents):
        if not alive[i] or seat[i] < 0:
            continue
        length = 0.0
        for d in range(dim):
            length += wanted[i, d] * wanted[i, d]
        length = math.sqrt(length)
        scale = 1.0 if length <= correction else correction / length
        for d in range(dim):
            wanted[i, d] *= scale
            if width > 0.0:
                front = lanes[fore, seat[i], d] + fore_part * (lanes[fore + 1, seat[i], d] - lanes[fore, seat[i], d])
                back = lanes[aft, seat[i], d] + aft_part * (lanes[aft + 1, seat[i], d] - lanes[aft, seat[i], d])
                wanted[i, d] += ahead * (front - back) / width
        for edge in range(near_indptr[i], near_indptr[i + 1]):
            lack = push_distance - clearance[edge]
            if lack > 0.0:
                for d in range(dim):
                    wanted[i, d] += push * lack * normal[edge, d]
    return wanted


@kernel
def _station(place: float, spacing: float, count: int) -> tuple[int, float]:
    """Station before a place and the share of the way to the next."""
    x = min(max(place / spacing, 0.0), count - 1.0)
    station = min(int(x), count - 2)
    return station, x - station
