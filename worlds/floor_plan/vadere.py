"""Floor plans from Vadere: the topography of a scenario file, JSON.

Obstacles, sources and targets are rectangles, polygons or circles. A cell is an obstacle when one covers a part of it,
so that no wall vanishes or has a gap. Else it belongs to a target when its middle is in one, or to a source. A bounded
topography has walls of `boundingBoxWidth` around it. Stairs and measurement areas are left out.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from swarm.errors import BadInput
from swarm.schema import choose, show
from swarm.state import Bools
from swarm.worlds.floor_plan.plan import GOAL, OBSTACLE, SOURCE, FloorPlan
from swarm.worlds.floor_plan.polygons import Raster, box
from swarm.worlds.floor_plan.rows import read_text
from swarm.worlds.floor_plan.wkt import polygons

SHAPES = ("RECTANGLE", "POLYGON", "CIRCLE")
LARGEST = 1e6  # m


@dataclass(frozen=True)
class _Place:
    """A value of the file and the way to it."""

    value: Any
    where: str

    def get(self, key: str, default: Any = None) -> _Place:
        """An entry of a table."""
        if not isinstance(self.value, Mapping):
            raise BadInput(f"{self.where}: expected a table, got {show(self.value)}")
        if key not in self.value and default is None:
            raise BadInput(f"{self.where}.{key}: missing")
        return _Place(self.value.get(key, default), f"{self.where}.{key}")

    def entries(self) -> list[_Place]:
        """The entries of a list."""
        if not isinstance(self.value, list):
            raise BadInput(f"{self.where}: expected a list, got {show(self.value)}")
        return [_Place(entry, f"{self.where}[{number}]") for number, entry in enumerate(self.value)]

    def number(self, *keys: str) -> tuple[float, ...]:
        """Numbers of a table."""
        places = [self.get(key) for key in keys]
        for place in places:
            fits = isinstance(place.value, (int, float)) and not isinstance(place.value, bool)
            if not (fits and -LARGEST <= place.value <= LARGEST):
                raise BadInput(f"{place.where}: expected a number of at most {LARGEST:,.0f}, got {show(place.value)}")
        return tuple(float(place.value) for place in places)


def read_vadere(path: Path | str, cell: float = 1.0, place: str = "") -> FloorPlan:
    """A plan from a scenario file, or from the topography alone.

    Args:
        path: The file.
        cell: m.
        place: Of the plan.

    Raises:
        BadInput: Broken JSON (row and column), something missing or of a wrong type (the way to it), a polygon that
            crosses itself, a target without a cell, or too many cells.
    """
    try:
        found = json.loads(read_text(Path(path)))
    except json.JSONDecodeError as error:
        raise BadInput(f"row {error.lineno}, column {error.colno}: expected JSON: {error.msg}") from None
    except RecursionError:
        raise BadInput("expected JSON, got what is nested too deeply") from None
    except ValueError as error:  # a whole number of thousands of digits
        raise BadInput(f"expected JSON: {show(str(error).split(';')[0])}") from None
    topography = _topography(found)
    attributes = topography.get("attributes")
    bounds = attributes.get("bounds")
    x, y, width, height = bounds.number("x", "y", "width", "height")
    if not (width > 0.0 and height > 0.0):
        raise BadInput(f"{bounds.where}: expected a width and a height > 0, got {show(bounds.value)}")
    raster = Raster((x, y), (x + width, y + height), cell)
    cells = np.zeros(raster.shape, dtype=np.uint8)
    faults: list[str] = []
    goals: list[tuple[str, Bools]] = []
    for key, kind in (("sources", SOURCE), ("targets", GOAL), ("obstacles", OBSTACLE)):
        for entry in topography.get(key, []).entries():
            try:
                covered = _covered(raster, entry.get("shape"), solid=kind == OBSTACLE)
            except BadInput as error:
                faults.extend(error.faults)
                continue
            if kind != OBSTACLE and not covered.any():
                faults.append(
                    f"{entry.where}.shape: expected the middle of a cell of {cell:g} m in it, got none: smaller cells "
                    f"may do"
                )
            cells[covered] = kind
            if kind == GOAL:
                goals.append((entry.where, covered))
    if attributes.get("bounded", True).value is not False:
        wall = attributes.number("boundingBoxWidth")[0] if "boundingBoxWidth" in attributes.value else 0.0
        if not 0.0 <= 2.0 * wall < min(width, height):
            raise BadInput(f"{attributes.where}.boundingBoxWidth: expected room between the walls, got {wall:g} m")
        inside = raster.filled([box((x + wall, y + wall), (x + width - wall, y + height - wall))])
        cells[~inside] = OBSTACLE
    for where, covered in goals if not faults else ():
        if not (cells[covered] == GOAL).any():
            faults.append(
                f"{where}.shape: expected a cell of {cell:g} m beside the walls in it, got none: smaller cells may do"
            )
    if faults:
        raise BadInput(*faults)
    return FloorPlan(cells, cell, raster.origin, place)


def _topography(found: Any) -> _Place:
    """Where the topography is: in a scenario file, under its own name, or the whole file."""
    for keys in (("scenario", "topography"), ("topography",)):
        inner = found
        for key in keys:
            inner = inner.get(key) if isinstance(inner, Mapping) else None
        if inner is not None:
            return _Place(inner, ".".join(keys))
    if not isinstance(found, Mapping) or "attributes" not in found:
        raise BadInput("scenario.topography: missing")
    return _Place(found, "topography")


def _covered(raster: Raster, shape: _Place, solid: bool) -> Bools:
    """Cells that a shape covers a part of, or where it is not solid those whose middle is in it."""
    within, disc = (raster.touched, raster.touched_by_disc) if solid else (raster.within, raster.disc)
    kind = shape.get("type")
    faults: list[str] = []
    if not choose(kind.value, SHAPES, kind.where, faults):
        raise BadInput(*faults)
    if kind.value == "RECTANGLE":
        x, y, width, height = shape.number("x", "y", "width", "height")
        if not (width > 0.0 and height > 0.0):
            raise BadInput(f"{shape.where}: expected a width and a height > 0, got {show(shape.value)}")
        return within([box((x, y), (x + width, y + height))])
    if kind.value == "CIRCLE":
        radius = shape.number("radius")[0]
        if not radius > 0.0:
            raise BadInput(f"{shape.where}.radius: expected a number > 0, got {radius:g}")
        return disc(shape.get("center").number("x", "y"), radius)
    corners = [point.number("x", "y") for point in shape.get("points").entries()]
    if len(corners) < 3:
        raise BadInput(f"{shape.where}.points: expected three corners or more, got {len(corners)}")
    text = ", ".join(f"{x!r} {y!r}" for x, y in [*corners, corners[0]])
    try:
        return within(polygons(f"POLYGON (({text}))")[0])
    except BadInput as error:
        # Without the row and column of the text that was made of them.
        raise BadInput(*(f"{shape.where}.points: {fault.partition(': ')[2]}" for fault in error.faults)) from None
