"""`swarm bench`: measure speed and memory on this machine."""

from __future__ import annotations

import argparse
from typing import Any

NAMES = (
    "stepping", "importing", "resets", "routes", "meshes", "memory", "neighbours", "cold-start", "floor-plans",
    "walkers", "crowds", "fundamental-diagram", "jobs", "forest", "worlds",
)  # fmt: skip


def add(commands: Any) -> argparse.ArgumentParser:
    """The command and its options."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "bench", help="measure speed and memory on this machine",
        description="Measure speed and memory; each figure stands beside its budget.",
        epilog="example: swarm bench stepping resets",
    )  # fmt: skip
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"default: all of {', '.join(NAMES)}")
    return parser


def call(options: argparse.Namespace) -> int:
    """Print a line a figure as it is measured."""
    from swarm.benchmarks import all_benchmarks
    from swarm.errors import BadInput
    from swarm.schema import choose

    benchmarks = all_benchmarks()
    faults: list[str] = []
    for name in options.names:
        choose(name, benchmarks, "bench", faults)
    if faults:
        raise BadInput(*faults)
    for name in options.names or benchmarks:
        for line in benchmarks[name]():
            print(line, flush=True)
    return 0
