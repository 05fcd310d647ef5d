"""`swarm check`: read files as a run would, and say what is wrong without running anything."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any


def add(commands: Any) -> argparse.ArgumentParser:
    """The command and its options."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "check", help="validate mission and world files",
        description="Validate mission and world files. Exit code 2 when one has a fault.",
        epilog="example: swarm check my.toml",
    )  # fmt: skip
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help="a file, or a name of the library")
    return parser


def call(options: argparse.Namespace) -> int:
    """Print one line a fault, or "ok" a file."""
    from swarm.errors import BadInput
    from swarm.library import library
    from swarm.mission_file import load_mission
    from swarm.schema import read_toml
    from swarm.simulation import Simulation
    from swarm.worlds import load_world
    from swarm.worlds.file import find_world

    faults: list[str] = []
    for path in options.files:
        try:
            path = library().get(str(path)) or find_world(str(path))
            table = read_toml(path)
            if {"swarm", "controller", "task", "criteria"} & table.keys():
                Simulation(load_mission(path)).close()
            else:
                load_world(path, seed=0)
            print(f"{path}: ok")
        except BadInput as fault:
            faults.extend(fault.faults)
    if faults:
        raise BadInput(*faults)
    return 0
