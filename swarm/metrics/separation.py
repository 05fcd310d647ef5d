"""How near agents come to each other.

Distances d_ij are between centres, the shortest way round on a torus. Every agent has the same hull radius r.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from swarm.metrics import pair_kernel as column
from swarm.metrics.frames import Value, unpack
from swarm.metrics.measure import measure_pairs
from swarm.state import Ints


def min_separation(position: ArrayLike, alive: ArrayLike | None = None, box: ArrayLike | None = None) -> Value:
    """Smallest d_ij of each sample.

    Args:
        position: (N, D) or (T, N, D) m.
        alive: (N,) or (T, N); the lost are left out.
        box: (D,) m, period of each axis of a torus, 0 where it does not wrap.

    Returns:
        m; inf for fewer than two agents.
    """
    return unpack(measure_pairs(position, alive=alive, box=box)[0][:, column.SEPARATION], position)


def nearest_neighbour(position: ArrayLike, alive: ArrayLike | None = None, box: ArrayLike | None = None) -> Value:
    """Mean distance to the nearest other, (1/N) Σ min_j d_ij, m; inf for fewer than two agents."""
    return unpack(measure_pairs(position, alive=alive, box=box)[0][:, column.NEAREST], position)


def near_misses(
    position: ArrayLike,
    radius: float,
    near_miss_radius: float | None = None,
    alive: ArrayLike | None = None,
    box: ArrayLike | None = None,
) -> Value:
    """Onsets of 2 r ≤ d_ij < near-miss radius in each sample: so now, and not so the sample before (or none before).

    Args:
        position: (N, D) or (T, N, D) m.
        radius: r, m.
        near_miss_radius: m between centres; default 3 r.
        alive: (N,) or (T, N); the lost are left out.
        box: (D,) m, period of each axis of a torus.

    Returns:
        Counts; their sum is the metric.
    """
    near = 3.0 * radius if near_miss_radius is None else near_miss_radius
    _, onsets = measure_pairs(position, alive=alive, box=box, contact=2.0 * radius, near=near)
    return _counted(onsets[onsets[:, 3] == 0], position)


def collisions(
    position: ArrayLike, radius: float, alive: ArrayLike | None = None, box: ArrayLike | None = None
) -> Value:
    """Onsets of overlap d_ij < 2 r in each sample: overlap now, none the sample before; their sum is the metric.

    An engine that knows contacts between samples reports its own to the scoreboard instead.
    """
    _, onsets = measure_pairs(position, alive=alive, box=box, contact=2.0 * radius)
    return _counted(onsets[onsets[:, 3] == 1], position)


def _counted(onsets: Ints, position: ArrayLike) -> Value:
    samples = np.shape(position)[0] if np.ndim(position) == 3 else 1
    return unpack(np.bincount(onsets[:, 0], minlength=samples).astype(np.float64), position)


def safety(
    position: ArrayLike, collision_radius: float, alive: ArrayLike | None = None, box: ArrayLike | None = None
) -> Value:
    """Share of pairs that keep apart: 1 − #{pairs with d_ij < 2 collision_radius} / C(N, 2); 1 without a pair.

    Source: Soria, Schiano and Floreano 2020 (SwarmLab).
    """
    table, _ = measure_pairs(position, alive=alive, box=box, collision=2.0 * collision_radius)
    return unpack(table[:, column.SAFETY], position)
