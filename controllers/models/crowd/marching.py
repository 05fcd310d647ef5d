"""Crowds of time-gap walkers on their own: many steps in one compiled call, for when nothing watches."""

from __future__ import annotations

import math

import numpy as np

from swarm.compiled import kernel
from swarm.controllers.models.crowd.time_gap import TimeGap, walk
from swarm.state import Bools, Floats, Ints
from swarm.worlds.sensing import sense
from swarm.worlds.world import World
from swarm.worlds.zones import Zone


class March:
    """What a mission with the `time-gap` controller, points and the task `evacuate` does, without views and recordings.

    For level worlds with walls and without anything that hides the exit or moves; there the places are those of the
    simulation, to rounding, as long as nobody is pressed against a wall.

    Args:
        model: With its parameters.
        world: Two dimensions, without obstacles, boundary "walls".
        exit: An area.
        position: (A, 2) m, copied.
        radius, reach: m, of a hull and of perception.
        dt: s.

    Attributes:
        position: (A, 2) m, now.
        arrival: (A,) s at which each left, inf for who has not.
        steps: So far.
    """

    def __init__(
        self, model: TimeGap, world: World, exit: Zone, position: Floats, radius: float, reach: float, dt: float
    ) -> None:
        self.position: Floats = np.array(position, np.float64, order="C")
        self.arrival = np.full(len(self.position), np.inf)
        self.steps = 0
        self._model, self._dt = model, dt
        half = np.asarray(exit.size) / 2.0
        center = np.asarray(exit.center)
        self._box = np.stack([center - half, center + half])
        self._aim = np.stack([center - np.maximum(half - radius, 0.0), center + np.maximum(half - radius, 0.0)])
        self._room = np.stack([world.bounds[0] + radius, world.bounds[1] - radius])
        self._solid = world.geometry[:3]
        self._radius, self._reach = radius, reach

    def go(self, steps: int) -> None:
        """So many steps."""
        m = self._model
        march(
            self.position, self.arrival, steps, self.steps, self._dt, self._room, self._box, self._aim, *self._solid,
            self._radius, self._reach, m.speed, m.time_gap, m.length, m.strength, m.distance, m.wall_strength,
            m.wall_distance,
        )  # fmt: skip
        self.steps += steps


@kernel
def fill_graph(
    position: Floats, present: Bools, low: Floats, high: Floats, reach: float, cell: Ints, start: Ints, order: Ints,
    sorted_: Floats, indptr: Ints, indices: Ints, away: Floats, distance: Floats,
) -> int:  # fmt: skip
    """Who is within reach of whom, in compressed rows as swarm.neighbours.Graph, by cells half as wide as the reach.

    Args:
        position: (A, 2) m.
        present: (A,) the others neither see nor are seen.
        low, high: (2,) m, within which all are.
        reach: m, inclusive.
        cell, start, order, sorted_: (A,), (cells + 2,), (A,) and (A, 2) workspace, of `cells_across` along x and y.
        indptr, indices, away, distance: (A + 1,), (E,), (E, 2), (E,) written as far as there is room.

    Returns:
        How many entries there are.
    """
    agents, per_metre, square = len(position), 2.0 / reach, reach * reach
    across, up = cells_across(high[0] - low[0], reach), cells_across(high[1] - low[1], reach)
    start[:] = 0
    for i in range(agents):
        x = min(max(int((position[i, 0] - low[0]) * per_metre), 0), across - 1)
        y = min(max(int((position[i, 1] - low[1]) * per_metre), 0), up - 1)
        cell[i] = y * across + x
        if present[i]:
            start[cell[i] + 2] += 1
    for c in range(across * up):
        start[c + 2] += start[c + 1]
    for i in range(agents):
        if present[i]:
            slot = start[cell[i] + 1]
            start[cell[i] + 1] = slot + 1
            order[slot], sorted_[slot, 0], sorted_[slot, 1] = i, position[i, 0], position[i, 1]
    edges, room = 0, len(indices)
    for i in range(agents):
        if present[i]:
            x, y, here_x, here_y = cell[i] % across, cell[i] // across, position[i, 0], position[i, 1]
            first, last = max(x - 2, 0), min(x + 2, across - 1) + 1
            for row in range(max(y - 2, 0), min(y + 3, up)):
                for slot in range(start[row * across + first], start[row * across + last]):
                    dx, dy = sorted_[slot, 0] - here_x, sorted_[slot, 1] - here_y
                    if dx * dx + dy * dy <= square and order[slot] != i:
                        if edges < room:
                            indices[edges], away[edges, 0], away[edges, 1] = order[slot], dx, dy
                            distance[edges] = math.sqrt(dx * dx + dy * dy)
                        edges += 1
        indptr[i + 1] = edges
    return edges


