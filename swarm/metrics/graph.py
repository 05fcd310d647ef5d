"""Whether the swarm hangs together: components and algebraic connectivity of the interaction graph.

Two agents interact up to `interaction_range` between centres, that distance included, the shortest way on a torus.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from swarm.metrics import pair_kernel as column
from swarm.metrics.frames import Value, frames, living, period, shortest, unpack
from swarm.metrics.measure import measure_pairs
from swarm.metrics.spectrum import adjacency, second_smallest
from swarm.state import Bools, Floats

DENSEST = 256  # agents up to which an eigenvalue is worth its time in every sample
LAPACK = 40  # agents up to which all eigenvalues at once cost less than the one that is wanted


def groups(
    position: ArrayLike, interaction_range: float, alive: ArrayLike | None = None, box: ArrayLike | None = None
) -> Value:
    """Number of connected components.

    Args:
        position: (N, D) or (T, N, D) m.
        interaction_range: m.
        alive: (N,) or (T, N); the lost are left out.
        box: (D,) m, period of each axis of a torus, 0 where it does not wrap.

    Returns:
        Count; 0 for nobody.
    """
    table, _ = measure_pairs(position, alive=alive, box=box, interaction=interaction_range)
    return unpack(table[:, column.GROUPS], position)


def union(
    position: ArrayLike, interaction_range: float, alive: ArrayLike | None = None, box: ArrayLike | None = None
) -> Value:
    """(N − components) / (N − 1): 1 when whole, 0 when all are alone; 1 for fewer than two agents.

    Source: Soria, Schiano and Floreano 2020 (SwarmLab).
    """
    table, _ = measure_pairs(position, alive=alive, box=box, interaction=interaction_range)
    return unpack(table[:, column.UNION], position)


def connectivity(
    position: ArrayLike, interaction_range: float, alive: ArrayLike | None = None, box: ArrayLike | None = None
) -> Value:
    """λ₂(L) / N, the second smallest eigenvalue of the Laplacian L = D − A: 1 when all see all, 0 when split.

    Returns:
        0 to 1; 1 for fewer than two agents. A scoreboard keeps it for swarms of up to `DENSEST` agents.

    Source: Fiedler 1973.
    """
    table, _ = measure_pairs(position, alive=alive, box=box, interaction=interaction_range)
    where = frames("position", position)
    values = second_eigenvalue(table, where, living(alive, where), interaction_range, period(box, where.shape[2]))
    return unpack(values, position)


def second_eigenvalue(table: Floats, position: Floats, alive: Bools, interaction_range: float, box: Floats) -> Floats:
    """(T,) λ₂/N; the table of `pair_kernel` tells which samples are split (0) or complete (1) without eigenvalues."""
    count = alive.sum(axis=1)
    edges = table[:, column.EDGES]
    values = np.where(edges == count * (count - 1) // 2, 1.0, 0.0)
    asked = np.flatnonzero((values == 0.0) & (table[:, column.GROUPS] == 1))
    if not len(asked):
        return values
    reach = interaction_range * interaction_range if math.isfinite(interaction_range) else math.inf
    if alive.shape[1] > LAPACK:
        for t in asked.tolist():
            found = second_smallest(*adjacency(position[t], alive[t], box, reach))
            values[t] = found / count[t] if found >= 0.0 else np.nan
        asked = np.flatnonzero(np.isnan(values))  # rare: a graph that hangs by a thread
    if len(asked):
        values[asked] = _dense(position[asked], alive[asked], reach, box) / count[asked]
    return np.clip(values, 0.0, 1.0)


def _dense(position: Floats, alive: Bools, squared_range: float, box: Floats) -> Floats:
    """(T,) λ₂ by way of all eigenvalues."""
    offset = shortest(position[:, :, None] - position[:, None], box)
    near = (offset * offset).sum(axis=-1) <= squared_range
    near &= alive[:, :, None] & alive[:, None]
    laplacian = -near.astype(np.float64)
    diagonal = np.arange(alive.shape[1])
    laplacian[:, diagonal, diagonal] += near.sum(axis=2)
    # Every lost agent adds an eigenvalue 0, so the wanted one stands that many places further up.
    lost = alive.shape[1] - alive.sum(axis=1)
    found: Floats = np.linalg.eigvalsh(laplacian)[np.arange(len(lost)), lost + 1]
    return found
