"""Many runs: missions x seeds, one outcome for each, in a fixed order whatever the number of processes."""

from __future__ import annotations

import hashlib
import json
import traceback
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from swarm.errors import BadInput, SimulationError, SwarmError
from swarm.mission import Mission
from swarm.output import write_text
from swarm.result import Result, to_json
from swarm.runner import run
from swarm.versions import versions


@dataclass(frozen=True)
class Job:
    """One run to do."""

    mission: Mission
    seed: int
    controller: str | None = None
    body: str | None = None
    engine: str | None = None
    folder: Path | None = None  # where its files go
    video: Path | None = None
    camera: Path | None = None  # a film of it
    view: str = "chase"  # of that film
    gui: bool = False  # watch in Bullet's window

    def fingerprint(self) -> str:
        """Digest of what the run depends on: mission, seed, choices and versions."""
        parts = [self.mission.table, self.mission.world, self.seed, self.controller, self.body, self.engine, versions()]
        digest = hashlib.sha256(json.dumps(parts, sort_keys=True, default=str).encode())
        for path in self._files():
            digest.update(path.read_bytes() if path.is_file() else b"")
        return digest.hexdigest()

    def _files(self) -> Iterator[Path]:
        """The user's own files that the run depends on: the controller's module and the meshes."""
        module, _, name = (self.controller or self.mission.controller.use).partition(":")
        with suppress(ImportError, ValueError, AttributeError):
            found = find_spec(module) if name else None
            if found is not None and found.origin:
                yield Path(found.origin)
        for obstacle in self.mission.world.get("obstacles", ()):
            if isinstance(obstacle, dict) and "file" in obstacle:
                yield Path(self.mission.world_file).parent / str(obstacle["file"])


@dataclass(frozen=True)
class Outcome:
    """What became of a job: a result, or an error with its exit code and the result so far."""

    mission: str
    seed: int
    result: Result | None
    error: str | None = None
    exit_code: int = 0

    def table(self) -> dict[str, Any]:
        """The entry of this run in a JSON list; an error stands beside what was measured until then."""
        table = {"mission": self.mission, "seed": self.seed} if self.result is None else self.result.table()
        return table if self.error is None else {**table, "passed": False, "error": self.error}


def fly(job: Job) -> Outcome:
    """Do one job and write its files; whatever goes wrong becomes part of the outcome."""
    error: str | None = None
    code, result = 0, None
    try:
        result = run(job.mission, job.seed, controller=job.controller, body=job.body, engine=job.engine, gui=job.gui)
    except SwarmError as failure:
        _pass_on_interrupt(failure)
        error, code = str(failure), failure.exit_code
        result = failure.partial if isinstance(failure, SimulationError) else None
    except (Exception, SystemExit) as mistake:
        _pass_on_interrupt(mistake)
        error, code = f"{type(mistake).__name__}: {mistake}\n{traceback.format_exc()}", 3
    if result is not None:
        try:
            if job.folder is not None:
                write_folder(job.folder, job, result, error)
            if job.video is not None:
                from swarm.plots.video import write_video

                write_video(job.video, job.mission, result)
            if job.camera is not None:
                from swarm.eyes.filming import film

                film(result, job.mission, job.camera, job.view)
        except (BadInput, OSError) as failure:
            error, code = str(failure), 2
        except SystemError as mistake:
            _pass_on_interrupt(mistake)
            raise
        result.trajectory, result.series = None, {}
        code = code or (0 if result.passed else 1)
    return Outcome(job.mission.name, job.seed, result, error, code)


def _pass_on_interrupt(error: BaseException) -> None:
    """Raise KeyboardInterrupt where one is behind an error: in a compiled call Ctrl-C comes out as a SystemError."""
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, KeyboardInterrupt):
            raise KeyboardInterrupt from None
        cause = cause.__cause__ or cause.__context__


def write_folder(folder: Path, job: Job, result: Result, error: str | None) -> None:
    """Write the recording and pictures of one run, and its result.json last: a folder that has one is complete."""
    from swarm.plots.flight import write_pictures

    folder.mkdir(parents=True, exist_ok=True)
    table = {**Outcome(result.mission, result.seed, result, error).table(), "fingerprint": job.fingerprint()}
    assert result.trajectory is not None
    result.trajectory.save(folder / "trajectory.npz", result.series)
    write_pictures(folder, job.mission, result)
    write_text(folder / "result.json", to_json(table))


def fly_all(jobs: Sequence[Job], workers: int = 1, timeout: float | None = None) -> Iterator[Outcome]:
    """Do all jobs, in this process or spread over several.

    Args:
        jobs: What to do.
        workers: Processes.
        timeout: s of wall time after which a run is stopped and counts as an error; needs a process of its own.

    Yields:
        One outcome a job, in the order of the jobs.
    """
    if workers == 1 and timeout is None:
        yield from map(fly, jobs)
    else:
        from swarm.pool import spread

        yield from spread(jobs, workers, timeout)
