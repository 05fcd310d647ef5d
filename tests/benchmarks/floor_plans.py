"""Distances of all cells of a plan to its goal, a million cells: open ground, rooms, walls across, clutter."""

from __future__ import annotations

from collections.abc import Iterator
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from swarm.benchmarks import Row
from swarm.worlds.floor_plan import GOAL, OBSTACLE, FloorPlan

SIDE = 1000  # cells
ROUNDS = 3
WAYS = {  # to what they are called, and milliseconds that they may take
    "distance": ("over sides", 50.0),
    "eight": ("eight neighbours", 200.0),
    "geodesic": ("straight lines", 4000.0),
}


def plans() -> Iterator[tuple[str, NDArray[np.uint8]]]:
    """Cells by what they look like."""
    rng = np.random.default_rng(0)
    ground = np.zeros((SIDE, SIDE), np.uint8)
    ground[-9:, -9:] = GOAL
    yield "open ground", ground
    blocks = np.zeros_like(ground)
    for row, column, high, wide in rng.integers((0, 0, 5, 5), (900, 900, 100, 100), (60, 4)).tolist():
        blocks[row : row + high, column : column + wide] = OBSTACLE
    yield "60 blocks", np.where(ground == GOAL, ground, blocks)
    walls = np.zeros_like(ground)
    walls[5::10, :-4] = OBSTACLE
    yield "walls across", np.where(ground == GOAL, ground, walls)
    clutter = (rng.random(ground.shape) < 0.25).astype(np.uint8)
    yield "clutter on a quarter", np.where(ground == GOAL, ground, clutter)


def milliseconds(cells: NDArray[np.uint8], way: str) -> float:
    """The best of some rounds, each on a plan of its own."""
    took = []
    for _ in range(ROUNDS):
        plan = FloorPlan(cells)
        plan.walkable, plan.goal_cells  # noqa: B018  looked at once for all distances
        start = perf_counter()
        getattr(plan, way)
        took.append(perf_counter() - start)
    return 1e3 * min(took)


def measure() -> Iterator[Row]:
    """A row for each plan and way to measure."""
    for name, cells in plans():
        for way, (word, most) in WAYS.items():
            getattr(FloorPlan(cells[-20:, -20:]), way)  # compiled
            took = milliseconds(cells, way)
            yield Row(f"{SIDE:,} x {SIDE:,} cells, {name}: {word}", f"{took:.0f} ms", f"{most:.0f} ms", took < most)
