"""Floor plans as polygons in Well-Known Text, as JuPedSim reads them: the walkable area with holes, goals and sources.

A cell is walkable when all of it is in the area, so that no wall vanishes, and a goal or a source when it is walkable
and its middle is in one of those polygons.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from swarm.errors import BadInput
from swarm.output import whole_file
from swarm.schema import show
from swarm.state import Bools
from swarm.worlds.floor_plan.plan import FREE, GOAL, OBSTACLE, SOURCE, FloorPlan
from swarm.worlds.floor_plan.polygons import Raster, Ring
from swarm.worlds.floor_plan.rows import read_text

Polygon = list[Ring]  # outline and holes


def polygons(text: str) -> list[Polygon]:
    """The polygons of a POLYGON, MULTIPOLYGON or GEOMETRYCOLLECTION of those.

    Raises:
        BadInput: It is not WKT, another geometry, empty, or a polygon crosses itself: says where it begins in the text
            and where it does, in m.
    """
    import shapely

    try:
        with np.errstate(invalid="ignore"):  # of NaN, which is refused below
            geometry = shapely.from_wkt(text)
    except shapely.errors.ShapelyError as error:
        raise BadInput(f"expected POLYGON ((x y, ...)), got what is not WKT: {show(str(error))}") from None
    parts = _parts(geometry)
    if not parts:
        raise BadInput(f"expected POLYGON ((x y, ...)), got {show(text.strip())}")
    starts = [match.start(1) for match in re.finditer(r"\(\s*(\()\s*[-+.\d]", text)]  # of outlines
    for number, part in enumerate(parts):
        which = _row_and_column(text, starts[number]) if len(starts) == len(parts) else f"polygon {number + 1}: "
        if part.geom_type != "Polygon" or part.is_empty:
            raise BadInput(f"{which}expected polygons only, got {show(part.wkt)}")
        if not np.isfinite(shapely.get_coordinates(part)).all():
            raise BadInput(f"{which}expected finite coordinates, got {show(part.wkt)}")
        if not part.is_valid:
            raise BadInput(f"{which}expected a polygon that does not cross itself, got {_flaw(part)}")
    return [[list(ring.coords) for ring in (part.exterior, *part.interiors)] for part in parts]


def _row_and_column(text: str, start: int) -> str:
    return f"row {text.count(chr(10), 0, start) + 1}, column {start - text.rfind(chr(10), 0, start)}: "


def _parts(geometry: Any) -> list[Any]:
    """The single geometries in one, however deep."""
    if geometry is None:
        return []
    if not hasattr(geometry, "geoms"):
        return [geometry]
    return [single for part in geometry.geoms for single in _parts(part)]


def _flaw(polygon: Any) -> str:
    """Why a polygon is not a valid one, such as "self-intersection at x 2, y 2"."""
    import shapely

    said, _, where = str(shapely.is_valid_reason(polygon)).partition("[")
    place = where.rstrip("]").split()
    return said.lower() + (f" at x {place[0]}, y {place[1]}" if len(place) >= 2 else "")


def read_wkt(
    path: Path | str,
    goals: Sequence[str],
    sources: Sequence[str] = (),
    cell: float = 1.0,
    bounds: Sequence[Sequence[float]] | None = None,
    place: str = "",
) -> FloorPlan:
    """A plan from the file of a walkable area.

    Args:
        path: WKT of the area.
        goals, sources: WKT of further polygons, or names of .wkt files beside the first.
        cell: m.
        bounds: [lowest, highest corner] in m of the plan; about the area if None.
        place: Of the plan.

    Raises:
        BadInput: What is wrong, one line per fault; that of a goal begins with "goals[number]: ".
    """
    path = Path(path)
    area = polygons(read_text(path))
    corners = np.array([corner[:2] for polygon in area for corner in polygon[0]])
    low, high = bounds if bounds is not None else (corners.min(axis=0).tolist(), corners.max(axis=0).tolist())
    raster = Raster(low, high, cell)
    walkable = _walkable(raster, area)
    if not walkable.any():
        raise BadInput(f"expected room for a cell of {cell:g} m in the area, got none: smaller cells may do")
    cells = np.where(walkable, FREE, OBSTACLE).astype(np.uint8)
    faults: list[str] = []
    for key, kind, texts in (("sources", SOURCE, sources), ("goals", GOAL, goals)):
        for number, text in enumerate(texts):
            try:
                shape = _covered(raster, polygons(read_text(path.parent / text) if text.endswith(".wkt") else text))
            except BadInput as error:
                faults.extend(f"{key}[{number}]: {fault}" for fault in error.faults)
                continue
            if not (shape & walkable).any():
                faults.append(
                    f"{key}[{number}]: expected the middle of a walkable cell of {cell:g} m in it, got none: smaller "
                    f"cells may do"
                )
            cells[shape & walkable] = kind
    if faults:
        raise BadInput(*faults)
    return FloorPlan(cells, cell, raster.origin, place)


def _walkable(raster: Raster, area: Sequence[Polygon]) -> Bools:
    """Cells that lie wholly in the area; where its polygons meet, no wall is between them."""
    if len(area) == 1:
        return raster.filled(area[0])
    import shapely

    joined = shapely.union_all([shapely.Polygon(rings[0], rings[1:]) for rings in area])
    walkable = np.zeros(raster.shape, dtype=np.bool_)
    for part in _parts(joined):
        if part.geom_type == "Polygon":
            walkable |= raster.filled([list(ring.coords) for ring in (part.exterior, *part.interiors)])
    return walkable


def _covered(raster: Raster, shapes: Sequence[Polygon]) -> Bools:
    covered = np.zeros(raster.shape, dtype=np.bool_)
    for rings in shapes:
        covered |= raster.within(rings)
    return covered


def write_wkt(plan: FloorPlan, path: Path | str) -> dict[str, Any]:
    """Write a plan as WKT files: the walkable area, and beside it goals and sources where there are any.

    Args:
        plan: What to write.
        path: Such as hall.wkt; the others are hall-goals.wkt and hall-sources.wkt.

    Returns:
        The keys of a world file's [floor_plan] that make the same plan of them.

    Raises:
        BadInput: One cannot be written.
    """
    path = Path(path)
    keys: dict[str, Any] = {"cell": plan.cell, "bounds": plan.bounds.tolist(), "wkt": path.name}
    files = {path: plan.walkable}
    for key, kind in (("goals", GOAL), ("sources", SOURCE)):
        if (plan.cells == kind).any():
            beside = path.with_name(f"{path.stem}-{key}.wkt")
            files[beside] = plan.cells == kind
            keys[key] = [beside.name]
    if not plan.walkable.any():
        raise BadInput("expected at least one walkable cell to write, got none")
    for file, covered in files.items():
        with whole_file(file) as out:
            out.write((_outline(plan, covered) + "\n").encode())
    return keys


def _outline(plan: FloorPlan, covered: Bools) -> str:
    import shapely

    from swarm.worlds.floor_plan.regions import rectangles

    spans = rectangles(covered)
    low_x, low_y = plan.bounds[0]
    left, right = (low_x + plan.cell * spans[:, side] for side in (2, 3))
    top, bottom = (low_y + plan.cell * (plan.shape[0] - spans[:, side]) for side in (0, 1))
    whole = shapely.union_all(shapely.box(left, bottom, right, top))
    return str(shapely.simplify(whole, 0.0).wkt)  # without corners on straight sides
