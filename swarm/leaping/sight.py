"""Perception in one compiled call: the neighbours of everybody and the surfaces about, as views have them."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from swarm.compiled import kernel
from swarm.leaping.parts import Part, look_up, offers, see, without
from swarm.state import Bools, Floats, Ints
from swarm.worlds.sensing import sense

if TYPE_CHECKING:
    from swarm.simulation import Simulation

SURFACES = 4  # an agent, that there is room for at first


class Blind(NamedTuple):
    """Of a rule that looks about for itself."""

    agents: int


class Sharp(NamedTuple):
    """Perception all round."""

    reach: float  # m
    radius: float  # m, of a hull
    nodes: Floats  # and the next two, what is solid, see `worlds.geometry`
    items: Floats
    period: Floats


class Rows(NamedTuple):
    """Who sees whom, as `swarm.neighbours.Graph`, with room behind the last."""

    indptr: Ints  # (A + 1,)
    indices: Ints
    away: Floats
    distance: Floats
    found: Ints  # room to put them in order


class Seen(NamedTuple):
    """Who sees whom, and what surfaces, as `worlds.near.Near`."""

    rows: Rows
    wall_ptr: Ints
    wall_distance: Floats  # m, from the centre as rules have it: of the hull, and the radius again
    wall_normal: Floats


@kernel
def _nothing_ever(sight: Blind) -> int:
    return 0


@kernel
def _blind(sight: Blind, seen: int, position: Floats, alive: Bools, clearance: Floats) -> int:
    return 0


@kernel
def _still_blind(sight: Blind, seen: int, alive: Bools) -> int:
    return 0


@kernel
def no_rows() -> Rows:
    """Room for nobody."""
    return Rows(np.zeros(1, np.int64), np.empty(0, np.int64), np.empty((0, 2)), np.empty(0), np.empty(0, np.int64))


@kernel
def _nothing_yet(sight: Sharp) -> Seen:
    return Seen(no_rows(), np.zeros(1, np.int64), np.empty(0), np.empty((0, 2)))


@kernel
def _see(sight: Sharp, seen: Seen, position: Floats, alive: Bools, clearance: Floats) -> Seen:
    rows = neighbours(position, alive, sight.reach, seen.rows)
    entries = SURFACES * len(position)
    found = sense(position, sight.nodes, sight.items, sight.period, sight.reach + sight.radius, entries)
    while found[3][-1] > entries:
        entries = found[3][-1]
        found = sense(position, sight.nodes, sight.items, sight.period, sight.reach + sight.radius, entries)
    for i in range(len(position)):
        clearance[i] = found[0][i] - sight.radius
    for k in range(found[3][-1]):
        found[5][k] = (found[5][k] - sight.radius) + sight.radius  # rounded as rules have it
    return Seen(rows, found[3], found[5], found[6])


@kernel
def _without(sight: Sharp, seen: Seen, alive: Bools) -> Seen:
    rows, kept, begin = seen.rows, 0, 0
    for i in range(len(alive)):
        end = rows.indptr[i + 1]
        for edge in range(begin, end):
            if alive[i] and alive[rows.indices[edge]]:
                rows.indices[kept], rows.distance[kept] = rows.indices[edge], rows.distance[edge]
                rows.away[kept, 0], rows.away[kept, 1] = rows.away[edge, 0], rows.away[edge, 1]
                kept += 1
        begin, rows.indptr[i + 1] = end, kept
    return seen


@kernel
def neighbours(position: Floats, alive: Bools, reach: float, rows: Rows) -> Rows:
    """The graph of `swarm.neighbours.graph` of a plane without an edge, to the bit, by cells half as wide as the reach.

    Args:
        position: (A, 2) m.
        alive: (A,); the others neither see nor are seen.
        reach: m, inclusive.
        rows: Overwritten; memory that is used again and again stays near the processor.

    Returns:
        The same, or longer ones where there was no room.
    """
    agents, square = len(position), reach * reach
    low_x, low_y, high_x, high_y = math.inf, math.inf, -math.inf, -math.inf
    for i in range(agents):
        if alive[i]:
            low_x, high_x = min(low_x, position[i, 0]), max(high_x, position[i, 0])
            low_y, high_y = min(low_y, position[i, 1]), max(high_y, position[i, 1])
    # A little wider than half the reach, lest rounding puts somebody three cells away.
    side = 0.5 * reach * (1.0 + 1e-9) + 1e-12 * max(abs(low_x), abs(high_x), abs(low_y), abs(high_y))
    across, up = 1, 1
    while high_x >= low_x:
        across, up = 1 + int((high_x - low_x) / side), 1 + int((high_y - low_y) / side)
        if across * up <= 64 + 8 * agents:
            break
        side *= 1.5
    cell, order = np.empty(agents, np.int64), np.empty(agents, np.int64)
    start, x, y = np.zeros(across * up + 2, np.int64), np.empty(agents), np.empty(agents)
    for i in range(agents):
        if alive[i]:
            cell[i] = int((position[i, 1] - low_y) / side) * across + int((position[i, 0] - low_x) / side)
            start[cell[i] + 2] += 1
    for c in range(across * up):
        start[c + 2] += start[c + 1]
    for i in range(agents):
        if alive[i]:
            slot = start[cell[i] + 1]
            start[cell[i] + 1] = slot + 1
            order[slot], x[slot], y[slot] = i, position[i, 0], position[i, 1]
    indptr, seen = rows.indptr, rows.found
    if len(indptr) <= agents:
        indptr = np.zeros(agents + 1, np.int64)
    living, total = start[across * up], 0
    for i in range(agents):
        if alive[i]:
            column, row, hits = cell[i] % across, cell[i] // across, 0
            first, last = max(column - 2, 0), min(column + 2, across - 1) + 1
            here_x, here_y = position[i, 0], position[i, 1]
            if total + living > len(seen):
                longer = np.empty(2 * (total + living), np.int64)
                longer[:total] = seen[:total]
                seen = longer
            for other in range(max(row - 2, 0), min(row + 3, up)):
                for slot in range(start[other * across + first], start[other * across + last]):
                    dx, dy = x[slot] - here_x, y[slot] - here_y
                    # Without a branch that the processor could only guess.
                    seen[total + hits] = order[slot]
                    hits += (dx * dx + dy * dy <= square) & (order[slot] != i)
            total += hits
        indptr[i + 1] = total
    # Who sees is seen: taken in the order of those who are seen, rows fill up in that order.
    indices, away, distance, filled = rows.indices, rows.away, rows.distance, indptr.copy()
    if total > len(indices):
        room = total + total // 4
        indices, away, distance = np.empty(room, np.int64), np.empty((room, 2)), np.empty(room)
    for j in range(agents):
        there_x, there_y = position[j, 0], position[j, 1]
        for edge in range(indptr[j], indptr[j + 1]):
            i = seen[edge]
            place, dx, dy = filled[i], there_x - position[i, 0], there_y - position[i, 1]
            indices[place], away[place, 0], away[place, 1] = j, dx, dy
            distance[place] = math.sqrt(dx * dx + dy * dy)
            filled[i] = place + 1
    return Rows(indptr, indices, away, distance, seen)


offers(look_up, Blind, _nothing_ever)
offers(see, Blind, _blind)
offers(without, Blind, _still_blind)
offers(look_up, Sharp, _nothing_yet)
offers(see, Sharp, _see)
offers(without, Sharp, _without)


def offer(sim: Simulation, looks: bool) -> Part | None:
    """Perception for one call; none where not all is seen all round in a plane of straight lines."""
    if not looks:
        return Part(Blind(sim.body.count))
    senses, world = sim.view.senses, sim.world
    plain = senses.nearest is None and senses.field_of_view >= 2.0 * math.pi and math.isfinite(senses.reach)
    if not plain or world.dim != 2 or world.moving or world.boundary == "torus" or len(world.geometry.meshes):
        return None
    return Part(Sharp(float(senses.reach), float(senses.radius), *world.geometry[:3]))
