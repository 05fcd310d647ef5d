"""What predators achieve."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from swarm.state import Bools, Floats


def captures(alive: Bools, predators: int = 1) -> float:
    """How many were caught: those who lived in the first sample and do not in the last.

    Args:
        alive: (T, N) of those who can be caught, in a run in which nobody is lost otherwise.
        predators: P; nobody is caught where there are none.
    """
    living = np.atleast_2d(alive)
    return float(np.count_nonzero(living[0] & ~living[-1])) if predators else 0.0


def hunger(hunger: ArrayLike) -> Floats:
    """Mean hunger of the predators, (T,) of (T, P)."""
    return np.asarray(np.mean(np.asarray(hunger, np.float64), axis=-1))
