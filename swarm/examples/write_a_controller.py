"""Write a whole controller: any callable from a view to velocities, with an optional reset."""

from __future__ import annotations

import numpy as np

import swarm
from swarm.briefing import Briefing
from swarm.state import Floats
from swarm.view import View


class Circle:
    """Fly round the point where the swarm began, each at its own distance, without meeting."""

    def __init__(self, speed: float = 1.0) -> None:
        self.speed = speed  # m/s

    def reset(self, briefing: Briefing) -> None:
        """Told once before a run."""
        self.centre = briefing.position.mean(axis=0) - np.array([0.0, 3.0, 0.0])
        self.radius = np.linalg.norm((briefing.position - self.centre)[:, :2], axis=1)

    def __call__(self, view: View) -> Floats:
        """(A, D) m/s, asked for every command step."""
        arm = (view.position - self.centre)[:, :2]
        length = np.maximum(np.linalg.norm(arm, axis=1, keepdims=True), 1e-9)
        outward = arm / length
        along = np.stack([-outward[:, 1], outward[:, 0]], axis=1)
        command = np.zeros_like(view.position)
        command[:, :2] = self.speed * along + 0.8 * (self.radius[:, None] - length) * outward
        command[:, 2] = self.centre[2] - view.position[:, 2]
        return command


def main() -> None:
    """Ten seconds in the open field."""
    mission = swarm.load_mission(
        "five-drone-formation",
        {"world.use": "open-field", "task": {"kind": "flock"}, "duration": 10.0, "criteria": {}},
    )
    result = swarm.run(mission, seed=0, controller=Circle())
    print(f"mean speed {result.metrics['speed']:.2f} m/s, collisions {result.metrics['collisions']}")


if __name__ == "__main__":
    main()
