"""How many arrive: in a whole episode on average, and the running mean of it."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from swarm.state import Floats

KEPT = 0.95  # share of the running mean that is kept at the end of an episode


def throughput(arrivals: ArrayLike) -> float | None:
    """Mean arrivals a whole episode; `arrivals` (K,) of each, None where there is none."""
    counted = np.asarray(arrivals, np.float64)
    return float(counted.mean()) if len(counted) else None


def throughput_running(arrivals: ArrayLike) -> float | None:
    """Running mean after the last of K whole episodes: lg <- 0.95 lg + 0.05 g, from 0; None where there is none."""
    running = running_means(arrivals)
    return float(running[-1]) if len(running) else None


def throughput_corrected(arrivals: ArrayLike) -> float | None:
    """Running mean without the bias of its start from 0: lg / (1 - 0.95^K) after K whole episodes.

    Source: Kingma, Ba, Adam: a method for stochastic optimization (2015), section 3.
    """
    corrected = corrected_means(arrivals)
    return float(corrected[-1]) if len(corrected) else None


def running_means(arrivals: ArrayLike) -> Floats:
    """(K,) the running mean after each of K episodes."""
    means = np.empty(len(np.asarray(arrivals)))
    running = 0.0
    for k, arrived in enumerate(np.asarray(arrivals, np.float64)):
        running = means[k] = KEPT * running + (1.0 - KEPT) * arrived
    return means


def corrected_means(arrivals: ArrayLike) -> Floats:
    """(K,) the running mean after each of K episodes, corrected for its start from 0."""
    means = running_means(arrivals)
    return np.asarray(means / (1.0 - KEPT ** np.arange(1.0, len(means) + 1.0)))
