"""World files: from TOML to a World, every fault on a line of its own."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from swarm.errors import BadInput
from swarm.schema import build, choose, nearest, read_toml, show
from swarm.state import Floats
from swarm.worlds.floor_plan.furnished import furnished
from swarm.worlds.floor_plan.keys import read_floor_plan
from swarm.worlds.floor_plan.plan import FloorPlan
from swarm.worlds.generators import generated
from swarm.worlds.moving import check_ways
from swarm.worlds.obstacles import Obstacle
from swarm.worlds.tables import Coordinate, read_obstacle
from swarm.worlds.wind import read_winds
from swarm.worlds.world import World
from swarm.worlds.zones import Zone, read_zones

LIBRARY = Path(__file__).parent / "library"
BOUNDARIES = ("torus", "walls", "open")


@dataclass(frozen=True)
class WorldTable:
    """The top level of a world file."""

    bounds: list[list[Coordinate]] | None = None  # [[lowest corner], [highest corner]], m; those of the floor plan
    name: str = ""  # the file's own name if empty
    dim: int | None = None  # 3; 2 with a floor plan
    boundary: str = "walls"
    floor: bool | None = None  # solid ground at the lowest z; on by default where there are walls
    obstacles: list[Any] = field(default_factory=list)
    generator: dict[str, Any] | None = None
    zones: list[Any] = field(default_factory=list)
    wind: list[Any] = field(default_factory=list)
    floor_plan: dict[str, Any] | None = None


def world_names() -> tuple[str, ...]:
    """Names of the library's worlds."""
    return tuple(sorted(path.stem for path in LIBRARY.glob("*.toml")))


def find_world(name_or_path: str | Path, folder: Path | None = None) -> Path:
    """The file of a world given by library name or by path.

    Args:
        name_or_path: Such as "forest" or "worlds/yard.toml".
        folder: What a relative path starts from; the working directory if None.

    Raises:
        BadInput: It is neither; the nearest library name is suggested.
    """
    text = str(name_or_path)
    if text in world_names():
        return LIBRARY / f"{text}.toml"
    path = (folder or Path()) / text
    if path.suffix != ".toml" and not path.exists():
        raise BadInput(
            f"{text}: no such world{nearest(text, world_names())}; the library has {', '.join(world_names())}"
        )
    return path


def load_world(name_or_path: str | Path, seed: int | None = None, overrides: Mapping[str, Any] | None = None) -> World:
    """Load a world.

    Args:
        name_or_path: Library name or path of a TOML file.
        seed: Makes what the file leaves to chance, unless it has a seed of its own; 0 if None.
        overrides: Values by dotted key, such as {"generator.density": 0.1}.

    Raises:
        BadInput: What is wrong with the file, one line per fault.
    """
    path = find_world(name_or_path)
    table = read_toml(path)
    for key, value in (overrides or {}).items():
        override(table, key, value, str(path))
    return build_world(table, path, 0 if seed is None else seed)


def override(table: dict[str, Any], key: str, value: Any, file: str) -> None:
    """Set one value of a table by its dotted key; numbers count entries of a list from 0."""
    *parents, last = key.split(".")
    place: Any = table
    for part in parents:
        if isinstance(place, list) and part.isdigit() and int(part) < len(place):
            place = place[int(part)]
        elif isinstance(place, dict):
            place = place.setdefault(part, {})
    if isinstance(place, list) and last.isdigit() and int(last) < len(place):
        place[int(last)] = value
    elif isinstance(place, dict):
        place[last] = value
    else:
        raise BadInput(f"{file}: {key}: no such key")


def build_world(table: Mapping[str, Any], file: Path | str, seed: int = 0) -> World:
    """Make a world from what a world file, or the world table of a mission, holds.

    Args:
        table: The keys of a world file.
        file: Where they stand: named in messages, and meshes are found relative to it.
        seed: Makes what the table leaves to chance, unless its generator has a seed of its own.

    Raises:
        BadInput: One line for each unknown key, missing key, wrong type and impossible value.
    """
    faults: list[str] = []
    world = _build(table, Path(file), seed, faults)
    if world is None:
        raise BadInput(*faults)
    return world


