"""Bits of those in range say what one comparison after the other says."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from swarm.compiled import kernel
from swarm.neighbours.lanes import WORD, in_range, lowest


@kernel
def place_of_lowest(bits: np.uint64) -> int:
    """`lowest` from outside a kernel."""
    return lowest(bits)


@settings(deadline=None)
@given(
    st.integers(0, 2**32), st.integers(0, 2), st.integers(0, 191), st.integers(1, 192),
    st.sampled_from([-1.0, 0.0, 1.0, 4.0, np.inf]), st.sampled_from([-1.0, 0.0, 1.0, 9.0]),
)  # fmt: skip
def test_bits_are_those_asked_for_that_are_in_range(seed, word, before, after, reach, close):
    rng = np.random.default_rng(seed)
    x1, x2 = np.round(2 * rng.uniform(-2, 2, (2, 3 * WORD))) / 2  # many exactly at a limit
    base = word * WORD
    first, last = max(base + WORD - 1 - before, 0), base + after
    found = in_range(x1, x2, base, first, last, 0.5, -0.5, reach, close)
    square = (x1 - 0.5) ** 2 + (x2 + 0.5) ** 2
    index = np.arange(len(x1))
    near = (first <= index) & (index < last) & (square <= reach)
    for bits, expected in zip(found, (near, near & (square <= close))):
        assert [int(bits) >> k & 1 for k in range(WORD)] == expected[base : base + WORD].astype(int).tolist()


@pytest.mark.parametrize("bit", range(WORD))
def test_lowest_of_some_bits(bit):
    assert place_of_lowest(np.uint64(1 << bit)) == bit
    assert place_of_lowest(np.uint64((1 << bit) | (1 << 63))) == bit
