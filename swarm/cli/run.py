"""`swarm run`: fly missions and give their verdict."""

from __future__ import annotations

import argparse
import os
import shlex
import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from swarm.cli.options import add_set, positive, seed, seeds, settings, whole

if TYPE_CHECKING:
    from swarm.batch import Job, Outcome
    from swarm.mission import Mission

INTERRUPTED = 130  # the exit code of a process that Ctrl-C ended


def add(commands: Any) -> argparse.ArgumentParser:
    """The command and its options."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "run", help="fly missions and give their verdict",
        description="Fly missions headless. Exit code: 0 passed, 1 a criterion failed, 2 bad input, 3 simulator error.",
        epilog="example: swarm run five-drone-formation --seeds 20 --jobs 2 --out out --junit out.xml",
    )  # fmt: skip
    parser.add_argument("missions", nargs="+", metavar="MISSION", help="library name or TOML file")
    parser.add_argument("--body", help="another body: see swarm list bodies")
    parser.add_argument("--engine", help="another engine of the body")
    parser.add_argument("--controller", metavar="C", help="another controller: a name or package.module:Name")
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--seed", type=seed, metavar="N", help="one seed")
    which.add_argument("--seeds", type=seeds, metavar="K|A:B", help="seeds 0 to K-1, or A to B-1")
    parser.add_argument("--jobs", type=whole, default=1, metavar="J", help="processes (default 1)")
    parser.add_argument("--timeout", type=positive, metavar="S", help="stop a run after this many seconds of wall time")
    add_set(parser)
    parser.add_argument(
        "--out",
        type=Path,
        metavar="DIR",
        help="write results, recordings and pictures here; an existing folder is replaced whole",
    )
    parser.add_argument("--resume", action="store_true", help="keep the finished runs that --out holds already")
    parser.add_argument("--junit", type=Path, metavar="F", help="write a JUnit report")
    parser.add_argument("--json", type=Path, metavar="F", help="write all results as a JSON list")
    parser.add_argument("--summary", type=Path, metavar="F.md", help="write a summary in Markdown")
    parser.add_argument(
        "--video", type=Path, metavar="F", help="render the first flight to .mp4 or .gif (no display needed)"
    )
    parser.add_argument(
        "--camera", type=Path, metavar="F", help="film the first flight in 3D to .mp4 or .gif (no display needed)"
    )
    parser.add_argument(
        "--view", metavar="V", help="where --camera films from: chase (default), top, fixed, onboard, onboard:K"
    )
    parser.add_argument("--gui", action="store_true", help="watch in a window (needs a display)")
    parser.add_argument("--quiet", action="store_true", help="print errors only")
    return parser


def call(options: argparse.Namespace) -> int:
    """Check everything, fly everything, write everything; returns the exit code."""
    from swarm.warm_up import compiling_ahead

    with compiling_ahead(), _ended_as_by_ctrl_c():
        return _call(options)


@contextmanager
def _ended_as_by_ctrl_c() -> Iterator[None]:
    """A cancelled job (SIGTERM) writes what is done, as Ctrl-C does."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(number: int, frame: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _call(options: argparse.Namespace) -> int:
    from swarm.output import whole_folder
    from swarm.transfer.mission import as_flown
    from swarm.verdicts import judge_seeds

    missions, notices = _check(options)
    if not options.quiet:
        for notice in notices:
            print(f"notice: {notice}", file=sys.stderr)
    jobs = _jobs(options, missions)
    with ExitStack() as stack:
        kept: dict[int, Outcome] = {}
        if options.out is not None:
            staging = stack.enter_context(whole_folder(options.out))
            jobs, kept = _place(jobs, options.out, staging, options.resume)
        outcomes, interrupted = _fly(jobs, kept, options)
        if not outcomes:  # nothing was flown, nothing is written
            raise KeyboardInterrupt
        if all(o.exit_code == 2 for o in outcomes):
            from swarm.errors import BadInput

            raise BadInput(*dict.fromkeys(line for o in outcomes for line in f"{o.error}".splitlines()))
    over_seeds = {}
    for mission in missions:
        runs = [o for o in outcomes if o.mission == mission.name]
        if runs:
            found = judge_seeds(
                as_flown(mission, options.body, options.engine).criteria,
                [o.result for o in runs],
                [o.seed for o in runs],
            )
            over_seeds[mission.name] = found
    _write(options, outcomes, over_seeds)
    if interrupted:
        _say_how_to_go_on(options, len(outcomes), len(jobs))
        return INTERRUPTED
    if any(o.exit_code == 2 for o in outcomes):
        return 2
    blocked = any(v.blocks for found in over_seeds.values() for v in found)
    return max(*(o.exit_code for o in outcomes), int(blocked))


