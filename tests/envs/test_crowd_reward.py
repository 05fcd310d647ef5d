"""What a learner is told of a crowd that begins again and again."""

from __future__ import annotations

import gymnasium
import numpy as np
import pytest

import swarm


def test_walking_to_the_goal_is_rewarded_and_an_arrival_does_not_undo_it():
    mission = swarm.load_mission("hadimassa").changed({"swarm.count": 8, "controller.params.turn": 20.0})
    with swarm.Simulation(mission, seed=0) as sim:
        left, began_with = sim.goal.way.left, sim.goal.to_go(sim.view.state)
        at_first = sim.state.position.copy()
        again = 0.0
        while len(sim.goal.arrivals) < 2:
            before = sim.state.position
            sim.step()
            leapt = np.linalg.norm(sim.state.position - before, axis=1) > 1.0
            again += left(sim.state.position[leapt]).sum() - left(before[leapt]).sum()
        assert sum(sim.goal.arrivals) > 8
        came = (left(at_first).sum() + again - left(sim.state.position).sum()) / 8
        gone = began_with - sim.goal.to_go(sim.view.state)
        # The last step before each arrival, of up to 0.46 m in both axes, is in `gone` alone.
        assert came - 1e-9 <= gone <= came + sum(sim.goal.arrivals) * 1.0 / 8
        assert gone > 40.0


def test_an_env_of_a_crowd_rewards_who_follows_the_way():
    env = gymnasium.make("swarm/Mission-v0", mission="hadimassa")
    env.reset(seed=0)
    sim, total = env.unwrapped.sim, 0.0
    for _ in range(60):
        command = sim.view.route_direction * 0.3
        info = env.step((command / sim.action_limit).astype(np.float32))[4]
        total += info["reward_terms"]["progress"]
    env.close()
    assert total == pytest.approx(60 * 0.3 / 0.455, rel=0.35)
