"""Who comes to its exit leaves, and is not lost."""

from __future__ import annotations

import numpy as np
import pytest

import swarm
from swarm.errors import BadInput
from swarm.mission_file import load_mission, mission_from_table
from swarm.simulation import Simulation
from swarm.tasks import read_task
from swarm.tasks.evacuate import Evacuate

EAST = {"kind": "area", "name": "east", "center": [9.5, 3.0, 1.5], "size": [1.0, 6.0, 3.0]}
WEST = {"kind": "area", "name": "west", "center": [0.5, 3.0, 1.5], "size": [1.0, 6.0, 3.0]}
WALL = {"kind": "box", "center": [5.0, 2.0, 1.5], "size": [0.4, 4.0, 3.0]}  # open from y = 4 to 6
START = [[2.0, 1.0, 1.5], [7.0, 2.0, 1.5], [4.0, 3.0, 1.5]]
OUT = [9.2, 3.1, 1.0]
IN = [4.0, 5.0, 1.5]


def goal_of(make_room, make_scene, obstacles=(), start=START, **keys):
    return Evacuate(**(keys or {"exits": ("east",)})).begin(make_scene(make_room(obstacles, [EAST, WEST]), start))


def test_who_comes_leaves_and_all_must_have_left(make_room, make_scene, make_state):
    goal = goal_of(make_room, make_scene)
    alive = np.ones(3, bool)
    for time, places, leave in [(1.0, [OUT, IN, IN], [0]), (2.0, [OUT, IN, OUT], [2]), (3.0, [OUT, OUT, OUT], [1])]:
        assert not goal.met(make_state(places, alive=alive, time=time))
        goal.update(make_room(), make_state(places, alive=alive, time=time))
        assert goal.leaving.tolist() == leave
        alive[goal.leaving] = False
        assert goal.bound.tolist() == alive.tolist()
    assert goal.met(make_state([OUT] * 3, alive=alive))
    assert goal.arrival.tolist() == [1.0, 3.0, 2.0]
    assert goal.outcomes() == {"exit_time": 2.0, "egress_time": 3.0, "flow": 1.0, "lane_order": None}


def test_the_lost_have_not_left(make_room, make_scene, make_state):
    goal = goal_of(make_room, make_scene, exits=("east",), share=0.6)
    state = make_state([OUT, OUT, IN], alive=[True, False, True], time=1.0)
    goal.update(make_room(), state)
    assert not goal.met(state)
    goal.update(make_room(), make_state([OUT, OUT, OUT], alive=[False, False, True], time=2.0))
    assert goal.met(state)
    assert goal.outcomes()["egress_time"] is None


@pytest.mark.parametrize(("take", "taken"), [("nearest", [1, 0, 1]), ("farthest", [0, 1, 0]), ("turns", [0, 1, 0])])
def test_of_several_exits_each_has_one(take, taken, make_room, make_scene, make_state):
    goal = goal_of(make_room, make_scene, exits=("east", "west"), take=take)
    assert goal.way.taken.tolist() == taken
    direction = goal.way.toward(np.array(START))[1]
    assert direction == pytest.approx(np.where(np.array(taken) == 0, 1.0, -1.0)[:, None] * np.array([1.0, 0.0, 0.0]))
    goal.update(make_room(), make_state([OUT] * 3))
    assert (
        goal.leaving.tolist() == np.flatnonzero(np.array(taken) == 0).tolist()
    )  # an exit that is not one's own is none


def test_one_makes_for_the_nearest_place_of_an_exit_in_which_a_hull_has_room(make_room, make_scene):
    scene = make_scene(make_room((), [EAST]), START)
    door = Evacuate(exits=("east",)).begin(scene).way.doors[0]
    distance, direction = door.toward(np.array([[5.0, 5.95, 1.5]]))
    away = np.array([4.0 + scene.radius, min(6.0 - scene.radius - 5.95, 0.0), 0.0])
    assert distance[0] == pytest.approx(np.linalg.norm(away))
    assert direction[0] == pytest.approx(away / np.linalg.norm(away))


