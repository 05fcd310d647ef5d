"""Missions flown by points: those made for drones unchanged, flat ones, and the environment."""

from __future__ import annotations

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import swarm
from swarm.errors import BadInput
from swarm.mission_file import mission_from_table

FLAT = {
    "name": "flat-flock",
    "duration": 20.0,
    "world": {"dim": 2, "bounds": [[0.0, 0.0], [30.0, 30.0]], "boundary": "torus"},
    "swarm": {
        "count": 200, "body": "point", "physics_hz": 10, "command_hz": 10, "speed_limit": 2.0,
        "perception": {"range": 3.0}, "spawn": {"heading": "random"},
        "motion": {"lowest_speed": 1.0, "acceleration": 3.0},
    },
    "controller": {"use": "boids"},
    "criteria": {"order": {"at_least": 0.6, "last": 5.0}},
}  # fmt: skip
DRONES = ["five-drone-boids", "five-drone-formation", "five-drone-open", "five-drone-indoor", "trap"]


def flat(**changes):
    return mission_from_table(FLAT, "flat.toml").changed(changes)


@pytest.mark.parametrize("name", DRONES)
@pytest.mark.parametrize("seed", [0, 1])
def test_a_drone_mission_is_flown_unchanged_and_nothing_is_hit(name, seed):
    result = swarm.run(name, seed, body="point")
    assert (result.body, result.engine) == ("point", None)
    assert result.contacts == ()
    assert result.metrics["collisions"] == result.metrics["obstacle_collisions"] == 0
    assert result.metrics["min_clearance"] > 0.0
    assert result.passed


@pytest.mark.slow
@pytest.mark.parametrize("name", ["five-drone-gates", "five-drone-yard", "five-drone-search"])
def test_a_long_drone_mission_is_flown_unchanged_and_nothing_is_hit(name):
    test_a_drone_mission_is_flown_unchanged_and_nothing_is_hit(name, 0)


def test_points_stand_in_with_the_limits_of_the_drone():
    with swarm.Simulation(swarm.load_mission("trap"), 0) as drones:
        pass
    with swarm.Simulation(swarm.load_mission("trap"), 0, body="point") as sim:
        assert sim.body.radius == drones.body.radius == sim.view.radius
        assert sim.body.speed_limit == drones.body.speed_limit
        assert sim.body.acceleration_limit == drones.body.acceleration_limit
        assert sim.body.reaction_time == 0.0
    with swarm.Simulation(flat(), 0) as own:
        assert own.body.radius == 0.0


def test_a_flock_on_a_flat_torus_comes_to_order_with_the_same_bytes_every_time():
    first = swarm.run(flat(), 3)
    assert first.passed
    assert first.trajectory.position.shape == (201, 200, 2)
    assert ((first.trajectory.position >= 0.0) & (first.trajectory.position < 30.0)).all()
    assert first.trajectory_sha256 == swarm.run(flat(), 3).trajectory_sha256
    assert first.trajectory_sha256 != swarm.run(flat(), 4).trajectory_sha256


def test_one_simulation_reset_is_a_new_one():
    with swarm.Simulation(flat(duration=2.0, criteria={}), 1) as sim:
        seen = []
        for seed in (1, 2, 1):
            sim.reset(seed)
            while not sim.done:
                sim.step()
            seen.append(sim.trajectory.sha256())
    assert seen[0] == seen[2] != seen[1]


def test_ticks_of_one_second_move_turtles_by_exactly_their_velocity():
    mission = flat(**{
        "swarm.physics_hz": 1, "swarm.command_hz": 1, "swarm.speed_limit": 1.0, "world.boundary": "open",
        "swarm.motion": {"lowest_speed": 1.0},
    })  # fmt: skip
    flight = swarm.run(mission, 0).trajectory
    assert flight.time.tolist() == list(range(21))
    assert np.array_equal(flight.position[1:], flight.position[:-1] + flight.velocity[1:])
    assert np.allclose(np.linalg.norm(flight.velocity, axis=2), 1.0, rtol=0, atol=1e-15)


def test_drones_refuse_a_flat_world_of_their_own_and_a_point_s_motion_each_in_a_line():
    own = {name: value for name, value in FLAT["swarm"].items() if name != "motion"}
    drones = own | {"body": "drone", "count": 2, "physics_hz": 240, "command_hz": 48}
    with pytest.raises(
        BadInput,
        match=r"flat\.toml: world\.dim: a drone moves in 3 .* can be point or walker",
    ):
        swarm.run(flat(swarm=drones), 0)
    with pytest.raises(BadInput) as refused:
        swarm.load_mission("trap", {"swarm.motion.radius": 0.1})
    (line,) = refused.value.faults
    assert line.startswith("trap.toml: swarm.motion.")
    assert "a drone has none; it is for a point" in line


@pytest.mark.parametrize(
    ("key", "value", "line"),
    [
        ("swarm.motion.turn_rat", 5.0, "swarm.motion.turn_rat: unknown key (did you mean \"turn_rate\"?)"),
        ("swarm.motion.turn_rate", -5.0, "swarm.motion.turn_rate: expected"),
        ("swarm.motion.lowest_speed", 9.0, "swarm.motion.lowest_speed: expected at most the speed limit of 2 m/s"),
        ("swarm.engine", "bullet", "swarm.engine: expected none for a point"),
        ("swarm.spawn.heading", "north", "swarm.spawn.heading: expected"),
    ],
)  # fmt: skip
def test_faults_of_a_point_s_keys_are_one_line_each(key, value, line):
    with pytest.raises(BadInput) as refused, swarm.Simulation(flat(**{key: value}), 0):
        pass
    (fault,) = refused.value.faults
    assert fault.startswith(f"flat.toml: {line}")


@pytest.mark.parametrize("mission", ["flat", "five-drone-formation"])
def test_the_environment_takes_points_and_agrees_with_the_mission_to_the_bit(mission):
    chosen = flat(**{"swarm.count": 20}) if mission == "flat" else mission
    env = gymnasium.make("swarm/Mission-v0", mission=chosen, body="point")
    check_env(env.unwrapped, skip_render_check=True)
    loaded = chosen if mission == "flat" else swarm.load_mission(mission)
    with swarm.Simulation(loaded, 5, body="point") as sim:
        env.reset(seed=5)
        rng = np.random.default_rng(0)
        for _ in range(30):
            action = rng.uniform(-1, 1, env.action_space.shape).astype(np.float32)
            env.step(action)
            sim.act(action)
        assert np.array_equal(env.unwrapped.sim.state.position, sim.state.position)
    env.close()
