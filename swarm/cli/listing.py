"""`swarm list`: what there is to name in a file or on the command line."""

from __future__ import annotations

import argparse
import sys
from typing import Any

KINDS = ("missions", "worlds", "meshes", "controllers", "rules", "metrics", "bodies")


def add(commands: Any) -> argparse.ArgumentParser:
    """The command and its options."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "list", help="what there is: " + ", ".join(KINDS),
        description="List what can be named in a file or on the command line.", epilog="example: swarm list metrics",
    )  # fmt: skip
    parser.add_argument("kind", nargs="?", choices=KINDS, help="default: all, names only")
    return parser


def call(options: argparse.Namespace) -> int:
    """Print names, or names with what each is."""
    from rich.console import Console
    from rich.table import Table

    from swarm.catalogue import catalogue, names

    console = Console(file=sys.stdout, highlight=False, width=None if sys.stdout.isatty() else 160)
    if options.kind is None:
        for kind in KINDS:
            console.print(f"[bold]{kind}[/bold]: {', '.join(names(kind))}")
        return 0
    content = catalogue(options.kind)
    table = Table(box=None, pad_edge=False, padding=(0, 3, 0, 0))
    for heading in content.headings:
        table.add_column(heading, overflow="fold")
    for row in content.rows:
        table.add_row(*row)
    console.print(table)
    return 0
