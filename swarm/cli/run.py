"""`swarm run`: fly missions and give their verdict."""

from __future__ import annotations

import argparse
import sys
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

from swarm.cli.options import add_set, seed, seeds, settings, whole


def add(commands: Any) -> argparse.ArgumentParser:
    """The command and its options."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "run", help="fly missions and give their verdict",
        description="Fly missions headless. Exit code: 0 passed, 1 a criterion failed, 2 bad input, 3 simulator error.",
        epilog="example: swarm run five-drone-formation --seeds 20 --jobs 2 --out out --junit out.xml",
    )  # fmt: skip
    parser.add_argument(
        "missions", nargs="+", metavar="MISSION", help="library name (swarm list missions) or TOML file"
    )
    parser.add_argument("--body", help="another body: see swarm list bodies")
    parser.add_argument("--engine", help="another engine of the body")
    parser.add_argument("--controller", metavar="C", help="another controller: a name or package.module:Name")
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--seed", type=seed, metavar="N", help="one seed")
    which.add_argument("--seeds", type=seeds, metavar="K|A:B", help="seeds 0 to K-1, or A to B-1")
    parser.add_argument("--jobs", type=whole, default=1, metavar="J", help="processes (default 1)")
    add_set(parser)
    parser.add_argument("--out", type=Path, metavar="DIR", help="write result.json, trajectory.npz and pictures here")
    parser.add_argument("--junit", type=Path, metavar="F", help="write a JUnit report")
    parser.add_argument("--json", type=Path, metavar="F", help="write all results as a JSON list")
    parser.add_argument("--summary", type=Path, metavar="F.md", help="write a summary in Markdown")
    parser.add_argument("--video", type=Path, metavar="F", help="render the flight to .mp4 or .gif (no display needed)")
    parser.add_argument("--gui", action="store_true", help="watch in Bullet's window (needs a display)")
    parser.add_argument("--quiet", action="store_true", help="print errors only")
    return parser


def call(options: argparse.Namespace) -> int:
    """Check everything, fly everything, write everything; returns the exit code."""
    from swarm.batch import Job, Outcome, fly_all
    from swarm.cli.progress import progress
    from swarm.cli.report import print_report
    from swarm.errors import BadInput
    from swarm.mission_file import load_mission
    from swarm.output import check_writable, whole_folder, write_text
    from swarm.reports import junit, summary
    from swarm.result import to_json
    from swarm.simulation import Simulation

    def wanted(mission: Any) -> range | list[int]:
        if options.seeds is not None:
            return options.seeds  # type: ignore[no-any-return]
        return [mission.seed if options.seed is None else options.seed]

    overrides = settings(options.set)
    faults: list[str] = []
    notices: list[str] = []
    missions = []
    for name in options.missions:
        try:
            mission = load_mission(name, overrides)
            missions.append(mission)
            # Building it finds what the file alone does not show, such as a start inside an obstacle.
            first = wanted(mission)[0]
            with Simulation(
                mission, first, controller=options.controller, body=options.body, engine=options.engine
            ) as sim:
                notices += [notice for notice in sim.world.notices if notice not in notices]
        except BadInput as fault:
            faults.extend(fault.faults)
    names = [mission.name for mission in missions]
    faults.extend(f"two missions are named {name}" for name in sorted({n for n in names if names.count(n) > 1}))
    for what in ("out", "junit", "json", "summary", "video"):
        path = getattr(options, what)
        if path is not None:
            try:
                check_writable(path, f"--{what}", folder=what == "out")
            except BadInput as fault:
                faults.extend(fault.faults)
    if options.video is not None and options.video.suffix not in (".mp4", ".gif"):
        faults.append(f"--video: expected a file ending in .mp4 or .gif, got {options.video}")
    if faults:
        raise BadInput(*dict.fromkeys(faults))

    if not options.quiet:
        for notice in notices:
            print(f"notice: {notice}", file=sys.stderr)
    jobs = [
        Job(mission, number, options.controller, options.body, options.engine, gui=options.gui)
        for mission in missions
        for number in wanted(mission)
    ]
    if options.video is not None:
        jobs[0] = replace(jobs[0], video=options.video)
    if options.gui and len(jobs) > 1:
        raise BadInput("--gui: expected one mission and one seed to watch")

    outcomes: list[Outcome] = []
    with ExitStack() as stack:
        if options.out is not None:
            staging = stack.enter_context(whole_folder(options.out))
            jobs = [
                replace(job, folder=staging if len(jobs) == 1 else staging / job.mission.name / f"seed-{job.seed}")
                for job in jobs
            ]
        with progress(len(jobs), options.quiet) as advance:
            for outcome in fly_all(jobs, options.jobs):
                outcomes.append(outcome)
                advance(outcome)
        bad = [o for o in outcomes if o.exit_code == 2]
        if bad:
            raise BadInput(*dict.fromkeys(line for o in bad for line in f"{o.error}".splitlines()))
    results = [o.result for o in outcomes if o.result is not None]
    if options.json is not None:
        write_text(options.json, to_json([o.table() for o in outcomes]))
    if options.junit is not None:
        write_text(options.junit, junit(outcomes))
    if options.summary is not None:
        write_text(options.summary, summary(outcomes))
    if not options.quiet:
        print_report(results, sys.stdout)
        if options.out is not None:
            print(f"written to {options.out}")
    for outcome in outcomes:
        if outcome.error is not None:
            print(f"{outcome.mission} seed {outcome.seed}: {outcome.error}", file=sys.stderr)
    return max(o.exit_code for o in outcomes)
