"""Points in one compiled call, in still air among surfaces that stand still."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np

from swarm.bodies.contact import Contact
from swarm.bodies.point.sliding import settle as settle_all
from swarm.bodies.point.steering import DT, look_along_all, steer, yaw_between
from swarm.compiled import kernel
from swarm.leaping.nearby import neighbours, no_rows
from swarm.leaping.parts import (
    AGENT,
    AWAY_X,
    AWAY_Y,
    DISTANCE,
    OTHER,
    SPEED,
    SURFACE,
    TOUCH,
    Part,
    X,
    Y,
    copy_out,
    meet,
    no_touches,
    offers,
    settle,
    walk,
)
from swarm.leaping.past_surfaces import slide
from swarm.state import Bools, Floats, Ints, State

if TYPE_CHECKING:
    from swarm.leaping.ticking import Log
    from swarm.simulation import Simulation

MOST_HELD = 1_000_000  # agents times surfaces, of which it is remembered who touches what


class Bodies(NamedTuple):
    """What points are, see `bodies.point.body`."""

    position: Floats  # (A, 2) m
    velocity: Floats  # (A, 2) m/s
    heading: Floats  # (A, 2)
    alive: Bools  # (A,)
    room: Floats  # (A,) m
    limits: Floats  # (5,)
    release: float  # m
    radius: float  # m
    rate: float  # Hz
    box: Floats  # (3, 2) m
    spin: Floats  # (A, 3) rad/s, what surfaces added in the last tick
    looked: Floats  # (2, A, 2) headings before the last tick, and before surfaces
    held: Bools  # (A, S) who touches which surface
    closing: Floats  # (A, S) m/s, -inf but while it is worked out
    known: Bools  # (1,) whether `before` says who overlapped in the tick before; else `pairs` does
    before: Floats  # (A, 2) m
    lived: Bools  # (A,)
    pairs: Ints  # (P,) lower index times A plus higher, ascending
    nodes: Floats
    items: Floats
    period: Floats


@kernel
def _walk(body: Bodies, command: Floats) -> Floats:
    still_air = np.zeros(2)
    copy_out(body.heading, body.looked[0])
    position, velocity, attitude, spin, looking = steer(
        command, body.position, body.velocity, body.heading, body.alive, body.room, body.limits, body.release, body.box,
        still_air, False, False,
    )  # fmt: skip
    touched = no_touches()
    copy_out(body.heading, body.looked[1])
    if looking > 0:
        touched = _past(body, position, velocity, attitude, spin)
    else:
        body.held[:] = False
    copy_out(position, body.position)
    copy_out(velocity, body.velocity)
    copy_out(spin, body.spin)
    return touched


@kernel
def _past(body: Bodies, position: Floats, velocity: Floats, attitude: Floats, spin: Floats) -> Floats:
    """Move those who have to look out for surfaces; rows for whom one has stopped that it did not touch before."""
    agents, chosen = len(position), 0
    for i in range(agents):
        chosen += body.room[i] < 0.0 and body.alive[i]
    who, chosen = np.empty(chosen, np.int64), 0
    for i in range(agents):
        if body.room[i] < 0.0 and body.alive[i]:
            who[chosen] = i
            chosen += 1
    start, asked = np.empty((chosen, 2)), np.empty((chosen, 2))
    for row in range(chosen):
        for k in range(2):
            start[row, k], asked[row, k] = body.position[who[row], k], velocity[who[row], k] * body.limits[DT]
    place, room, stopped, surface, normal = slide(start, asked, body.radius, body.nodes, body.items, body.period)
    for row in range(chosen):
        body.room[who[row]] = room[row]
    for k in range(len(stopped)):
        i = who[stopped[k]]
        speed = -(velocity[i, 0] * normal[k, 0] + velocity[i, 1] * normal[k, 1])
        body.closing[i, surface[k]] = max(body.closing[i, surface[k]], speed)
    touched = _held(body, who)
    settle_all(
        who, place, start, asked, 1.0 / body.rate, body.box, position, velocity, body.heading, attitude, spin
    )  # fmt: skip
    return touched


@kernel
def _held(body: Bodies, who: Ints) -> Floats:
    """Who touches what from now on, by `closing`, which is made empty; rows for what is new of it."""
    fresh, surfaces = 0, body.held.shape[1]
    for row in range(len(who)):
        for s in range(surfaces):
            fresh += body.closing[who[row], s] > -math.inf and not body.held[who[row], s]
    touched, fresh = np.zeros((fresh, TOUCH)), 0
    for s in range(surfaces):
        for row in range(len(who)):
            i = who[row]
            if body.closing[i, s] > -math.inf and not body.held[i, s]:
                touched[fresh, AGENT], touched[fresh, OTHER], touched[fresh, SURFACE] = i, -1, s
                touched[fresh, SPEED] = max(body.closing[i, s], 0.0)
                fresh += 1
    for i in range(len(body.held)):
        if body.room[i] > body.release:
            for s in range(surfaces):
                body.held[i, s] = False
    for row in range(len(who)):
        for s in range(surfaces):
            if body.closing[who[row], s] > -math.inf:
                body.held[who[row], s], body.closing[who[row], s] = True, -math.inf
    return touched


@kernel
def overlap(dx: float, dy: float, most: float) -> bool:
    """Whether hulls overlap whose middles are (dx, dy) m apart, by less than `most` m."""
    square = dx * dx + dy * dy
    return square <= most * most and math.sqrt(square) < most


@kernel
def _meet(body: Bodies, seen: Any) -> Floats:
    agents, most, fresh = len(body.position), 2.0 * body.radius, 0
    if body.radius == 0.0 or agents < 2:
        return no_touches()
    touched, rows = np.empty((16, TOUCH)), seen.rows
    for i in range(agents):
        for edge in range(rows.indptr[i], rows.indptr[i + 1]):
            j = rows.indices[edge]
            if not overlap(rows.away[edge, 0], rows.away[edge, 1], most):
                continue
            if body.known[0]:
                dx, dy = body.before[j, 0] - body.before[i, 0], body.before[j, 1] - body.before[i, 1]
                if body.lived[i] and body.lived[j] and overlap(dx, dy, most):
                    continue
            else:
                at = np.searchsorted(body.pairs, i * agents + j)
                if at < len(body.pairs) and body.pairs[at] == i * agents + j:
                    continue
            if fresh == len(touched):
                longer = np.empty((2 * fresh, TOUCH))
                longer[:fresh] = touched
                touched = longer
            row = touched[fresh]
            row[AGENT], row[OTHER], row[SURFACE], row[SPEED] = i, j, -1, 0.0
            row[X], row[Y] = body.velocity[i, 0] - body.velocity[j, 0], body.velocity[i, 1] - body.velocity[j, 1]
            row[AWAY_X], row[AWAY_Y] = rows.away[edge, 0], rows.away[edge, 1]
            row[DISTANCE] = rows.distance[edge]
            fresh += 1
    body.known[0] = True
    copy_out(body.position, body.before)
    body.lived[:] = body.alive
    return touched[:fresh]


@kernel
def _settle(body: Bodies, going: Bools, coming: Bools, place: Floats) -> None:
    for i in range(len(going)):
        if going[i]:
            body.alive[i] = False
            body.velocity[i, 0], body.velocity[i, 1] = 0.0, 0.0


@kernel
def _turned(looked: Floats, dt: float, spin: Floats) -> None:
    """Add to angular velocities (A, 3) rad/s how far headings (2, A, 2) have turned in dt s."""
    for i in range(len(spin)):
        spin[i, 2] += yaw_between(looked[0, i, 0], looked[0, i, 1], looked[1, i, 0], looked[1, i, 1]) / dt


@kernel
def _overlapping(position: Floats, lived: Bools, indptr: Ints, indices: Ints, most: float) -> Ints:
    """Pairs that overlap, as `Bodies.pairs`, of a graph of neighbours."""
    agents, found = len(position), 0
    pairs = np.empty(len(indices), np.int64)
    for i in range(agents):
        for edge in range(indptr[i], indptr[i + 1]):
            j = indices[edge]
            dx, dy = position[j, 0] - position[i, 0], position[j, 1] - position[i, 1]
            if i < j and lived[i] and lived[j] and overlap(dx, dy, most):
                pairs[found] = i * agents + j
                found += 1
    return pairs[:found]


offers(walk, Bodies, _walk)
offers(meet, Bodies, _meet)
offers(settle, Bodies, _settle)


def offer(sim: Simulation) -> Part | None:
    """The body for one call; none where something moves, or nobody sees as far as hulls overlap."""
    body: Any = sim.body
    world = sim.world
    surfaces = len(world.surfaces)
    apart = sim.view.reach >= 2.0 * body.radius
    if body._windy or world.moving or body.dim != 2 or not apart or body.count * surfaces > MOST_HELD:
        return None
    touching, before = body._touching, body._steps
    held = np.zeros((body.count, surfaces), np.bool_)
    surface, agent = np.divmod(touching._surfaces, body.count)
    held[agent, surface] = True
    pack = Bodies(
        body._position.copy(), body._velocity.copy(), body._heading.copy(), body._alive.copy(), body._room,
        body._limits, float(body._release), float(body.radius), float(body._hz), body._box, np.zeros((body.count, 3)),
        np.empty((2, body.count, 2)), held, np.full(held.shape, -np.inf), np.zeros(1, np.bool_),
        np.empty((body.count, 2)), np.empty(body.count, np.bool_), touching._pairs, *world.geometry[:3],
    )  # fmt: skip

    def finish(log: Log) -> None:
        body._steps += int(log.counts[0])
        body._position, body._velocity, body._heading, body._alive = pack[:4]
        touching._surfaces = np.flatnonzero(held.T)
        if pack.known[0]:
            near = neighbours(pack.before, pack.lived, 2.0 * body.radius, no_rows())
            touching._pairs = _overlapping(pack.before, pack.lived, near.indptr, near.indices, 2.0 * body.radius)
        body.contacts = _contacts(log.touched, before, body._hz)

    def state(log: Log) -> State:
        if log.left[-1]:
            return cast(State, body._standing())
        attitude = np.zeros((body.count, 4))
        look_along_all(pack.heading, attitude)
        _turned(pack.looked, body._limits[DT], pack.spin)
        return cast(State, body._hand_out(attitude, pack.spin))

    return Part(pack, finish, state)


def _contacts(touched: Floats, before: int, hz: float) -> list[Contact]:
    contacts = []
    for row, (tick, agent, other, surface) in zip(touched[:, 1:], touched[:, :4].astype(np.int64).tolist()):
        speed = float(row[SPEED])
        if other >= 0:
            relative, offset, distance = row[X : Y + 1], row[AWAY_X : AWAY_Y + 1], float(row[DISTANCE])
            closing = float(relative @ offset) / distance if distance > 0.0 else float(np.sqrt(relative @ relative))
            speed = max(closing, 0.0)
        contacts.append(Contact((before + 1 + tick) / hz, agent, other, surface, speed))
    return contacts
