"""A mission or a world in words, a line at a time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from typing import Any

import numpy as np

from swarm.metrics import METRICS
from swarm.mission import Mission
from swarm.plots.overview import Plan
from swarm.reports import unit_of
from swarm.simulation import Simulation
from swarm.worlds.world import World

PLURALS = {"box": "boxes", "mesh": "meshes"}


def mission_lines(mission: Mission, sim: Simulation, plan: Plan) -> Iterator[str]:
    """A mission in words."""
    swarm, body = mission.swarm, mission.body
    yield f"mission {mission.name}: at most {mission.duration:g} s, seed {sim.seed}"
    made = ", ".join(part for part in (body.engine, body.model) if part)
    yield _line("swarm", f"{swarm.count} × {body.body}" + (f" ({made})" if made else "")
                + f", physics at {swarm.physics_hz} Hz, commands at {swarm.command_hz} Hz")  # fmt: skip
    spawn = swarm.spawn
    around = f"about {_point(plan.position.mean(axis=0))}"
    yield _line("start", f"{_shape(spawn.shape, spawn.spacing)}, {around}")
    if mission.formation is not None:
        yield _line("formation", _shape(mission.formation.shape, mission.formation.spacing))
    yield _line("perception", f"{swarm.perception.range:g} m" + (
        "" if swarm.perception.field_of_view == 360 else f", {swarm.perception.field_of_view:g}° wide"))  # fmt: skip
    params = ", ".join(f"{key} = {_value(value)}" for key, value in mission.controller.params.items())
    yield _line("controller", mission.controller.use + (f": {params}" if params else ""))
    words = [f"{key} {_value(value)}" for key, value in _fields(mission.task).items() if value is not None]
    yield _line("task", f"{mission.task.kind}" + (f": {', '.join(words)}" if words else ""))
    if plan.route is not None and len(plan.route) > 1:
        long = float(np.linalg.norm(np.diff(plan.route, axis=0), axis=1).sum())
        straight = float(np.linalg.norm(plan.route[-1] - plan.route[0]))
        yield _line("route", f"{long:.1f} m from the swarm's middle, {straight:.1f} m in a straight line")
    if mission.safety.filter != "none":
        yield _line("safety", mission.safety.filter)
    for k, criterion in enumerate(mission.criteria):
        unit = unit_of(METRICS[criterion.name].unit)
        yield _line("" if k else "criteria", f"{criterion.name} {criterion.acceptable()}{unit}")


def world_lines(world: World) -> Iterator[str]:
    """A world in words."""
    yield f"world {world.name}: {world.dim} dimensions"
    yield _line("bounds", ", ".join(f"{axis} {low:g} to {high:g} m" for axis, low, high in zip("xyz", *world.bounds)))
    solid = world.surfaces[len(world.obstacles) :]
    yield _line("boundary", world.boundary + (f": {', '.join(solid)}" if solid else ""))
    kinds = Counter(obstacle.kind for obstacle in world.obstacles)
    count = ", ".join(
        f"{number} {kind if number == 1 else PLURALS.get(kind, kind + 's')}" for kind, number in sorted(kinds.items())
    )
    yield _line("obstacles", count or "none")
    names = [obstacle.name for obstacle in world.obstacles]
    if names:
        yield _line("", ", ".join(names) if len(names) <= 12 else f"{names[0]}, {names[1]} ... {names[-1]}")
    yield _line("surfaces", str(len(world.surfaces)))
    for notice in world.notices:
        yield _line("notice", notice)


def _line(word: str, text: str) -> str:
    return f"  {word:<11} {text}"


def _shape(shape: str, spacing: float) -> str:
    return {"uniform": "at random", "points": "given points"}.get(shape, f"{shape}, {spacing:g} m apart")


def _fields(thing: Any) -> Mapping[str, Any]:
    return {f.name: getattr(thing, f.name) for f in fields(thing)}


def _point(values: Sequence[float] | Any) -> str:
    return "(" + ", ".join(f"{round(float(value), 3) + 0.0:g}" for value in values) + ") m"


def _value(value: Any) -> str:
    if isinstance(value, (list, tuple)):
        return "(" + ", ".join(map(_value, value)) + ")"
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:g}" if isinstance(value, float) else str(value)
