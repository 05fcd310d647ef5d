"""Spread about the centroid, on the plane and on a torus."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from swarm import metrics


def test_compactness_is_the_mean_distance_to_the_centroid(rng):
    position = rng.normal(size=(9, 7, 3))
    distance = np.linalg.norm(position - position.mean(axis=1, keepdims=True), axis=2)
    assert metrics.compactness(position) == pytest.approx(distance.mean(axis=1))
    assert metrics.compactness_sd(position) == pytest.approx(distance.std(axis=1))


@given(shift=st.floats(-30.0, 30.0), seed=st.integers(0, 1000))
def test_a_cloud_on_a_torus_is_as_compact_wherever_it_lies(shift, seed):
    # Symmetric about its middle, so that the circular mean and the mean agree.
    half = np.random.default_rng(seed).uniform(-1.0, 1.0, (6, 2))
    cloud = np.concatenate([half, -half])
    moved = (cloud + shift) % 10.0
    assert metrics.compactness(moved, box=[10.0, 10.0]) == pytest.approx(metrics.compactness(cloud))
    assert metrics.compactness_sd(moved, box=[10.0, 10.0]) == pytest.approx(metrics.compactness_sd(cloud), abs=1e-9)


@pytest.mark.parametrize("box", [(4.0, 4.0), (2.0, 6.0), (3.0, 4.0, 5.0)])
def test_uniform_scatter_scores_the_null_value(rng, box):
    position = rng.uniform(0.0, 1.0, (60, 2000, len(box))) * box
    entry = metrics.METRICS["compactness"]
    assert metrics.compactness(position).mean() == pytest.approx(entry.null(2000, len(box), box), rel=2e-3)
    spread = metrics.METRICS["compactness_sd"].null(2000, len(box), box)
    assert metrics.compactness_sd(position).mean() == pytest.approx(spread, rel=5e-3)


def test_square_has_the_published_mean_distance_to_its_centre():
    # (√2 + asinh 1)/6 of the side.
    expected = (np.sqrt(2.0) + np.arcsinh(1.0)) / 6.0
    assert metrics.METRICS["compactness"].null(10, 2, (1.0, 1.0)) == pytest.approx(expected, rel=1e-4)


def test_one_agent_and_none_have_no_extent():
    assert metrics.compactness(np.array([[3.0, 4.0]])) == 0.0
    assert metrics.compactness(np.zeros((0, 2))) == 0.0
