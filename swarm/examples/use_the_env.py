"""Fly a mission through its Gymnasium environment with a policy written by hand."""

from __future__ import annotations

import gymnasium
import numpy as np

import swarm  # noqa: F401  (registers the environment ids)


def main() -> None:
    """Two seconds straight at the target."""
    env = gymnasium.make("swarm/FiveDroneFormation-v0")
    observation, _ = env.reset(seed=0)
    ahead = env.unwrapped.layout.columns["route_direction"]  # type: ignore[attr-defined]
    total = 0.0
    for _ in range(96):
        action = 0.4 * observation[:, ahead]
        observation, reward, terminated, truncated, info = env.step(action.astype(np.float32))
        total += float(reward)
        if terminated or truncated:
            break
    print(f"return {total:.2f} after {info['time']:.2f} s; last step: {info['reward_terms']}")
    env.close()


if __name__ == "__main__":
    main()
