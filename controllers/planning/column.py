"""Lanes in narrow places: the formation winds along the centre's way like a train, drawn together where it must."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from swarm.controllers.planning.centreline import smooth
from swarm.controllers.planning.midway import cross_section
from swarm.controllers.planning.openings import kept_within
from swarm.state import Floats

if TYPE_CHECKING:
    from swarm.worlds.world import World
    from swarm.worlds.zones import Zone

SHARES = 12  # steps between drawn together and full width that are tried
EASE = 0.6  # m before and behind a narrow place that the formation is drawn together in any case
TIGHTER = 0.75  # of that is kept on the inside of a bend, where lanes bunch
CLOSER = 0.85  # of the distance wanted between two lanes is kept where it is narrow


def column(
    world: World, slots: Floats, centre: Floats, spacing: float, trail: Floats, room: float, apart: float,
    narrow: float, tight: float, gates: Sequence[Zone] = (),
) -> tuple[Floats, Floats, int]:  # fmt: skip
    """The place of each slot while the formation's centre is at each station.

    A slot x ahead and o across is at c(s + x) + share * o, across c there: the shape follows the bends of the way. The
    share is as large as leaves `room` to everything solid, less where the centre itself has less room or the way
    bends sharply to that side, but no slot comes nearer to its neighbour than a part of `apart`; where that would leave
    less than `narrow` to something solid, no nearer than `tight`.

    Args:
        world: Where.
        slots: (N, D) m, centroid at the origin, +x forward.
        centre: (K, D) m at even steps.
        spacing: m between stations.
        trail: (M, D) m, how the swarm came to the first station, its last point; slots behind are on it.
        room: m wanted around each slot's own centre.
        apart: m wanted between two slots.
        narrow: m that each slot's own centre must have.
        tight: m that two slots must have between them.
        gates: Within whose openings all slots stay.

    Returns:
        (K, N, D) m, the line (M, D) m that the whole formation is on, and the place of the first station in it.
    """
    behind, ahead = max(-float(slots[:, 0].min()), 0.0), max(float(slots[:, 0].max()), 0.0)
    line, first = _longer(world, centre, spacing, trail, behind, ahead, room)
    left, up = cross_section(line)
    width = max(1, round(0.5 / spacing))
    left = smooth(left, width, fixed_ends=False)
    left /= np.maximum(np.sqrt((left * left).sum(axis=1)), 1e-9)[:, None]
    if line.shape[1] == 3:
        up = np.zeros_like(line)  # heights stay heights, also where the way climbs
        up[:, 2] = 1.0
    turning = _curvature(left, spacing)
    floors, bends = _least(slots, CLOSER * apart), _most(slots, CLOSER * apart)
    lowest = np.minimum(_least(slots, tight), floors)
    own = world.clearance(line)[0]
    lanes = np.empty((len(centre), *slots.shape))
    for n, slot in enumerate(slots):
        across = slot[1] * left + (slot[2] * up if len(slot) == 3 else 0.0)
        inside = bends[n] / np.maximum(turning * slot[1], bends[n])
        inside = np.minimum(inside, kept_within(gates, line, across, room, spacing))
        least = lowest[n], floors[n]
        share = _share(world, line, across, np.minimum(room, own - 0.02), inside, spacing, least, narrow)
        path = line + share[:, None] * across
        at = first + np.arange(len(centre)) + slot[0] / spacing
        at = np.clip(at, 0.0, len(line) - 1.0)
        for axis in range(path.shape[1]):
            lanes[:, n, axis] = np.interp(at, np.arange(len(path)), path[:, axis])
    return lanes, line, first


def _longer(
    world: World, centre: Floats, spacing: float, trail: Floats, behind: float, ahead: float, room: float
) -> tuple[Floats, int]:
    """The centre's way with the trail before it and a free straight piece after it, and where it begins in that."""
    legs = np.sqrt((np.diff(trail, axis=0) ** 2).sum(axis=1))
    along = np.concatenate([[0.0], np.cumsum(legs)])
    count = min(math.ceil(behind / spacing), int(along[-1] / spacing + 1e-9))
    at = along[-1] - spacing * np.arange(count, 0, -1)
    before = np.stack([np.interp(at, along, trail[:, axis]) for axis in range(trail.shape[1])], axis=1)
    line = np.concatenate([before, centre])
    further = _straight(world, line[::-1], spacing, math.ceil(behind / spacing) - count, room)
    beyond = _straight(world, line, spacing, math.ceil(ahead / spacing), room)
    return np.concatenate([further[::-1], line, beyond]), len(further) + count


