"""Whom a mission lets its agents perceive."""

from __future__ import annotations

import numpy as np
import pytest

import swarm
from swarm.errors import BadInput


def test_only_the_nearest_so_many_within_range_are_perceived() -> None:
    chosen = swarm.load_mission("vicsek", {"swarm.perception.nearest": 3, "swarm.perception.range": 1.5})
    with swarm.Simulation(chosen, 0) as sim:
        position, found = sim.state.position, sim.view.neighbours
    step = position[None] - position[:, None]
    step -= 5.0 * np.rint(step / 5.0)
    distance = np.hypot(step[..., 0], step[..., 1])
    np.fill_diagonal(distance, np.inf)
    for i, row in enumerate(distance):
        nearest = [j for j in np.argsort(row)[:3] if row[j] <= 1.5]
        assert found.indices[found.indptr[i] : found.indptr[i + 1]].tolist() == sorted(nearest)


def test_no_neighbours_at_all_is_not_a_number_of_neighbours() -> None:
    with pytest.raises(BadInput, match=r"swarm.perception.nearest: expected a whole number >= 1, got 0"):
        swarm.load_mission("vicsek", {"swarm.perception.nearest": 0})
