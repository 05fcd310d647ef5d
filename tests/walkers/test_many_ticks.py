"""Many ticks in one call."""

from __future__ import annotations

import numpy as np
import pytest

import swarm

TICKS = 450


def flown(mission, leaping, seed=1):
    with swarm.Simulation(mission, seed=seed) as sim:
        calls = 0
        while not sim.done:
            sim.leap() if leaping else sim.step()
            calls += 1
        return sim.trajectory, sim.metrics, sim.contacts, sim.command, sim.state, calls


@pytest.mark.parametrize(
    "keys",
    [
        {},
        {"controller.params.variant": "literal", "task.free": True},
        {"task.circulation": "batch", "swarm.count": 6, "task.episode": 150},
        {"swarm.physics_hz": 4, "swarm.command_hz": 4, "task.episode": 50.0},
    ],
    ids=["constant", "literal and freed", "groups", "four a second"],
)
def test_many_ticks_in_a_call_are_as_many_steps_to_the_byte(keys):
    duration = TICKS / keys.get("swarm.command_hz", 1) * (4 if "task.circulation" in keys else 1)
    mission = swarm.load_mission("hadimassa").changed({"duration": duration, **keys})
    one, many = flown(mission, leaping=False), flown(mission, leaping=True)
    assert one[0].sha256() == many[0].sha256()
    assert np.array_equal(one[0].clearance, many[0].clearance)
    assert np.array_equal(one[0].attitude, many[0].attitude)
    assert one[1] == many[1]
    assert one[2] == many[2]
    assert np.array_equal(one[3], many[3])
    for name in ("time", "position", "velocity", "attitude", "angular_velocity", "alive"):
        assert np.array_equal(getattr(one[4], name), getattr(many[4], name)), name
    assert many[5] < one[5] / 20


def test_a_run_that_is_watched_is_the_same_run():
    mission = swarm.load_mission("hadimassa").changed({"duration": 260.0})
    seen = []
    watched = swarm.run(mission, seed=2, watch=lambda sim: seen.append(sim.steps))
    assert seen == list(range(1, 261))
    assert swarm.run(mission, seed=2).trajectory_sha256 == watched.trajectory_sha256


def test_a_controller_of_ones_own_is_asked_at_every_step():
    mission = swarm.load_mission("hadimassa").changed({"duration": 30.0})
    asked = []

    def still(view):
        asked.append(view.time)
        return np.zeros_like(view.position)

    assert swarm.run(mission, seed=0, controller=still).steps == 30
    assert len(asked) == 30


@pytest.mark.parametrize("variant", ["repaired", "literal"])
def test_nobody_is_in_a_wall_at_any_time(variant):
    keys = {"duration": 400.0, "controller.params.variant": variant}
    result = swarm.run(swarm.load_mission("hadimassa").changed(keys), seed=4)
    plan = swarm.load_world("hadimassa").floor_plan
    position = result.trajectory.position
    assert plan.walkable[plan.cell_of(position)].all()
    assert ((position >= plan.bounds[0]) & (position <= plan.bounds[1])).all()


def test_with_a_trolley_on_the_plan_nobody_is_in_a_wall():
    trolley = {
        "kind": "box", "name": "trolley", "center": [-12.0, 5.0], "size": [3.0, 2.0],
        "motion": {"path": [[-12.0, 5.0], [12.0, 5.0]], "speed": 0.1},
    }  # fmt: skip
    mission = swarm.load_mission("hadimassa").changed({"duration": 250.0, "world.obstacles": [trolley]})
    with swarm.Simulation(mission, seed=0) as sim:
        while not sim.done:
            sim.leap()
            plan = sim.world.floor_plan
            assert plan.walkable[plan.cell_of(sim.state.position)].all()


def test_a_painted_wall_turns_ways_at_once_and_holds_nobody():
    mission = swarm.load_mission("hadimassa").changed({"duration": 300.0})
    with swarm.Simulation(mission, seed=0) as sim:
        while sim.steps < 100:
            sim.leap() if sim.steps < 90 else sim.step()
        plan = sim.world.floor_plan
        under = np.unique(np.stack(plan.cell_of(sim.state.position), axis=1), axis=0)[:40]
        sim.paint(np.column_stack([under, np.ones(40, int)]))
        after = sim.view.floor_plan
        assert not after.walkable[tuple(under.T)].any()
        assert not np.array_equal(after.distance, plan.distance)
        while not sim.done:
            assert after.walkable[after.cell_of(sim.state.position)].all()
            sim.leap()


@pytest.mark.parametrize("leaping", [False, True])
def test_a_goal_that_is_painted_counts(leaping):
    mission = swarm.load_mission("hadimassa").changed({"duration": 300.0})
    with swarm.Simulation(mission, seed=0) as sim:
        row, column = sim.world.floor_plan.cell_of([4.0, 10.0])
        goal = [[row + y, column + x, 3] for y in (-2, -1, 0, 1, 2) for x in (-2, -1, 0, 1, 2)]
        sim.paint(goal)
        while sim.steps < 199:
            sim.leap() if leaping else sim.step()
        assert sim.goal.now > 50
