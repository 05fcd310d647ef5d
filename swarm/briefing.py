"""What a controller is told once, before a run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from swarm.state import Floats, Ints

if TYPE_CHECKING:
    from swarm.worlds.world import World
    from swarm.worlds.zones import Zone


@dataclass(frozen=True, slots=True, eq=False)
class Briefing:
    """The setting of a run, as `controller.reset(briefing)` receives it."""

    world: World
    count: int  # agents of one's own party
    dim: int  # 2 or 3
    dt: float  # s, command period
    radius: float  # m, of an agent's hull
    speed_limit: float  # m/s
    acceleration_limit: float  # m/s^2, what the body can be counted on to brake with
    reaction_time: float  # s, delay before the body brakes with acceleration_limit
    target: Floats | None  # (D,) m
    path: Floats | None  # (K, D) m, way-points of a task that prescribes the way
    path_speed: Floats | None  # (K - 1,) m/s wanted on each leg of the path
    formation: Floats | None  # (N, D) m, slots with their centroid at the origin, +x forward
    position: Floats  # (A, D) m, at the start
    rng: np.random.Generator
    gates: tuple[Zone, ...] = ()  # to be crossed in order
    role: Ints | None = None  # (A,) MEMBER, LEADER or PREDATOR
