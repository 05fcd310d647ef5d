"""Who leaves over a plan that is painted: ways follow at once, and there may be none."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import swarm
from swarm.verdicts import judge
from swarm.worlds.floor_plan.plan import FREE, GOAL, OBSTACLE


def leaving(**keys):
    changed = {"task": {"kind": "evacuate"}, "duration": 60.0, "criteria": {}, "swarm.count": 40,
               "controller": {"use": "time-gap"}, "swarm.perception.range": 3.0}  # fmt: skip
    return swarm.load_mission("hadimassa").changed(changed | {key.replace("__", "."): v for key, v in keys.items()})


def all_goals_to(kind):
    plan = swarm.load_world("hadimassa").floor_plan
    return [[row, column, kind] for row, column in np.argwhere(plan.cells == GOAL).tolist()]


MOVED = [[0, 16, GOAL], *all_goals_to(FREE)]


def test_the_way_is_that_of_the_painted_plan_within_the_same_tick():
    with swarm.Simulation(leaving(), seed=0) as sim:
        for _ in range(5):
            sim.step()
        sim.paint(MOVED)
        wanted = sim.world.floor_plan.geodesic[sim.world.floor_plan.cell_of(sim.state.position)]
        assert np.abs(sim.view.route_distance - wanted).max() < 1.5  # half a diagonal, twice
        assert np.allclose(sim.goal.target, sim.world.floor_plan.center_of(0, 16))


@pytest.mark.parametrize("changes", [MOVED, all_goals_to(FREE), all_goals_to(OBSTACLE)])
def test_leaps_over_a_painted_plan_are_as_many_steps_to_the_byte(changes):
    runs = []
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for leaping in (False, True):
            with swarm.Simulation(leaving(), seed=0) as sim:
                while sim.steps < 7:
                    sim.step()
                sim.paint(changes)
                while not sim.done:
                    sim.leap() if leaping else sim.step()
                runs.append((sim.trajectory.position.copy(), sim.trajectory.alive.copy(), sim.metrics, sim.stuck))
    assert np.array_equal(runs[0][0], runs[1][0])
    assert np.array_equal(runs[0][1], runs[1][1])
    assert runs[0][2:] == runs[1][2:]


def test_without_goal_cells_nobody_gets_on_and_all_are_stuck_for_want_of_a_way():
    with swarm.Simulation(leaving(), seed=0) as sim:
        sim.paint(all_goals_to(FREE))
        while not sim.done:
            sim.step()
        assert np.isfinite(sim.goal.target).all()
        assert {one.why for one in sim.stuck} == {"unreachable"}
        assert len(sim.stuck) == 40


def test_an_exit_of_a_plan_is_made_for_round_a_wall_that_has_been_painted():
    rows = "\n".join(["." * 20 + "G"] + ["." * 21] * 20)
    zone = {"kind": "area", "name": "out", "center": [20, 10], "size": [1, 1]}
    mission = leaving(
        swarm__count=1,
        world={"floor_plan": {"rows": rows}, "zones": [zone]},
        task={"kind": "evacuate", "exits": ["out"]},
        swarm__spawn={"shape": "points", "points": [[-8.0, 0.0]]},
    )  # fmt: skip
    with swarm.Simulation(mission, seed=0) as sim:
        assert np.allclose(sim.view.route_direction, [[1.0, 0.0]])
        sim.paint([[row, 10, OBSTACLE] for row in range(1, 21)])  # open at the top, y = 20
        assert sim.view.route_direction[0, 1] > 0.5
        assert sim.view.route_distance[0] > 2 * np.hypot(8, 9)


@pytest.mark.parametrize("body", ["walker", "point", "drone"])
def test_whatever_the_body_who_comes_to_goal_cells_has_left(body):
    mission = leaving(swarm__count=1, duration=60.0, controller={"use": "time-gap"})
    with swarm.Simulation(mission, seed=0, body=body) as sim:
        goal = sim.goal
        door = goal.way.doors[0]
        plan = sim.world.ground_plan
        inside = door.ways.up(plan.center_of(*np.argwhere(plan.goal_cells)[0])[None])
        outside = door.ways.up(plan.center_of(*np.argwhere(plan.source_cells)[0])[None])
        assert door.inside(inside).tolist() == [True]
        assert door.inside(outside).tolist() == [False]
        length, direction = door.toward(outside)
        straight = np.linalg.norm(inside - outside)
        assert straight * 0.9 < length[0] < straight * 2.0
        assert np.allclose(np.linalg.norm(direction, axis=1), 1.0)


def test_who_has_left_is_not_called_lost_when_others_have_not():
    mission = leaving(duration=70.0, criteria={"success": {"equals": True}})
    with swarm.Simulation(mission, seed=0) as sim:
        while not sim.done:
            sim.leap()
        assert 0 < np.isfinite(sim.goal.arrival).sum() < 40
        (verdict,) = judge(sim)
        assert "lost" not in verdict.why
        assert f"{sim.goal.remaining(sim.view.state):.2f} m still to go" in verdict.why


@pytest.mark.parametrize("changes", [{}, {"swarm.count": 2}])
def test_who_waits_for_its_group_or_was_sent_away_is_not_lost(changes):
    keys = {"task.circulation": "batch", "swarm.count": 6, "task.episode": 20.0, "duration": 120.0}
    mission = swarm.load_mission("hadimassa").changed({**keys, "criteria": {"success": {"equals": True}}})
    with swarm.Simulation(mission, seed=1) as sim:
        sim.change(changes)
        while not sim.done:
            sim.step()
        assert not sim.state.alive.all()
        (verdict,) = judge(sim)
        assert "lost" not in verdict.why


def test_without_a_way_the_verdict_says_so():
    with swarm.Simulation(leaving(criteria={"success": {"equals": True}}), seed=0) as sim:
        sim.paint(all_goals_to(FREE))
        while not sim.done:
            sim.leap()
        (verdict,) = judge(sim)
        assert verdict.why.endswith("no way to go")


@pytest.mark.parametrize("rule", ["floor-field", "time-gap", "social-force"])
def test_whoever_is_walled_in_stands_and_nothing_is_undefined(rule):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with swarm.Simulation(leaving(controller={"use": rule}, duration=20.0), seed=0) as sim:
            sim.step()
            sim.paint(all_goals_to(OBSTACLE))
            sim.step()  # a rule of cells may be on its way to one
            before = sim.state.position.copy()
            while not sim.done:
                sim.step()
            assert np.isfinite(sim.trajectory.position).all()
    assert np.abs(sim.state.position - before).max() < 1.0
