"""The [[obstacles]] of a world file: one class of keys for each kind."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec

from swarm.errors import BadInput
from swarm.schema import build, choose, show
from swarm.worlds.meshes.files import find_mesh
from swarm.worlds.meshes.kinds import MOST_FACES
from swarm.worlds.meshes.load import load_mesh
from swarm.worlds.motion import Motion
from swarm.worlds.obstacles import KINDS, Obstacle

LARGEST = 1e6  # m; beyond it a coordinate is a slip of the keyboard, and distances lose their last millimetre
Coordinate = Annotated[float, msgspec.Meta(ge=-LARGEST, le=LARGEST)]
Length = Annotated[float, msgspec.Meta(gt=0.0, le=LARGEST)]
Speed = Annotated[float, msgspec.Meta(gt=0.0, le=20.0)]  # m/s; a faster mover would jump over a drone between two steps


@dataclass(frozen=True)
class MotionKeys:
    """Key `motion` of an obstacle that moves."""

    path: list[list[Coordinate]]  # m, where its centre goes after it started at `center`
    speed: Speed
    mode: Literal["back-and-forth", "loop", "once"] = "back-and-forth"


@dataclass(frozen=True)
class Placed:
    """Keys of every kind."""

    kind: str
    center: list[Coordinate]  # m
    name: str = ""  # kind and number if empty
    rpy: tuple[float, float, float] = (0.0, 0.0, 0.0)  # degrees
    motion: MotionKeys | None = None  # stands still if absent


@dataclass(frozen=True, kw_only=True)
class Box(Placed):
    """A cuboid, or a rectangle in two dimensions."""

    size: list[Length]  # m, whole edges


@dataclass(frozen=True, kw_only=True)
class Sphere(Placed):
    """A ball, or a disc in two dimensions."""

    radius: Length  # m


@dataclass(frozen=True, kw_only=True)
class Cylinder(Placed):
    """An upright cylinder with flat ends, or a disc in two dimensions."""

    radius: Length  # m
    height: Length = 0.0  # m, whole; needless in two dimensions


@dataclass(frozen=True, kw_only=True)
class MeshFile(Placed):
    """Triangles from a file."""

    file: str  # inside the folder of the world file; or the name of a mesh of the library
    scale: Any = 1.0  # m per unit of the file, or a list of three, one for each axis
    faces: Annotated[int, msgspec.Meta(ge=4, le=MOST_FACES)] | None = None  # simplified to at most so many


CLASSES: dict[str, type[Placed]] = {"box": Box, "sphere": Sphere, "cylinder": Cylinder, "mesh": MeshFile}


def read_obstacle(
    entry: object, where: str, index: int, dim: int, folder: Path, faults: list[str], notices: list[str]
) -> Obstacle | None:
    """Read one entry of [[obstacles]].

    Args:
        entry: What the file holds.
        where: Prefix of every message.
        index: Its number, for its name if it has none.
        dim: Of the world.
        folder: Meshes are found relative to it.
        faults, notices: Get what is wrong, and what a user should know.
    """
    if not isinstance(entry, Mapping):
        faults.append(f"{where}: expected a table, got {show(entry)}")
        return None
    if "kind" not in entry:
        faults.append(f"{where}.kind: missing; allowed: {', '.join(KINDS)}")
        return None
    if not choose(entry["kind"], KINDS, f"{where}.kind", faults):
        return None
    keys: Any = build(CLASSES[entry["kind"]], entry, where, faults)
    if keys is None:
        return None
    found = len(faults)
    for key in ("center", "size"):
        value = getattr(keys, key, None)
        if value is not None and len(value) != dim:
            faults.append(f"{where}.{key}: expected {dim} numbers, got {show(value)}")
    if dim == 2 and keys.kind == "mesh":
        faults.append(f'{where}.kind: expected box, sphere or cylinder in a world of two dimensions, got "mesh"')
    if dim == 2 and (keys.rpy[0] != 0.0 or keys.rpy[1] != 0.0):
        faults.append(f"{where}.rpy: expected [0, 0, yaw] in a world of two dimensions, got {show(list(keys.rpy))}")
    if dim == 3 and keys.kind == "cylinder" and keys.height == 0.0:
        faults.append(f"{where}.height: missing")
    motion = _motion(keys, f"{where}.motion", dim, faults)
    if len(faults) > found:
        return None
    mesh = None
    if keys.kind == "mesh":
        try:
            mesh = load_mesh(find_mesh(keys.file, folder), keys.scale, keys.faces)
        except BadInput as error:
            faults.extend(f"{where}.{fault}" for fault in error.faults)
            return None
        said = [f"{keys.file}: {notice}" for notice in mesh.notices]
        if not mesh.closed:
            said.append(f"{keys.file} is not watertight: it has no inside, distances to it are never negative")
        told = {notice.partition(".file: ")[2] for notice in notices}  # once, however often a file is used
        notices.extend(f"{where}.file: {notice}" for notice in said if notice not in told)
    return Obstacle(
        kind=keys.kind,
        center=tuple(keys.center),
        name=keys.name or f"{keys.kind} {index}",
        size=tuple(getattr(keys, "size", ())),
        radius=getattr(keys, "radius", 0.0),
        height=getattr(keys, "height", 0.0),
        rpy=(math.radians(keys.rpy[0]), math.radians(keys.rpy[1]), math.radians(keys.rpy[2])),
        mesh=mesh,
        motion=motion,
    )


def _motion(keys: Placed, where: str, dim: int, faults: list[str]) -> Motion | None:
    if keys.motion is None or len(keys.center) != dim:
        return None
    path = keys.motion.path
    wrong = [number for number, point in enumerate(path) if len(point) != dim]
    faults.extend(f"{where}.path[{number}]: expected {dim} numbers, got {show(path[number])}" for number in wrong)
    if wrong:
        return None
    try:
        return Motion(tuple(keys.center), tuple(map(tuple, path)), keys.motion.speed, keys.motion.mode)
    except BadInput as error:
        faults.extend(f"{where}.{fault}" for fault in error.faults)
        return None
