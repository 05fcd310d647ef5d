"""Speed and memory, each measured in one run against a floor or a budget; `swarm bench` prints them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    """One measured figure."""

    what: str
    measured: str
    budget: str
    met: bool

    def __str__(self) -> str:
        return f"{self.what:60} {self.measured:>24}   budget {self.budget}{'' if self.met else '   MISSED'}"


def all_benchmarks() -> dict[str, Callable[[], Iterator[object]]]:
    """Benchmarks by name, in the order they are printed; each yields lines as they are measured."""
    from swarm.benchmarks import (
        cold_start,
        crowds,
        floor_plans,
        forest,
        fundamental_diagram,
        importing,
        jobs,
        memory,
        meshes,
        neighbours,
        resets,
        routes,
        stepping,
        walkers,
        worlds,
    )

    return {
        "stepping": stepping.measure,
        "importing": importing.measure,
        "resets": resets.measure,
        "routes": routes.measure,
        "meshes": meshes.measure,
        "memory": memory.measure,
        "neighbours": neighbours.measure,
        "cold-start": cold_start.measure,
        "floor-plans": floor_plans.measure,
        "walkers": walkers.measure,
        "crowds": crowds.measure,
        "fundamental-diagram": fundamental_diagram.table,
        "jobs": jobs.measure,
        "forest": forest.table,
        "worlds": worlds.table,
    }
