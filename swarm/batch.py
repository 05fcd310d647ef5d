"""Many runs: missions x seeds, one process or several, one outcome for each in a fixed order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from swarm.errors import BadInput, SimulationError, SwarmError
from swarm.mission import Mission
from swarm.output import write_text
from swarm.result import Result, to_json
from swarm.runner import run


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
    gui: bool = False  # watch in the engine's window


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
    """Do one job and write its files; errors of the run become part of the outcome."""
    error: SwarmError | None = None
    result: Result | None = None
    try:
        result = run(job.mission, job.seed, controller=job.controller, body=job.body, engine=job.engine, gui=job.gui)
    except SimulationError as failure:
        error, result = failure, failure.partial
    except BadInput as fault:
        error = fault
    if result is not None:
        if job.folder is not None:
            write_folder(job.folder, job.mission, result, None if error is None else str(error))
        if job.video is not None:
            from swarm.plots.video import write_video

            write_video(job.video, job.mission, result)
        result.trajectory, result.series = None, {}
    if error is not None:
        return Outcome(job.mission.name, job.seed, result, str(error), error.exit_code)
    assert result is not None
    return Outcome(job.mission.name, job.seed, result, None, 0 if result.passed else 1)


def write_folder(folder: Path, mission: Mission, result: Result, error: str | None) -> None:
    """Write result.json, trajectory.npz and the pictures of one run."""
    from swarm.plots.flight import write_pictures

    folder.mkdir(parents=True, exist_ok=True)
    table = result.table() if error is None else {**result.table(), "passed": False, "error": error}
    assert result.trajectory is not None
    result.trajectory.save(folder / "trajectory.npz", result.series)
    write_pictures(folder, mission, result)
    write_text(folder / "result.json", to_json(table))


def fly_all(jobs: Sequence[Job], workers: int = 1) -> Iterator[Outcome]:
    """Do all jobs, in this process or spread over several.

    Args:
        jobs: What to do.
        workers: Processes.

    Yields:
        One outcome a job, in the order of the jobs whatever the number of workers.
    """
    if workers == 1 or len(jobs) == 1:
        yield from map(fly, jobs)
        return
    from joblib import Parallel, delayed

    yield from Parallel(n_jobs=min(workers, len(jobs)), return_as="generator", batch_size=1)(
        delayed(fly)(job) for job in jobs
    )
