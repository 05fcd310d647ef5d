"""How fast, how jerkily and how far the swarm moves."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from swarm.metrics import motion_kernel as column
from swarm.metrics.frames import Value, unpack
from swarm.metrics.measure import measure_motion


def speed(velocity: ArrayLike, alive: ArrayLike | None = None) -> Value:
    """Mean speed (1/N) Σ ‖v_i‖, m/s; `velocity` (N, D) or (T, N, D) m/s, `alive` (N,) or (T, N). 0 for nobody."""
    return unpack(measure_motion(velocity=velocity, alive=alive)[0][:, column.SPEED], velocity)


def control_effort(command: ArrayLike, dt: float, alive: ArrayLike | None = None) -> Value:
    """How hard the commands change: (1/N) Σ ‖u_i(t) − u_i(t − dt)‖ / dt.

    Args:
        command: (T, N, D) m/s; one instant (N, D) has nothing before it.
        dt: s between samples.
        alive: (N,) or (T, N); an agent counts once it has lived for two samples.

    Returns:
        m/s²; the first sample is 0 and is left out of a result's mean.
    """
    return unpack(measure_motion(command=command, alive=alive, dt=dt)[0][:, column.EFFORT], command)


def path_flown(position: ArrayLike, alive: ArrayLike | None = None, box: ArrayLike | None = None) -> Value:
    """Mean path flown so far by those living, (T,) m; `position` (T, N, D) m, `box` (D,) m, period of a torus."""
    return unpack(measure_motion(position, alive=alive, box=box)[0][:, column.FLOWN], position)


def path_length(position: ArrayLike, alive: ArrayLike | None = None, box: ArrayLike | None = None) -> float:
    """Mean path flown over a recording (T, N, D), m, by those living in the last sample that has any."""
    table = measure_motion(position, alive=alive, box=box)[0]
    with_some = np.flatnonzero(table[:, column.LIVING])
    return float(table[with_some[-1], column.FLOWN]) if len(with_some) else 0.0


def path_efficiency(
    position: ArrayLike, way: float, alive: ArrayLike | None = None, box: ArrayLike | None = None
) -> float | None:
    """The way there was to go over the mean path flown; 1 is straight there.

    Args:
        position: (T, N, D) m, until the goal held.
        way: m, straight or along the route, from the start to the target.
        alive: (N,) or (T, N); the path is that of those living at the end.
        box: (D,) m, period of each axis of a torus.

    Returns:
        way / path; None where no path was flown. A goal with a radius is met before the whole way is flown, so slightly
        more than 1 is possible.
    """
    return efficiency(way, path_length(position, alive, box))


def efficiency(way: float, flown: float) -> float | None:
    """way / flown, None where nothing was flown."""
    return way / flown if flown > 0.0 else None


def spl(
    position: ArrayLike, way: float, success: bool, alive: ArrayLike | None = None, box: ArrayLike | None = None
) -> float:
    """Success weighted by path length: success · way / max(way, path flown), 0 to 1 (Anderson et al. 2018)."""
    return success_weighted(way, path_length(position, alive, box), success)


def success_weighted(way: float, flown: float, success: bool) -> float:
    """success · way / max(way, flown); a goal met without a way to go scores 1."""
    if not success:
        return 0.0
    longest = max(way, flown)
    return way / longest if longest > 0.0 else 1.0
