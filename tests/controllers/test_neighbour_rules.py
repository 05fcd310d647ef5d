"""Separation, alignment and cohesion give what their formulas give, worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest

from swarm.controllers.rules.alignment import Alignment
from swarm.controllers.rules.cohesion import Cohesion
from swarm.controllers.rules.separation import Separation


def test_separation_pushes_linearly_from_a_near_neighbour(make_view):
    view = make_view([[0, 0, 0], [0.25, 0, 0]])
    # speed * (1 - 0.25 / 1) = 2 * 0.75, one to each side
    assert Separation(radius=1.0, speed=2.0)(view) == pytest.approx(np.array([[-1.5, 0, 0], [1.5, 0, 0]]))


def test_separation_ignores_neighbours_beyond_its_radius(make_view):
    assert not Separation(radius=1.0)(make_view([[0, 0], [1.0, 0], [0, -3]])).any()


def test_separation_adds_up_over_neighbours(make_view):
    view = make_view([[0, 0], [0.5, 0], [0, 0.2]])
    assert Separation(radius=1.0, speed=1.0)(view)[0] == pytest.approx([-0.5, -0.8])


def test_coincident_agents_separate_in_opposite_directions(make_view):
    push = Separation(radius=1.0, speed=1.0)(make_view([[1, 2, 3], [1, 2, 3]]))
    assert push == pytest.approx(np.array([[-1.0, 0, 0], [1.0, 0, 0]]))


def test_three_agents_at_one_place_spread_out(make_view):
    push = Separation()(make_view(np.zeros((3, 2))))
    assert len(np.unique(push[:, 0])) == 3
    assert push.sum(axis=0) == pytest.approx([0, 0])


def test_alignment_is_the_difference_to_the_neighbours_mean_velocity(make_view):
    view = make_view([[0, 0], [1, 0], [0, 1], [9, 9]], [[1, 0], [0, 2], [2, 4], [7, 7]])
    aligned = Alignment(radius=2.0)(view)
    assert aligned[0] == pytest.approx([(0 + 2) / 2 - 1, (2 + 4) / 2 - 0])
    assert aligned[3] == pytest.approx([0, 0])


def test_cohesion_goes_to_the_neighbours_centre(make_view):
    view = make_view([[0, 0], [1, 0], [0, 1]])
    assert Cohesion(radius=3.0, rate=0.5, speed=9.0)(view)[0] == pytest.approx([0.25, 0.25])


def test_cohesion_asks_for_no_more_than_its_speed(make_view):
    view = make_view([[0, 0, 0], [2, 0, 0]])
    assert Cohesion(radius=3.0, rate=5.0, speed=0.7)(view)[0] == pytest.approx([0.7, 0, 0])


def test_a_lonely_agent_is_asked_for_nothing(make_view):
    view = make_view([[1.0, 2.0, 3.0]], [[1.0, 0.0, 0.0]])
    for rule in (Separation(), Alignment(), Cohesion()):
        assert not rule(view).any()


def test_neighbours_across_the_seam_of_a_torus_count(make_view, make_world):
    world = make_world(2, half=5.0, boundary="torus")
    push = Separation(radius=1.0, speed=1.0)(make_view([[4.9, 0], [-4.9, 0]], world=world))
    assert push == pytest.approx(np.array([[-0.8, 0], [0.8, 0]]))


def test_the_dead_neither_push_nor_are_pushed(make_view):
    assert not Separation()(make_view([[0, 0], [0.1, 0]], alive=[True, False])).any()
