"""Parse the command line, hand over to the command, turn errors into lines and exit codes."""

from __future__ import annotations

import argparse
import os
import sys
import traceback
from collections.abc import Sequence
from io import TextIOWrapper

from swarm import __version__
from swarm.cli import bench, check, compare, init, listing, run, show
from swarm.errors import SwarmError

COMMANDS = (run, compare, listing, show, check, init, bench)


class Parser(argparse.ArgumentParser):
    """argparse with one line for a fault, as everywhere else."""

    def error(self, message: str) -> None:  # type: ignore[override]
        self.exit(2, f"{self.prog}: {message} (see {self.prog} -h)\n")


def parser() -> Parser:
    """The whole command line."""
    top = Parser(
        prog="swarm",
        description="Fly drone swarms by boids rules, and score them.",
        epilog="example: swarm run five-drone-formation --seeds 10 --jobs 2",
    )
    top.add_argument("--version", action="version", version=f"swarm {__version__}")
    commands = top.add_subparsers(dest="command", metavar="COMMAND", parser_class=Parser)
    for module in COMMANDS:
        command = module.add(commands)
        command.set_defaults(call=module.call)
    return top


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command.

    Args:
        arguments: The words after `swarm`; None takes those of this process.

    Returns:
        0 all criteria met, 1 a criterion failed, 2 bad input, 3 simulator error.
    """
    top = parser()
    options = top.parse_args(arguments)
    if options.command is None:
        top.print_help()
        return 2
    try:
        code: int = options.call(options)
        if sys.stdout is not None:
            sys.stdout.flush()
        return code
    except SwarmError as error:
        print(error, file=sys.stderr)
        return error.exit_code
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return 130
    except BrokenPipeError:  # the reader, such as `head`, has seen enough
        _look_away()
        return 0
    except Exception:  # a mistake of ours must not look like a failed criterion
        traceback.print_exc()
        return 3


def _look_away() -> None:
    """Send what is still printed nowhere, so that the end of the process does not complain."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


def entry() -> None:
    """The `swarm` script; like `python -m swarm` it finds controllers in the folder it is called from."""
    sys.path.insert(0, os.getcwd())
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):  # a name that the terminal cannot show must not end a run
            stream.reconfigure(errors="backslashreplace")
    sys.exit(main())
