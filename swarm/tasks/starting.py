"""Where a crowd that leaves begins: on the source cells of its floor plan, if there are any."""

from __future__ import annotations

import numpy as np

from swarm.errors import BadInput
from swarm.state import Floats
from swarm.tasks.beginning import Room
from swarm.tasks.plan_way import PlanWay
from swarm.tasks.scene import Scene


def on_sources(scene: Scene, asked: bool) -> Floats | None:
    """Random places on source cells, (A, D) m; bodies that take room keep two hull diameters apart.

    Args:
        scene: Of the run.
        asked: Whether the task says so; if not, they are taken only where the mission names no spawn.

    Returns:
        None where everybody begins as `swarm.spawn` says.

    Raises:
        BadInput: It is asked for, and there are no source cells or too few.
    """
    plan = scene.world.ground_plan
    key = f"{scene.where}.start: expected"
    if plan is None or not plan.source_cells.any():
        if asked:
            raise BadInput(f"{key} spawn where the world has no source cells, got sources")
        return None
    if scene.spawned and not asked:
        return None
    count, way = len(scene.start), PlanWay(plan, scene.world)
    if scene.radius == 0.0:
        middles = plan.center_of(*np.nonzero(plan.source_cells))
        chosen = middles[scene.rng.integers(len(middles), size=count)]
        return way.up(chosen + plan.cell * scene.rng.uniform(-0.5, 0.5, (count, 2)))
    places = Room(plan, count, scene.radius / way.scale).places
    if len(places) < count:
        if asked:
            raise BadInput(f"{key} at most {len(places)} agents two hull diameters apart on sources, got {count}")
        return None
    return way.up(places[scene.rng.permutation(len(places))[:count]])
