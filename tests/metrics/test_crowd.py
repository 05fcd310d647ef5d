"""Egress, flow and lanes of a crowd."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from swarm.metrics.crowd import egress_time, flow, lane_order, stuck

INF = float("inf")


def test_the_egress_ends_with_the_last():
    assert egress_time([3.0, 9.0, 5.0]) == 9.0
    assert egress_time([3.0, INF]) is None


def test_flow_is_who_follows_the_first_over_the_time_to_the_last():
    assert flow([4.0, 2.0, 3.0, INF]) == pytest.approx(2 / 2.0)
    assert flow([1.0, INF]) is None
    assert flow([1.0, 1.0]) is None
    assert flow([INF]) is None


def test_who_has_a_time_since_when_is_stuck():
    assert stuck([3.0, float("nan"), 5.0]) == 2


def test_two_lanes_are_in_order_and_a_mix_of_equals_is_below_chance():
    lanes = [[0.0, 0.0], [1.0, 0.1], [0.0, 2.0], [1.0, 2.1]]
    assert lane_order(lanes, [0, 0, 1, 1], [1.0, 0.0], 0.3) == 1.0
    # Two in each stripe, one of either group: φ = 0, φ0 = 1/2.
    assert lane_order(lanes, [0, 1, 0, 1], [1.0, 0.0], 0.3) == pytest.approx(-1.0)
    # Three and one in one stripe: φ = (2/4)², φ0 = 1/4.
    assert lane_order(lanes, [0, 0, 0, 1], [1.0, 0.0], 3.0) == pytest.approx(0.0)


def test_there_are_no_lanes_of_one_group_or_of_walkers_each_by_itself():
    assert lane_order([[0.0, 0.0], [0.0, 2.0]], [1, 1], [1.0, 0.0], 0.3) is None
    assert lane_order([[0.0, 0.0], [0.0, 2.0]], [0, 1], [1.0, 0.0], 0.3) is None
    assert lane_order([[0.0, 0.0], [0.0, 0.1]], [0, 1], [1.0, 0.0], 0.3, taken=[True, False]) is None
    assert lane_order([[0.0, 0.0], [0.0, 0.1]], [0, 1], [0.0, 0.0], 0.3) is None


@given(seed=st.integers(0, 20), angle=st.floats(0, 6.28))
def test_the_order_turns_with_the_axis(seed, angle):
    rng = np.random.default_rng(seed)
    position, group = rng.uniform(0, 5, (30, 2)), rng.integers(0, 2, 30)
    turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    plain = lane_order(position, group, [1.0, 0.0], 0.3)
    assert lane_order(position @ turn, group, np.array([1.0, 0.0]) @ turn, 0.3) == pytest.approx(plain, abs=1e-9)


def test_tossed_groups_have_no_order_on_average():
    rng = np.random.default_rng(0)
    orders = [lane_order(rng.uniform(0, 5, (60, 2)), rng.integers(0, 2, 60), [1.0, 0.0], 0.3) for _ in range(300)]
    assert np.mean(orders) == pytest.approx(0.0, abs=0.02)
