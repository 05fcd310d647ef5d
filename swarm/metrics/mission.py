"""Whether and when the task was done."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike


def success(reached: ArrayLike, alive: ArrayLike) -> bool:
    """Whether the goal was met while nobody was lost; `reached` (T,) bool says where it holds, `alive` (T, N)."""
    return bool((np.asarray(reached, bool) & np.asarray(alive, bool).all(axis=1)).any())


def time_to_target(time: ArrayLike, reached: ArrayLike) -> float | None:
    """First time, s, at which the goal holds, None if it never does; `time` and `reached` (T,)."""
    when = np.flatnonzero(np.asarray(reached, bool))
    return float(np.asarray(time, np.float64)[when[0]]) if len(when) else None


def exit_time(arrival: ArrayLike) -> float | None:
    """Mean of the agents' first arrivals at the exit.

    Args:
        arrival: (N,) s, inf for who never was there.

    Returns:
        s, of those who were there; None where nobody was.
    """
    times = np.asarray(arrival, np.float64)
    times = times[np.isfinite(times)]
    return float(times.mean()) if len(times) else None
