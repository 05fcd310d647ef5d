"""In narrow places the formation winds along like a train, drawn together as far as it must and may."""

from __future__ import annotations

import numpy as np
import pytest

from swarm.controllers.planning.column import CLOSER, _curvature, _least, _most, column
from swarm.formations import slots

ROOM, APART, NARROW, TIGHT, SPACING = 0.41, 0.6, 0.26, 0.35, 0.1
V = slots("v", 5, 1.0)  # half as wide as 1.41
TRAIL = np.array([[-9.0, 0.0, 0.0], [-4.0, 0.0, 0.0]])


def walls(gap, dim=3):
    """|y| < gap / 2 for -1 < x < 1."""
    return [
        {"kind": "box", "center": [0.0, side * (gap / 2 + 4.0), 0.0][:dim], "size": [2.0, 8.0, 100.0][:dim]}
        for side in (-1, 1)
    ]


def along_x(dim=3):
    return np.linspace([-4.0, 0, 0][:dim], [4.0, 0, 0][:dim], 81)


def gaps(lanes):
    apart = np.linalg.norm(lanes[:, :, None] - lanes[:, None], axis=-1)
    return apart + 9.0 * np.eye(lanes.shape[1])


@pytest.mark.parametrize("dim", [2, 3])
@pytest.mark.parametrize("count", [1, 2, 3, 12, 25])
@pytest.mark.parametrize("shape", ["v", "line", "grid", "ring", "wedge"])
def test_in_the_open_every_slot_is_in_its_place(shape, count, dim, make_world):
    formation = slots(shape, count, 1.0, dim)
    trail = np.array([[-30.0, 0.0, 0.0], [-4.0, 0.0, 0.0]])[:, :dim]
    centre = along_x(dim)
    lanes, line, first = column(make_world(dim), formation, centre, SPACING, trail, ROOM, APART, NARROW, TIGHT)
    assert lanes == pytest.approx(centre[:, None] + formation)
    assert line[first : first + len(centre)] == pytest.approx(centre)


def test_points_in_space_keep_their_heights(make_world):
    formation = np.array([[1.0, 0, 0.5], [-1.0, 0.7, 0.5], [0.0, -0.7, -1.0]])
    lanes, _, _ = column(make_world(3), formation, along_x(), SPACING, TRAIL, ROOM, APART, NARROW, TIGHT)
    assert lanes == pytest.approx(along_x()[:, None] + formation)


@pytest.mark.parametrize("dim", [2, 3])
@pytest.mark.parametrize("gap", [1.6, 2.2, 4.0])
def test_a_gap_is_passed_with_room_and_closed_up(gap, dim, make_world):
    world = make_world(dim, walls(gap, dim), half=50.0)
    lanes, _, _ = column(
        world, slots("v", 5, 1.0, dim), along_x(dim), SPACING, TRAIL[:, :dim], ROOM, APART, NARROW, TIGHT
    )
    assert world.clearance(lanes)[0].min() >= min(ROOM, gap / 2 - CLOSER * APART / 2) - 0.05
    assert gaps(lanes).min() >= CLOSER * APART - 1e-9
    assert lanes[0] == pytest.approx(along_x(dim)[0] + slots("v", 5, 1.0, dim))


@pytest.mark.parametrize("gap", [0.95, 1.1])
def test_closer_than_wanted_but_not_than_must_be_before_it_goes_into_the_wall(gap, make_world):
    world = make_world(3, walls(gap), half=50.0)
    lanes, _, _ = column(world, V, along_x(), SPACING, TRAIL, ROOM, APART, NARROW, TIGHT)
    assert gaps(lanes).min() >= TIGHT - 1e-9
    assert gaps(lanes).min() < CLOSER * APART
    assert world.clearance(lanes)[0].min() >= gap / 2 - CLOSER * APART / 2
    assert world.clearance(lanes)[0].min() > 0.2


def test_shares_that_keep_slots_apart():
    # side by side 2 m apart: 0.5 m are a quarter of that; 0.3 m behind each other: 0.4 m across are enough
    assert _least(np.array([[0.0, 1.0], [0.0, -1.0]]), 0.5) == pytest.approx([0.25, 0.25])
    assert _least(np.array([[0.3, 0.5], [0.0, -0.5]]), 0.5) == pytest.approx([0.4, 0.4])
    assert _least(np.array([[0.6, 0.5], [0.0, -0.5]]), 0.5) == pytest.approx([0.0, 0.0])
    assert _least(np.zeros((1, 3)), 0.5) == pytest.approx([0.0])


def test_of_slots_in_one_row_none_is_held_back_in_bends():
    assert _most(slots("line", 3, 1.0), 0.5) == pytest.approx(np.ones(3))
    assert _most(np.zeros((1, 3)), 0.5) == pytest.approx([1.0])


def test_curvature_is_one_over_the_radius_and_positive_to_the_left():
    angle = np.arange(0.0, 3.0, 0.05)
    left = -np.stack([np.cos(angle), np.sin(angle)], axis=1)  # going round a circle of 2 m to the left
    assert _curvature(left, 0.1) == pytest.approx(np.full(len(angle), 0.5))
    assert _curvature(left[:2], 0.1).tolist() == [0.0, 0.0]


def test_slots_behind_the_start_are_on_the_way_that_was_flown(make_world):
    corner = np.array([[-4.0, -5.0, 0.0], [-4.0, 0.0, 0.0]])
    line = np.array([[0.0, 0, 0], [-1.0, 0, 0], [-2.0, 0, 0], [-3.0, 0, 0]])
    line = line - line.mean(axis=0)
    lanes, _, _ = column(make_world(3), line, along_x(), SPACING, corner, ROOM, APART, NARROW, TIGHT)
    # the last slot is 1.5 m behind the start, round the corner
    assert lanes[0, 3] == pytest.approx([-4.0, -1.5, 0.0], abs=0.01)
    assert lanes[0, 0] == pytest.approx([-2.5, 0.0, 0.0], abs=0.01)


def test_without_a_trail_the_way_is_taken_to_have_been_straight(make_world):
    here = TRAIL[-1:]
    lanes, _, _ = column(make_world(3), V, along_x(), SPACING, here, ROOM, APART, NARROW, TIGHT)
    assert lanes == pytest.approx(along_x()[:, None] + V)


def test_a_wall_behind_the_start_stops_the_line_there(make_world):
    wall = [{"kind": "box", "center": [-5.5, 0.0, 0.0], "size": [1.0, 50.0, 50.0]}]  # 1 m behind
    world = make_world(3, wall, half=50.0)
    lanes, _, _ = column(world, V, along_x(), SPACING, TRAIL[-1:], ROOM, APART, NARROW, TIGHT)
    assert world.clearance(lanes)[0].min() >= ROOM - SPACING
