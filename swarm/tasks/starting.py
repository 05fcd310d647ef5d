"""Where a crowd that leaves begins: on the source cells of its floor plan, if there are any."""

from __future__ import annotations

from typing import Any

import numpy as np

from swarm.errors import BadInput
from swarm.state import Floats
from swarm.tasks.beginning import GAP, Room
from swarm.tasks.plan_way import PlanWay
from swarm.tasks.scene import Scene
from swarm.worlds.world import World

CLOSE = 0.25  # hull diameters between those who walk


def may_begin_on_sources(task: Any, world: World) -> bool:
    """Whether a task may put everybody on source cells, whatever `swarm.spawn` says."""
    plan = world.ground_plan
    return plan is not None and bool(plan.source_cells.any()) and getattr(task, "start", "spawn") != "spawn"


def on_sources(scene: Scene, asked: bool) -> Floats | None:
    """Random places on source cells, (A, D) m; drones keep two hull diameters between them, others a quarter.

    Args:
        scene: Of the run.
        asked: Whether the task says so; if not, they are taken only where the mission names no spawn.

    Returns:
        None where everybody begins as `swarm.spawn` says.

    Raises:
        BadInput: There are too few source cells, or none though they are asked for.
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
    gap = GAP if scene.world.dim == 3 else CLOSE
    places = Room(plan, count, scene.radius / way.scale, gap).places
    if len(places) < count:
        raise BadInput(
            f"{key} spawn where {count} agents find no room on the source cells, which have {len(places)} places, got "
            f"sources"
        )
    return way.up(places[scene.rng.permutation(len(places))[:count]])
