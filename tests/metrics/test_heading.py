"""Order, mean heading and milling against their definitions and known values."""

from __future__ import annotations

import math

import numpy as np
import pytest

from swarm import metrics


def test_all_flying_one_way_have_order_one():
    assert metrics.order(np.tile([0.3, -2.0, 0.1], (7, 1))) == pytest.approx(1.0)


def test_opposite_pairs_have_no_order():
    assert metrics.order(np.array([[1.0, 0.0], [-3.0, 0.0]])) == 0.0


def test_standing_agents_count_as_zero_vectors():
    assert metrics.order(np.array([[1.0, 0.0], [1e-10, 0.0]])) == pytest.approx(0.5)


@pytest.mark.parametrize(("dim", "factor"), [(2, 0.886), (3, 0.921)])
def test_random_headings_score_the_null_value(rng, dim, factor):
    velocity = rng.normal(size=(4000, 25, dim))
    null = metrics.METRICS["order"].null(25, dim, None)
    assert null == pytest.approx(factor / 5.0, rel=1e-3)
    # 4,000 samples of a spread of about 0.09 leave an error of the mean of 0.0015.
    assert metrics.order(velocity).mean() == pytest.approx(null, abs=0.006)


@pytest.mark.parametrize("dim", [2, 3])
def test_random_motion_mills_as_much_as_the_null_value(rng, dim):
    position, velocity = rng.normal(size=(2, 4000, 30, dim))
    null = metrics.METRICS["milling"].null(30, dim, None)
    assert metrics.milling(position, velocity).mean() == pytest.approx(null, rel=0.05)


def test_circling_the_centroid_is_milling_one():
    angle = np.linspace(0.0, 2.0 * np.pi, 8, endpoint=False)
    position = np.stack([np.cos(angle), np.sin(angle), np.zeros(8)], axis=1) + 5.0
    velocity = np.stack([-np.sin(angle), np.cos(angle), np.zeros(8)], axis=1)
    assert metrics.milling(position, velocity) == pytest.approx(1.0)
    assert metrics.order(velocity) == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize("dim", [2, 3])
def test_milling_follows_its_definition(plain, rng, dim):
    run = plain.record(rng, 20, 6, dim)
    expected = [plain.milling(p, v) for p, v in zip(run.position, run.velocity)]
    assert metrics.milling(run.position, run.velocity) == pytest.approx(expected)


def test_mean_heading_counts_from_the_reference():
    velocity = np.array([[0.0, 2.0], [0.0, 0.5]])
    assert metrics.mean_heading(velocity) == pytest.approx(math.pi / 2)
    assert metrics.mean_heading(velocity, reference=math.pi / 4) == pytest.approx(math.pi / 4)
    assert metrics.mean_heading(velocity, reference=-3 * math.pi / 4) == pytest.approx(-3 * math.pi / 4)


def test_the_lost_have_no_heading():
    velocity = np.array([[1.0, 0.0], [-1.0, 0.0], [1.0, 0.0]])
    assert metrics.order(velocity, alive=[True, False, True]) == pytest.approx(1.0)
    assert metrics.order(velocity, alive=[False] * 3) == 0.0
