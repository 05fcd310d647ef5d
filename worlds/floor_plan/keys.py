"""The [floor_plan] of a world file: where the cells come from, and what must be true of them."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

import numpy as np
from msgspec import Meta
from numpy.typing import NDArray

from swarm.errors import BadInput
from swarm.schema import build
from swarm.worlds.beside import find_beside
from swarm.worlds.floor_plan.furnished import judge
from swarm.worlds.floor_plan.image import read_image, read_legend
from swarm.worlds.floor_plan.plan import SMALLEST, FloorPlan
from swarm.worlds.floor_plan.rows import read_rows, read_text
from swarm.worlds.floor_plan.vadere import read_vadere
from swarm.worlds.floor_plan.wkt import read_wkt
from swarm.worlds.tables import LARGEST, Coordinate

FORMS = ("rows", "text", "image", "wkt", "vadere")
Side = Annotated[float, Meta(ge=SMALLEST, le=LARGEST)]
BELONGING = {"legend": "image", "goals": "wkt", "sources": "wkt", "bounds": "wkt"}


@dataclass(frozen=True)
class FloorPlanTable:
    """Keys of [floor_plan]: exactly one of rows, text, image, wkt and vadere."""

    cell: Side = 1.0  # m
    origin: tuple[Coordinate, Coordinate] | None = None  # m, centre of the lower left cell; (0, 0), or as in the file
    rows: list[str] | str | None = None
    text: str | None = None  # file of rows
    image: str | None = None  # PNG file
    legend: dict[str, Any] = field(default_factory=dict)  # free, obstacle, source or goal by "#rrggbb"
    wkt: str | None = None  # file of the walkable area
    goals: list[str] = field(default_factory=list)  # WKT of polygons, or .wkt files
    sources: list[str] = field(default_factory=list)
    bounds: tuple[tuple[Coordinate, Coordinate], tuple[Coordinate, Coordinate]] | None = None  # m, of a wkt plan
    vadere: str | None = None  # scenario file


def read_floor_plan(table: object, where: str, folder: Path, faults: list[str]) -> FloorPlan | None:
    """Read the [floor_plan] of a world file.

    Args:
        table: What the file holds.
        where: Prefix of every message.
        folder: Where the world file lies; other files are found in it.
        faults: Gets what is wrong.

    Returns:
        A plan with a goal that can be reached; None when a fault was noted.
    """
    keys = build(FloorPlanTable, table, where, faults)
    if keys is None or not isinstance(table, Mapping):
        return None
    given = [form for form in FORMS if getattr(keys, form) is not None]
    if len(given) != 1:
        faults.append(f"{where}: expected one of {', '.join(FORMS)}, got {' and '.join(given) or 'none of them'}")
    for key, form in BELONGING.items():
        if key in table and form not in given:
            faults.append(f"{where}.{key}: expected only beside {form}")
    if len(given) != 1 or any(fault.startswith(f"{where}.") for fault in faults):
        return None
    form = given[0]
    place = f"{where}.{form}"
    try:
        plan = _READERS[form](keys, folder)
    except BadInput as error:
        faults.extend(_placed(fault, where, place, getattr(keys, form)) for fault in error.faults)
        return None
    if form != "rows":
        place += f": {getattr(keys, form)}"
    plan = dataclasses.replace(plan, origin=keys.origin or plan.origin, place=place)
    return plan if judge(plan, faults) else None


def _placed(fault: str, where: str, place: str, value: object) -> str:
    """A fault with the key, and the file that it is in."""
    key = fault.split(":")[0].split("[")[0]
    if key in ("legend", *(k for k, form in BELONGING.items() if form == "wkt")):
        return f"{where}.{fault}"
    if fault.startswith("file: "):
        return f"{place}: {fault.removeprefix('file: ')}"
    return f"{place}: {fault}" if place.endswith(".rows") else f"{place}: {value}: {fault}"


def _rows(keys: FloorPlanTable, folder: Path) -> FloorPlan:
    assert keys.rows is not None
    return _plan(keys, read_rows(keys.rows))


def _text(keys: FloorPlanTable, folder: Path) -> FloorPlan:
    return _plan(keys, read_rows(read_text(find_beside(str(keys.text), folder, ("txt",)))))


def _image(keys: FloorPlanTable, folder: Path) -> FloorPlan:
    try:
        legend = read_legend(keys.legend)
    except BadInput as error:
        raise BadInput(*(f"legend: {fault}" for fault in error.faults)) from None
    return _plan(keys, read_image(find_beside(str(keys.image), folder, ("png",)), legend))


def _wkt(keys: FloorPlanTable, folder: Path) -> FloorPlan:
    if keys.bounds is not None and not all(low < high for low, high in zip(*keys.bounds)):
        raise BadInput(f"bounds: expected lowest < highest, got {[list(corner) for corner in keys.bounds]}")
    path = find_beside(str(keys.wkt), folder, ("wkt",))
    for key in ("goals", "sources"):
        for number, text in enumerate(getattr(keys, key)):
            if text.endswith(".wkt"):
                try:
                    find_beside(text, path.parent, ("wkt",))
                except BadInput as error:
                    raise BadInput(f"{key}[{number}]: {str(error).removeprefix('file: ')}") from None
    return read_wkt(path, keys.goals, keys.sources, keys.cell, keys.bounds)


def _vadere(keys: FloorPlanTable, folder: Path) -> FloorPlan:
    return read_vadere(find_beside(str(keys.vadere), folder, ("json", "scenario")), keys.cell)


def _plan(keys: FloorPlanTable, cells: NDArray[np.uint8]) -> FloorPlan:
    return FloorPlan(cells, keys.cell)


_READERS: dict[str, Callable[[FloorPlanTable, Path], FloorPlan]] = {
    "rows": _rows, "text": _text, "image": _image, "wkt": _wkt, "vadere": _vadere,
}  # fmt: skip
