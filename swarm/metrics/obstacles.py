"""How near agents come to obstacles, floor and walls.

`clearance` is (N,) or (T, N) m: signed distance of the hull to the nearest surface, inf where there is none.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from swarm.metrics import motion_kernel as column
from swarm.metrics.frames import Value
from swarm.metrics.measure import measure_motion


def min_clearance(clearance: ArrayLike, alive: ArrayLike | None = None) -> Value:
    """Smallest clearance of each sample, m; inf for nobody or where there is no surface."""
    return _of(clearance, alive, column.CLEARANCE)


def obstacle_collisions(clearance: ArrayLike, alive: ArrayLike | None = None) -> Value:
    """Onsets of overlap with a surface in each sample: clearance < 0 now, not so before; their sum is the metric."""
    return _of(clearance, alive, column.TOUCHES)


def _of(clearance: ArrayLike, alive: ArrayLike | None, which: int) -> Value:
    values = measure_motion(clearance=clearance, alive=alive)[0][:, which]
    return float(values[0]) if np.ndim(clearance) == 1 else values
