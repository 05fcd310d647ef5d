"""The Gymnasium environment: API, determinism, and the same flight as a mission to the last bit."""

from __future__ import annotations

import warnings

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import swarm
from swarm.errors import BadInput, SimulationError
from swarm.library import library

ID = "swarm/FiveDroneFormation-v0"


def make(**arguments: object) -> gymnasium.Env:  # type: ignore[type-arg]
    return gymnasium.make(ID, **arguments)


def episode(env: gymnasium.Env, seed: int, steps: int = 200) -> list[bytes]:  # type: ignore[type-arg]
    """Observations, rewards and flags of an episode of random actions drawn from the seed."""
    rng = np.random.default_rng(seed)
    observation, _ = env.reset(seed=seed)
    seen = [observation.tobytes()]
    for _ in range(steps):
        action = rng.uniform(-1, 1, env.action_space.shape).astype(np.float32)
        observation, reward, terminated, truncated, _ = env.step(action)
        seen.append(observation.tobytes() + np.float64(reward).tobytes() + bytes([terminated, truncated]))
        if terminated or truncated:
            break
    return seen


@pytest.mark.parametrize("mission", sorted(library()))
def test_every_library_mission_passes_the_checker_with_warnings_as_errors(mission: str) -> None:
    from swarm.envs.registration import env_id

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for mode in (None, "rgb_array", "ansi"):
            env = gymnasium.make(env_id(mission), render_mode=mode)
            check_env(env.unwrapped)
            env.close()


def test_mission_id_takes_any_file_and_module_prefix_works(tmp_path) -> None:  # type: ignore[no-untyped-def]
    path = tmp_path / "two.toml"
    path.write_text(
        'world = { use = "open-field" }\nswarm = { count = 2 }\ncontroller = { use = "boids" }\nduration = 1.0\n'
    )
    env = gymnasium.make("swarm:swarm/Mission-v0", mission=path)
    observation, info = env.reset(seed=3)
    assert info["seed"] == 3
    assert observation.shape[0] == 2
    for k in range(48):
        *_, terminated, truncated, info = env.step(np.zeros((2, 3), np.float32))
        assert (terminated, truncated) == (False, k == 47)
    assert info["metrics"]["collisions"] == 0
    env.close()


def test_observations_stay_in_their_space_and_layout_covers_every_column() -> None:
    env = make()
    layout = env.unwrapped.layout  # type: ignore[attr-defined]
    columns = np.zeros(layout.width, int)
    for part in layout.columns.values():
        columns[part] += 1
    assert (columns == 1).all()
    observation, _ = env.reset(seed=1)
    assert observation.dtype == np.float32
    for _ in range(100):
        assert env.observation_space.contains(observation)
        observation, *_ = env.step(env.action_space.sample())
    env.close()


def test_a_seeded_episode_is_the_same_whatever_went_before() -> None:
    fresh = make()
    wanted = episode(fresh, 5)
    fresh.close()
    used = make()
    for seed in (1, 2):
        rng = np.random.default_rng(seed)
        used.reset(seed=seed)
        for _ in range(120):  # hard flying: contacts and crashes that Bullet must not remember
            used.step(np.sign(rng.normal(size=used.action_space.shape)).astype(np.float32))
    assert episode(used, 5) == wanted
    assert episode(used, 5) == wanted
    used.close()


def test_controller_through_the_env_flies_the_same_trajectory_as_the_mission_bit_for_bit() -> None:
    mission = swarm.load_mission("five-drone-formation")
    result = swarm.run(mission, seed=0)
    env = make()
    env.reset(seed=0)
    sim = env.unwrapped.sim  # type: ignore[attr-defined]
    controller = swarm.controllers.make_controller(mission.controller.use, mission.controller.params, "", [])
    controller.reset(sim.briefing)
    done = False
    while not done:
        command = controller(sim.view)
        action = swarm.command.to_action(command, sim.action_limit, sim.state.alive)
        _, _, terminated, truncated, info = env.step(action)
        done = terminated or truncated
    assert sim.trajectory.sha256() == result.trajectory_sha256
    assert info["metrics"] == result.metrics
    env.close()


def test_reward_is_the_sum_of_its_named_terms() -> None:
    env = make(reward={"effort": 2.0})
    env.reset(seed=0)
    for _ in range(20):
        _, reward, _, _, info = env.step(env.action_space.sample())
        assert reward == pytest.approx(sum(info["reward_terms"].values()))
        assert set(info["reward_terms"]) == set(env.unwrapped.weights)  # type: ignore[attr-defined]
    env.close()


def test_flying_to_the_target_earns_progress_and_away_costs() -> None:
    earned = []
    for sign in (1.0, -1.0):
        env = make()
        env.reset(seed=0)
        action = np.zeros(env.action_space.shape, np.float32)
        action[:, 0] = sign * 0.5
        earned.append(sum(env.step(action)[4]["reward_terms"]["progress"] for _ in range(48)))
        env.close()
    # One second at half the limit makes half the progress of full speed, less what it takes to get up to speed.
    assert 0.3 * 48 < earned[0] < 0.5 * 48
    assert earned[1] == pytest.approx(-earned[0], rel=0.05)


def test_closes_twice() -> None:
    env = make()
    env.reset(seed=0)
    env.close()
    env.close()


def test_pictures_and_text() -> None:
    env = make(render_mode="rgb_array")
    env.reset(seed=0)
    first = env.render()
    assert first.dtype == np.uint8
    assert first.ndim == 3
    for _ in range(30):
        env.step(np.full(env.action_space.shape, 0.4, np.float32))
    assert (env.render() != first).any()
    env.close()
    env = make(render_mode="ansi")
    env.reset(seed=0)
    text = env.render()
    assert all(letter in text for letter in "#T01234")
    env.close()


def test_bad_arguments_and_actions_are_refused() -> None:
    with pytest.raises(BadInput, match="render_mode"):
        swarm.envs.MissionEnv("five-drone-formation", render_mode="human")
    with pytest.raises(BadInput, match='did you mean "effort"'):
        swarm.envs.MissionEnv("five-drone-formation", reward={"efort": 1.0})
    env = swarm.envs.MissionEnv("five-drone-formation")
    env.reset(seed=0)
    bad = np.zeros(env.action_space.shape, np.float32)
    bad[3, 1] = np.nan
    with pytest.raises(SimulationError, match=r"step 0.*agent 3"):
        env.step(bad)
    with pytest.raises(SimulationError, match="shape"):
        env.step(np.zeros((2, 3), np.float32))
    env.close()
