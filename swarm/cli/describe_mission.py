"""A mission in words, a line at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields
from typing import Any

import numpy as np

from swarm.cli.describe import counted, line, point
from swarm.metrics import METRICS
from swarm.mission import Mission
from swarm.plots.overview import Plan
from swarm.reports import unit_of
from swarm.simulation import Simulation


def mission_lines(mission: Mission, sim: Simulation, plan: Plan) -> Iterator[str]:
    """A mission in words."""
    swarm, body = mission.swarm, mission.body
    yield f"mission {mission.name}: at most {mission.duration:g} s, seed {sim.seed}"
    made = ", ".join(part for part in (body.engine, body.model) if part)
    yield line("swarm", f"{swarm.count} × {body.body}" + (f" ({made})" if made else "")
                + f", physics at {swarm.physics_hz} Hz, commands at {swarm.command_hz} Hz")  # fmt: skip
    for role in swarm.roles:
        caught = "" if role.capture is None else f", catching within {role.capture.radius:g} m"
        yield line("", f"{counted(role.count, role.role)}, told by {role.controller.use}{caught}")
    spawn = swarm.spawn
    around = f"about {point(plan.position.mean(axis=0))}"
    yield line("start", f"{_shape(spawn.shape, spawn.spacing)}, {around}")
    if mission.formation is not None:
        yield line("formation", _shape(mission.formation.shape, mission.formation.spacing))
    few = swarm.perception.nearest
    yield line("perception", ("" if few is None else f"the {few} nearest within ") + f"{swarm.perception.range:g} m" + (
        "" if swarm.perception.field_of_view == 360 else f", {swarm.perception.field_of_view:g}° wide"))  # fmt: skip
    params = ", ".join(f"{key} = {_value(value)}" for key, value in mission.controller.params.items())
    yield line("controller", mission.controller.use + (f": {params}" if params else ""))
    words = [f"{key} {_value(value)}" for key, value in _fields(mission.task).items() if value is not None]
    more = _MORE[mission.task.kind](mission.task, sim) if mission.task.kind in _MORE else []
    yield line("task", f"{mission.task.kind}" + (f": {', '.join([*more, *words])}" if more or words else ""))
    if plan.route is not None and len(plan.route) > 1:
        long = float(np.linalg.norm(np.diff(plan.route, axis=0), axis=1).sum())
        straight = float(np.linalg.norm(plan.route[-1] - plan.route[0]))
        if plan.task.sensing > 0.0:
            yield line("sweep", f"{long:.1f} m from the swarm's middle; all that is to be searched is seen from it")
        else:
            yield line("route", f"{long:.1f} m from the swarm's middle, {straight:.1f} m in a straight line")
        if plan.margin is not None:
            yield line("", f"at least {plan.margin:.2f} m from everything solid, from the middle of an agent")
    if mission.safety.filter != "none":
        yield line("safety", mission.safety.filter)
    for k, criterion in enumerate(mission.criteria):
        unit = unit_of(METRICS[criterion.name].unit)
        yield line("" if k else "criteria", f"{criterion.name} {criterion.acceptable()}{unit}")


def _gates(task: Any, sim: Simulation) -> list[str]:
    return [] if task.gates is not None else [f"all {counted(len(sim.world.gates), 'gate')} in their order"]


def _search(task: Any, sim: Simulation) -> list[str]:
    where = [] if task.area is not None else ["all of the world"]
    return [*where, "the target is drawn with the seed"] if task.target is None else where


_MORE: Mapping[str, Callable[[Any, Simulation], list[str]]] = {"gates": _gates, "search": _search}


def _shape(shape: str, spacing: float) -> str:
    return {"uniform": "at random", "points": "given points"}.get(shape, f"{shape}, {spacing:g} m apart")


def _fields(thing: Any) -> Mapping[str, Any]:
    return {f.name: getattr(thing, f.name) for f in fields(thing)}


def _value(value: Any) -> str:
    if isinstance(value, (list, tuple)):
        return "(" + ", ".join(map(_value, value)) + ")"
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:g}" if isinstance(value, float) else str(value)
