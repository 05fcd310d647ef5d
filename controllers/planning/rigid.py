"""Lanes in the open: the formation flies as a rigid body, each slot bending sideways around what is in its way."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from swarm.controllers.planning.centreline import headings, resample, smooth
from swarm.controllers.planning.field import Field, clearance_field
from swarm.controllers.planning.lanes import FIRM, bend
from swarm.controllers.planning.pace import pace
from swarm.controllers.planning.passage import passage
from swarm.controllers.planning.plan import Manner, Plan, station
from swarm.state import Floats, Ints

if TYPE_CHECKING:
    from swarm.worlds.world import World

CELL = 0.2  # m, finest grid
STEP = 0.1  # m between the offsets searched
MOST_STEPS = 40  # to either side; a wide formation is searched in wider steps


def rigid(world: World, slots: Floats, way: Floats, wanted: Floats, given: bool, manner: Manner) -> Plan:
    """Plan for a formation that keeps its shape but for what bends around obstacles at its own height.

    Args:
        world, slots, way, given, manner: As for `make_plan`.
        wanted: (K - 1,) m/s on each leg.
    """
    field, level = _survey(world, slots, way, manner)
    ways = [way]
    if field is not None and not given:
        lead = _lead(world, slots, way, manner)
        ways = [_around(field, level, slots, way, lead, manner, toll) for toll in (manner.toll, 5.0 * manner.toll)]
    best, least = None, np.inf
    for candidate in ways:
        line, at, spacing = _centre(candidate, manner)
        lanes = placed(slots, line, headings(line, manner.turning / spacing))
        if field is None or len(line) < 3:
            best = lanes, at, spacing, line
            break
        normal, sideways = _offsets(field, level, lanes, line, slots, spacing, manner)
        lanes[:, :, :2] += sideways[:, :, None] * normal[:, None, :]
        # Of two ways the one on which the formation is never far out of shape nor any slot too near a surface.
        lack = manner.clearance + manner.radius - float(world.clearance(lanes)[0].min())
        worst = float(np.square(sideways).mean(axis=1).max()) + FIRM * max(lack, 0.0) ** 2
        if worst < least:
            best, least = (lanes, at, spacing, line), worst
    assert best is not None
    lanes, at, spacing, line = best
    run = pace(world, lanes, spacing, wanted[np.minimum(at, len(wanted) - 1)], manner)
    return Plan(spacing, lanes, run, line)


def _centre(way: Floats, manner: Manner) -> tuple[Floats, Ints, float]:
    """The smooth way of the centre at even stations (K, D), the leg of each station (K,), and their spacing, m."""
    line, leg, spacing = resample(way, station(way))
    if len(line) > 2:
        line = smooth(line, manner.rounding / max(spacing, 1e-9), fixed_ends=True)
    even, at, spacing = resample(line, station(line))
    return even, leg[at], max(spacing, 1e-9)  # a way without length has stations all the same


def _offsets(
    field: Field, level: Ints, lanes: Floats, line: Floats, slots: Floats, spacing: float, manner: Manner
) -> tuple[Floats, Floats]:
    """Unit normal (K, 2) to the left of the way, and how far each slot's lane goes that way, (K, N) m."""
    tangent = np.gradient(line[:, :2], axis=0)
    tangent /= np.maximum(np.sqrt((tangent * tangent).sum(axis=1)), 1e-9)[:, None]
    normal = np.stack([-tangent[:, 1], tangent[:, 0]], axis=1)
    reach = float(np.sqrt((slots[:, :2] ** 2).sum(axis=1)).max()) + 1.0
    level_lanes = np.ascontiguousarray(lanes[:, :, :2])
    step = max(STEP, reach / MOST_STEPS)
    return normal, bend(
        level_lanes, normal, spacing, field.clearance, field.origin, field.cell, level,
        manner.clearance, manner.apart, manner.stiffness, reach, step,
    )  # fmt: skip


def placed(slots: Floats, centre: Floats, heading: Floats) -> Floats:
    """Slots turned about z and put at each centre: (N, D), (K, D), (K,) rad to (K, N, D)."""
    cosine, sine = np.cos(heading)[:, None], np.sin(heading)[:, None]
    lanes = np.repeat(centre[:, None, :], len(slots), axis=1)
    lanes[:, :, 0] += cosine * slots[:, 0] - sine * slots[:, 1]
    lanes[:, :, 1] += sine * slots[:, 0] + cosine * slots[:, 1]
    lanes[:, :, 2:] += slots[:, 2:]
    return lanes


def _survey(world: World, slots: Floats, way: Floats, manner: Manner) -> tuple[Field | None, Ints]:
    """Clearance over the area of the way, and the level of each slot; None where nothing is solid."""
    level = np.zeros(len(slots), np.int64)
    if not world.obstacles and world.boundary != "walls":
        return None, level
    heights = [np.zeros(1)]
    if world.dim == 3:
        relative, level = np.unique(np.round(slots[:, 2], 3), return_inverse=True)
        lowest, highest = float(way[:, 2].min()), float(way[:, 2].max())
        climb = np.linspace(lowest, highest, 1 if highest - lowest < 0.05 else 3)
        heights = [climb + z for z in relative]
    size = float(np.sqrt((slots[:, :2] ** 2).sum(axis=1)).max())
    low, high = world.bounds[0, :2], world.bounds[1, :2]
    if world.boundary != "walls":
        low, high = np.minimum(low, way[:, :2].min(axis=0) - size), np.maximum(high, way[:, :2].max(axis=0) + size)
    return clearance_field(world, manner.radius, low, high, heights, CELL), level.astype(np.int64)


def _lead(world: World, slots: Floats, way: Floats, manner: Manner) -> float:
    """m of free way straight ahead to begin with: a formation at rest that had to turn at once would lose its shape."""
    ahead = way[-1] - way[0]
    length = float(np.sqrt((ahead * ahead).sum()))
    heading = np.arctan2(ahead[1], ahead[0])
    for lead in (manner.turning, 0.5 * manner.turning):
        if 2.0 * lead < length:
            along = np.linspace(0.0, lead / length, 1 + int(lead / CELL))[:, None]
            lanes = placed(slots, way[0] + along * ahead, np.full(len(along), heading))
            if world.clearance(lanes)[0].min() - manner.radius >= manner.clearance:
                return lead
    return 0.0


def _around(field: Field, level: Ints, slots: Floats, way: Floats, lead: float, manner: Manner, toll: float) -> Floats:
    """A way around the obstacles from the first to the last point, straight ahead for `lead` m at first."""
    ahead = way[-1] - way[0]
    turned = placed(slots, np.zeros((1, way.shape[1])), np.array([np.arctan2(ahead[1], ahead[0])]))[0, :, :2]
    first = way[0, :2] + ahead[:2] * (lead / max(float(np.sqrt((ahead * ahead).sum())), 1e-9))
    found = passage(field, np.ascontiguousarray(turned), level, first, way[-1, :2], manner.clearance, toll)
    if found is None:
        return way
    if lead > 0.0:
        found = np.concatenate([way[:1, :2], found])
    if way.shape[1] == 2:
        return found
    legs = np.sqrt((np.diff(found, axis=0) ** 2).sum(axis=1))
    if legs.sum() < 1e-6:  # straight up or down
        return way
    share = np.concatenate([[0.0], np.cumsum(legs)]) / float(legs.sum())
    return np.column_stack([found, way[0, 2] + share * (way[-1, 2] - way[0, 2])])
