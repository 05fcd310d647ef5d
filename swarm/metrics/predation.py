"""What predators achieve."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from swarm.state import Floats


def captures(alive: ArrayLike) -> Floats | float:
    """How many were caught in each sample: those who live in the one before and not in it.

    Args:
        alive: (T, N) or (N,) of those who can be caught, in a run in which nobody is lost otherwise.

    Returns:
        (T,), or a number for one instant, which is 0.
    """
    living = np.atleast_2d(np.asarray(alive, bool))
    caught = np.zeros(len(living))
    caught[1:] = (living[:-1] & ~living[1:]).sum(axis=1)
    return caught if np.ndim(alive) == 2 else float(caught[0])


def hunger(hunger: ArrayLike) -> Floats | float:
    """Mean hunger of the predators: (T,) of (T, P), or a number for one instant (P,)."""
    mean = np.asarray(np.mean(np.asarray(hunger, np.float64), axis=-1))
    return mean if mean.ndim else float(mean)
