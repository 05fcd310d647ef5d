"""The mission file: read and checked before anything runs, every fault on a line of its own."""

from __future__ import annotations

import copy
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

from msgspec import Meta

from swarm import controllers, formations, tasks
from swarm.bodies import BODIES, choose_body
from swarm.criteria import read_criteria
from swarm.errors import BadInput
from swarm.library import library
from swarm.mission import Formation, Measure, Mission, Safety, Swarm
from swarm.roles import ControllerChoice, spawn_of
from swarm.schema import build, nearest, read_toml, show
from swarm.spawn import Spawn


@dataclass(frozen=True)
class _File:
    """The keys of a mission file at the top level; tables are checked one by one."""

    world: dict[str, Any]
    swarm: dict[str, Any]
    controller: dict[str, Any]
    name: Annotated[str, Meta(max_length=100)] = ""
    duration: Annotated[float, Meta(gt=0, le=1e7)] = 60.0
    seed: Annotated[int, Meta(ge=0, le=2**63 - 1)] = 0
    seeds: Annotated[int, Meta(ge=1, le=100_000)] = 1
    formation: dict[str, Any] | None = None
    task: dict[str, Any] = field(default_factory=lambda: {"kind": "flock"})
    measure: dict[str, Any] = field(default_factory=dict)
    safety: dict[str, Any] = field(default_factory=dict)
    criteria: dict[str, Any] = field(default_factory=dict)


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
    named = re.sub(r"[^\w.-]", "-", path.name.removesuffix(".toml").removesuffix(".mission"))
    table.setdefault("name", re.sub(r"^\W+", "", named) or "mission")
    if str(path.parent.resolve()) not in sys.path:
        sys.path.append(str(path.parent.resolve()))  # a controller may stand beside the mission that uses it
    label = path.name if str(mission) in known else str(mission)
    return mission_from_table(apply(table, overrides or {}), label, path.parent)


def apply(table: Mapping[str, Any], overrides: Mapping[str, Any]) -> dict[str, Any]:
    """A copy of a table with values replaced at dotted key paths; another `controller.use` drops the parameters."""
    result: dict[str, Any] = copy.deepcopy(dict(table))
    own = result.get("controller")
    if isinstance(own, dict) and overrides.get("controller.use", own.get("use")) != own.get("use"):
        own.pop("params", None)  # those of another controller
    for path, value in overrides.items():
        *parents, last = path.split(".")
        if len(parents) > 20:
            raise BadInput(f"--set {path[:40]}...: nested too deeply")
        place: Any = result
        if parents[:2] == ["swarm", "roles"] and "roles" not in result.get("swarm", {}):
            raise BadInput(f"--set {path}: the mission has no [[swarm.roles]]")
        for depth, parent in enumerate(parents):
            inner = place.setdefault(parent, {}) if isinstance(place, dict) else _entry(place, parent, path)
            if not isinstance(inner, (dict, list)):
                raise BadInput(f"--set {path}: {'.'.join(parents[: depth + 1])} is not a table")
            place = inner
        if isinstance(place, list):
            _entry(place, last, path)
            place[int(last)] = copy.deepcopy(value)
        else:
            place[last] = copy.deepcopy(value)
    return result


def _entry(entries: list[Any], number: str, path: str) -> Any:
    """An entry of a list by its number, from 0."""
    if not (number.isdigit() and int(number) < len(entries)):
        raise BadInput(f"--set {path}: expected an entry of the list, 0 to {len(entries) - 1}, got {show(number)}")
    return entries[int(number)]


def mission_from_table(table: Mapping[str, Any], file: str, folder: Path | None = None) -> Mission:
    """Check a mission given as a table; `folder` is where its relative paths start."""
    faults: list[str] = []
    top = build(_File, table, file, faults)
    if top is None:
        raise BadInput(*faults)
    if not re.fullmatch(r"\w[\w.-]*", top.name):  # it names a folder of results
        faults.append(f"{file}: name: expected letters, digits, _, - and . after the first, got {show(top.name)}")
    folder = folder or Path.cwd()
    world, world_file = _expand_world(top.world, file, folder, faults)
    swarm = build(Swarm, top.swarm, f"{file}: swarm", faults)
    controller = build(ControllerChoice, top.controller, f"{file}: controller", faults)
    formation = None
    if top.formation is not None:
        formation = build(Formation, top.formation, f"{file}: formation", faults)
    measure_table = {("from_" if key == "from" else key): value for key, value in top.measure.items()}
    found: list[str] = []
    measure = build(Measure, measure_table, f"{file}: measure", found)
    faults.extend(fault.replace("from_", "from") for fault in found)
    safety = build(Safety, top.safety, f"{file}: safety", faults)
    task = tasks.read_task(top.task, f"{file}: task", faults)
    body = None
    if swarm is not None:
        body = choose_body(swarm.body, swarm.engine, swarm.model, f"{file}: swarm", faults)
        most = BODIES[swarm.body].most if swarm.body in BODIES else swarm.total
        if swarm.total > most:
            faults.append(f"{file}: swarm.count: expected at most {most:,} for a {swarm.body}, got {swarm.total:,}")
        moves = BODIES[swarm.body].motion if body is not None else ()
        for key in sorted(top.swarm.get("motion") or {}) if body is not None else ():
            if key not in moves:
                able = " or ".join(name for name, kind in BODIES.items() if key in kind.motion)
                has = f"only {', '.join(moves)}" if moves else "none"
                faults.append(f"{file}: swarm.motion.{key}: a {swarm.body} has {has}; it is for a {able}")
        if swarm.physics_hz % swarm.command_hz:
            faults.append(
                f"{file}: swarm.command_hz: expected a divisor of physics_hz {swarm.physics_hz}, got {swarm.command_hz}"
            )
        _check_shapes(swarm, formation, file, faults)
        for k, role in enumerate(swarm.roles):
            chosen, where = role.controller, f"{file}: swarm.roles[{k}].controller"
            controllers.make_controller(chosen.use, chosen.params, where, faults)
    if controller is not None:
        controllers.make_controller(controller.use, controller.params, f"{file}: controller", faults)
    # After the controller: its module may have registered metrics of its own.
    criteria = read_criteria(top.criteria, f"{file}: criteria", faults, top.duration)
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
        top.name, file, folder, float(top.duration), top.seed, world, world_file, swarm, body,
        controller, formation, task, measure, safety, criteria, table, top.seeds,
    )  # fmt: skip


def _check_shapes(swarm: Swarm, formation: Formation | None, file: str, faults: list[str]) -> None:
    shapes: list[tuple[str, Spawn | Formation | None, int]] = [
        ("swarm.spawn", swarm.spawn, swarm.count), ("formation", formation, swarm.flock),
        *((f"swarm.roles[{k}].spawn", spawn_of(swarm, role), role.count) for k, role in enumerate(swarm.roles)),
    ]  # fmt: skip
    for key, shape, count in shapes:
        if shape is None or shape.shape == "uniform":
            continue
        try:
            formations.slots(shape.shape, count, shape.spacing, 3, shape.points)
        except BadInput as error:
            faults.extend(f"{file}: {key}.{fault}" for fault in error.faults)
