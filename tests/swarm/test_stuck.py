"""Who does not get on is named, with the reason."""

from __future__ import annotations

import json
from types import SimpleNamespace

import numpy as np
import pytest

import swarm
from swarm.cli.main import main
from swarm.mission_file import mission_from_table
from swarm.simulation import Simulation
from swarm.state import State
from swarm.stuck import Detector, Stuck, in_words
from swarm.view import Senses, View
from swarm.worlds import build_world

LEFT = {"kind": "area", "name": "west", "center": [0.5, 2.0], "size": [1.0, 4.0]}
RIGHT = {"kind": "area", "name": "east", "center": [19.5, 2.0], "size": [1.0, 4.0]}


def straight_on(view):
    """Walks along the way, whatever is there."""
    return view.route_direction


def east(view):
    """Walks along x, whatever is there."""
    return np.tile([1.0, 0.0], (len(view.position), 1))


def idle(view):
    """Stands."""
    return np.zeros_like(view.position)


def view_in(world, position, time, way):
    """What agents see whose target is the place (0, 2)."""
    position = np.array(position)
    count = len(position)
    state = State(
        time, position, np.zeros_like(position), np.tile([0.0, 0.0, 0.0, 1.0], (count, 1)), np.zeros((count, 3)),
        np.ones(count, bool), np.zeros(count, np.int64), np.zeros(count, np.int64),
    )  # fmt: skip
    return View(
        Senses(world, 0.1, 0.2, 3.0, np.inf, 2.0, 2 * np.pi, np.zeros(2), np.array([0.0, 2.0]), None, way), state
    )


BODIES = {"point": {"motion": {"radius": 0.2}}, "walker": {"speed_limit": 2.0}}
EITHER = pytest.mark.parametrize("body", list(BODIES))


def stuck_of(points, controller, obstacles=(), exits=("east",), seconds=15.0, criteria=None, body="point", **task):
    table = {
        "name": "stuck", "duration": seconds,
        "world": {"dim": 2, "bounds": [[0.0, 0.0], [20.0, 4.0]], "boundary": "walls", "zones": [LEFT, RIGHT],
                  "obstacles": list(obstacles)},
        "swarm": {"count": len(points), "body": body, "physics_hz": 10, "command_hz": 10, **BODIES[body],
                  "perception": {"range": 2.0},
                  "spawn": {"shape": "points", "points": points, "center": [0.0, 0.0],
                            "heading": 0.0}},
        "controller": {"use": "time-gap"}, "task": {"kind": "evacuate", "exits": list(exits), **task},
        "criteria": criteria or {},
    }  # fmt: skip
    return swarm.run(mission_from_table(table, "stuck.toml"), seed=0, controller=controller)


def test_who_gets_on_is_not_stuck():
    result = stuck_of([[1.5, 2.0]], straight_on)
    assert result.stuck == ()
    assert result.metrics["stuck"] == 0


def test_who_stands_with_nothing_in_its_way_is_standing_since_the_start():
    result = stuck_of([[5.0, 2.0]], idle, criteria={"stuck": {"at_most": 0}})
    assert [agent.table() for agent in result.stuck] == [
        {"agent": 0, "since": pytest.approx(0.0, abs=1.0), "why": "standing", "where": [5.0, 2.0]}
    ]
    assert not result.passed
    assert result.table()["stuck"] == [agent.table() for agent in result.stuck]


def test_it_takes_ten_seconds_to_be_stuck():
    assert stuck_of([[5.0, 2.0]], idle, seconds=9.0).stuck == ()


def test_who_waits_for_its_premovement_time_is_not_stuck():
    assert stuck_of([[5.0, 2.0]], idle, premovement=[60.0, 60.0]).stuck == ()


@EITHER
def test_who_stands_where_the_way_leads_close_round_a_wall_is_at_a_corner(body):
    post = [{"kind": "box", "center": [8.0, 2.0], "size": [0.5, 1.0]}]
    result = stuck_of([[7.5, 2.3]], idle, post, body=body)
    assert [agent.why for agent in result.stuck] == ["corner"]


@EITHER
def test_who_walks_at_a_wall_that_the_way_leads_round_is_at_a_corner(body):
    """Its way is above the wall; it heads straight for the exit."""
    wall = [{"kind": "box", "center": [8.0, 1.25], "size": [0.5, 2.5]}]
    result = stuck_of([[5.0, 1.0]], east, wall, seconds=25.0, body=body)
    assert [agent.why for agent in result.stuck] == ["corner"]
    assert result.stuck[0].where[0] == pytest.approx(7.75 - (0.2 if body == "point" else 0.0), abs=0.05)
    assert stuck_of([[5.0, 1.0]], straight_on, wall, seconds=25.0, body=body).stuck == ()


@pytest.mark.parametrize("shut", [True, False])
def test_a_walker_that_is_walled_in_while_it_walks_has_no_way(shut):
    """Cells all round the one at (5, 2) become walls, or stay as they are."""
    rows = "\n".join("S" + "." * 8 + "G" for _ in range(5))
    table = {
        "name": "shut", "duration": 20.0, "world": {"floor_plan": {"rows": rows}},
        "swarm": {"count": 1, "body": "walker", "physics_hz": 10, "command_hz": 10, "speed_limit": 2.0,
                  "perception": {"range": 2.0}, "spawn": {"shape": "points", "points": [[5.0, 2.0]],
                                                          "center": [0.0, 0.0]}},
        "controller": {"use": "time-gap"}, "task": {"kind": "evacuate"}, "criteria": {"stuck": {"at_most": 0}},
    }  # fmt: skip
    with Simulation(mission_from_table(table, "shut.toml"), 0) as sim:
        if shut:
            sim.paint([[row, column, 1] for row in (1, 2, 3) for column in (4, 5, 6) if (row, column) != (2, 5)])
        while not sim.done:
            sim.step()
        assert [(agent.agent, agent.why) for agent in sim.stuck] == ([(0, "unreachable")] if shut else [])
        assert sim.metrics["stuck"] == shut


