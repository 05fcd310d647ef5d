"""Where a search's target was hidden, which a recording does not hold."""

from __future__ import annotations

import numpy as np

from swarm.bodies.drone.models import CF2X, MODELS
from swarm.mission import Mission
from swarm.state import Floats
from swarm.tasks.scene import Scene
from swarm.tasks.search import Search
from swarm.worlds.world import World


def hidden_target(mission: Mission, world: World, seed: int, start: Floats) -> Floats | None:
    """Work out again where the seed of a run hid the target, without planning the sweep, which takes seconds.

    Args:
        mission: What was flown.
        world: Where.
        seed: Of the run.
        start: (N, D) m, where the agents started.

    Returns:
        (D,) m; None where the task hides none, or tells where it is.
    """
    task: object = mission.task
    if not isinstance(task, Search) or task.target is not None:
        return None
    radius = MODELS.get(mission.body.model or "", CF2X).airframe.hull_radius
    scene = Scene(world, start, radius, np.random.default_rng(seed).spawn(3)[2], "task")
    return task.hide(scene)[0]