def _check(options: argparse.Namespace) -> tuple[list[Mission], list[str]]:
    """All missions, checked; raises BadInput with every fault there is."""
    from swarm.errors import BadInput
    from swarm.mission_file import load_mission
    from swarm.output import check_writable, real
    from swarm.simulation import Simulation

    overrides = settings(options.set)
    if options.controller is not None and any(key.startswith("controller.params.") for key in overrides):
        overrides = {"controller.use": options.controller, **overrides}  # they are meant for the one that is asked for
    faults: list[str] = []
    notices: list[str] = []
    missions = []
    for name in options.missions:
        try:
            mission = load_mission(name, overrides)
            missions.append(mission)
            # Building it finds what the file alone does not show, such as a start inside an obstacle.
            first = _seeds(options, mission)[0]
            choices = {"controller": options.controller, "body": options.body, "engine": options.engine}
            with Simulation(mission, first, **choices) as sim:
                notices += [notice for notice in sim.world.notices if notice not in notices]
        except BadInput as fault:
            faults.extend(fault.faults)
    names = [mission.name for mission in missions]
    faults.extend(f"two missions are named {name}" for name in sorted({n for n in names if names.count(n) > 1}))
    for what in ("out", "junit", "json", "summary", "video", "camera"):
        path = getattr(options, what)
        if path is not None:
            try:
                inside = what != "out" and options.out is not None and _below(path, options.out)
                keep = [mission.folder for mission in missions]
                if not inside:
                    check_writable(path, f"--{what}", folder=what == "out", keep=keep)
            except BadInput as fault:
                faults.extend(fault.faults)
    for what in ("video", "camera"):
        path = getattr(options, what)
        if path is not None and path.suffix.lower() not in (".mp4", ".gif"):
            faults.append(f"--{what}: expected a file ending in .mp4 or .gif, got {path}")
    faults.extend(_view_faults(options, missions))
    named = (options.junit, options.json, options.summary, options.video, options.camera)
    written = [real(path) for path in named if path]
    faults.extend(f"{path}: named for two outputs" for path in {p for p in written if written.count(p) > 1})
    if options.resume and options.out is None:
        faults.append("--resume: expected --out DIR beside it")
    if options.gui and (len(missions) > 1 or (options.seeds is not None and len(options.seeds) > 1)):
        faults.append("--gui: expected one mission and one seed to watch")
    if options.gui and not faults:
        from swarm.watching import check_window

        check_window(options.body or missions[0].body.body)
    if faults:
        raise BadInput(*dict.fromkeys(faults))
    return missions, notices


def _view_faults(options: argparse.Namespace, missions: Sequence[Mission]) -> list[str]:
    from swarm.errors import BadInput
    from swarm.eyes.cameras import check_view

    if options.view is None:
        return []
    if options.camera is None:
        return ["--view: expected --camera F beside it"]
    try:
        check_view(options.view, missions[0].swarm.count if missions else None)
    except BadInput as fault:
        return list(fault.faults)
    return []


def _below(path: Path, folder: Path) -> bool:
    from swarm.output import real

    return real(folder) in real(path).parents


def _seeds(options: argparse.Namespace, mission: Mission) -> Sequence[int]:
    if options.seeds is not None:
        found: range = options.seeds
        return found
    if options.seed is not None:
        return [options.seed]
    return range(mission.seed, mission.seed + mission.seeds)


def _jobs(options: argparse.Namespace, missions: Sequence[Mission]) -> list[Job]:
    from swarm.batch import Job

    jobs = [
        Job(mission, number, options.controller, options.body, options.engine, gui=options.gui)
        for mission in missions
        for number in _seeds(options, mission)
    ]
    if options.video is not None:
        jobs[0] = replace(jobs[0], video=options.video)
    if options.camera is not None:
        jobs[0] = replace(jobs[0], camera=options.camera, view=options.view or "chase")
    return jobs


