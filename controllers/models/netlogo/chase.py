"""Whom a predator is after, and where it goes for that."""

from __future__ import annotations

import numpy as np

from swarm.neighbours import nearest as nearest_neighbours
from swarm.others import Nearest, Others, nearest
from swarm.state import Bools, Floats


def most_isolated(prey: Others, box: Floats) -> Others:
    """The one living prey whose nearest fellow is furthest away, of several the first; all where fewer than two live.

    Args:
        prey: The flock.
        box: (D,) m, the period of each axis, 0 where it does not wrap.
    """
    if prey.alive.sum() < 2:
        return prey
    worlds = np.zeros(len(prey.alive), np.int64)
    graph = nearest_neighbours(prey.position, prey.velocity, prey.alive, worlds, box, 1)
    gap = np.full(len(prey.alive), -1.0)
    gap[np.flatnonzero(np.diff(graph.indptr))] = graph.distance
    return prey._replace(alive=np.arange(len(gap)) == gap.argmax())


def isolated(position: Floats, prey: Others, box: Floats) -> Nearest:
    """The most isolated prey as seen from each predator; arguments as for `swarm.others.nearest`."""
    return nearest(position, most_isolated(prey, box), box)


def dive(target: Nearest, diving: Bools, height: float) -> tuple[Floats, Bools]:
    """The next leg of a hunt from above: climb to a place over the prey, then fall on it.

    A dive begins once the prey is so far below as `height`, give or take a fifth, and further down than to the side.
    It ends when the prey is no longer below.

    Args:
        target: The prey of each predator.
        diving: (P,) who was diving.
        height: m.

    Returns:
        (P, 3) m towards where to go, and (P,) who dives now.
    """
    below = -target.displacement[:, 2]
    aside = np.hypot(target.displacement[:, 0], target.displacement[:, 1])
    begins = (below >= 0.8 * height) & (aside <= below)
    dives = (target.index >= 0) & np.where(diving, below > 0.0, begins)
    over = target.displacement.copy()
    over[:, 2] += np.where(dives | (target.index < 0), 0.0, height)
    return over, dives
