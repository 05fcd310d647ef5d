"""Seek, cruise, obstacle avoidance, containment and altitude give what their formulas give, worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest

from swarm.controllers.rules.altitude import Altitude
from swarm.controllers.rules.containment import Containment
from swarm.controllers.rules.cruise import Cruise
from swarm.controllers.rules.obstacle_avoidance import ObstacleAvoidance
from swarm.controllers.rules.seek import Seek

SPHERE = {"kind": "sphere", "center": [2.0, 0.0, 0.0], "radius": 1.0}


def test_seek_cruises_towards_the_target(make_view):
    view = make_view([[0, 0, 0]], target=[3, 4, 0])
    assert Seek(speed=2.0)(view)[0] == pytest.approx([1.2, 1.6, 0])


def test_seek_slows_down_to_arrive(make_view):
    view = make_view([[0, 0], [1, 0]], target=[1, 0])
    assert Seek(speed=2.0, slowing=4.0)(view) == pytest.approx(np.array([[0.5, 0], [0, 0]]))


def test_seek_without_slowing_keeps_its_speed(make_view):
    assert Seek(speed=2.0, slowing=0.0)(make_view([[0, 0]], target=[0.1, 0]))[0] == pytest.approx([2.0, 0])


def test_seek_without_a_target_asks_for_nothing(make_view):
    assert not Seek()(make_view([[0, 0, 0]])).any()
    assert not Seek(route=False)(make_view([[0, 0, 0]])).any()


def test_straight_seek_takes_the_short_way_round_a_torus(make_view, make_world):
    world = make_world(2, half=5.0, boundary="torus")
    view = make_view([[4.5, 0]], target=[-4.5, 0], world=world)
    assert Seek(speed=1.0, slowing=0.0, route=False)(view)[0] == pytest.approx([1.0, 0])


def test_cruise_keeps_the_heading_at_its_own_speed(make_view):
    view = make_view([[0, 0], [5, 5]], [[0.3, 0.4], [0, 0]])
    assert Cruise(speed=2.0)(view) == pytest.approx(np.array([[1.2, 1.6], [0, 0]]))


def test_obstacle_avoidance_pushes_for_being_near(make_view, make_world):
    view = make_view([[0.44, 0, 0]], world=make_world(3, [SPHERE]))  # hull clearance 2 - 1 - 0.44 - 0.06 = 0.5
    push = ObstacleAvoidance(distance=2.0, speed=1.0, horizon=1.0)(view)
    assert push[0] == pytest.approx([-(1 - 0.5 / 2.0), 0, 0])


def test_obstacle_avoidance_takes_off_the_closing_speed_that_uses_up_the_clearance(make_view, make_world):
    view = make_view([[0.44, 0, 0]], [[2.0, 1.0, 0]], world=make_world(3, [SPHERE]))
    push = ObstacleAvoidance(distance=0.1, speed=1.0, horizon=0.5)(view)
    assert push[0] == pytest.approx([-(2.0 - 0.5 / 0.5), 0, 0])


def test_obstacle_avoidance_leaves_alone_who_flies_away(make_view, make_world):
    view = make_view([[0.44, 0, 0]], [[-2.0, 0, 0]], world=make_world(3, [SPHERE]))
    assert not ObstacleAvoidance(distance=0.1)(view).any()


def test_containment_turns_back_who_would_leave(make_view, make_world):
    world = make_world(2, half=5.0)
    view = make_view([[4.0, 0], [0, -5.5], [0, 0]], [[2.0, 0], [0, 0], [2.0, 2.0]], world=world)
    back = Containment(margin=0.5, horizon=1.0, speed=9.0)(view)
    assert back == pytest.approx(np.array([[-1.5, 0], [0, 1.0], [0, 0]]))


def test_containment_asks_for_no_more_than_its_speed(make_view, make_world):
    view = make_view([[70.0, 0.0]], world=make_world(2, half=5.0))
    assert Containment(speed=1.2)(view)[0] == pytest.approx([-1.2, 0])


def test_a_torus_has_nothing_to_be_contained_in(make_view, make_world):
    view = make_view([[4.99, 0]], [[3.0, 0]], world=make_world(2, half=5.0, boundary="torus"))
    assert not Containment()(view).any()


def test_altitude_climbs_to_its_height(make_view):
    view = make_view([[0, 0, 1.0], [0, 0, 9.0]])
    assert Altitude(height=1.5, rate=2.0, speed=3.0)(view) == pytest.approx(np.array([[0, 0, 1.0], [0, 0, -3.0]]))


def test_altitude_defaults_to_the_targets_height(make_view):
    assert Altitude(rate=1.0)(make_view([[0, 0, 1.0]], target=[5, 5, 1.4]))[0, 2] == pytest.approx(0.4)


def test_altitude_without_height_or_target_keeps_the_start(make_view, make_briefing):
    rule = Altitude(rate=1.0, speed=9.0)
    rule.reset(make_briefing([[0, 0, 1.0], [0, 0, 2.0]]))
    assert rule(make_view([[0, 0, 1.5], [0, 0, 1.5]]))[:, 2] == pytest.approx([-0.5, 0.5])


def test_altitude_means_nothing_in_two_dimensions(make_view):
    assert not Altitude(height=7.0)(make_view([[0, 0], [1, 1]])).any()
