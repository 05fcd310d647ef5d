"""The mission file: world + swarm + controller + task + criteria, read and checked before anything runs."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from msgspec import Meta

from swarm import controllers, formations, tasks
from swarm.bodies import BODIES, Choice, choose_body
from swarm.criteria import Criterion, read_criteria
from swarm.errors import BadInput
from swarm.formations import Shape
from swarm.library import library
from swarm.schema import build, nearest, read_toml, show
from swarm.state import Floats

if TYPE_CHECKING:
    from swarm.worlds.world import World

Positive = Annotated[float, Meta(gt=0)]
Point = Annotated[tuple[float, ...], Meta(min_length=2, max_length=3)]


@dataclass(frozen=True)
class Perception:
    """What an agent sees of the others and of the obstacles."""

    range: Positive = 5.0  # m
    field_of_view: Annotated[float, Meta(gt=0, le=360)] = 360.0  # degrees, full opening angle about the velocity


@dataclass(frozen=True)
class Spawn:
    """Where the agents start."""

    shape: Shape | Literal["uniform"] = "uniform"
    spacing: Positive = 1.0  # m
    center: Point | None = None  # m; default: the middle of the world
    size: Point | None = None  # m, of the box for `uniform`; default: the world's bounds
    points: tuple[Point, ...] | None = None  # m, for `points`: offsets from the centre


@dataclass(frozen=True)
class Swarm:
    """Who flies."""

    count: Annotated[int, Meta(ge=1, le=1_000_000)]
    body: str = "drone"
    engine: str | None = None  # default: the body's first
    model: str | None = None  # default: the body's first
    spawn: Spawn = field(default_factory=Spawn)
    perception: Perception = field(default_factory=Perception)
    physics_hz: Annotated[int, Meta(ge=1, le=10_000)] = 240
    command_hz: Annotated[int, Meta(ge=1, le=10_000)] = 48
    speed_limit: Positive | None = None  # m/s a command can ask for; default: the body's


@dataclass(frozen=True)
class ControllerChoice:
    """Who decides."""

    use: str
    params: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Formation:
    """The shape the swarm should hold; read by metrics and formation controllers."""

    shape: Shape
    spacing: Positive = 1.0  # m
    points: tuple[Point, ...] | None = None  # m


@dataclass(frozen=True)
class Measure:
    """From when on means are taken, and how near is near."""

    from_: Annotated[float, Meta(ge=0)] = 0.0  # s; `from` in the file
    near_miss: Positive | None = None  # m between centres; default three hull radii


@dataclass(frozen=True)
class Safety:
    """A last check on every command, whoever decides."""

    filter: Literal["none", "barrier"] = "none"


@dataclass(frozen=True)
class _File:
    """The keys of a mission file at the top level; tables are checked one by one."""

    world: dict[str, Any]
    swarm: dict[str, Any]
    controller: dict[str, Any]
    name: Annotated[str, Meta(min_length=1, pattern=r"^[\w.-]+$")] = ""
    duration: Annotated[float, Meta(gt=0, le=1e7)] = 60.0
    seed: Annotated[int, Meta(ge=0, lt=2**63)] = 0
    formation: dict[str, Any] | None = None
    task: dict[str, Any] = field(default_factory=lambda: {"kind": "flock"})
    measure: dict[str, Any] = field(default_factory=dict)
    safety: dict[str, Any] = field(default_factory=dict)
    criteria: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Mission:
    """A checked mission. Build one with `swarm.load_mission`."""

    name: str
    file: str  # where it was read, and where relative paths start
    duration: float  # s simulated
    seed: int
    world: Mapping[str, Any]  # the [world] table, with the world it uses laid under it
    world_file: str  # where relative paths of the world start
    swarm: Swarm
    body: Choice  # body, engine and model, resolved
    controller: ControllerChoice
    formation: Formation | None
    task: tasks.Task
    measure: Measure
    safety: Safety
    criteria: tuple[Criterion, ...]
    table: Mapping[str, Any]  # as read, with overrides

    def build_world(self, seed: int, body: str | None = None) -> World:
        """The world of one run.

        Args:
            seed: Makes a generated world, unless its generator has a seed of its own.
            body: Who moves in it; None takes the mission's. A torus becomes walls for bodies that cannot wrap.

        Returns:
            The world; the same object again while nothing has changed.

        Raises:
            BadInput: One line for each fault of the world.
        """
        generator = self.world.get("generator")
        fixed = generator is None or (isinstance(generator, dict) and "seed" in generator)
        wraps = BODIES[body or self.body.body].wraps
        return _cached_world(_Frozen(self.world), self.world_file, self.file, 0 if fixed else seed, wraps)

    def formation_slots(self, dim: int) -> Floats | None:
        """(N, dim) m slots of the formation, or None where the mission has none."""
        if self.formation is None:
            return None
        chosen = self.formation
        return formations.slots(chosen.shape, self.swarm.count, chosen.spacing, dim, chosen.points)

    def changed(self, overrides: Mapping[str, Any]) -> Mission:
        """This mission with other values at dotted key paths, checked again."""
        return mission_from_table(apply(self.table, overrides), Path(self.file).name, Path(self.file).parent)


class _Frozen(dict[str, Any]):
    """A table as a cache key: two equal tables are one key."""

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(repr(self))


@lru_cache(maxsize=2)
def _cached_world(table: _Frozen, world_file: str, file: str, seed: int, wraps: bool) -> World:
    from swarm.worlds import build_world

    try:
        world = build_world(table, world_file, seed)
    except BadInput as error:
        # A fault of an inline table stands in the mission's file; one of a world file in that file.
        shown = Path(file).name if world_file == file else world_file
        raise BadInput(*(f.replace(f"{world_file}: ", f"{shown}: world." if world_file == file else f"{shown}: ", 1)
                         for f in error.faults)) from None  # fmt: skip
    return world if wraps else world.walled()


def _merged(table: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    """`table` with the values of `over` in their place, tables merged key by key."""
    result = dict(table)
    for key, value in over.items():
        below = result.get(key)
        result[key] = _merged(below, value) if isinstance(value, dict) and isinstance(below, dict) else value
    return result


def _expand_world(table: Mapping[str, Any], file: str, folder: Path, faults: list[str]) -> tuple[dict[str, Any], str]:
    """The [world] table with the world it uses laid under it, and the file that its relative paths start from."""
    from swarm.worlds.file import find_world

    over = dict(table)
    use = over.pop("use", None)
    if use is None:
        return over, str(folder / Path(file).name)
    if not isinstance(use, str):
        faults.append(f"{file}: world.use: expected a library world or a path, got {show(use)}")
        return over, file
    try:
        path = find_world(use, folder)
        return _merged(read_toml(path), over), str(path)
    except BadInput as error:
        faults.extend(f"{file}: world.use: {fault}" for fault in error.faults)
        return over, file


def load_mission(mission: str | Path, overrides: Mapping[str, Any] | None = None) -> Mission:
    """Read a mission from the library or a TOML file.

    Args:
        mission: A library name such as "five-drone-formation", or a path.
        overrides: Values by dotted key path, such as {"swarm.count": 7}; they replace what the file says.

    Returns:
        The checked mission.

    Raises:
        BadInput: One line for each fault.
    """
    known = library()
    if str(mission) in known:
        path = known[str(mission)]
    else:
        path = Path(mission)
        if not path.exists() and path.suffix != ".toml" and len(path.parts) == 1:
            raise BadInput(f"{mission}: no such mission or file{nearest(mission, known)}; missions: {', '.join(known)}")
    table = read_toml(path)
    table.setdefault("name", path.name.removesuffix(".toml").removesuffix(".mission"))
    return mission_from_table(apply(table, overrides or {}), path.name, path.parent)


def apply(table: Mapping[str, Any], overrides: Mapping[str, Any]) -> dict[str, Any]:
    """A copy of a table with values replaced at dotted key paths."""
    result: dict[str, Any] = copy.deepcopy(dict(table))
    for path, value in overrides.items():
        *parents, last = path.split(".")
        place = result
        for depth, parent in enumerate(parents):
            place = place.setdefault(parent, {})
            if not isinstance(place, dict):
                raise BadInput(f"--set {path}: {'.'.join(parents[: depth + 1])} is not a table")
        place[last] = copy.deepcopy(value)
    return result


def mission_from_table(table: Mapping[str, Any], file: str, folder: Path | None = None) -> Mission:
    """Check a mission given as a table; `folder` is where its relative paths start."""
    faults: list[str] = []
    top = build(_File, table, file, faults)
    if top is None:
        raise BadInput(*faults)
    folder = folder or Path.cwd()
    world, world_file = _expand_world(top.world, file, folder, faults)
    swarm = build(Swarm, top.swarm, f"{file}: swarm", faults)
    controller = build(ControllerChoice, top.controller, f"{file}: controller", faults)
    formation = None
    if top.formation is not None:
        formation = build(Formation, top.formation, f"{file}: formation", faults)
    measure_table = {("from_" if key == "from" else key): value for key, value in top.measure.items()}
    measure = build(Measure, measure_table, f"{file}: measure", faults)
    safety = build(Safety, top.safety, f"{file}: safety", faults)
    task = tasks.read_task(top.task, f"{file}: task", faults)
    criteria = read_criteria(top.criteria, f"{file}: criteria", faults)
    body = None
    if swarm is not None:
        body = choose_body(swarm.body, swarm.engine, swarm.model, f"{file}: swarm", faults)
        if swarm.physics_hz % swarm.command_hz:
            faults.append(
                f"{file}: swarm.command_hz: expected a divisor of physics_hz {swarm.physics_hz}, got {swarm.command_hz}"
            )
        _check_shapes(swarm, formation, file, faults)
    if controller is not None:
        controllers.make_controller(controller.use, controller.params, f"{file}: controller", faults)
    if measure is not None and measure.from_ >= top.duration:
        faults.append(
            f"{file}: measure.from: expected less than the duration {top.duration:g} s, got {measure.from_:g}"
        )
    if (
        faults
        or swarm is None
        or controller is None
        or task is None
        or measure is None
        or safety is None
        or body is None
    ):
        raise BadInput(*faults)
    return Mission(
        top.name, str(folder / Path(file).name), float(top.duration), top.seed, world, world_file, swarm, body,
        controller, formation, task, measure, safety, criteria, table,
    )  # fmt: skip


def _check_shapes(swarm: Swarm, formation: Formation | None, file: str, faults: list[str]) -> None:
    for key, shape in (("swarm.spawn", swarm.spawn), ("formation", formation)):
        if shape is None or shape.shape == "uniform":
            continue
        try:
            formations.slots(shape.shape, swarm.count, shape.spacing, 3, shape.points)
        except BadInput as error:
            faults.extend(f"{file}: {key}.{fault}" for fault in error.faults)
