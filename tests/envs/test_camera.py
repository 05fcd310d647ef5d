"""On-board cameras as part of an observation."""

from __future__ import annotations

import warnings
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import swarm
from swarm.errors import BadInput

CAMERA = {"kinds": ["depth", "rgb", "segmentation"], "size": [16, 12], "field_of_view": 90, "every": 1, "far": 10.0}


def make(**changed: Any) -> gymnasium.Env:  # type: ignore[type-arg]
    return gymnasium.make("swarm/Mission-v0", mission="five-drone-boids", camera={**CAMERA, **changed})


def test_the_checker_passes_with_warnings_as_errors() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for mode in (None, "rgb_array"):
            env = gymnasium.make("swarm/Mission-v0", mission="five-drone-boids", camera=CAMERA, render_mode=mode)
            check_env(env.unwrapped)
            env.close()


def test_observations_hold_what_was_asked_for() -> None:
    env = make()
    observation, _ = env.reset(seed=0)
    assert env.observation_space.contains(observation)
    assert {name: (part.shape, part.dtype) for name, part in observation.items()} == {
        "state": ((5, env.unwrapped.layout.width), np.float32),  # type: ignore[attr-defined]
        "depth": ((5, 12, 16), np.float32),
        "rgb": ((5, 12, 16, 3), np.uint8),
        "segmentation": ((5, 12, 16), np.int32),
    }
    env.close()
    env = make(kinds=["depth"])
    assert list(env.reset(seed=0)[0]) == ["state", "depth"]
    env.close()


def test_rows_and_flight_are_those_without_a_camera() -> None:
    plain, seeing = gymnasium.make("swarm/Mission-v0", mission="five-drone-boids"), make()
    rows, observation = plain.reset(seed=2)[0], seeing.reset(seed=2)[0]
    rng = np.random.default_rng(0)
    for _ in range(10):
        np.testing.assert_array_equal(rows, observation["state"])
        action = rng.uniform(-1, 1, plain.action_space.shape).astype(np.float32)
        rows, observation = plain.step(action)[0], seeing.step(action)[0]
    plain.close()
    seeing.close()


def test_depth_is_what_look_sees() -> None:
    env = make()
    observation, _ = env.reset(seed=1)
    sim = env.unwrapped.sim  # type: ignore[attr-defined]
    for agent in range(5):
        picture = swarm.eyes.look(sim, agent, size=(16, 12), field_of_view=90.0, far=10.0)
        np.testing.assert_array_equal(picture.depth, observation["depth"][agent])
        np.testing.assert_array_equal(picture.segmentation, observation["segmentation"][agent])
    assert observation["segmentation"].max() < len(sim.world.surfaces) + 5
    env.close()


def test_between_two_pictures_the_last_one_stays() -> None:
    env = make(every=3, kinds=["depth"])
    before = env.reset(seed=0)[0]["depth"]
    forward = np.zeros((5, 3), np.float32)
    forward[:, 0] = 1.0
    same = []
    for _ in range(12):
        after = env.step(forward)[0]["depth"]
        same.append(bool((after == before).all()))
        before = after
    assert same[:6] == [True, True, False, True, True, False]
    env.close()


def test_another_seed_is_another_forest() -> None:
    env = make(kinds=["depth"])
    first = env.reset(seed=0)[0]["depth"]
    assert (env.reset(seed=1)[0]["depth"] != first).any()
    np.testing.assert_array_equal(env.reset(seed=0)[0]["depth"], first)
    env.close()


@pytest.mark.parametrize(
    ("camera", "said"),
    [
        ({"kinds": ["dept"]}, 'did you mean "depth"'),
        ({"kinds": []}, "kinds: expected a list of length >= 1"),
        ({"kinds": ["rgb", "rgb"]}, "kinds: expected each kind once"),
        ({"kind": ["rgb"]}, 'unknown key (did you mean "kinds"?)'),
        ({"size": [1, 2]}, "size: expected a whole number >= 2"),
        ({"size": [64]}, "size"),
        ({"field_of_view": 200}, "field_of_view: expected a number <= 150"),
        ({"every": 0}, "every: expected a whole number >= 1"),
        ({"far": -1.0}, "far: expected a number >= 0.1"),
        ("depth", "camera: expected a table"),
    ],
)
def test_faults_of_the_table_are_one_clear_line(camera: Any, said: str) -> None:
    with pytest.raises(BadInput) as raised:
        swarm.envs.MissionEnv("five-drone-boids", camera=camera)
    assert len(raised.value.faults) == 1
    assert said in raised.value.faults[0]
    assert "camera" in raised.value.faults[0]