def _build(table: Mapping[str, Any], file: Path, seed: int, faults: list[str]) -> World | None:
    top = build(WorldTable, table, str(file), faults)
    if top is None:
        return None
    notices: list[str] = []
    plan = None
    if top.floor_plan is not None:
        plan = read_floor_plan(top.floor_plan, f"{file}: floor_plan", file.parent, faults)
        top = _as_planned(top, plan, file, faults)
    dim = _dim(top)
    bounds = plan.bounds if plan is not None else _bounds(top, dim, file, faults)
    choose(top.boundary, BOUNDARIES, f"{file}: boundary", faults)
    if top.floor and dim == 2:
        faults.append(f"{file}: floor: expected false in a world of two dimensions, got true")
    obstacles: list[Obstacle] = []
    for index, entry in enumerate(top.obstacles):
        obstacle = read_obstacle(entry, f"{file}: obstacles[{index}]", index, dim, file.parent, faults, notices)
        if obstacle is not None:
            obstacles.append(obstacle)
    zones = read_zones(top.zones, f"{file}: zones", dim, faults)
    wind = read_winds(top.wind, f"{file}: wind", dim, seed, faults)
    written = len(zones)
    if bounds is not None and top.generator is not None:
        filling = generated(top.generator, bounds, seed, f"{file}: generator", faults)
        obstacles += filling.obstacles
        gates = sum(zone.kind == "gate" for zone in zones)
        zones += [dataclasses.replace(z, order=z.order + gates) if z.order else z for z in filling.zones]
    if bounds is None or faults:
        return None
    check_ways(obstacles, bounds, top.boundary, f"{file}: obstacles", faults, notices)
    floor = (top.boundary == "walls" and dim == 3) if top.floor is None else top.floor
    name = top.name or file.stem
    if plan is not None:
        plan, obstacles = furnished(plan, obstacles, faults, notices)
    world = World(
        name, bounds, top.boundary, floor, tuple(obstacles), tuple(notices), tuple(zones), wind=wind, floor_plan=plan
    )
    for index, zone in enumerate(zones):
        place = f"{file}: zones[{index}].center" if index < written else f"{file}: generator: {zone.name}"
        faults.extend(f"{place}: {fault}" for fault in _misplaced(world, zone))
    return None if faults else world


def _misplaced(world: World, zone: Zone) -> list[str]:
    """What is wrong with where a zone is."""
    center = np.array(zone.center)
    if (center < world.bounds[0]).any() or (center > world.bounds[1]).any():
        return [f"expected it in the bounds {show(world.bounds.tolist())}, got {show(list(zone.center))}"]
    if zone.kind == "gate":
        distance, _, surface = world.nearest(center)
        if distance <= 0.0:
            inside = world.surfaces[int(surface)]
            return [f"expected a gate's opening in the open, got {show(list(zone.center))}, which is inside {inside}"]
    return []


def _as_planned(top: WorldTable, plan: FloorPlan | None, file: Path, faults: list[str]) -> WorldTable:
    """The top level with what the floor plan says."""
    if top.bounds is not None:
        faults.append(f"{file}: bounds: expected none beside a floor plan, which has its own, got {show(top.bounds)}")
    if top.dim not in (None, 2):
        faults.append(f"{file}: dim: expected 2 with a floor plan, got {top.dim}")
    if top.boundary != "walls" and top.boundary in BOUNDARIES:
        faults.append(f'{file}: boundary: expected "walls" with a floor plan, got {show(top.boundary)}')
    if top.generator is not None:
        faults.append(f"{file}: generator: expected none beside a floor plan")
    bounds = plan.bounds.tolist() if plan is not None else [[0.0, 0.0], [1.0, 1.0]]
    return dataclasses.replace(top, bounds=bounds, dim=2, generator=None)


def _dim(top: WorldTable) -> int:
    """As it says, else as many as its corners have coordinates."""
    if top.dim is not None:
        return top.dim
    return 2 if top.bounds and all(len(corner) == 2 for corner in top.bounds) else 3


def _bounds(top: WorldTable, dim: int, file: Path, faults: list[str]) -> Floats | None:
    if top.bounds is None:
        faults.append(f"{file}: bounds: missing")
        return None
    if dim not in (2, 3):
        faults.append(f"{file}: dim: expected 2 or 3, got {dim}")
        return None
    if len(top.bounds) != 2 or any(len(corner) != dim for corner in top.bounds):
        faults.append(f"{file}: bounds: expected two corners of {dim} coordinates, got {show(top.bounds)}")
        return None
    bounds = np.array(top.bounds, dtype=np.float64)
    flipped = [axis for axis, low, high in zip("xyz", *bounds) if not low < high]
    if flipped:
        faults.append(f"{file}: bounds: expected lowest < highest in {', '.join(flipped)}, got {show(top.bounds)}")
        return None
    return bounds
