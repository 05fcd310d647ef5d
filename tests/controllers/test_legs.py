"""Way-points are joined straight where there is room and around what is solid where there is not."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from swarm.controllers.planning.legs import joined

WALL = {"kind": "box", "center": [5.0, -2.0, 2.0], "size": [0.4, 8.0, 4.0]}  # to y = 2


def line_of(way, spacing=0.05):
    return np.concatenate([np.linspace(a, b, 2 + int(np.linalg.norm(b - a) / spacing)) for a, b in pairwise(way)])


def test_legs_with_room_stay_straight(make_world):
    points = np.array([[0.0, 6, 1.5], [4, 6, 1.5], [4, 9, 1.5]])
    way, legs = joined(make_world(3, [WALL], half=12.0, boundary="walls"), points, 1.0, 0.2)
    assert np.array_equal(way, points)
    assert legs.tolist() == [0, 1]


@pytest.mark.parametrize("dim", [2, 3])
def test_a_leg_through_a_wall_goes_around_it_and_keeps_the_margin(dim, make_world):
    wall = {**WALL, "center": WALL["center"][:dim], "size": WALL["size"][:dim]}
    world = make_world(dim, [wall], half=12.0, boundary="walls")
    points = np.array([[0.0, 0, 1.5], [9, 0, 1.5], [9, 6, 1.5]])[:, :dim]
    way, legs = joined(world, points, 1.0, 0.2)
    assert world.clearance(line_of(way))[0].min() >= 1.0 - 0.15
    assert len(legs) == len(way) - 1
    assert (np.diff(legs) >= 0).all()
    for point, leg in zip(points[1:], (0, 1)):  # each leg ends at its way-point
        assert way[1:][legs == leg][-1] == pytest.approx(point)


def test_the_way_that_must_be_narrow_is_found(make_world):
    # a wall across the whole plane but for 0.6 m from y = -6.3 to -5.7
    both = [{**WALL, "center": [5.0, y], "size": [0.4, size]} for y, size in ((3.15, 17.7), (-9.15, 5.7))]
    world = make_world(2, both, half=12.0, boundary="walls")
    way, _ = joined(world, np.array([[0.0, 0], [9, 0]]), 1.5, 0.2)
    assert 0.12 <= world.clearance(line_of(way))[0].min() <= 0.3
    assert way[-1] == pytest.approx([9, 0])


def test_where_there_is_no_way_the_leg_is_straight(make_world):
    shut = {**WALL, "center": [5.0, 0.0, 0.0], "size": [0.4, 24.0, 24.0]}
    points = np.array([[0.0, 0, 1.5], [9, 0, 1.5]])
    way, _ = joined(make_world(3, [shut], half=12.0, boundary="walls"), points, 1.0, 0.2)
    assert np.array_equal(way, points)


def test_way_points_inside_something_are_no_error(make_world):
    points = np.array([[0.0, 0, 1.5], [5.0, 0, 1.5], [9, 0, 1.5]])
    way, legs = joined(make_world(3, [WALL], half=12.0, boundary="walls"), points, 1.0, 0.2)
    assert np.isfinite(way).all()
    assert set(legs) == {0, 1}


def test_equal_way_points_are_no_error(make_world):
    points = np.array([[0.0, 0, 1.5], [0.0, 0, 1.5], [3.0, 0, 1.5]])
    way, legs = joined(make_world(3, [WALL], half=12.0, boundary="walls"), points, 1.0, 0.2)
    assert way[[0, -1]] == pytest.approx(points[[0, -1]])
    assert len(legs) == len(way) - 1


@settings(max_examples=12)
@given(
    start=st.tuples(st.floats(-8, 4), st.floats(-8, 8), st.floats(-8, 8)),
    end=st.tuples(st.floats(6, 10), st.floats(-8, 8), st.floats(-8, 8)),
)
def test_ways_never_touch_anything(start, end, post_and_wall):
    way, _ = joined(post_and_wall, np.array([start, end]), 1.0, 0.2)
    if post_and_wall.clearance(np.array([start, end]))[0].min() > 0.0:
        assert post_and_wall.clearance(line_of(way))[0].min() > 0.0
    assert np.isfinite(way).all()


@pytest.fixture(scope="module")
def post_and_wall(make_world):
    post = {"kind": "sphere", "center": [-2.0, 1.0, 1.0], "radius": 1.5}
    return make_world(3, [WALL, post], half=12.0, boundary="walls")