@kernel
def cells_across(length: float, reach: float) -> int:
    """Cells half as wide as the reach along a length, m."""
    return 1 + int(2.0 * length / reach)


@kernel
def march(
    position: Floats, arrival: Floats, steps: int, done: int, dt: float, room: Floats, box: Floats, aim: Floats,
    nodes: Floats, items: Floats, period: Floats, radius: float, reach: float, speed: float, time_gap: float,
    length: float, strength: float, decay: float, wall_strength: float, wall_decay: float,
) -> None:  # fmt: skip
    """Steps of `walk`; `position` (A, 2) m and `arrival` (A,) s are written.

    Args:
        steps, done, dt: How many, how many before, s.
        room: (2, 2) m, lowest and highest place of a hull's middle.
        box, aim: (2, 2) m, corners of the exit, and of where in it one heads for.
        nodes, items, period: What is solid, packed (World.geometry).
        radius, reach: m.
        speed, time_gap, length, strength, decay, wall_strength, wall_decay: See `walk`.
    """
    agents = len(position)
    wanted, present = np.empty((agents, 2)), np.empty(agents, np.bool_)
    across, up = cells_across(room[1, 0] - room[0, 0], reach), cells_across(room[1, 1] - room[0, 1], reach)
    cell, start, order = np.empty(agents, np.int64), np.empty(across * up + 2, np.int64), np.empty(agents, np.int64)
    sorted_ = np.empty((agents, 2))
    entries, edges, indptr = 12 * agents, 32 * agents, np.zeros(agents + 1, np.int64)
    indices, away, distance = np.empty(edges, np.int64), np.empty((edges, 2)), np.empty(edges)
    for step in range(steps):
        for i in range(agents):
            present[i] = math.isinf(arrival[i])
            size = 0.0
            for k in range(2):
                wanted[i, k] = min(max(position[i, k], aim[0, k]), aim[1, k]) - position[i, k]
                size += wanted[i, k] * wanted[i, k]
            for k in range(2):
                wanted[i, k] = wanted[i, k] / max(math.sqrt(size), 1e-9) if present[i] else 0.0
        while True:
            edges = fill_graph(
                position,
                present,
                room[0],
                room[1],
                reach,
                cell,
                start,
                order,
                sorted_,
                indptr,
                indices,
                away,
                distance,
            )
            if edges <= len(indices):
                break
            indices, away, distance = np.empty(2 * edges, np.int64), np.empty((2 * edges, 2)), np.empty(2 * edges)
        found = sense(position, nodes, items, period, reach + radius, entries)
        while found[3][-1] > entries:
            entries = found[3][-1]
            found = sense(position, nodes, items, period, reach + radius, entries)
        velocity = walk(
            indptr, indices, away, distance, found[3], found[5], found[6], wanted, speed, time_gap, length, strength,
            decay, wall_strength, wall_decay,
        )  # fmt: skip
        for i in range(agents):
            if present[i]:
                out = True
                for k in range(2):
                    position[i, k] = min(max(position[i, k] + dt * velocity[i, k], room[0, k]), room[1, k])
                    out = out and box[0, k] <= position[i, k] <= box[1, k]
                if out:
                    arrival[i] = (done + step + 1) * dt
