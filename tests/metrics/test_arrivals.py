"""Throughput: mean, running mean and its correction."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from swarm.metrics import throughput, throughput_corrected, throughput_running
from swarm.metrics.arrivals import corrected_means, running_means

counts = st.lists(st.integers(0, 1000), min_size=1, max_size=50)


@given(counts)
def test_the_running_mean_weighs_older_episodes_less(arrivals):
    """Unrolled: lg_K = 0.05 sum 0.95^(K - k) g_k."""
    weights = 0.05 * 0.95 ** np.arange(len(arrivals))[::-1]
    assert throughput_running(arrivals) == pytest.approx(float(weights @ arrivals))
    assert throughput(arrivals) == pytest.approx(np.mean(arrivals))


@given(st.integers(0, 1000), st.integers(1, 60))
def test_the_corrected_mean_of_equal_episodes_is_theirs(arrived, episodes):
    assert throughput_corrected([arrived] * episodes) == pytest.approx(arrived)


@given(counts)
def test_the_correction_is_the_weighted_mean(arrivals):
    weights = 0.95 ** np.arange(len(arrivals))[::-1]
    assert throughput_corrected(arrivals) == pytest.approx(float(np.average(arrivals, weights=weights)))


def test_without_an_episode_there_is_no_value():
    assert throughput([]) is throughput_running([]) is throughput_corrected([]) is None
    assert len(running_means([])) == len(corrected_means([])) == 0
