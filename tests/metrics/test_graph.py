"""Algebraic connectivity of the interaction graph."""

from __future__ import annotations

import numpy as np
import pytest

from swarm import metrics


@pytest.mark.parametrize("reach", [0.5, 0.8, 1.5, 10.0])
def test_connectivity_is_the_second_eigenvalue_of_the_laplacian(plain, rng, reach):
    run = plain.record(rng, 40, 7, 3)
    expected = [plain.second_eigenvalue(p, reach) / 7 for p in run.position]
    assert metrics.connectivity(run.position, reach) == pytest.approx(expected, abs=1e-12)


def test_the_lost_are_not_of_the_graph(plain, rng):
    run = plain.record(rng, 40, 7, 2, lost=4)
    values = metrics.connectivity(run.position, 1.0, run.alive)
    for value, position, alive in zip(values, run.position, run.alive):
        assert value == pytest.approx(plain.second_eigenvalue(position[alive], 1.0) / alive.sum(), abs=1e-12)


def test_a_path_of_four_has_the_textbook_value():
    # λ₂ of a path of n is 2 − 2 cos(π/n).
    position = np.array([[0.0, 0.0], [1.0, 0.0], [2.0, 0.0], [3.0, 0.0]])
    assert metrics.connectivity(position, 1.0) == pytest.approx((2.0 - np.sqrt(2.0)) / 4.0)


def test_neighbours_across_the_border_of_a_torus_interact():
    position = np.array([[0.2, 0.0], [9.9, 0.0]])
    assert metrics.groups(position, 0.5, box=[10.0, 0.0]) == 1.0
    assert metrics.connectivity(position, 0.5, box=[10.0, 0.0]) == 1.0


def test_one_agent_is_whole_and_nobody_is_no_group():
    one, none = np.zeros((1, 2)), np.zeros((0, 2))
    assert (metrics.groups(one, 1.0), metrics.union(one, 1.0), metrics.connectivity(one, 1.0)) == (1.0, 1.0, 1.0)
    assert (metrics.groups(none, 1.0), metrics.union(none, 1.0), metrics.connectivity(none, 1.0)) == (0.0, 1.0, 1.0)
