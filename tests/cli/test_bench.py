"""`swarm bench -h` names what there is."""

from __future__ import annotations

from swarm.benchmarks import all_benchmarks
from swarm.cli.bench import NAMES


def test_every_benchmark_is_named_in_the_help():
    assert list(all_benchmarks()) == list(NAMES)
