"""Lanes are pushed off what is too near, and only there."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from swarm.controllers.planning.loosen import FURTHEST, ROUNDS, loosen

SPACING = 0.1


def lanes_of(*across, length=6.0):
    """(K, N, 3): straight along x at these y."""
    x = np.arange(0.0, length, SPACING)
    return np.stack([np.stack([x, np.full_like(x, y), np.zeros_like(x)], axis=1) for y in across], axis=1)


def test_lanes_with_room_stay_exactly_where_they_are(make_world):
    lanes = lanes_of(0.0, 0.6, 1.3)
    world = make_world(3, [{"kind": "sphere", "center": [3.0, -2.0, 0.0], "radius": 1.0}])
    assert np.array_equal(loosen(world, lanes, SPACING, 0.4, 0.5), lanes)


def test_what_is_given_is_not_changed(make_world):
    lanes = lanes_of(0.0, 0.2)
    before = lanes.copy()
    loosen(make_world(3), lanes, SPACING, 0.4, 0.5)
    assert np.array_equal(lanes, before)


def test_two_lanes_part_evenly(make_world):
    moved = loosen(make_world(3), lanes_of(-0.1, 0.1), SPACING, 0.4, 0.5)
    assert moved[:, 0, 1] == pytest.approx(-moved[:, 1, 1])
    assert (moved[20:, 1, 1] - moved[20:, 0, 1]).min() > 0.45


def test_a_lane_at_a_wall_is_pushed_off_it(make_world):
    wall = [{"kind": "box", "center": [3.0, -1.0, 0.0], "size": [100.0, 2.0, 100.0]}]  # y < 0
    moved = loosen(make_world(3, wall, half=60.0), lanes_of(0.1), SPACING, 0.4, 0.5)
    assert moved[20:, 0, 1].min() > 0.38


def test_the_start_stays(make_world):
    lanes = lanes_of(-0.1, 0.1)
    assert np.array_equal(loosen(make_world(3), lanes, SPACING, 0.4, 0.5)[0], lanes[0])


@settings(max_examples=50)
@given(
    across=st.lists(st.floats(-1.0, 1.0), min_size=1, max_size=4),
    post=st.tuples(*[st.floats(-1.0, 5.0)] * 3),
    spacing=st.sampled_from([1e-9, 0.05, 0.1]),
)
def test_no_nan_and_no_leaps_even_of_lanes_at_one_place(across, post, spacing, make_world):
    lanes = lanes_of(*across, across[0])
    world = make_world(3, [{"kind": "sphere", "center": list(post), "radius": 0.8}])
    moved = loosen(world, lanes, spacing, 0.4, 0.5)
    assert np.isfinite(moved).all()
    assert np.linalg.norm(moved - lanes, axis=2).max() <= ROUNDS * FURTHEST + 1e-9
