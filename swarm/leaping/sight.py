"""Perception in one compiled call: the neighbours of everybody and the surfaces about, as views have them."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from swarm.compiled import kernel
from swarm.leaping.nearby import Rows, neighbours, no_rows
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
