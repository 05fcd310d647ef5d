"""What a second process brings: four missions over twenty seeds, with one job and with two."""

from __future__ import annotations

import time
from collections.abc import Iterator

from swarm.batch import Job, fly_all
from swarm.benchmarks import Row
from swarm.benchmarks.forest import CONTROLLERS, MODELS, mission


def seconds(jobs: list[Job], workers: int) -> float:
    """Wall time of all jobs, the start of the processes included."""
    start = time.perf_counter()
    for outcome in fly_all(jobs, workers):
        assert outcome.error is None, outcome.error
    return time.perf_counter() - start


def measure() -> Iterator[Row]:
    """One row."""
    jobs = [
        Job(mission(model, controller), seed) for model in MODELS for controller in CONTROLLERS for seed in range(20)
    ]
    fly_all(jobs[:1])
    one, two = seconds(jobs, 1), seconds(jobs, 2)
    yield Row(
        "4 missions x 20 seeds, --jobs 2 over --jobs 1", f"{one / two:.2f} x ({one:.1f} s / {two:.1f} s)",
        "1.7 x", one / two >= 1.7,
    )  # fmt: skip
