"""Ticks a second of Hadimassa's crowd, many in a call: 150 on its own plan, and 10,000 on 300 by 300 cells."""

from __future__ import annotations

import time
from collections.abc import Iterator

import numpy as np

from swarm.benchmarks import Row
from swarm.mission import Mission
from swarm.mission_file import load_mission
from swarm.simulation import Simulation
from swarm.worlds.floor_plan import FREE, GOAL, OBSTACLE, SOURCE, FloorPlan, rows_of

SIDE, WALLS = 300, 150  # cells
COUNTS = {150: (4000, 10_000.0), 10_000: (240, 100.0)}  # walkers to ticks of a round and ticks a second to reach
ROUNDS = 3


def large_hall() -> str:
    """Rows of a hall with sources on its left, goals on its right and short walls between."""
    rng = np.random.default_rng(0)
    cells = np.full((SIDE, SIDE), FREE, np.uint8)
    for row, column, length, level in rng.integers((20, 20, 5, 0), (270, 270, 25, 2), (WALLS, 4)).tolist():
        cells[(row, slice(column, column + length)) if level else (slice(row, row + length), column)] = OBSTACLE
    cells[:, :30], cells[:, 285:] = SOURCE, GOAL
    return "\n".join(rows_of(FloorPlan(cells)))


def ticks_per_second(mission: Mission, ticks: int) -> tuple[float, float]:
    """The best of some rounds, recorded and not measured: in a leap after the other, and of the compiled call alone."""
    from swarm.many_ticks import leap

    together, alone = [], []
    with Simulation(mission, 0) as sim:
        for _ in range(ROUNDS):
            sim.reset(0)
            sim.leap()
            made, start = 0, time.perf_counter()
            while made < ticks and not sim.done:
                made += sim.leap()
            together.append(made / (time.perf_counter() - start))
            made, start = 0, time.perf_counter()
            while made < ticks:
                made += len(leap(sim, 199).position)
            alone.append(made / (time.perf_counter() - start))
    return max(together), max(alone)


def measure() -> Iterator[Row]:
    """A row for each number of walkers."""
    large = {"world": {"floor_plan": {"rows": large_hall()}}, "swarm.count": 10_000, "criteria": {}}
    for count, (ticks, least) in COUNTS.items():
        recorded, alone = ticks_per_second(load_mission("hadimassa", large if count > 150 else {}), ticks)
        yield Row(
            f"ticks a second, {count:,} walkers, many in a call", f"{alone:,.0f} ({recorded:,.0f} recorded)",
            f"{least:,.0f}", alone >= least,
        )  # fmt: skip