def _straight(world: World, line: Floats, spacing: float, count: int, room: float) -> Floats:
    """Up to so many points (C, D) m on level with the end of a line and straight on from it, as far as is free."""
    onward = line[-1] - line[max(len(line) - 1 - max(1, round(0.5 / spacing)), 0)]
    if len(onward) == 3 and np.hypot(onward[0], onward[1]) > 1e-9:
        onward = onward * np.array([1.0, 1.0, 0.0])
    onward = onward / max(float(np.sqrt((onward * onward).sum())), 1e-9)
    points: Floats = line[-1] + spacing * np.arange(1, count + 1)[:, None] * onward
    room = min(room, float(world.clearance(line[-1:])[0][0]))
    shut = np.flatnonzero(world.clearance(points)[0] < room - 1e-9)
    return points[: shut[0]] if len(shut) else points


def _curvature(left: Floats, spacing: float) -> Floats:
    """(K,) 1/m, positive where the way turns left; `left` (K, D) is level."""
    ahead, behind = left[2:], left[:-2]
    turned = np.arctan2(
        behind[:, 0] * ahead[:, 1] - behind[:, 1] * ahead[:, 0], behind[:, 0] * ahead[:, 0] + behind[:, 1] * ahead[:, 1]
    )
    return np.pad(turned / (2.0 * spacing), 1, mode="edge") if len(turned) else np.zeros(len(left))


def _share(
    world: World, line: Floats, across: Floats, room: Floats, most: Floats, spacing: float,
    least: tuple[float, float], narrow: float,
) -> Floats:  # fmt: skip
    """(K,) how much of its place across a slot takes: as much as is free all the way out, eased in and out.

    It is not less than `least[1]`, but for where that has not even `narrow`: there not less than `least[0]`.
    """
    tried = np.linspace(0.0, 1.0, SHARES + 1)[1:]
    clearance = world.clearance(line[:, None] + tried[:, None] * across[:, None])[0]
    reach = max(1, math.ceil((EASE + 0.5 * float(np.sqrt((across[0] ** 2).sum()))) / spacing))

    def eased(share: Floats) -> Floats:
        padded = np.pad(share, reach, mode="edge")
        narrowest = np.lib.stride_tricks.sliding_window_view(padded, 2 * reach + 1).min(axis=1)
        return smooth(narrowest[:, None], 0.35 * reach, fixed_ends=False)[:, 0]

    def free(wanted: Floats) -> Floats:
        return np.asarray((clearance >= wanted[:, None]).cumprod(axis=1).sum(axis=1) / SHARES)

    share = eased(np.minimum(free(room), most))
    floor = np.full(len(line), least[1])
    if least[1] > least[0] and ((share < least[1]) & (free(np.minimum(room, narrow)) < least[1])).any():
        floor = np.clip(eased(free(np.minimum(room, narrow))), *least)
    return np.asarray(np.maximum(share, floor))


def _least(slots: Floats, apart: float) -> Floats:
    """(N,) smallest share of its place across that keeps each slot `apart` from those beside it."""
    least = np.zeros(len(slots))
    for n, slot in enumerate(slots):
        for other in np.delete(slots, n, axis=0):
            along, across = slot[0] - other[0], float(np.sqrt(((slot - other)[1:] ** 2).sum()))
            if abs(along) < apart and across > 0.0:
                least[n] = max(least[n], min(math.sqrt(apart * apart - along * along) / across, 1.0))
    return least


def _most(slots: Floats, apart: float) -> Floats:
    """(N,) share of a bend's radius to which each slot may go on its inside.

    At the share b of the radius, what is x apart on the centre's way is (1 - b) x apart.
    """
    along = np.abs(slots[:, 0, None] - slots[:, 0])
    along[along < 1e-6] = np.inf
    return np.asarray(1.0 - np.minimum(TIGHTER * apart / along.min(axis=1), 0.9))
