"""Tracking: the velocity that keeps each agent on its lane while the frame runs along the plan."""

from __future__ import annotations

import math

import numpy as np

from swarm.compiled import kernel
from swarm.state import Bools, Floats, Ints

SLOWEST_SHARE = 0.1  # of the plan's speed: a frame that stopped for a drone that cannot come would wait for ever


@kernel
def track(
    position: Floats, alive: Bools, seat: Ints, lanes: Floats, speed: Floats, spacing: float, progress: Floats,
    dt: float, anticipation: float, along: float, gain: float, correction: float, patience: float, most: float,
) -> Floats:  # fmt: skip
    """One step of the frame and the velocities wanted of the agents.

    The frame's speed follows the plan's, within `along`, less so the further an agent lags behind its place, down
    to a tenth at twice `patience`. Each agent gets the velocity its place will have in `anticipation` seconds, when the
    body will have answered, plus gain * (place - position) up to `correction`.

    Args:
        position: (A, D) m.
        alive: (A,).
        seat: (A,) slot of each agent, -1 for none.
        lanes, speed, spacing: The plan.
        progress: (2,) way of the frame in m and its speed in m/s; changed in place.
        dt: s.
        anticipation: s.
        along: m/s^2 of the frame.
        gain: 1/s.
        correction: m/s.
        patience: m.
        most: Share of the plan's speed that the frame may have.

    Returns:
        (A, D) m/s; zero for those without a slot.
    """
    agents, dim = position.shape
    wanted = np.zeros((agents, dim))
    last = len(speed) - 1.0
    place, pace = progress[0], progress[1]

    at = min(place / spacing, last)
    station = min(int(at), len(speed) - 2)
    lag = 0.0
    for i in range(agents):
        if alive[i] and seat[i] >= 0:
            behind, run, far = 0.0, 0.0, 0.0
            for d in range(dim):
                step = lanes[station + 1, seat[i], d] - lanes[station, seat[i], d]
                miss = lanes[station, seat[i], d] + (at - station) * step - position[i, d]
                behind += step * miss
                run += step * step
                far += miss * miss
                wanted[i, d] = miss
            if run > 0.0:
                lag = max(lag, behind / math.sqrt(run))
            pull = min(gain, correction / math.sqrt(far)) if far > 0.0 else gain
            for d in range(dim):
                wanted[i, d] *= pull
    share = most * min(max(2.0 - lag / patience, SLOWEST_SHARE), 1.0)

    # Run the frame on to where it will be when the bodies will have answered; its first step is the real one.
    for step in range(max(int(anticipation / dt + 0.5), 1)):
        at = min(place / spacing, last)
        station = min(int(at), len(speed) - 2)
        limit = share * (speed[station] + (at - station) * (speed[station + 1] - speed[station]))
        pace = min(max(limit, pace - 2.0 * along * dt), pace + along * dt)
        place = min(place + pace * dt, spacing * last)
        if step == 0:
            progress[0], progress[1] = place, pace

    # Slopes at the two nearest mid-points of stations, blended, so that the velocity does not jump at stations.
    at = min(max(place / spacing - 0.5, 0.0), last - 1.0)
    station = min(int(at), max(len(speed) - 3, 0))
    following = min(station + 1, len(speed) - 2)
    for i in range(agents):
        if alive[i] and seat[i] >= 0:
            for d in range(dim):
                middle = lanes[station + 1, seat[i], d]
                slope = middle - lanes[station, seat[i], d]
                slope += (at - station) * (lanes[following + 1, seat[i], d] - lanes[following, seat[i], d] - slope)
                wanted[i, d] += pace * slope / spacing
    return wanted
