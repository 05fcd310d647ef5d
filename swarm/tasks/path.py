"""How long the rest of a path is."""

from __future__ import annotations

import numpy as np

from swarm.state import Floats


def length_beyond(path: Floats) -> Floats:
    """m along a path (K, D) from each of its points to the last, (K,)."""
    legs = np.sqrt((np.diff(path, axis=0) ** 2).sum(axis=1))
    return np.append(np.cumsum(legs[::-1])[::-1], 0.0)
