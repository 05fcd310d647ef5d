"""The way of a formation through narrow places: around everything solid, in the middle of the room there is."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from swarm.controllers.planning.centreline import resample, smooth
from swarm.controllers.planning.column import column
from swarm.controllers.planning.legs import joined
from swarm.controllers.planning.loosen import loosen
from swarm.controllers.planning.midway import midway
from swarm.controllers.planning.pace import pace
from swarm.controllers.planning.plan import STATION, Manner, Plan, station
from swarm.state import Floats

if TYPE_CHECKING:
    from swarm.worlds.world import World
    from swarm.worlds.zones import Zone

CUSP = math.cos(math.radians(100.0))  # a sharper turn is flown by stopping and going off the other way
NARROW = 0.1  # m beyond the barrier's margin that the centre's way must have
EASY = 0.8  # of the clearance and distance wanted: what lanes are pushed apart for
CUT = 0.1  # m of room that rounding a corner may take
WIDER = (2.5, 1.75, 1.0, 0.5)  # times the rounding asked for, tried in this order
LOOK = 1.0  # m of line that tell in which direction it goes
COARSE = 0.2  # m between stations while the middle of the room is looked for
TIGHT = 1.1  # times the barrier's margin between two that is kept where there is no other way through
SHORT = 0.01  # m, less is no way to go


def winding(
    world: World, slots: Floats, way: Floats, wanted: Floats, manner: Manner, trails: Sequence[Floats],
    gates: Sequence[Zone] = (),
) -> tuple[Plan, ...]:  # fmt: skip
    """Plans for a formation that winds along like a train; arguments as for `make_plans`."""
    half = float(np.abs(slots[:, 1:]).max(initial=0.0))
    narrow = manner.radius + manner.surface_margin + NARROW
    wide = half + manner.radius + manner.clearance
    way, legs = joined(world, way, wide, narrow)
    plans: list[Plan] = []
    for first, last in pairwise(cusps(way)):
        if plans:
            trails = both_sides(plans[-1], len(plans[-1].speed) - 1)
        line, piece, spacing = resample(way[first : last + 1], COARSE)
        line = midway(world, line, spacing, wide, narrow)
        line = _rounded(world, line, spacing, wide, manner)
        centre, at, spacing = resample(line, station(line))
        room = manner.radius + manner.clearance
        if spacing * (len(centre) - 1) < SHORT:
            plans.append(_standing(world, slots, centre[0], room, narrow, manner, trails))
            continue
        trail = behind(trails, centre[min(max(1, round(LOOK / spacing)), len(centre) - 1)] - centre[0])
        lanes, line, begin = column(
            world, slots, centre, spacing, trail, room, manner.apart, narrow, TIGHT * manner.pair_margin, gates
        )
        lanes = loosen(world, lanes, spacing, manner.radius + EASY * manner.clearance, EASY * manner.apart)
        speed = wanted[legs[first:last][piece[at]]]
        plans.append(Plan(spacing, lanes, pace(world, lanes, spacing, speed, manner), line, begin))
    return tuple(plans)


def _standing(
    world: World, slots: Floats, place: Floats, room: float, narrow: float, manner: Manner, trails: Sequence[Floats]
) -> Plan:
    """The plan of a formation that has nowhere to go: it stays where it is, as the way on which it came runs."""
    came, back = trails[0], trails[-1]
    ahead = came[-1] - came[-2] if len(came) > 1 else back[-2] - back[-1] if len(back) > 1 else np.eye(len(place))[0]
    ahead = ahead / max(float(np.sqrt((ahead * ahead).sum())), 1e-9)
    centre = np.stack([place, place + STATION * ahead])
    lanes, line, first = column(
        world, slots, centre, STATION, came, room, manner.apart, narrow, TIGHT * manner.pair_margin
    )
    return Plan(1e-9, np.repeat(lanes[:1], 2, axis=0), np.zeros(2), line, first)


def _rounded(world: World, line: Floats, spacing: float, wide: float, manner: Manner) -> Floats:
    """The line with its corners rounded as much as there is room for."""
    if len(line) < 3:
        return line
    needed = np.minimum(world.clearance(line)[0], wide) - CUT
    for wider in WIDER:
        rounded = smooth(line, wider * manner.rounding / max(spacing, 1e-9), fixed_ends=True)
        if (world.clearance(rounded)[0] >= needed).all():
            break
    return rounded


def cusps(way: Floats) -> list[int]:
    """Numbers of the points (K, D) between which a way has no sharp turn; the first and the last are among them."""
    ahead = np.diff(way, axis=0)
    ahead /= np.maximum(np.sqrt((ahead * ahead).sum(axis=1)), 1e-12)[:, None]
    sharp = (ahead[1:] * ahead[:-1]).sum(axis=1) < CUSP
    return [0, *(np.flatnonzero(sharp) + 1).tolist(), len(way) - 1]


def both_sides(plan: Plan, at: int) -> tuple[Floats, Floats]:
    """The line of a plan before and after a station, each (M, D) m and ending there."""
    here = plan.first + at
    return plan.line[: here + 1], plan.line[here:][::-1]


def behind(trails: Sequence[Floats], ahead: Floats) -> Floats:
    """The line that lies most behind a formation which goes off in the direction `ahead` (D,)."""

    def forward(line: Floats) -> float:
        legs = line - line[-1]
        away = np.sqrt((legs * legs).sum(axis=1))
        outward = legs[int((away <= LOOK).argmax())]
        length = float(np.sqrt((outward * outward).sum()))
        return float(outward @ ahead) / length if length > 1e-6 else math.inf

    return min(trails, key=forward)
