"""The controller of my.mission.toml: change a rule, then fly it with `swarm run my.mission.toml`."""

from __future__ import annotations

import numpy as np

from swarm.briefing import Briefing
from swarm.state import Floats
from swarm.view import View


class MyController:
    """Boids on the way to a target. The arguments are `params` in the mission file."""

    def __init__(
        self,
        cruise: float = 1.5,  # m/s towards the target
        separation: float = 1.2,  # m/s away from a neighbour at no distance
        alignment: float = 0.3,  # share of the neighbours' velocity that is taken over
        cohesion: float = 0.2,  # m/s for each metre to the middle of the neighbours
        avoidance: float = 1.5,  # m/s away from a surface that is touched
    ) -> None:
        self.cruise = cruise
        self.separation = separation
        self.alignment = alignment
        self.cohesion = cohesion
        self.avoidance = avoidance

    def reset(self, briefing: Briefing) -> None:
        """Called once before each run; `briefing` knows the world, the target and the start."""

    def __call__(self, view: View) -> Floats:
        """Called at every command step: the velocity that each drone should fly, (drones, 3) in m/s."""
        command = self.cruise * view.route_direction * np.minimum(view.route_distance, 1.0)[:, None]
        seen = view.neighbours
        for drone in range(len(command)):
            edges = slice(seen.indptr[drone], seen.indptr[drone + 1])
            if edges.start == edges.stop:
                continue  # nobody in sight
            toward = seen.displacement[edges]  # (neighbours, 3) m
            distance = np.maximum(seen.distance[edges], 1e-6)[:, None]  # (neighbours, 1) m
            closeness = np.maximum(1.0 - distance / 1.2, 0.0)  # 1 when touching, 0 from 1.2 m on
            command[drone] -= self.separation * (closeness * toward / distance).sum(axis=0)
            command[drone] += self.alignment * (view.velocity[seen.indices[edges]].mean(axis=0) - view.velocity[drone])
            command[drone] += self.cohesion * toward.mean(axis=0)
        threat = np.clip(1.0 - view.clearance / 0.8, 0.0, 1.0)  # 1 when touching, 0 from 0.8 m on
        return command + self.avoidance * threat[:, None] * view.normal
