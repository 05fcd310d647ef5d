"""The cheapest way of a formation's centre over a grid, where every slot's clearance counts."""

from __future__ import annotations

import math

import numpy as np

from swarm.compiled import kernel
from swarm.controllers.planning.field import Field
from swarm.state import Floats, Ints


def passage(
    field: Field, slots: Floats, level: Ints, start: Floats, goal: Floats, clearance: float, weight: float
) -> Floats | None:
    """Way from start to goal.

    Args:
        field: Clearance of one hull.
        slots: (N, 2) m, offsets from the centre, turned as the formation will mostly fly.
        level: (N,) which level of the field each slot flies on.
        start, goal: (2,) m.
        clearance: m, below which a slot costs.
        weight: 1/m^2, extra cost per metre of way at a mean squared lack of clearance of 1 m^2.

    Returns:
        (K, 2) m from start to goal, or None where there is no way.
    """
    shape = np.array(field.clearance.shape[1:])
    first, last = (
        np.clip(np.rint((p - field.origin) / field.cell), 0, shape - 1).astype(np.int64) for p in (start, goal)
    )
    price = toll(field.clearance, slots / field.cell, level, clearance, weight)
    price[tuple(last)] = min(price[tuple(last)], 1e6)
    price[tuple(first)] = min(price[tuple(first)], 1e6)
    to_go = cost_to_go(price, last[0], last[1])
    if not math.isfinite(to_go[tuple(first)]):
        return None
    i, j = int(first[0]), int(first[1])
    way = [start]
    while (i, j) != (int(last[0]), int(last[1])):
        here, best, step = to_go[i, j], 0.0, (0, 0)
        for di in (-1, 0, 1):
            for dj in (-1, 0, 1):
                if (di or dj) and 0 <= i + di < shape[0] and 0 <= j + dj < shape[1]:
                    fall = (here - to_go[i + di, j + dj]) / math.hypot(di, dj)
                    if fall > best:
                        best, step = fall, (di, dj)
        i, j = i + step[0], j + step[1]
        way.append(field.origin + field.cell * np.array([i, j]))
    way.append(goal)
    return np.array(way)


def toll(clearance: Floats, offset: Floats, level: Ints, wanted: float, weight: float) -> Floats:
    """Price per metre at each grid point, (X, Y): 1 + weight * mean over slots of max(0, wanted - clearance)^2.

    Infinite where the centre itself would be inside something on every level. `offset` (N, 2) is in cells.
    """
    lack = np.square(np.maximum(wanted - clearance, 0.0))
    columns, rows = clearance.shape[1:]
    price = np.ones((columns, rows))
    for (right, up), at in zip(np.rint(offset).astype(int), level):
        # A slot beyond the edge of the grid counts as on the edge.
        x, y = np.clip(np.arange(columns) + right, 0, columns - 1), np.clip(np.arange(rows) + up, 0, rows - 1)
        price += (weight / len(offset)) * lack[at][x[:, None], y]
    price[clearance.max(axis=0) <= 0.0] = math.inf
    return price


@kernel
def cost_to_go(price: Floats, goal_x: int, goal_y: int) -> Floats:
    """Least cost in cells x price from each grid point to the goal over eight neighbours, (X, Y); inf where cut off.

    Gauss-Seidel sweeps in alternating directions until nothing changes (fast sweeping, Zhao 2005, on the graph).
    """
    columns, rows = price.shape
    cost = np.full((columns + 2, rows + 2), np.inf)
    cost[goal_x + 1, goal_y + 1] = 0.0
    changed, forward = True, True
    while changed:
        changed = False
        for n in range(columns * rows):
            cell = n if forward else columns * rows - 1 - n
            i, j = cell // rows + 1, cell % rows + 1
            straight = min(cost[i - 1, j], cost[i + 1, j], cost[i, j - 1], cost[i, j + 1])
            across = min(cost[i - 1, j - 1], cost[i + 1, j - 1], cost[i - 1, j + 1], cost[i + 1, j + 1])
            best = min(straight + price[i - 1, j - 1], across + 1.4142135623730951 * price[i - 1, j - 1])
            if best < cost[i, j]:
                cost[i, j] = best
                changed = True
        forward = not forward
    inside: Floats = cost[1:-1, 1:-1].copy()
    return inside
