"""A floor plan written as a file, by how its name ends."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from swarm.errors import BadInput
from swarm.worlds.floor_plan.image import write_image
from swarm.worlds.floor_plan.plan import FloorPlan
from swarm.worlds.floor_plan.rows import write_rows
from swarm.worlds.floor_plan.wkt import write_wkt


def save(plan: FloorPlan, path: Path) -> dict[str, Any]:
    """Arguments, result and faults as of `FloorPlan.save`."""
    suffix = path.suffix.lower()
    if suffix == ".wkt":
        return write_wkt(plan, path)
    if suffix not in (".txt", ".png"):
        raise BadInput(f"{path}: expected a name that ends in .txt, .png or .wkt")
    (write_rows if suffix == ".txt" else write_image)(plan, path)
    return {"cell": plan.cell, "origin": list(plan.origin), "text" if suffix == ".txt" else "image": path.name}
