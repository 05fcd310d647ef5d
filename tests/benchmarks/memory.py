"""What 1,000 resets leave behind."""

from __future__ import annotations

from collections.abc import Iterator

from swarm.benchmarks import Row
from swarm.errors import BadInput
from swarm.mission_file import load_mission
from swarm.simulation import Simulation


def growth_mb(resets: int = 1000, warm_up: int = 100) -> float:
    """Resident memory after `resets` over that after `warm_up`, MB; every tenth reset makes a new forest."""
    try:
        import psutil
    except ImportError:
        raise BadInput("bench memory: needs psutil: pip install psutil") from None
    process = psutil.Process()
    start = 0
    with Simulation(load_mission("five-drone-formation"), 0) as sim:
        for k in range(resets):
            sim.reset(k // 10)
            for _ in range(3):
                sim.step()
            if k == warm_up - 1:
                start = process.memory_info().rss
        return float(process.memory_info().rss - start) / 1e6


def measure() -> Iterator[Row]:
    """One row."""
    grown = growth_mb()
    yield Row("memory grown over 1,000 resets, after the first 100", f"{grown:.1f} MB", "5 MB", grown < 5)
