"""Moves past surfaces in compiled code; `bodies.point.sliding` in its order and to its bits, for what stands still."""

from __future__ import annotations

import math

import numpy as np

from swarm.bodies.point.sliding import ROUNDS, SKIN, advance
from swarm.compiled import kernel
from swarm.state import Floats, Ints
from swarm.worlds.sensing import sense

NEAR = 12  # surfaces a point is expected to have


@kernel
def slide(
    start: Floats, wanted: Floats, radius: float, nodes: Floats, items: Floats, period: Floats
) -> tuple[Floats, Floats, Ints, Ints, Floats]:
    """Move points as far as surfaces let them.

    Args:
        start, wanted: (M, 2) m.
        radius: m.
        nodes, items, period: What is solid, see `worlds.geometry`.

    Returns:
        Place (M, 2) m, room (M,) m, and of those who were stopped: who (E,), by what surface (E,), its normal (E, 2).
    """
    many = len(start)
    place, left, whole = start.copy(), wanted.copy(), np.empty(many)
    for i in range(many):
        whole[i] = math.sqrt(wanted[i, 0] * wanted[i, 0] + wanted[i, 1] * wanted[i, 1])
    active = np.arange(many)
    stopped, surface, normal = np.empty(0, np.int64), np.empty(0, np.int64), np.empty((0, 2))
    for turn in range(ROUNDS):
        at, still, lengths, farthest = place[active], left[active], whole[active], 0.0
        for i in range(len(active)):
            farthest = max(farthest, math.sqrt(still[i, 0] * still[i, 0] + still[i, 1] * still[i, 1]))
        reach = min(radius + farthest + 2 * SKIN, 1e9)
        room = NEAR * len(at)
        near = sense(at, nodes, items, period, reach, room)
        while near[3][-1] > room:
            room = near[3][-1]
            near = sense(at, nodes, items, period, reach, room)
        entries = near[3][-1]
        pressed, going = np.zeros(entries, np.int64), np.zeros(len(active), np.int64)
        advance(
            at, still, radius, lengths, turn == ROUNDS - 1, near[3], near[5][:entries], near[6][:entries], pressed,
            going,
        )  # fmt: skip
        hits = int(pressed.sum())
        known = len(stopped)
        if hits > 0:
            stopped = np.append(stopped, np.empty(hits, np.int64))
            surface = np.append(surface, np.empty(hits, np.int64))
            more = np.empty((known + hits, 2))
            more[:known] = normal
            normal = more
        for i in range(len(active)):
            place[active[i], 0], place[active[i], 1] = at[i, 0], at[i, 1]
            left[active[i], 0], left[active[i], 1] = still[i, 0], still[i, 1]
            for edge in range(near[3][i], near[3][i + 1]):
                if pressed[edge] == 1:
                    stopped[known], surface[known] = active[i], near[4][edge]
                    normal[known, 0], normal[known, 1] = near[6][edge, 0], near[6][edge, 1]
                    known += 1
        active = active[going == 1]
        if len(active) == 0:
            break
    return place, lift(start, place, radius, nodes, items, period), stopped, surface, normal


@kernel
def lift(start: Floats, place: Floats, radius: float, nodes: Floats, items: Floats, period: Floats) -> Floats:
    """Take out again whoever got into something, `place` (M, 2) m is written; (M,) m of room."""
    found = sense(place, nodes, items, period, -1.0, 0)
    distance, normal = found[0], found[1]
    deep = np.flatnonzero(distance < radius)
    for _ in range(4):
        if len(deep) == 0:
            return distance - radius
        for i in deep:
            for k in range(2):
                place[i, k] += (radius + SKIN - distance[i]) * normal[i, k]
        again = sense(place[deep], nodes, items, period, -1.0, 0)
        for row in range(len(deep)):
            distance[deep[row]] = again[0][row]
            normal[deep[row], 0], normal[deep[row], 1] = again[1][row, 0], again[1][row, 1]
        deep = deep[distance[deep] < radius]
    if len(deep) > 0:
        before = sense(start[deep], nodes, items, period, -1.0, 0)[0]
        for row in range(len(deep)):
            i = deep[row]
            if before[row] > distance[i]:
                place[i, 0], place[i, 1], distance[i] = start[i, 0], start[i, 1], before[row]
    return distance - radius
