"""Ticks a second of Hadimassa's crowd, many in a call: 150 on its own plan, more on larger ones, and whole runs."""

from __future__ import annotations

import time
from collections.abc import Iterator
from importlib import import_module
from typing import Any

import numpy as np

from swarm.benchmarks import Row
from swarm.mission import Mission
from swarm.mission_file import load_mission
from swarm.runner import run
from swarm.simulation import Simulation
from swarm.worlds.floor_plan import FREE, GOAL, OBSTACLE, SOURCE, FloorPlan, rows_of

TICKS, LEAST = 4000, 10_000.0  # of a round, and a second, of 150 walkers
LARGE = {100: 1_111, 200: 4_444, 300: 10_000}  # side of a hall in cells to walkers: one for nine cells in each
LARGE_TICKS, LARGE_LEAST = 240, 100.0
# Times the time for a walker and tick, from the smallest hall to the largest, which the cache no longer holds; a cost
# that grew with the square of the number would give 9.
LINEAR = 2.0
ROUNDS = 3


def large_hall(side: int) -> str:
    """Rows of a hall with sources on its left, goals on its right and short walls between, as many as its size asks."""
    rng = np.random.default_rng(0)
    cells = np.full((side, side), FREE, np.uint8)
    for row, column, length, level in rng.integers(
        (20, 20, 5, 0), (side - 30, side - 30, 25, 2), (side * side // 600, 4)
    ).tolist():
        cells[(row, slice(column, column + length)) if level else (slice(row, row + length), column)] = OBSTACLE
    cells[:, : side // 10], cells[:, side - side // 20 :] = SOURCE, GOAL
    return "\n".join(rows_of(FloorPlan(cells)))


def ticks_per_second(mission: Mission, ticks: int) -> tuple[float, float]:
    """The best of some rounds, in a leap after the other: recorded but not measured, and of the compiled call alone."""
    leaping: Any = import_module("swarm.leaping")

    together, alone, inside = [], [], [0.0]

    def timed(*given: Any) -> Any:
        start = time.perf_counter()
        log = plain(*given)
        inside[0] += time.perf_counter() - start
        return log

    plain = leaping.leap
    leaping.leap = timed
    try:
        with Simulation(mission, 0) as sim:
            for _ in range(ROUNDS):
                sim.reset(0)
                sim.leap()
                made, inside[0], start = 0, 0.0, time.perf_counter()
                while made < ticks and not sim.done:
                    made += sim.leap()
                together.append(made / (time.perf_counter() - start))
                alone.append(made / inside[0])
    finally:
        leaping.leap = plain
    return max(together), max(alone)


def whole_runs(mission: Mission) -> float:
    """Ticks a second of `swarm.run`, with recording, all metrics, stuck detector and verdict; the best of some."""
    run(mission.changed({"duration": 450.0}), 0)
    rates = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        steps = run(mission, 0).steps
        rates.append(steps / (time.perf_counter() - start))
    return max(rates)


def measure() -> Iterator[object]:
    """Rows for 150 and for 10,000 walkers, and a line for each hall between."""
    mission = load_mission("hadimassa")
    recorded, alone = ticks_per_second(mission, TICKS)
    yield Row(
        "ticks a second, 150 walkers, many in a call", f"{alone:,.0f} ({recorded:,.0f} recorded)",
        f"{LEAST:,.0f}", alone >= LEAST,
    )  # fmt: skip
    whole = whole_runs(mission)
    yield Row("  whole runs, with all metrics", f"{whole:,.0f}", f"{LEAST:,.0f}", whole >= LEAST)
    costs = []
    for side, count in LARGE.items():
        given = {"world": {"floor_plan": {"rows": large_hall(side)}}, "swarm.count": count, "criteria": {}}
        recorded, alone = ticks_per_second(load_mission("hadimassa", given), LARGE_TICKS)
        costs.append(1e9 / (recorded * count))
        yield (
            f"  {count:,} walkers on {side} x {side} cells: {recorded:,.0f} ticks a second recorded, "
            f"{costs[-1]:.0f} ns for a walker and tick"
        )
    yield Row(
        f"ticks a second, {count:,} walkers, many in a call", f"{alone:,.0f} ({recorded:,.0f} recorded)",
        f"{LARGE_LEAST:,.0f}", recorded >= LARGE_LEAST,
    )  # fmt: skip
    grown = costs[-1] / costs[0]
    yield Row(
        "  time for a walker and tick, against a ninth of them", f"{grown:.2f} x", f"{LINEAR:g} x", grown <= LINEAR
    )
