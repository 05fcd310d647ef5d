"""Write a rule in plain NumPy, combine it with the library's, and fly five drones with it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

import swarm
from swarm.controllers.combiners.weighted_sum import WeightedSum
from swarm.controllers.rules.obstacle_avoidance import ObstacleAvoidance
from swarm.controllers.rules.separation import Separation
from swarm.state import Floats
from swarm.view import View


@dataclass(frozen=True)
class Slalom:
    """Sway to the left and right of the way to the target."""

    speed: float = 1.0  # m/s
    period: float = 6.0  # s

    def __call__(self, view: View) -> Floats:
        """(A, D) m/s."""
        ahead = view.route_direction
        aside = np.zeros_like(ahead)
        aside[:, 0], aside[:, 1] = -ahead[:, 1], ahead[:, 0]
        swaying: Floats = self.speed * (ahead + 0.5 * np.sin(2 * np.pi * view.time / self.period) * aside)
        return swaying


def main() -> None:
    """Fly the open field, and print what came of it."""
    controller = WeightedSum(rules=[Slalom(), Separation(), ObstacleAvoidance()], weights=[1.0, 1.5, 1.0])
    mission = swarm.load_mission("five-drone-formation", {"world.use": "open-field", "duration": 40.0})
    result = swarm.run(mission, seed=0, controller=controller)
    print(f"reached: {result.metrics['success']}, closest pair {result.metrics['min_separation']:.2f} m")


if __name__ == "__main__":
    main()