def test_one_goes_round_what_hides_the_exit(make_room, make_scene):
    goal = goal_of(make_room, make_scene, [WALL])
    distance, direction = goal.way.toward(np.array([[4.0, 1.0, 1.5], [4.0, 5.0, 1.5], IN]))
    assert direction[0, 1] > 0.9  # up, to where the wall is open
    assert distance[0] > 5.0 + 1.0
    assert direction[1] == pytest.approx([1.0, 0.0, 0.0])


def test_nobody_has_a_way_before_its_premovement_time(make_room, make_scene, make_state):
    goal = goal_of(make_room, make_scene, exits=("east",), premovement=(10.0, 100.0))
    starts = goal.way.starts
    assert ((starts >= 10.0) & (starts <= 100.0)).all()
    assert len(set(starts.tolist())) == 3
    assert not goal.bound.any()
    assert not goal.way.toward(np.array(START))[1].any()
    first = int(starts.argmin())
    goal.update(make_room(), make_state(START, time=float(np.sort(starts)[:2].mean())))
    assert goal.bound.tolist() == [k == first for k in range(3)]
    assert goal.way.toward(np.array(START))[1].any(axis=1).tolist() == goal.bound.tolist()


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ({"exits": ("door",)}, r"m.toml: task.exits\[0\]: expected .*, got \"door\""),
        ({"target": (5.0, 1.0, 1.0)}, r"m.toml: task.target: \[5.0, 1.0, 1.0\] is inside box"),
        ({"share": 1.0}, "m.toml: task: expected exits, a target or a world with goal cells, got none"),
    ],
)
def test_an_impossible_exit_is_named(keys, said, make_room, make_scene):
    with pytest.raises(BadInput, match=said):
        goal_of(make_room, make_scene, [WALL], **keys)


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ({"exits": ["a"], "target": [1.0, 2.0]}, "expected either exits or target, got both"),
        ({"exits": ["a", "a"]}, "expected each exit once"),
        ({"premovement": [5.0, 1.0]}, "expected [shortest, longest], got [5.0, 1.0]"),
    ],
)
def test_tables_that_contradict_themselves_are_refused(table, said):
    faults = []
    assert read_task({"kind": "evacuate", **table}, "m.toml: task", faults) is None
    assert said in faults[0]


def plan_mission(rows, count, **task):
    return mission_from_table(
        {
            "name": "plan", "duration": 60.0, "world": {"floor_plan": {"cell": 1.0, "rows": rows}},
            "swarm": {"count": count, "body": "point", "physics_hz": 10, "command_hz": 10, "motion": {"radius": 0.2},
                      "perception": {"range": 2.0},
                      "spawn": {"center": [1.0, 1.0], "size": [2.0, 2.0], "spacing": 0.5}},
            "controller": {"use": "time-gap"}, "task": {"kind": "evacuate", **task},
            "criteria": {"success": {"equals": True}, "stuck": {"at_most": 0}},
        },
        "plan.toml",
    )  # fmt: skip


def test_the_goal_cells_of_a_floor_plan_are_an_exit():
    mission = plan_mission("....#...\n....#...\n....#.GG\n........\n....#...\n", 6)
    with Simulation(mission, 0) as sim:
        while not sim.done:
            sim.step()
        assert sim.success
        assert not sim.state.alive.any()
        assert sim.state.position == pytest.approx(np.tile([6.5, 2.0], (6, 1)), abs=1.1)
        assert sim.trajectory.clearance.min() >= 0.0


WIDE, SLIM = ["." * 59 + "G"] * 4, ["." * 11 + "G"]


