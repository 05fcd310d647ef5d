"""Crowds of other rules, bodies and tasks: many ticks in one call are as many steps."""

from __future__ import annotations

import numpy as np
import pytest

import swarm
from swarm.mission_file import mission_from_table


def square(walkers, hz=20, task=None, **swarm_keys):
    side = walkers**0.5
    zone = {"kind": "area", "name": "exit", "center": [side - 0.5, side - 0.5], "size": [1.0, 1.0]}
    table = {
        "name": "square", "duration": 30.0,
        "world": {"dim": 2, "bounds": [[0.0, 0.0], [side, side]], "boundary": "walls", "zones": [zone]},
        "swarm": {
            "count": walkers, "body": "point", "physics_hz": hz, "command_hz": hz, "speed_limit": 3.0,
            "motion": {"radius": 0.2}, "perception": {"range": 1.7}, "spawn": {"spacing": 0.42}, **swarm_keys,
        },
        "controller": {"use": "time-gap", "params": {"speed": 1.2, "length": 0.4}},
        "task": task or {"kind": "evacuate", "exits": ["exit"]},
    }  # fmt: skip
    return mission_from_table(table, "square.toml")


MISSIONS = {
    "square": lambda: square(100),
    "late and in part": lambda: square(
        60, task={"kind": "evacuate", "exits": ["exit"], "premovement": [0.0, 9.0], "share": 0.5, "ends": False}
    ),
    "to a place": lambda: square(60, task={"kind": "evacuate", "target": [4.0, 4.0], "radius": 0.8}),
    "limits of motion": lambda: square(
        60, motion={"radius": 0.25, "acceleration": 2.0, "turn_rate": 90.0}, speed_limit=0.9
    ),
    "counter-flow": lambda: swarm.load_mission("counter-flow").changed({"duration": 12.0}),
    "hulls that look about for themselves": lambda: square(30, 10).changed(
        {"controller": {"use": "hadimassa"}, "duration": 20.0}
    ),
    "over obstacles' heads": lambda: square(60, task={"kind": "evacuate", "target": [7.0, 7.0]}),
    "walkers": lambda: swarm.load_mission("hadimassa").changed(
        {"controller": {"use": "time-gap"}, "duration": 230.0, "swarm.count": 60, "criteria": {},
         "swarm.perception.range": 3.0}
    ),
    "walkers leave": lambda: swarm.load_mission("hadimassa").changed(
        {"controller": {"use": "time-gap"}, "task": {"kind": "evacuate"}, "duration": 90.0, "criteria": {},
         "swarm.perception.range": 3.0}
    ),
}  # fmt: skip


def flown(mission, leaping):
    with swarm.Simulation(mission, seed=1) as sim:
        calls = 0
        while not sim.done:
            sim.leap() if leaping else sim.step()
            calls += 1
        return sim, calls, sim.metrics, sim.stuck


@pytest.mark.parametrize("name", MISSIONS)
def test_many_ticks_in_a_call_are_as_many_steps_to_the_byte(name):
    mission = MISSIONS[name]()
    (one, steps, *said), (many, calls, *told) = flown(mission, False), flown(mission, True)
    assert calls <= steps / 20
    before, after = one.trajectory, many.trajectory
    for field in ("time", "position", "velocity", "command", "clearance", "alive", "attitude"):
        assert np.array_equal(getattr(before, field), getattr(after, field)), field
    assert one.contacts == many.contacts
    assert said == told
    assert np.array_equal(one.command, many.command)
    for field in ("time", "position", "velocity", "attitude", "angular_velocity", "alive"):
        assert np.array_equal(getattr(one.state, field), getattr(many.state, field)), field
    assert (one.success, one.time_to_target) == (many.success, many.time_to_target)


def test_leaps_too_short_for_a_look_at_who_is_stuck_are_steps_too():
    mission = square(20)
    with swarm.Simulation(mission, seed=1) as one, swarm.Simulation(mission, seed=1) as many:
        for _ in range(25):
            one.step()
            many.leap(1)
        assert np.array_equal(one.trajectory.position, many.trajectory.position)
        assert one.metrics == many.metrics
