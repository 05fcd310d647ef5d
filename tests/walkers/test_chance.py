"""Random numbers by counting."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from swarm.chance import uniform, whole


@given(st.integers(0, 2**62 - 1), st.integers(0, 10**9), st.integers(0, 10**6), st.integers(0, 7))
def test_a_number_is_in_its_range_and_always_the_same(seed, tick, agent, purpose):
    number = uniform(seed, tick, agent, purpose)
    assert 0.0 <= number < 1.0
    assert uniform(seed, tick, agent, purpose) == number
    assert 0 <= whole(seed, tick, agent, purpose, 5) < 5


def test_numbers_of_different_ticks_agents_purposes_and_seeds_are_uniform_and_unrelated():
    drawn = np.array(
        [[[[uniform(s, t, a, p) for p in range(3)] for a in range(30)] for t in range(30)] for s in range(4)]
    )
    assert len(np.unique(drawn)) == drawn.size
    counts = np.histogram(drawn, 10, (0, 1))[0]
    assert ((counts - drawn.size / 10) ** 2 / (drawn.size / 10)).sum() < 27.9  # chi square, 9 degrees, 0.1 %
    for axis in range(4):
        first, second = (
            np.take(drawn, range(drawn.shape[axis] - 1), axis),
            np.take(drawn, range(1, drawn.shape[axis]), axis),
        )
        assert abs(np.corrcoef(first.ravel(), second.ravel())[0, 1]) < 4 / np.sqrt(first.size)