def test_who_has_been_walled_in_has_no_way():
    world = build_world({"dim": 2, "bounds": [[0.0, 0.0], [20.0, 4.0]]}, "test")
    shut = SimpleNamespace(toward=lambda p: (np.full(len(p), np.inf), np.zeros_like(p)), reachable=lambda p: [False])
    detector, way = Detector(1), SimpleNamespace(route=shut)
    for second in range(12):
        view = view_in(world, [[5.0, 2.0]], float(second), way)
        detector.look(view, np.array([True]))
    assert [agent.why for agent in detector.found(view, np.array([7]))] == ["unreachable"]
    assert detector.found(view, np.array([7]))[0].agent == 7


def test_who_is_moved_by_its_task_begins_anew():
    world = build_world({"dim": 2, "bounds": [[0.0, 0.0], [20.0, 4.0]]}, "test")
    detector = Detector(1)
    for second in range(19):
        view = view_in(world, [[5.0 if second < 9 else 15.0, 2.0]], float(second), None)
        detector.look(view, np.array([True]))
        assert detector.count == 0
    detector.look(view_in(world, [[15.0, 2.0]], 19.0, None), np.array([True]))
    assert detector.count == 1


@EITHER
def test_two_who_stand_in_each_others_way_are_head_on(body):
    result = stuck_of([[9.0, 2.0], [9.6, 2.0]], idle, exits=("east", "west"), take="turns", body=body)
    assert [agent.why for agent in result.stuck] == ["head-on", "head-on"]


@EITHER
def test_two_who_meet_where_there_is_no_room_to_pass_are_head_on(body):
    """A passage 0.5 m wide; in the open they pass."""
    sides = [{"kind": "box", "center": [10.0, y], "size": [6.0, 1.75]} for y in (0.875, 3.125)]
    both = {"exits": ("east", "west"), "take": "turns", "seconds": 30.0, "body": body}
    result = stuck_of([[6.0, 2.0], [14.0, 2.0]], None, sides, **both)
    assert [agent.why for agent in result.stuck] == ["head-on", "head-on"]
    assert stuck_of([[6.0, 2.0], [14.0, 2.1]], None, **both).stuck == ()


@EITHER
def test_who_has_others_ahead_that_go_the_same_way_is_in_a_jam(body):
    result = stuck_of([[9.0, 2.0], [9.6, 2.0]], idle, body=body)
    assert [agent.why for agent in result.stuck] == ["crowd jam", "standing"]


def test_the_time_since_when_is_that_of_the_last_progress():
    def stops(view):
        return view.route_direction * (view.time < 6.0)

    (agent,) = stuck_of([[2.0, 2.0]], stops, seconds=20.0).stuck
    assert agent.since == pytest.approx(5.5, abs=1.5)


def test_where_no_task_says_who_is_on_its_way_nobody_is_looked_at():
    result = swarm.run(
        swarm.load_mission("vicsek").changed({"duration": 12.0, "criteria": {}, "measure.from": 0.0}), seed=0
    )
    assert result.stuck == ()
    assert result.metrics["stuck"] is None


@EITHER
def test_the_command_line_says_who_is_stuck_and_why_and_fails(body, tmp_path, capsys):
    """Two who want to walk at 0.01 m/s, one behind the other."""
    more = "motion = { radius = 0.2 }" if body == "point" else ""
    (tmp_path / "slow.toml").write_text(f"""
name = "slow"
duration = 15.0
[world]
dim = 2
bounds = [[0.0, 0.0], [20.0, 4.0]]
boundary = "walls"
zones = [{{ kind = "area", name = "east", center = [19.5, 2.0], size = [1.0, 4.0] }}]
[swarm]
count = 2
body = "{body}"
physics_hz = 10
command_hz = 10
speed_limit = 2.0
perception = {{ range = 2.0 }}
spawn = {{ shape = "points", points = [[9.0, 2.0], [9.6, 2.0]], center = [0.0, 0.0] }}
{more}
[controller]
use = "time-gap"
params = {{ speed = 0.01 }}
[task]
kind = "evacuate"
exits = ["east"]
[criteria]
stuck = {{ at_most = 0 }}
""")
    assert main(["run", str(tmp_path / "slow.toml"), "--out", str(tmp_path / "out")]) == 1
    printed = capsys.readouterr().out
    assert "stuck missed, agent 0: crowd jam since t = 0.10 s, agent 1: standing since t = 0.10 s" in printed
    table = json.loads((tmp_path / "out" / "result.json").read_text())
    assert [(one["agent"], one["why"]) for one in table["stuck"]] == [(0, "crowd jam"), (1, "standing")]
    assert table["metrics"]["stuck"] == 2
    quick = ["--set", "controller.params.speed=1.34"]
    assert main(["run", str(tmp_path / "slow.toml"), *quick]) == 0


def test_of_many_who_are_stuck_three_are_named():
    many = tuple(Stuck(agent, 2.0, "crowd jam", (0.0, 0.0)) for agent in range(5))
    assert in_words(many).endswith("agent 2: crowd jam since t = 2.00 s, and 2 more")
    assert in_words(()) == ""