@pytest.mark.parametrize("task", [{}, {"target": 0}, {"exits": ["end"]}], ids=["goal cells", "target", "area"])
@pytest.mark.parametrize("body", ["walker", "point"])
@pytest.mark.parametrize(
    ("rows", "cell", "origin"),
    [
        (WIDE, 1.0, (0.0, 0.0)), (SLIM, 1.0, (0.0, 0.0)), (SLIM, 0.5, (5.3, -7.1)),
        ([*"S...", *"....G"], 1.0, (0.0, 0.0)), (["#" * 12, "#" + "." * 9 + "G#", "#" * 12], 1.0, (-3.0, 2.0)),
        (["." * 9 + "#.."] * 4 + ["." * 11 + "G"] + ["." * 9 + "#.."] * 3, 0.5, (0.1, 0.2)),
    ],
    ids=["60 x 4 m", "1 x N", "small cells elsewhere", "N x 1", "between walls", "a door of one cell"],
)  # fmt: skip
def test_out_of_every_plan_there_is_a_way(rows, cell, origin, body, task):
    """The goal is one cell, at the rim or beside a wall."""
    height = len(rows)
    row, column = next((r, line.index("G")) for r, line in enumerate(rows) if "G" in line)
    goal = [origin[0] + cell * column, origin[1] + cell * (height - 1 - row)]
    task = {"kind": "evacuate", **task, **({"target": goal, "radius": cell / 2} if "target" in task else {})}
    first = max((r for r in range(height) if rows[r][0] != "#"), default=row)  # the lowest row that begins free
    start = [origin[0] + cell * (rows[first][0] == "#"), origin[1] + cell * (height - 1 - first)]
    mission = mission_from_table(
        {
            "name": "plan", "duration": 120.0,
            "world": {"floor_plan": {"cell": cell, "origin": list(origin), "rows": "\n".join(rows)},
                      "zones": [{"kind": "area", "name": "end", "center": goal, "size": [cell, cell]}]},
            "swarm": {"count": 1, "body": body, "physics_hz": 10, "command_hz": 10, "speed_limit": 2.0,
                      "perception": {"range": 2.0}, **({"motion": {"radius": 0.15}} if body == "point" else {}),
                      "spawn": {"shape": "points", "points": [[0.0, 0.0]], "center": start}},
            "controller": {"use": "time-gap"}, "task": task,
        },
        "plan.toml",
    )  # fmt: skip
    result = swarm.run(mission, seed=0)
    assert result.metrics["success"]
    way = np.hypot(*np.subtract(goal, start))
    assert result.metrics["exit_time"] == pytest.approx(way / 1.34, rel=0.35, abs=0.6)


def test_an_agent_without_a_way_to_a_goal_cell_is_named():
    with pytest.raises(BadInput, match=r"plan.toml: task: agent 0 at .* has no way to a goal cell"):
        Simulation(plan_mission("...#...\n...#.GG\n...#...\n", 1), 0)


def test_those_who_have_left_are_seen_by_nobody_and_touch_nobody():
    mission = load_mission("corridor").changed({
        "swarm.count": 2, "swarm.spawn": {"shape": "points", "points": [[0.0, 0.0], [2.0, 0.0]], "center": [37.0, 1.0]},
        "criteria": {},
    })  # fmt: skip
    with Simulation(mission, 0) as sim:
        while sim.state.alive.all():
            sim.step()
        assert sim.state.alive.tolist() == [True, False]
        assert len(sim.view.neighbours.indices) == 0
        gone = sim.state.position[1]
        while not sim.done:
            sim.step()
        assert sim.success
        assert sim.state.position[1].tolist() == gone.tolist()
        assert sim.metrics["collisions"] == 0


def test_premovement_times_spread_the_egress():
    late = {"task.premovement": [10.0, 40.0], "swarm.count": 10, "criteria": {}, "duration": 90.0}
    spread = {"shape": "uniform", "center": [2.0, 1.0], "size": [4.0, 1.5], "spacing": 0.5}
    result = swarm.run(load_mission("corridor").changed({**late, "swarm.spawn": spread}), seed=0)
    assert result.metrics["success"]
    assert 10.0 + 36.0 / 1.33 < result.metrics["exit_time"] < 40.0 + 40.0 / 1.33
    assert result.stuck == ()
