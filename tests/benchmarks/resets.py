"""Time of a reset in an unchanged world and in a new forest, route and plan included."""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterable, Iterator

from swarm.benchmarks import Row
from swarm.mission_file import load_mission
from swarm.simulation import Simulation


def _median_ms(sim: Simulation, seeds: Iterable[int]) -> float:
    runs = []
    for seed in seeds:
        start = time.perf_counter()
        sim.reset(seed)
        runs.append(time.perf_counter() - start)
    return statistics.median(runs) * 1e3


def measure() -> Iterator[Row]:
    """A row for each kind of reset."""
    with Simulation(load_mission("five-drone-formation"), 0) as sim:
        same = _median_ms(sim, [0] * 30)
        new = _median_ms(sim, range(1, 11))
    yield Row("reset in an unchanged world", f"{same:.1f} ms", "5 ms", same <= 5)
    yield Row("reset in a new forest, route included", f"{new:.0f} ms", "250 ms", new <= 250)
