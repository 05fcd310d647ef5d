"""Lines of sight through a world itself, exact."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from swarm.state import Bools, Floats

if TYPE_CHECKING:
    from swarm.worlds.world import World

STEPS = 64  # along a line; one that needs more grazes something
TOUCHING = 1e-3  # m; nearer than this a line that does not begin or end there is stopped


def unobstructed(world: World, start: Floats, end: Floats) -> Bools:
    """Whether nothing solid is between pairs of places (sphere tracing; Hart 1996).

    Walls alone hide nothing, however near to them a long line runs.

    Args:
        start, end: (K, D) m.

    Returns:
        (K,), False also where an end is in something solid.
    """
    line = end - start
    span = np.linalg.norm(line, axis=1)
    room = np.minimum(world.clearance(start)[0], world.clearance(end)[0])
    least = np.minimum(TOUCHING, room / 2.0)
    found = room > 0.0
    if not world.obstacles:
        return np.asarray(found)
    along = np.where(found, room, span)
    for _ in range(STEPS):
        going = np.flatnonzero(along < span)
        if len(going) == 0:
            return np.asarray(found)
        share = (along[going] / span[going])[:, None]
        room = world.clearance(start[going] + share * line[going])[0]
        stopped = room < least[going]
        found[going[stopped]] = False
        along[going] = np.where(stopped, span[going], along[going] + room)
    return np.asarray(found & (along >= span))
