"""The time-gap model gives the paper's speeds and directions."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from swarm.controllers.models.crowd import TimeGap

FAR = [1e6, 0.0]  # a goal so far away that everybody walks along +x


def test_alone_one_walks_freely_towards_the_goal(make_view):
    assert TimeGap()(make_view([[0.0, 0.0]], target=[3.0, 4.0])) == pytest.approx(1.34 * np.array([[0.6, 0.8]]))


def test_the_gap_ahead_over_the_time_gap_is_the_speed(make_view):
    behind, ahead = TimeGap(strength=0.0)(make_view([[0.0, 0.0], [1.0, 0.0]], target=FAR))
    assert behind == pytest.approx([1.0 - 0.3, 0.0])
    assert ahead == pytest.approx([1.34, 0.0])
    assert TimeGap(strength=0.0, time_gap=2.0, length=0.4)(make_view([[0.0, 0.0], [1.0, 0.0]], target=FAR))[
        0
    ] == pytest.approx([(1.0 - 0.4) / 2.0, 0.0])


def test_who_is_nearer_than_a_length_ahead_stops_one(make_view):
    behind = TimeGap(strength=0.0)(make_view([[0.0, 0.0], [0.2, 0.0]], target=FAR))[0]
    assert behind.tolist() == [0.0, 0.0]


@pytest.mark.parametrize(("aside", "speed"), [(0.29, math.hypot(0.5, 0.29) - 0.3), (0.31, 1.34)])
def test_only_who_is_within_a_length_of_the_line_is_in_the_way(aside, speed, make_view):
    behind = TimeGap(strength=0.0)(make_view([[0.0, 0.0], [0.5, aside]], target=FAR))[0]
    assert behind == pytest.approx([speed, 0.0])


def test_others_turn_one_away_from_them(make_view):
    push = 5.0 * math.exp((0.3 - 0.35) / 0.1)
    lower = TimeGap()(make_view([[0.0, 0.0], [0.0, 0.35]], target=FAR))[0]
    assert lower == pytest.approx(1.34 * np.array([1.0, -push]) / math.hypot(1.0, push))


def test_a_wall_turns_one_away_from_it(make_view, make_world):
    world = make_world(2, half=10.0, boundary="walls")
    command = TimeGap()(make_view([[0.0, -9.8]], target=[9.0, -9.8], world=world))[0]
    push = 5.0 * math.exp((0.15 - 0.2) / 0.02)
    assert command == pytest.approx(1.34 * np.array([1.0, push]) / math.hypot(1.0, push))


def test_who_has_no_way_to_go_stands(make_view):
    assert not TimeGap()(make_view([[0.0, 0.0], [0.2, 0.0]])).any()


def test_of_two_at_one_place_one_counts_as_ahead_and_the_other_walks(make_view):
    command = TimeGap(strength=0.0)(make_view([[0.0, 0.0], [0.0, 0.0]], target=FAR))
    assert command.tolist() == [[0.0, 0.0], [1.34, 0.0]]


@given(
    position=arrays(float, (6, 2), elements=st.floats(-2, 2).map(lambda x: round(x, 3))), angle=st.floats(0, 6.28),
    order=st.permutations(range(6)),
)  # fmt: skip
def test_turning_shifting_and_renumbering_the_crowd_does_so_to_its_commands(position, angle, order, make_view):
    apart = np.linalg.norm(position[:, None] - position[None], axis=-1) + np.eye(6)
    if apart.min() < 1e-3:
        return
    turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    target, shift = np.array([9.0, 1.0]), np.array([3.0, -2.0])
    model, plain = TimeGap(), TimeGap()(make_view(position, target=target))
    near = [TimeGap()(make_view(position + d, target=target)) for d in (1e-7 * np.cos(np.arange(12)).reshape(6, 2),)]
    if np.abs(near[0] - plain).max() > 1e-4:  # rounding decides who is ahead
        return
    order = list(order)
    there = model(make_view(position[order] @ turn + shift, target=target @ turn + shift))
    assert there == pytest.approx(plain[order] @ turn, abs=1e-5)
