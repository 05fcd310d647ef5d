"""`swarm compare`: one mission on several bodies, or by several controllers, with the same seeds."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from swarm.cli.options import add_set, positive, seeds, settings, whole

if TYPE_CHECKING:
    from swarm.batch import Job
    from swarm.comparison import Column
    from swarm.mission import Mission


def add(commands: Any) -> argparse.ArgumentParser:
    """The command and its options."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "compare", help="fly a mission on several bodies and compare what they score",
        description="Fly a mission with the same seeds on several bodies, or by several controllers, and print every "
        "metric side by side. Exit code: 0 all runs came to an end (passed or failed), 2 bad input, 3 simulator error.",
        epilog="example: swarm compare five-drone-boids --bodies point,drone --seeds 10 --jobs 2 --summary transfer.md",
    )  # fmt: skip
    parser.add_argument("mission", metavar="MISSION", help="library name or TOML file")
    parser.add_argument("--bodies", type=_names, metavar="A,B", help="swarm list bodies; default: the mission's own")
    parser.add_argument(
        "--controllers", type=_names, metavar="A,B", help="names or package.module:Name; default: the mission's own"
    )
    parser.add_argument(
        "--seeds", type=seeds, metavar="K|A:B", help="seeds 0 to K-1, or A to B-1; default: the mission's own"
    )
    parser.add_argument("--jobs", type=whole, default=1, metavar="J", help="processes (default 1)")
    parser.add_argument("--timeout", type=positive, metavar="S", help="stop a run after this many seconds of wall time")
    add_set(parser)
    parser.add_argument("--json", type=Path, metavar="F", help="write the table and all results as JSON")
    parser.add_argument("--summary", type=Path, metavar="F.md", help="write the table in Markdown")
    parser.add_argument("--quiet", action="store_true", help="print errors only")
    return parser


def _names(text: str) -> list[str]:
    names = [name.strip() for name in text.split(",")]
    if not all(names) or len(set(names)) < len(names):
        raise argparse.ArgumentTypeError(f"expected different names, with commas between, got {text!r}")
    return names


def call(options: argparse.Namespace) -> int:
    """Check everything, fly everything, print the table; returns the exit code."""
    from swarm.cli.comparison_report import markdown, print_comparison
    from swarm.comparison import compare
    from swarm.errors import BadInput
    from swarm.output import write_text
    from swarm.result import to_json

    mission, jobs, notices = _check(options)
    if not options.quiet:
        for notice in notices:
            print(f"notice: {notice}", file=sys.stderr)
    columns = _fly(mission, jobs, options)
    outcomes = [outcome for column in columns for outcome in column.outcomes]
    if all(outcome.exit_code == 2 for outcome in outcomes):
        raise BadInput(*dict.fromkeys(line for o in outcomes for line in f"{o.error}".splitlines()))
    found = compare(mission.name, columns)
    if options.json is not None:
        write_text(options.json, to_json(found.table()))
    if options.summary is not None:
        write_text(options.summary, markdown(found))
    for column in columns:
        for outcome in column.outcomes:
            if outcome.error is not None:
                print(f"{_label(mission, column)} seed {outcome.seed}: {outcome.error}", file=sys.stderr)
    if not options.quiet and sys.stdout is not None:
        try:
            print_comparison(found, sys.stdout)
        except OSError:  # nobody reads: the files stand all the same
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    codes = {outcome.exit_code for outcome in outcomes}
    return 2 if 2 in codes else 3 if 3 in codes else 0


def _check(options: argparse.Namespace) -> tuple[Mission, list[list[Job]], list[str]]:
    """The mission, the jobs of each column and what to tell; raises BadInput with every fault there is."""
    from swarm.batch import Job
    from swarm.bodies import BODIES
    from swarm.errors import BadInput
    from swarm.mission_file import load_mission
    from swarm.output import check_writable
    from swarm.schema import choose
    from swarm.simulation import Simulation

    faults: list[str] = []
    notices: list[str] = []
    if options.bodies is None and options.controllers is None:
        faults.append("compare: expected --bodies or --controllers, such as --bodies point,drone")
    for name in options.bodies or ():
        choose(name, BODIES, "--bodies", faults)
    written = [path for path in (options.json, options.summary) if path is not None]
    for what, path in (("--json", options.json), ("--summary", options.summary)):
        if path is not None:
            try:
                check_writable(path, what)
            except BadInput as fault:
                faults.extend(fault.faults)
    if len({path.resolve() for path in written}) < len(written):
        faults.append(f"{written[0]}: named for two outputs")
    try:
        mission = load_mission(options.mission, settings(options.set))
    except BadInput as fault:
        raise BadInput(*faults, *fault.faults) from None
    if faults:
        raise BadInput(*faults)
    numbers = options.seeds or range(mission.seed, mission.seed + mission.seeds)
    jobs = []
    for body in options.bodies or [mission.body.body]:
        for controller in options.controllers or [None]:
            try:
                with Simulation(mission, numbers[0], body=body, controller=controller) as sim:
                    notices += [notice for notice in sim.world.notices if notice not in notices]
            except BadInput as fault:
                faults.extend(fault.faults)
            jobs.append([Job(mission, number, controller, body) for number in numbers])
    if faults:
        raise BadInput(*dict.fromkeys(faults))
    return mission, jobs, notices


def _fly(mission: Mission, jobs: Sequence[Sequence[Job]], options: argparse.Namespace) -> list[Column]:
    """Fly the jobs of every column."""
    from swarm.batch import fly_all
    from swarm.cli.progress import progress
    from swarm.comparison import Column
    from swarm.transfer.mission import as_flown
    from swarm.verdicts import judge_seeds
    from swarm.warm_up import compiling_ahead

    every = [job for part in jobs for job in part]
    with compiling_ahead(), progress(len(every), options.quiet) as advance:
        flown = fly_all(every, options.jobs, options.timeout)
        columns = []
        for part in jobs:
            column = Column(part[0].body or mission.body.body, part[0].controller or mission.controller.use, ())
            for outcome in (next(flown) for _ in part):
                column = replace(column, outcomes=(*column.outcomes, outcome))
                advance(replace(outcome, mission=_label(mission, column)))
            results, numbers = [o.result for o in column.outcomes], [o.seed for o in column.outcomes]
            criteria = as_flown(mission, part[0].body).criteria
            columns.append(replace(column, over_seeds=judge_seeds(criteria, results, numbers)))
    return columns


def _label(mission: Mission, column: Column) -> str:
    return f"{mission.name}: {column.controller} on {column.body},"
