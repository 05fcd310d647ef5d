"""The other party: the predators a flock sees, or the prey that predators see."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from swarm.compiled import kernel
from swarm.state import Bools, Floats, Ints


class Others(NamedTuple):
    """Agents of the other party, wherever they are."""

    position: Floats  # (P, D) m
    velocity: Floats  # (P, D) m/s
    alive: Bools  # (P,) False once lost or caught


@dataclass(frozen=True, slots=True)
class Nearest:
    """For each of A agents the nearest living one of the others."""

    index: Ints  # (A,) among the others, -1 where there is none
    displacement: Floats  # (A, D) m, from the agent to it, the shortest way in this world; zero where there is none
    distance: Floats  # (A,) m, inf where there is none


def nobody(dim: int) -> Others:
    """The others where there are none."""
    return Others(np.empty((0, dim)), np.empty((0, dim)), np.empty(0, np.bool_))


def nearest(position: Floats, others: Others, box: Floats) -> Nearest:
    """The nearest living one of the others to each agent; of several at one distance that of lower index.

    Args:
        position: (A, D) m.
        others: Whom to look for.
        box: (D,) m, the period of each axis, 0 where it does not wrap.
    """
    return Nearest(*closest(np.ascontiguousarray(position), others.position, others.alive, box))


@kernel
def closest(position: Floats, others: Floats, alive: Bools, box: Floats) -> tuple[Ints, Floats, Floats]:
    """The fields of `Nearest`, by comparing all pairs."""
    agents, dim = position.shape
    index, displacement, distance = np.full(agents, -1), np.zeros((agents, dim)), np.full(agents, math.inf)
    step = np.empty(dim)
    for i in range(agents):
        for j in range(len(others)):
            if not alive[j]:
                continue
            square = 0.0
            for k in range(dim):
                step[k] = others[j, k] - position[i, k]
                if box[k] > 0.0:
                    step[k] -= box[k] * math.floor(step[k] / box[k] + 0.5)
                square += step[k] * step[k]
            if square < distance[i]:
                index[i], distance[i] = j, square
                for k in range(dim):
                    displacement[i, k] = step[k]
        distance[i] = math.sqrt(distance[i])
    return index, displacement, distance
