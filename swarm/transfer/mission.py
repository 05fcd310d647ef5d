"""A mission for points turned into one for drones."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any

from swarm.bodies import Choice
from swarm.bodies.drone.models import MODELS
from swarm.choices import choose
from swarm.criteria import Criterion
from swarm.errors import BadInput
from swarm.mission import Mission, Perception, Safety, Swarm
from swarm.spawn import Spawn
from swarm.transfer.scale import CRUISE, Scale

if TYPE_CHECKING:
    from swarm.tasks import Task

FARSIGHT = 3.0  # m that a drone sees at least, to keep from what it might hit
PLACES, PATHS = ("target",), ("path",)  # keys of tasks
LENGTHS, SPEEDS = ("radius", "margin", "approach", "range"), ("speed",)


def transferred(mission: Mission, choice: Choice) -> Mission:
    """The mission as this body flies it.

    A mission for points or walkers flown by drones keeps its rules, which go on seeing the mission's own lengths, speeds,
    dimensions and command period (see `swarm.transfer.abroad`). All else is scaled by one factor: `swarm.flight_scale`
    where the mission names it, else what makes the speed limit that it names 1.5 m/s, else 1. A world of two dimensions
    becomes a hall that is flown through at one altitude, a torus becomes walls, and the safety barrier checks every
    command.

    Args:
        mission: As it was written.
        choice: Who flies.

    Returns:
        This mission itself for any other pair of bodies.

    Raises:
        BadInput: A drone cannot fly as fast as its factor asks for.
    """
    if choice.body != "drone" or mission.body.body not in ("point", "walker"):
        return mission
    named, top = mission.swarm.speed_limit, MODELS[str(choice.model)].speed_limit
    limit = named or top
    factor = mission.swarm.flight_scale or (1.0 if named is None else CRUISE / named)
    if factor * limit > top + 1e-9:
        raise BadInput(
            f"{mission.file}: swarm.flight_scale: expected at most {top / limit:g}, at which {limit:g} m/s become the "
            f"{top:g} m/s of a {choice.model}, got {factor:g}"
        )
    scale = Scale(mission, factor, flat=_dim(mission) == 2)
    measure, formation = mission.measure, mission.formation
    if measure.near_miss is not None:
        measure = replace(measure, near_miss=factor * measure.near_miss)
    if formation is not None:
        points = None if formation.points is None else tuple(_scaled(p, factor) for p in formation.points)
        formation = replace(formation, spacing=factor * formation.spacing, points=points)
    return replace(
        mission, swarm=_swarm(mission.swarm, choice, scale), body=choice, formation=formation, measure=measure,
        task=_task(mission.task, scale), safety=Safety("barrier"),
        criteria=tuple(_criterion(criterion, factor) for criterion in mission.criteria), transfer=scale,
    )  # fmt: skip


def as_flown(mission: Mission, body: str | None = None, engine: str | None = None) -> Mission:
    """The mission as it is flown when another body or engine is asked for; see `transferred`."""
    return transferred(mission, choose(mission, body, engine, []))


def _dim(mission: Mission) -> int:
    """Of its world, 2 or 3."""
    table = mission.world
    if "floor_plan" in table:
        return 2
    corners = table.get("bounds") or [[0.0] * 3]
    dim: int = table.get("dim") or len(corners[0])
    return dim


def _scaled(values: tuple[float, ...], factor: float) -> tuple[float, ...]:
    return tuple(factor * value for value in values)


def _swarm(swarm: Swarm, choice: Choice, scale: Scale) -> Swarm:
    commands, physics = scale.rates
    perception = Perception(range=max(scale.factor * swarm.perception.range, FARSIGHT))  # the rules have their own
    roles = tuple(
        replace(
            role, spawn=None if role.spawn is None else _spawn(role.spawn, scale),
            capture=None if role.capture is None else replace(role.capture, radius=scale.factor * role.capture.radius),
        )
        for role in swarm.roles
    )  # fmt: skip
    return replace(
        swarm, body=choice.body, engine=choice.engine, model=choice.model, spawn=_spawn(swarm.spawn, scale),
        perception=perception, physics_hz=physics, command_hz=commands, speed_limit=None, motion=None, roles=roles,
    )  # fmt: skip


def _spawn(spawn: Spawn, scale: Scale) -> Spawn:
    size = None if spawn.size is None else _scaled(spawn.size, scale.factor)
    center = None if spawn.center is None else scale.place(spawn.center)
    if scale.flat:
        size = None if size is None else (*size, 0.0)
    points = None if spawn.points is None else tuple(_scaled(point, scale.factor) for point in spawn.points)
    return replace(spawn, spacing=scale.factor * spawn.spacing, center=center, size=size, points=points)


def _task(task: Task, scale: Scale) -> Task:
    changes: dict[str, Any] = {}
    for field in fields(task):  # type: ignore[arg-type]
        value = getattr(task, field.name)
        if value is None:
            continue
        if field.name in PLACES:
            changes[field.name] = scale.place(value)
        elif field.name in PATHS:
            changes[field.name] = tuple(scale.place(point) for point in value)
        elif field.name in LENGTHS:
            changes[field.name] = scale.factor * value
        elif field.name in SPEEDS:
            changes[field.name] = _scaled(value, scale.factor)
    changed: Task = replace(task, **changes)  # type: ignore[type-var]
    return changed


def _criterion(criterion: Criterion, factor: float) -> Criterion:
    from swarm.comparison import LENGTH_UNITS
    from swarm.metrics import METRICS

    if METRICS[criterion.name].unit not in LENGTH_UNITS:
        return criterion
    limit = criterion.limit
    if isinstance(limit, tuple):
        return replace(criterion, limit=(factor * limit[0], factor * limit[1]))
    return replace(criterion, limit=factor * limit)
