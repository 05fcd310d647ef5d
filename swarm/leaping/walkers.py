"""Walkers in one compiled call."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from swarm.bodies.walker.stepping import Legs
from swarm.bodies.walker.stepping import walk as walk_all
from swarm.compiled import kernel
from swarm.leaping.parts import AGENT, OTHER, SPEED, SURFACE, TOUCH, Part, X, Y, meet, no_touches, offers, settle, walk
from swarm.state import Bools, Floats
from swarm.worlds.floor_plan.places import Ground

if TYPE_CHECKING:
    from swarm.leaping.ticking import Log
    from swarm.simulation import Simulation


class Strides(NamedTuple):
    """What walkers are; the first four as of `Legs`."""

    position: Floats
    velocity: Floats
    heading: Floats
    alive: Bools
    legs: Legs
    ground: Ground
    dt: float  # s
    shuffle: float  # m/s


@kernel
def _walk(body: Strides, command: Floats) -> Floats:
    legs, agents, touches = body.legs, len(body.position), 0
    held = np.empty(agents, np.bool_)
    for i in range(agents):
        held[i] = legs.pressed[i] > 0.0
    walk_all(command, legs, body.ground, body.dt, body.shuffle)
    for i in range(agents):
        touches += legs.pressed[i] > 0.0 and not held[i]
    touched, touches = np.zeros((touches, TOUCH)), 0
    for i in range(agents):
        if legs.pressed[i] > 0.0 and not held[i]:
            row = touched[touches]
            row[AGENT], row[OTHER], row[SURFACE], row[SPEED] = i, -1, -1, legs.pressed[i]
            row[X], row[Y] = legs.position[i, 0], legs.position[i, 1]
            touches += 1
    return touched


@kernel
def _meet(body: Strides, seen: Any) -> Floats:
    return no_touches()


@kernel
def _settle(body: Strides, going: Bools, coming: Bools, place: Floats) -> None:
    legs = body.legs
    for i in range(len(going)):
        if going[i]:
            legs.alive[i] = False
        if coming[i]:
            legs.alive[i] = True
            legs.position[i, 0], legs.position[i, 1] = place[i, 0], place[i, 1]
            legs.pressed[i], legs.turned[i] = 0.0, 0.0
        if going[i] or coming[i]:
            legs.velocity[i, 0], legs.velocity[i, 1] = 0.0, 0.0


offers(walk, Strides, _walk)
offers(meet, Strides, _meet)
offers(settle, Strides, _settle)


def offer(sim: Simulation) -> Part | None:
    """The body for one call; none where cells may change meanwhile, or hulls may touch."""
    body = sim.body
    if sim.world.moving or body.radius > 0.0:
        return None
    legs, before = body.legs, body.steps

    def finish(log: Log) -> None:
        body.steps += int(log.counts[0])
        times = (before + 1 + log.touched[:, 0]) / body.hz
        rows = log.touched[:, 1:]
        body.contacts = body.touches(times, rows[:, AGENT].astype(np.int64), rows[:, [X, Y]], rows[:, SPEED])

    return Part(
        Strides(legs.position, legs.velocity, legs.heading, legs.alive, legs, body.ground, 1.0 / body.hz, body.shuffle),
        finish, lambda log: body.hand_out(),
    )  # fmt: skip
