"""A way is sought anew when something has come into it, and only then; what was handed out does not change."""

from __future__ import annotations

import numpy as np
import pytest

import swarm
from swarm.errors import BadInput
from swarm.tasks.way import LASTS, STALE, Way, margins

START = np.array([[1.0, 1.0, 1.5]])
TARGET = np.array([9.0, 1.0, 1.5])
WALL = {"kind": "box", "center": [5.0, 4.0, 1.5], "size": [0.4, 4.0, 3.0]}  # open from y = 0 to 2


# Slides out of the wall and shuts y = 0 to 2 for good.
DOOR = {
    "kind": "box",
    "center": [5.0, 4.0, 1.0],
    "size": [0.3, 2.0, 2.0],
    "motion": {"path": [[5.0, 1.0, 1.0]], "speed": 1.0, "mode": "once"},
}


@pytest.fixture
def world(make_room):
    low = {**WALL, "center": [5.0, 4.0, 1.0], "size": [0.4, 4.0, 2.0]}  # one metre to fly over
    return make_room([low, DOOR])


def test_margins_go_from_wide_to_narrow():
    assert margins(0.1, None) == pytest.approx([0.35, 0.2, 0.1])
    assert margins(0.1, 0.5) == [0.5]


def test_a_way_that_was_shut_is_sought_anew(world):
    way = Way(world, TARGET, START, [0.1]).checked("k")
    before = way.route
    assert before.distance(START)[0] == pytest.approx(8.0, abs=0.05)
    way.update(world.at(0.9 * STALE), START)
    assert way.route is before  # the door has hardly moved
    way.update(world.at(2.5), START)  # it reaches down to y = 0.5
    assert way.route is not before
    assert way.route.distance(START)[0] > 8.05


def test_a_way_that_stays_free_is_kept_for_a_while(make_room):
    aside = {**DOOR, "center": [5.0, 5.0, 1.5], "motion": {"path": [[4.0, 5.0, 1.5]], "speed": 0.5}}
    aside["size"] = [0.4, 1.0, 1.0]
    world = make_room([aside])
    way = Way(world, TARGET, START, [0.1]).checked("k")
    before = way.route
    for time in np.arange(0.1, LASTS - 0.05, 0.1):
        way.update(world.at(float(time)), START)
    assert way.route is before
    way.update(world.at(LASTS + 1.0), START)
    assert way.route is not before


def test_nobody_asking_costs_no_search(world, monkeypatch):
    from swarm.worlds.world import World

    def search(*_):
        raise AssertionError("searched")

    monkeypatch.setattr(World, "widest_route", search)
    way = Way(world, TARGET, START, [0.1])
    for time in (1.0, 2.0, 3.0, 9.0):
        way.update(world.at(time), START)


def test_a_target_that_is_run_over_has_no_way_for_the_time_being(make_room, make_view_at):
    roller = {**DOOR, "center": [9.0, 4.0, 1.5], "size": [1.0, 1.0, 2.0]}
    roller["motion"] = {"path": [[9.0, 1.0, 1.5]], "speed": 1.0, "mode": "back-and-forth"}
    world = make_room([roller])
    way = Way(world, TARGET, START, [0.1]).checked("k")
    way.update(world.at(3.0), START)
    assert way.route is None
    view = make_view_at(world.at(3.0), START, TARGET, way)
    assert view.route_distance == pytest.approx([8.0])
    assert view.route_direction == pytest.approx(np.array([[1.0, 0.0, 0.0]]))
    way.update(world.at(6.0), START)
    assert way.route is not None


def test_the_loss_of_all_is_no_error(world):
    way = Way(world, TARGET, START, [0.1]).checked("k")
    way.update(world.at(9.0), np.empty((0, 3)))
    assert way.route is not None


def test_what_cannot_be_reached_is_said_with_the_key(make_room):
    shut = {**WALL, "center": [5.0, 3.0, 1.5], "size": [0.4, 6.0, 3.0]}
    with pytest.raises(BadInput, match=r"^m: task.target: .* cannot be reached"):
        Way(make_room([shut]), TARGET, START, [0.1]).checked("m: task.target")
    with pytest.raises(BadInput, match=r"^m: task.target: "):
        Way(make_room([shut]), np.array([5.0, 3.0, 1.5]), START, [0.1]).checked("m: task.target")


def test_old_views_keep_their_target():
    mission = swarm.load_mission("five-drone-gates", {"duration": 20.0, "criteria": {}})
    with swarm.Simulation(mission, 0) as sim:
        seen = []
        while not sim.done:
            sim.step()
            seen.append((sim.view, sim.view.target.tobytes(), sim.view.path.tobytes()))
    assert len({target for _, target, _ in seen}) > 2
    assert all(view.target.tobytes() == target and view.path.tobytes() == path for view, target, path in seen)
