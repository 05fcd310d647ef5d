"""A line is moved to the middle of the room there is, between the same ends."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from swarm.controllers.planning.midway import cross_section, midway


def corridor(dim, gap=2.0):
    """Along x from -6 to 6, |y| < gap / 2."""
    size, across = [12.0, 2.0, 100.0][:dim], gap / 2 + 1.0
    return [{"kind": "box", "center": [0.0, side * across, 0.0][:dim], "size": size} for side in (-1, 1)]


def straight(start, end, spacing=0.2):
    start, end = np.array(start, dtype=float), np.array(end, dtype=float)
    return np.linspace(start, end, 1 + round(float(np.linalg.norm(end - start)) / spacing))


@pytest.mark.parametrize("dim", [2, 3])
def test_a_line_along_a_wall_moves_to_the_middle(dim, make_world):
    world = make_world(dim, corridor(dim), half=20.0)
    line = straight([-5, 0.75, 0][:dim], [5, 0.75, 0][:dim])
    moved = midway(world, line, 0.2, 1.0, 0.2)
    assert np.array_equal(moved[[0, -1]], line[[0, -1]])
    assert np.abs(moved[15:-15, 1]).max() <= 0.125 + 1e-9  # within half a step of the middle
    assert moved[:, 0] == pytest.approx(line[:, 0])


def test_in_the_open_nothing_moves(make_world):
    line = straight([0, 0, 0], [5, 3, 1])
    assert midway(make_world(3), line, 0.2, 1.0, 0.2) == pytest.approx(line)


def test_a_way_through_something_thin_is_led_around_it(make_world):
    world = make_world(2, [{"kind": "sphere", "center": [0.0, 0.1], "radius": 0.3}], half=20.0)
    moved = midway(world, straight([-4, 0], [4, 0]), 0.2, 0.8, 0.3)
    assert world.clearance(moved)[0].min() >= 0.3


@pytest.mark.parametrize("count", [1, 2])
def test_a_line_of_no_length_stays(count, make_world):
    line = np.ones((count, 3))
    assert np.array_equal(midway(make_world(3), line, 1e-9, 1.0, 0.2), line)


@settings(max_examples=40)
@given(
    ends=st.tuples(*[st.floats(-4, 4)] * 6),
    posts=st.lists(st.tuples(*[st.floats(-3, 3)] * 3, st.floats(0.1, 0.8)), max_size=4),
)
def test_ends_stay_and_the_line_has_as_much_room_as_before_or_what_it_must_have(ends, posts, make_world):
    spheres = [{"kind": "sphere", "center": list(post[:3]), "radius": post[3]} for post in posts]
    world = make_world(3, spheres, half=20.0)
    line = straight(ends[:3], ends[3:])
    if len(line) < 2:
        return
    spacing = float(np.linalg.norm(line[1] - line[0]))
    moved = midway(world, line, spacing, 1.0, 0.3)
    assert np.array_equal(moved[[0, -1]], line[[0, -1]])
    assert np.isfinite(moved).all()
    # What it must have goes before anything else: no less of the line is too near than at first.
    assert (world.clearance(moved)[0] < 0.3).sum() <= (world.clearance(line)[0] < 0.3).sum()


@pytest.mark.parametrize("direction", [[1, 0, 0], [0, 0, 1], [0, 0, -1], [1, 1, 5], [1e-12, 0, 1]])
def test_cross_sections_are_unit_and_at_right_angles(direction):
    line = np.arange(6)[:, None] * np.array(direction, dtype=float)
    left, up = cross_section(line)
    assert np.linalg.norm(left, axis=1) == pytest.approx(np.ones(6))
    assert np.linalg.norm(up, axis=1) == pytest.approx(np.ones(6))
    assert (left * up).sum(axis=1) == pytest.approx(np.zeros(6), abs=1e-9)
    assert left[:, 2] == pytest.approx(np.zeros(6))
    assert np.abs(up @ np.array(direction)).max() < 1e-6


@given(angle=st.floats(0, 6.28), shift=st.tuples(*[st.floats(-5, 5)] * 3))
def test_a_turned_and_shifted_world_has_the_turned_and_shifted_line(angle, shift, make_world):
    c, s = np.cos(angle), np.sin(angle)

    def place(points):
        return np.asarray(points) @ np.array([[c, s, 0], [-s, c, 0], [0, 0, 1]]) + np.array(shift)

    posts = np.array([[0.0, 0.4, 0.1], [2.0, -0.5, -0.3]])
    worlds = [
        make_world(3, [{"kind": "sphere", "center": p.tolist(), "radius": 0.6} for p in at], half=90.0)
        for at in (posts, place(posts))
    ]
    line = straight([-3, 0, 0], [4, 0, 0])
    here, there = midway(worlds[0], line, 0.2, 1.0, 0.2), midway(worlds[1], place(line), 0.2, 1.0, 0.2)
    assert there == pytest.approx(place(here), abs=1e-6)
