"""The exit is met by who has been there, once, whenever that was."""

from __future__ import annotations

import pytest

import swarm
from swarm import metrics
from swarm.errors import BadInput
from swarm.mission_file import mission_from_table
from swarm.tasks import read_task
from swarm.tasks.exit import Exit

DOOR = {"kind": "area", "name": "door", "center": [9.0, 3.0, 1.5], "size": [1.0, 2.0, 3.0]}
WALL = {"kind": "box", "center": [5.0, 2.0, 1.5], "size": [0.4, 4.0, 3.0]}  # open from y = 4 to 6
START = [[1.0, 1.0, 1.5], [1.0, 2.0, 1.5], [1.0, 3.0, 1.5]]
OUT, IN = [9.2, 3.1, 1.0], [5.0, 5.0, 1.5]


def goal_of(make_room, make_scene, obstacles=(), **keys):
    keys = keys or {"exit": "door"}
    return Exit(**keys).begin(make_scene(make_room(obstacles, [DOOR]), START))


def test_met_when_everybody_has_been_there_even_if_not_together(make_room, make_scene, make_state):
    goal = goal_of(make_room, make_scene)
    for time, places in enumerate([[OUT, IN, IN], [IN, OUT, IN], [OUT, IN, OUT]]):
        assert not goal.met(make_state(places, time=float(time)))
        goal.update(make_room(), make_state(places, time=float(time)))
    assert goal.met(make_state([IN, IN, IN], time=3.0))
    assert goal.arrival.tolist() == [0.0, 1.0, 2.0]
    assert goal.outcomes() == {"exit_time": 1.0}


def test_a_share_may_be_enough_and_the_lost_do_not_count(make_room, make_scene, make_state):
    goal = goal_of(make_room, make_scene, exit="door", share=0.6)
    goal.update(make_room(), make_state([OUT, IN, IN], time=1.0))
    assert not goal.met(make_state([OUT, IN, IN]))
    assert goal.met(make_state([OUT, IN, IN], alive=[True, False, False]))
    assert not goal.met(make_state([OUT, IN, IN], alive=[False, True, True]))
    assert not goal.met(make_state([OUT, IN, IN], alive=[False] * 3))
    goal.update(make_room(), make_state([IN, OUT, OUT], alive=[True, True, False], time=2.0))
    assert goal.met(make_state([OUT, IN, IN]))  # two of three
    assert goal.arrival.tolist() == [1.0, 2.0, float("inf")]  # the lost have not arrived


def test_a_target_and_a_radius_stand_for_an_area(make_room, make_scene, make_state):
    goal = goal_of(make_room, make_scene, target=(9.0, 3.0, 1.5), radius=0.5)
    goal.update(make_room(), make_state([[9.0, 3.4, 1.5], [9.0, 3.6, 1.5], [8.6, 3.2, 1.5]], time=4.0))
    assert goal.arrival.tolist() == [4.0, float("inf"), 4.0]


def test_who_is_still_on_the_way_counts_for_what_remains(make_room, make_scene, make_state):
    goal = goal_of(make_room, make_scene)
    assert goal.remaining(make_state([[9.0, 0.0, 1.5], [6.0, 3.0, 1.5], OUT])) == pytest.approx(
        (3.0 + 3.0 + 0.548) / 3, abs=1e-3
    )
    goal.update(make_room(), make_state([IN, IN, OUT]))
    assert goal.remaining(make_state([[9.0, 0.0, 1.5], [6.0, 3.0, 1.5], IN])) == pytest.approx(3.0)
    goal.update(make_room(), make_state([OUT, OUT, IN]))
    assert goal.remaining(make_state([IN, IN, IN])) == 0.0


def test_the_way_is_known_unless_it_is_not(make_room, make_scene):
    goal = goal_of(make_room, make_scene, [WALL])
    assert goal.target.tolist() == [9.0, 3.0, 1.5]
    assert goal.way.route.reachable(goal.target[None]).all()
    hidden = goal_of(make_room, make_scene, [WALL], exit="door", known=False)
    assert hidden.target is None
    assert hidden.way is None
    assert hidden.remaining is not None


def test_nobody_at_the_exit_has_no_exit_time(make_room, make_scene):
    assert goal_of(make_room, make_scene).outcomes() == {"exit_time": None}
    assert metrics.exit_time([3.0, float("inf"), 5.0]) == 4.0
    assert metrics.exit_time([float("inf")] * 2) is None


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ({"exit": "gate"}, 'm.toml: task.exit: expected door, got "gate"'),
        ({"target": (5.0, 1.0, 1.0)}, r"m.toml: task.target: \[5.0, 1.0, 1.0\] is inside box"),
        ({"target": (5.0, 1.0)}, "m.toml: task.target: expected 3 numbers, got 2"),
    ],
)
def test_an_impossible_exit_is_named(keys, said, make_room, make_scene):
    with pytest.raises(BadInput, match=said):
        goal_of(make_room, make_scene, [WALL], **keys)


def test_a_walled_in_exit_is_refused_where_the_way_is_to_be_known(make_room, make_scene):
    shut = {**WALL, "center": [5.0, 3.0, 1.5], "size": [0.4, 6.0, 3.0]}
    with pytest.raises(BadInput, match=r"task\.exit: .* cannot be reached"):
        goal_of(make_room, make_scene, [shut])
    assert goal_of(make_room, make_scene, [shut], exit="door", known=False).way is None


@pytest.mark.parametrize("table", [{"kind": "exit"}, {"kind": "exit", "exit": "a", "target": [1.0, 2.0]}])
def test_an_exit_is_either_an_area_or_a_target(table):
    faults = []
    assert read_task(table, "m.toml: task", faults) is None
    assert faults[0].startswith("m.toml: task.exit: expected either exit or target, got ")


def test_a_mission_ends_when_all_are_out_and_says_when_that_was():
    mission = mission_from_table(
        {
            "name": "out", "duration": 30.0,
            "world": {"dim": 2, "bounds": [[0, 0], [10, 4]], "boundary": "walls"},
            "swarm": {"count": 2, "body": "point", "physics_hz": 10, "command_hz": 10,
                      "spawn": {"shape": "points", "points": [[-1, 0], [1, 0]], "center": [2, 2]}},
            "controller": {"use": "weighted_sum", "params": {"rules": [{"use": "arrive", "speed": 1.0}]}},
            "task": {"kind": "exit", "target": [9.0, 2.0], "radius": 2.0},
            "criteria": {"exit_time": {"between": [4.9, 5.3]}, "success": {"equals": True}},
        },
        "out.toml",
    )  # fmt: skip
    result = swarm.run(mission, seed=0)
    assert result.passed, result.criteria
    assert result.metrics["exit_time"] == pytest.approx((6.0 + 4.0) / 2, abs=0.11)
    assert result.metrics["time_to_target"] == pytest.approx(6.0, abs=0.11)
