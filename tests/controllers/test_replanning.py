"""A formation follows new orders in flight from where it is."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from swarm.controllers import Formation
from swarm.controllers.formation import MOVED
from swarm.formations import slots
from swarm.view import View

SHAPE = slots("v", 5, 0.7)
GAP = [
    {"kind": "box", "center": [5.0, -6.0, 2.0], "size": [0.3, 9.0, 4.0]},
    {"kind": "box", "center": [5.0, 7.5, 2.0], "size": [0.3, 10.0, 4.0]},
]  # from y = -1.5 to 2.5


class Flight:
    """Agents that do at once as they are told, and orders that change."""

    def __init__(self, make_view, briefing, **params):
        self.make_view, self.briefing = make_view, briefing
        self.controller = Formation(anticipation=0.0, **params)
        self.controller.reset(briefing)
        self.position, self.velocity = briefing.position.copy(), np.zeros_like(briefing.position)
        self.target, self.path, self.time = briefing.target, briefing.path, 0.0
        self.alive = np.ones(len(self.position), bool)

    def fly(self, seconds):
        trail = []
        for _ in range(round(seconds / self.briefing.dt)):
            view = self.make_view(
                self.position, self.velocity, world=self.briefing.world, alive=self.alive, time=self.time
            )
            view = View(replace(view._senses, target=self.target, path=self.path), view.state)
            command = self.controller(view)
            assert np.isfinite(command).all()
            self.velocity = command * self.alive[:, None]
            self.position = self.position + self.velocity * self.briefing.dt
            self.time += self.briefing.dt
            trail.append(self.position)
        return np.array(trail)


@pytest.fixture(scope="module")
def depart(make_briefing, make_view, make_world):
    def make(world=None, start=(0.0, 0.0, 1.5), shape=SHAPE, **orders):
        world = make_world(3, half=14.0, boundary="walls") if world is None else world
        return Flight(make_view, make_briefing(np.array(start) + shape, world=world, formation=shape, **orders))

    return make


def test_a_new_target_is_flown_to_from_where_the_frame_is(depart):
    flight = depart(target=[10.0, 0.0, 1.5])
    flight.fly(3.0)
    at = flight.position.copy()
    flight.target = np.array([3.0, 8.0, 2.5])
    trail = flight.fly(15.0)
    assert np.linalg.norm(trail[0] - at, axis=1).max() < 0.1
    assert flight.position.mean(axis=0) == pytest.approx([3.0, 8.0, 2.5], abs=0.1)


def test_a_target_that_moves_a_little_is_not_planned_for(depart):
    flight = depart(target=[10.0, 0.0, 1.5])
    flight.fly(0.5)
    plan = flight.controller.plan
    flight.target = np.array([10.0, 0.9 * MOVED, 1.5])
    flight.fly(0.1)
    assert flight.controller.plan is plan
    flight.target = np.array([10.0, 1.1 * MOVED, 1.5])
    flight.fly(0.1)
    assert flight.controller.plan is not plan


def test_a_path_that_is_taken_back_leaves_the_target(depart):
    path = np.array([[4.0, 0, 1.5], [4.0, 6, 1.5], [0.0, 6, 1.5]])
    flight = depart(path=path, target=path[0])
    flight.fly(4.0)
    flight.path, flight.target = None, np.array([8.0, 2.0, 1.5])
    flight.fly(12.0)
    assert flight.position.mean(axis=0) == pytest.approx([8.0, 2.0, 1.5], abs=0.1)


def test_of_a_new_path_what_lies_before_the_target_is_left_out(depart):
    flight = depart(target=[2.0, 0.0, 1.5])
    flight.fly(4.0)
    flight.path = np.array([[-8.0, 0, 1.5], [6.0, 0, 1.5], [6.0, 6, 1.5]])
    flight.target = flight.path[1]
    trail = flight.fly(15.0)
    assert trail[:, :, 0].mean(axis=1).min() > 1.5
    assert flight.position.mean(axis=0) == pytest.approx([6.0, 6.0, 1.5], abs=0.1)


def test_one_lost_before_new_orders_is_left_behind(depart):
    flight = depart(target=[10.0, 0.0, 1.5])
    flight.fly(2.0)
    flight.alive[2] = False
    flight.fly(1.0)
    flight.target = np.array([0.0, 8.0, 1.5])
    flight.fly(15.0)
    assert np.linalg.norm(flight.position[flight.alive].mean(axis=0) - [0.0, 8.0, 1.5]) < 0.6


def test_orders_for_the_dead_are_no_error(depart):
    flight = depart(target=[10.0, 0.0, 1.5])
    flight.fly(1.0)
    flight.alive[:] = False
    flight.target = np.array([0.0, 8.0, 1.5])
    flight.fly(0.5)


def test_a_target_where_the_formation_is_already_lets_it_hover(depart):
    flight = depart(target=[3.0, 0.0, 1.5])
    flight.fly(6.0)
    flight.target = np.array([0.0, 0.0, 1.5])
    flight.fly(0.2)
    flight.target = flight.position.mean(axis=0)
    flight.fly(4.0)
    assert np.linalg.norm(flight.velocity, axis=1).max() < 0.05


def test_turning_back_in_a_gap_stays_off_its_sides(depart, make_world):
    world = make_world(3, GAP, half=14.0, boundary="walls")
    flight = depart(world, target=[10.0, 0.5, 1.5])
    flight.fly(3.5)  # in the gap
    assert abs(flight.position[:, 0].mean() - 5.0) < 1.5
    flight.target = np.array([-3.0, -3.0, 1.5])
    trail = flight.fly(15.0)
    assert world.clearance(trail)[0].min() > 0.06
    assert flight.position.mean(axis=0) == pytest.approx([-3.0, -3.0, 1.5], abs=0.2)


@settings(max_examples=25)
@given(st.lists(st.tuples(st.floats(0.1, 2.0), st.floats(-9, 12), st.floats(-9, 9), st.floats(0.5, 3)), max_size=5))
def test_any_change_of_mind_is_flown_without_a_touch(depart, shared_gap, changes):
    flight = depart(shared_gap, target=[10.0, 0.0, 1.5])
    for seconds, x, y, z in changes:
        flight.target = np.array([x + np.sign(x - 5.0) * 0.7, y, z])
        trail = flight.fly(seconds)
        assert shared_gap.clearance(trail)[0].min() > 0.06
        apart = np.linalg.norm(trail[:, :, None] - trail[:, None], axis=-1) + 9 * np.eye(5)
        assert apart.min() > 0.12


@pytest.fixture(scope="module")
def shared_gap(make_world):
    return make_world(3, GAP, half=14.0, boundary="walls")
