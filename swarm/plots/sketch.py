"""What a picture shows of a task, whatever its kind."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from swarm.plots.below import scale_of_plan
from swarm.state import Bools, Floats
from swarm.tasks import Task
from swarm.worlds.floor_plan.plan import FloorPlan
from swarm.worlds.world import World
from swarm.worlds.zones import Zone


@dataclass(frozen=True, eq=False)
class Sketch:
    """Places of a task in a world of D dimensions."""

    end: Floats | None = None  # (D,) m, where the swarm is to end
    radius: float = 0.0  # m, how near to it is there
    path: Floats | None = None  # (K, D) m, a way that the task prescribes
    area: Floats | None = None  # (2, D) m, corners of what is to be searched
    sensing: float = 0.0  # m, from how far the end is found; 0 where it is known
    word: str = "target"  # at the end
    exits: tuple[Zone, ...] = ()  # areas that are ways out
    leaves: str = ""  # what who is gone at an exit, or at the end, has done; "" where nobody goes without being lost
    plan: FloorPlan | None = None  # whose goal cells are the exit
    scale: float = 1.0  # m of the world for a metre of the plan

    @property
    def places(self) -> Floats:
        """(P, D) m, what must be in a picture; (0, 0) where nothing must."""
        parts = [] if self.path is None else [self.path]
        if self.end is not None:
            parts += [self.end[None] - self.radius, self.end[None] + self.radius]
        for zone in self.exits:
            middle, half = np.asarray(zone.center, dtype=float), np.asarray(zone.size, dtype=float) / 2.0
            parts += [middle[None] - half, middle[None] + half]
        return np.concatenate(parts) if parts else np.empty((0, 0))

    def out(self, position: Floats) -> Bools:
        """(A,) who of those gone at (A, D) m has left and was not lost; nobody where the task lets none leave."""
        left = np.zeros(len(position), np.bool_)
        if not self.leaves:
            return left
        for zone in self.exits:
            left |= zone.contains(position)
        if self.end is not None:
            left |= np.linalg.norm(position - self.end, axis=1) <= self.radius
        if self.plan is not None:
            left |= self.plan.goal_cells[self.plan.cell_of(position[:, :2] / self.scale)]
        return left


def sketch(task: Task, world: World, hidden: Floats | None = None, sweep: Floats | None = None) -> Sketch:
    """The sketch of a task.

    Args:
        task: Of any kind; one that is not known is drawn by its `target`, `path` and `radius`.
        world: Where.
        hidden: (D,) m, where a target that the task does not tell was drawn; None leaves it out.
        sweep: (K, D) m, the way on which a search looks; None leaves it out.
    """
    made = _KINDS.get(task.kind, _plain)(task, world)
    if made.sensing > 0.0 and sweep is not None:
        made = replace(made, path=sweep)
    if made.end is None and hidden is not None:
        made = replace(made, end=hidden, word="hidden target")
    return made


def _plain(task: Any, world: World) -> Sketch:
    path, target = getattr(task, "path", None), getattr(task, "target", None)
    way = None if path is None or len(path[0]) != world.dim else np.array(path, dtype=float)
    end = way[-1] if way is not None else None
    if target is not None and len(target) == world.dim:
        end = np.array(target, dtype=float)
    return Sketch(end, float(getattr(task, "radius", 0.0)), way)


def _gates(task: Any, world: World) -> Sketch:
    known = _plain(task, world)
    if known.end is not None:
        return known
    chosen = [zone for zone in world.gates if task.gates is None or zone.name in task.gates]
    if task.gates is not None:
        chosen.sort(key=lambda gate: task.gates.index(gate.name))
    if not chosen:
        return known
    return Sketch(np.asarray(chosen[-1].center) + task.approach * chosen[-1].normal, task.radius)


def _search(task: Any, world: World) -> Sketch:
    known = _plain(task, world)
    area = None
    for zone in world.zones:
        if zone.name == task.area:
            middle, half = np.asarray(zone.center), np.asarray(zone.size) / 2.0
            area = np.stack([middle - half, middle + half]).clip(world.bounds[0], world.bounds[1])
    word = "hidden target" if known.end is not None else "target"
    return Sketch(known.end, known.radius, None, area, float(task.range), word)


def _exit(task: Any, world: World) -> Sketch:
    for zone in world.zones:
        if zone.name == task.exit:
            return Sketch(np.asarray(zone.center, dtype=float), word="exit", exits=(zone,))
    known = _plain(task, world)
    return Sketch(known.end, known.radius, word="exit")


def _evacuate(task: Any, world: World) -> Sketch:
    if task.exits:
        return Sketch(exits=tuple(zone for zone in world.zones if zone.name in task.exits), leaves="left")
    known = _plain(task, world)
    plan = world.floor_plan if known.end is None else None
    return Sketch(known.end, known.radius, word="exit", leaves="left", plan=plan)


def _circulate(task: Any, world: World) -> Sketch:
    leaves = "arrived" if task.circulation == "batch" else ""
    return Sketch(leaves=leaves, plan=world.ground_plan, scale=scale_of_plan(world))


_KINDS: dict[str, Callable[[Any, World], Sketch]] = {
    "gates": _gates,
    "search": _search,
    "exit": _exit,
    "evacuate": _evacuate,
    "circulate": _circulate,
}
