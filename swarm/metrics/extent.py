"""How far the swarm spreads about its centroid."""

from __future__ import annotations

from numpy.typing import ArrayLike

from swarm.metrics import motion_kernel as column
from swarm.metrics.frames import Value, unpack
from swarm.metrics.measure import measure_motion


def compactness(position: ArrayLike, alive: ArrayLike | None = None, box: ArrayLike | None = None) -> Value:
    """Mean distance to the centroid, (1/N) Σ ‖p_i − centroid‖.

    Args:
        position: (N, D) or (T, N, D) m.
        alive: (N,) or (T, N); the lost are left out.
        box: (D,) m, period of each axis of a torus, 0 where it does not wrap; the centroid is then the circular mean
            and distances are the shortest.

    Returns:
        m; 0 for nobody.
    """
    return unpack(measure_motion(position, alive=alive, box=box)[0][:, column.COMPACTNESS], position)


def compactness_sd(position: ArrayLike, alive: ArrayLike | None = None, box: ArrayLike | None = None) -> Value:
    """Population standard deviation of the distance to the centroid, m; arguments as for `compactness`."""
    return unpack(measure_motion(position, alive=alive, box=box)[0][:, column.COMPACTNESS_SD], position)
