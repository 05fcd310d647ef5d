"""Floor plans: a room as cells that are free, obstacle, source or goal, and how far each is from the goal."""

from __future__ import annotations

from swarm.worlds.floor_plan.image import read_image, write_image
from swarm.worlds.floor_plan.plan import FREE, GOAL, OBSTACLE, SOURCE, FloorPlan
from swarm.worlds.floor_plan.rows import read_rows, rows_of, write_rows
from swarm.worlds.floor_plan.vadere import read_vadere
from swarm.worlds.floor_plan.wkt import read_wkt, write_wkt

__all__ = [
    "FREE", "GOAL", "OBSTACLE", "SOURCE", "FloorPlan", "read_image", "read_rows", "read_vadere", "read_wkt", "rows_of",
    "write_image", "write_rows", "write_wkt",
]  # fmt: skip