def _place(jobs: list[Job], out: Path, staging: Path, resume: bool) -> tuple[list[Job], dict[int, Outcome]]:
    """Jobs with the folder each writes to, and the outcomes that are taken from an earlier, interrupted call."""
    from swarm.resume import finished, take_over

    kept: dict[int, Outcome] = {}
    placed = []
    for k, job in enumerate(jobs):
        below = Path() if len(jobs) == 1 else Path(job.mission.name) / f"seed-{job.seed}"
        if resume and len(jobs) > 1 and not (job.video or job.camera):  # a film needs the recording
            outcome = finished(job, out / below)
            if outcome is not None:
                take_over(out / below, staging / below)
                kept[k] = outcome
        films = {"video": _staged(job.video, out, staging), "camera": _staged(job.camera, out, staging)}
        placed.append(replace(job, folder=staging / below, **films))  # type: ignore[arg-type]
    return placed, kept


def _staged(path: Path | None, out: Path, staging: Path) -> Path | None:
    """Where a film is written meanwhile: one that is to be in the results' folder goes there with it."""
    if path is None or not _below(path, out):
        return path
    from swarm.output import real

    path = staging / real(path).relative_to(real(out))
    path.parent.mkdir(parents=True, exist_ok=True)
    return path


def _fly(jobs: list[Job], kept: dict[int, Outcome], options: argparse.Namespace) -> tuple[list[Outcome], bool]:
    """Outcomes in the order of the jobs, and whether Ctrl-C cut them short."""
    from swarm.batch import fly_all
    from swarm.cli.progress import progress

    outcomes: list[Outcome] = []
    missing = [job for k, job in enumerate(jobs) if k not in kept]
    flown = fly_all(missing, options.jobs, options.timeout) if missing else iter(())
    try:
        with progress(len(jobs), options.quiet) as advance:
            for k in range(len(jobs)):
                outcome = kept[k] if k in kept else next(flown)
                outcomes.append(outcome)
                advance(outcome)
    except KeyboardInterrupt as stop:
        done = {(o.mission, o.seed) for o in outcomes}
        early = {(o.mission, o.seed): o for o in getattr(stop, "finished", ())}
        late = [early.get((job.mission.name, job.seed)) for job in jobs if (job.mission.name, job.seed) not in done]
        outcomes += [outcome for outcome in late if outcome is not None]
        done |= early.keys()
        for job in jobs:
            if job.folder is not None and (job.mission.name, job.seed) not in done:
                _discard(job.folder)
        return outcomes, True
    return outcomes, False


def _discard(folder: Path) -> None:
    import shutil

    if not (folder / "result.json").exists():
        shutil.rmtree(folder, ignore_errors=True)


def _write(options: argparse.Namespace, outcomes: Sequence[Outcome], over_seeds: Any) -> None:
    from swarm.cli.report import print_report
    from swarm.output import write_text
    from swarm.reports import junit, summary
    from swarm.result import to_json

    if options.json is not None:
        tables = [o.table() for o in outcomes]
        for table in tables:
            if over_seeds.get(table["mission"]):
                table["over_seeds"] = [verdict.table() for verdict in over_seeds[table["mission"]]]
        write_text(options.json, to_json(tables))
    if options.junit is not None:
        write_text(options.junit, junit(outcomes, over_seeds))
    if options.summary is not None:
        write_text(options.summary, summary(outcomes, over_seeds))
    for outcome in outcomes:
        if outcome.error is not None:
            print(f"{outcome.mission} seed {outcome.seed}: {outcome.error}", file=sys.stderr)
    if not options.quiet and sys.stdout is not None:
        try:
            print_report([o.result for o in outcomes if o.result is not None], over_seeds, sys.stdout)
            if options.out is not None:
                print(f"written to {options.out}", flush=True)
        except OSError:  # nobody reads, or the disk is full: the verdict and the files stand all the same
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


def _say_how_to_go_on(options: argparse.Namespace, done: int, total: int) -> None:
    words = [word for word in sys.argv[1:] if word != "--resume"]
    print(f"interrupted: {done} of {total} runs are done and written", file=sys.stderr)
    if options.out is not None and total > 1:
        print(f"to go on: swarm {shlex.join(words)} --resume", file=sys.stderr)
    else:
        print("to go on later, give --out DIR and then --resume", file=sys.stderr)
