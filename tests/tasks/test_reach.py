"""A target is one that can be reached, and the way to it keeps a margin."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

import swarm
from swarm.errors import BadInput
from swarm.tasks.reach import Reach
from swarm.tasks.way import SPARE

WALL = {"kind": "box", "center": [5.0, 2.0, 1.5], "size": [0.4, 4.0, 3.0]}  # open from y = 4 to 6
SHUT = {"kind": "box", "center": [5.0, 3.0, 1.5], "size": [0.4, 6.0, 3.0]}
START = [[1.0, 1.0, 1.5], [1.0, 1.5, 1.5]]
TARGET = (9.0, 1.0, 1.5)


def test_the_way_leads_around_the_wall(make_room, make_scene):
    goal = Reach(TARGET).begin(make_scene(make_room([WALL]), START))
    route = goal.way.route
    # around the corner of the wall, (4.8, 4) and (5.2, 4)
    shortest = np.hypot(3.8, 3.0) + 0.4 + np.hypot(3.8, 3.0)
    assert shortest < route.distance(np.array(START))[0] < 1.1 * shortest + 1.0


@pytest.mark.parametrize("margin", [0.1, 0.5, 0.9])
def test_the_margin_asked_for_is_kept(margin, make_room, make_scene):
    world = make_room([WALL])
    route = Reach(TARGET, margin=margin).begin(make_scene(world, START)).way.route
    corners = route.path(np.array(START[0]))
    line = np.concatenate([np.linspace(a, b, 50) for a, b in pairwise(corners)])
    assert route.margin == margin
    assert world.clearance(line)[0].min() >= margin - route.grid.cell / 2


def test_without_a_margin_as_much_is_kept_as_there_is_room_for(make_room, make_scene):
    wide = Reach(TARGET).begin(make_scene(make_room([WALL]), START)).way.route
    slit = [WALL, {"kind": "box", "center": [5.0, 5.1, 1.5], "size": [0.4, 1.8, 3.0]}]  # open from y = 4 to 4.2
    narrow = Reach(TARGET).begin(make_scene(make_room(slit), START)).way.route
    assert wide.margin == 0.06 + SPARE[0]
    assert narrow.margin < wide.margin


def test_a_walled_in_target_is_refused_before_the_run(make_room, make_scene):
    with pytest.raises(BadInput) as refused:
        Reach(TARGET).begin(make_scene(make_room([SHUT]), START))
    said = "m.toml: task.target: [9.0, 1.0, 1.5] cannot be reached: for who keeps 0.06 m from everything solid it is "
    assert refused.value.faults == (f"{said}walled in",)


def test_a_margin_that_nothing_is_wide_enough_for_is_refused(make_room, make_scene):
    with pytest.raises(BadInput, match=r"task\.target: "):
        Reach(TARGET, margin=1.2).begin(make_scene(make_room([WALL]), START))


def test_without_the_route_the_target_may_be_anywhere(make_room, make_scene):
    goal = Reach(TARGET, route=False).begin(make_scene(make_room([SHUT]), START))
    assert goal.way is None
    assert goal.target.tolist() == list(TARGET)


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ((1.0, 1.0), "expected 3 numbers, got 2"),
        ((11.0, 1.0, 1.0), r"expected a place in the world, \[0.0, 0.0, 0.0\] to \[10.0, 6.0, 3.0\]"),
        ((5.0, 1.0, 1.0), "inside box"),
    ],
)
def test_an_impossible_target_is_named(target, message, make_room, make_scene):
    with pytest.raises(BadInput, match=rf"^m\.toml: task\.target: .*{message}"):
        Reach(target).begin(make_scene(make_room([WALL]), START))


def test_met_when_the_middle_is_near_and_nobody_was_lost(make_room, make_scene, make_state):
    goal = Reach(TARGET, radius=0.5).begin(make_scene(make_room(), START))
    near = [[8.0, 1.0, 1.5], [10.0, 1.4, 1.5]]  # in the middle 0.2 off
    assert goal.met(make_state(near))
    assert goal.remaining(make_state(near)) == pytest.approx(0.2)
    assert not goal.met(make_state(near, alive=[True, False]))
    assert not goal.met(make_state(near, alive=[False, False]))
    assert not goal.met(make_state([[8.0, 1.0, 1.5], [8.9, 1.0, 1.5]]))


@pytest.mark.parametrize("dim", [2, 3])
def test_a_task_begins_in_the_plane_as_in_space(dim, make_room, make_scene):
    wall = {"kind": "box", "center": WALL["center"][:dim], "size": WALL["size"][:dim]}
    world = make_room([wall], bounds=([0.0] * dim, [10.0, 6.0, 3.0][:dim]))
    goal = Reach(TARGET[:dim]).begin(make_scene(world, [p[:dim] for p in START]))
    assert goal.way.route.reachable(np.array(START)[:, :dim]).all()


def test_boids_leave_the_trap_only_with_their_route():
    assert swarm.run("trap", seed=0).passed
    lost = swarm.run(swarm.load_mission("trap", {"task.route": False}), seed=0)
    assert not lost.passed
    assert not lost.metrics["success"]
