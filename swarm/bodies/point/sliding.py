"""Points at surfaces: up to them straight, then along them, never into them."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from swarm.bodies.point.steering import STILL, look_along, wrapped, yaw_between
from swarm.compiled import kernel
from swarm.state import Floats, Ints

if TYPE_CHECKING:
    from swarm.worlds.world import World

ROUNDS = 12  # queries of one step for those who pass close by something
CLOSE = 0.02  # share of a step below which a gap counts as none
SKIN = 1e-9  # m left between a hull and the surface it has met
ROUNDING = 1e-12  # m, far below the skin, that a projected move may seem to be too long by
SWEEPS = 16  # over the surfaces that a move has to keep to


@kernel
def advance(
    place: Floats, left: Floats, radius: float, whole: Floats, last: bool,
    indptr: Ints, distance: Floats, normal: Floats, pressed: Ints, going: Ints,
) -> None:  # fmt: skip
    """Move each point as far as it can go straight; one that stands at a surface goes along it and is done.

    The surfaces' tangent planes bound a convex region, free of every convex obstacle, in which the whole move lies:
    nothing is jumped over, however long the step.

    Args:
        place: (M, D) m, written.
        left: (M, D) m still to go, written.
        radius: m.
        whole: (M,) m, length of the whole step.
        last: Whether everybody has to be done now.
        indptr, distance, normal: The near surfaces of each.
        pressed: (E,) written: 1 for the surfaces that have stopped somebody.
        going: (M,) written: 1 for who has some way left.
    """
    dim = place.shape[1]
    move = np.empty(dim)
    for i in range(len(place)):
        going[i] = 0
        square = 0.0
        for k in range(dim):
            square += left[i, k] * left[i, k]
        length, gap = math.sqrt(square), math.inf
        for edge in range(indptr[i], indptr[i + 1]):
            gap = min(gap, distance[edge] - radius - SKIN)
        if gap >= length:
            for k in range(dim):
                place[i, k] += left[i, k]
            continue
        if gap > CLOSE * whole[i] and not last:
            share = gap / length
            for k in range(dim):
                place[i, k] += share * left[i, k]
                left[i, k] *= 1.0 - share
            going[i] = 1
            continue
        for k in range(dim):
            move[k] = left[i, k]
        for _ in range(SWEEPS):
            held = True
            for edge in range(indptr[i], indptr[i + 1]):
                short = -(distance[edge] - radius - SKIN)
                for k in range(dim):
                    short -= move[k] * normal[edge, k]
                if short > 1e-15:
                    held, pressed[edge] = False, 1
                    for k in range(dim):
                        move[k] += short * normal[edge, k]
            if held:
                break
        scale = 1.0
        for edge in range(indptr[i], indptr[i + 1]):
            closing, gap = 0.0, distance[edge] - radius - SKIN
            for k in range(dim):
                closing -= move[k] * normal[edge, k]
            if gap >= 0.0 and closing * scale > gap + ROUNDING:
                scale = (gap + ROUNDING) / closing
        for k in range(dim):
            place[i, k] += scale * move[k]


class Slide(NamedTuple):
    """What became of a move past surfaces."""

    place: Floats  # (M, D) m
    room: Floats  # (M,) m that each hull has now
    agent: Ints  # (E,) who was stopped
    surface: Ints  # (E,) by what
    normal: Floats  # (E, D) outward


def slide(world: World, start: Floats, wanted: Floats, radius: float) -> Slide:
    """Move points as far as surfaces let them.

    Args:
        world: At the end of the step.
        start, wanted: (M, D) m.
        radius: m.

    Returns:
        Where they are then, and who was stopped by what.
    """
    place, left = start.copy(), wanted.copy()
    whole = np.sqrt((wanted * wanted).sum(axis=1))
    active = np.arange(len(place))
    agents, surfaces, normals = [], [], []
    for turn in range(ROUNDS):
        at, still = np.ascontiguousarray(place[active]), np.ascontiguousarray(left[active])
        near = world.sense(at, radius + float(np.sqrt((still * still).sum(axis=1)).max()) + 2 * SKIN)[3]
        pressed, going = np.zeros(len(near.surface), np.int64), np.zeros(len(active), np.int64)
        advance(
            at, still, radius, whole[active], turn == ROUNDS - 1, near.indptr, near.distance, near.normal,
            pressed, going,
        )  # fmt: skip
        place[active], left[active] = at, still
        hit = np.flatnonzero(pressed)
        if len(hit):
            agents.append(active[np.searchsorted(near.indptr, hit, side="right") - 1])
            surfaces.append(near.surface[hit])
            normals.append(near.normal[hit])
        active = active[going == 1]
        if len(active) == 0:
            break
    room = _lift(world, start, place, radius)
    if not agents:
        none = np.empty(0, np.int64)
        return Slide(place, room, none, none, np.empty((0, place.shape[1])))
    return Slide(place, room, np.concatenate(agents), np.concatenate(surfaces), np.concatenate(normals))


def _lift(world: World, start: Floats, place: Floats, radius: float) -> Floats:
    """Take out again whoever got into a hollow surface, whose tangent planes say too little; (M,) m of room."""
    distance, normal, _ = world.nearest(place)
    deep = np.flatnonzero(distance < radius)
    for _ in range(4):
        if len(deep) == 0:
            return np.asarray(distance - radius)
        place[deep] += (radius + SKIN - distance[deep])[:, None] * normal[deep]
        distance[deep], normal[deep], _ = world.nearest(np.ascontiguousarray(place[deep]))
        deep = deep[distance[deep] < radius]
    if len(deep):
        before = world.nearest(np.ascontiguousarray(start[deep]))[0]
        better = before > distance[deep]
        place[deep[better]], distance[deep[better]] = start[deep[better]], before[better]
    return np.asarray(distance - radius)


@kernel
def settle(
    chosen: Ints, place: Floats, start: Floats, wanted: Floats, dt: float, box: Floats,
    position: Floats, velocity: Floats, heading: Floats, attitude: Floats, spin: Floats,
) -> None:  # fmt: skip
    """Write where the points that looked out have come to; who was turned aside has the velocity it really had.

    Args:
        chosen: (M,) agents.
        place, start, wanted: (M, D) m.
        dt: s.
        box: (3, D) m, see `steering.steer`.
        position, velocity, heading, attitude, spin: Of all agents, written.
    """
    dim = place.shape[1]
    for row in range(len(chosen)):
        i, aside, moved, asked = chosen[row], 0.0, 0.0, 0.0
        for k in range(dim):
            step = place[row, k] - start[row, k]
            aside += (step - wanted[row, k]) ** 2
            moved += step * step
            asked += wanted[row, k] * wanted[row, k]
            position[i, k] = wrapped(place[row, k], box[0, k], box[1, k], box[2, k])
        if aside <= 1e-24 + 1e-20 * asked:
            continue
        x, y, length = heading[i, 0], heading[i, 1], math.sqrt(moved)
        for k in range(dim):
            velocity[i, k] = (place[row, k] - start[row, k]) / dt
            if length > max(1e-6 * math.sqrt(asked), STILL * dt):  # else what it has is rounding, not a direction
                heading[i, k] = (place[row, k] - start[row, k]) / length
        spin[i, 2] += yaw_between(x, y, heading[i, 0], heading[i, 1]) / dt
        look_along(heading, i, attitude)
