"""Algebraic connectivity of the interaction graph."""

from __future__ import annotations

import numpy as np
import pytest

from swarm import metrics
from swarm.metrics import graph
from swarm.metrics.graph import LAPACK


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


@pytest.mark.parametrize("count", [LAPACK + 1, 120])
@pytest.mark.parametrize("reach", [0.7, 1.5])
@pytest.mark.parametrize("box", [0.0, 7.0])
def test_many_have_the_same_second_eigenvalue_by_the_lanczos_recurrence(plain, rng, count, reach, box):
    position = rng.uniform(0.0, np.sqrt(count / 4), (10, count, 2))
    alive = rng.random((10, count)) < 0.9
    values = metrics.connectivity(position, reach, alive, [box, box])
    for value, sample, living in zip(values, position, alive):
        expected = plain.second_eigenvalue(sample[living], reach, np.array([box, box])) / living.sum()
        assert value == pytest.approx(expected, abs=1e-12)
    assert values.any()


@pytest.mark.parametrize("count", [LAPACK + 1, 256])
def test_long_paths_rings_and_grids_have_the_textbook_value(count):
    turn = 2 * np.pi * np.arange(count) / count
    line = np.stack([np.arange(count), np.zeros(count)], axis=1)
    ring = np.stack([np.cos(turn), np.sin(turn)], axis=1)
    assert metrics.connectivity(line, 1.0) * count == pytest.approx(2 - 2 * np.cos(np.pi / count), abs=1e-12)
    near = 2.001 * np.sin(np.pi / count)
    assert metrics.connectivity(ring, near) * count == pytest.approx(2 - 2 * np.cos(2 * np.pi / count), abs=1e-12)
    grid = np.stack(np.meshgrid(np.arange(count // 4), np.arange(4)), axis=-1).reshape(-1, 2)
    side = len(grid) // 4
    assert metrics.connectivity(grid, 1.0) * len(grid) == pytest.approx(2 - 2 * np.cos(np.pi / side), abs=1e-12)


def test_a_graph_that_has_not_settled_is_left_to_all_eigenvalues(monkeypatch, rng):
    position = rng.uniform(0.0, 4.0, (3, 60, 2))
    expected = metrics.connectivity(position, 1.5)
    monkeypatch.setattr(graph, "second_smallest", lambda indptr, indices: -1.0)
    assert metrics.connectivity(position, 1.5) == pytest.approx(expected, abs=1e-12)
    assert expected.all()


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
