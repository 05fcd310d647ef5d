"""Going on where an interrupted batch stopped: finished runs are taken from the folder they were written to."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from swarm.batch import Job, Outcome
from swarm.result import Result
from swarm.stuck import Stuck
from swarm.transfer.mission import as_flown
from swarm.verdicts import Verdict


def finished(job: Job, folder: Path) -> Outcome | None:
    """The outcome of this very job, if `folder` holds it whole and without an error."""
    try:
        table = json.loads((folder / "result.json").read_text())
        if table["fingerprint"] != job.fingerprint() or "error" in table:
            return None
        criteria = [c for c in as_flown(job.mission, job.body, job.engine).criteria if c.over != "seeds"]
        verdicts = tuple(
            Verdict(
                c, entry["value"], entry["unit"], entry["passed"], entry.get("time"), tuple(entry.get("agents", ())),
                tuple(entry.get("obstacles", ())), entry.get("why", ""),
            )
            for c, entry in zip(criteria, table["criteria"], strict=True)
        )  # fmt: skip
        result = Result(
            **{key: table[key] for key in (
                "mission", "seed", "controller", "body", "engine", "passed", "metrics", "simulated_s", "steps",
                "trajectory_sha256", "versions", "scale",
            )},
            criteria=verdicts, arrivals=tuple(table["arrivals"]),
            stuck=tuple(Stuck(**{**one, "where": tuple(one["where"])}) for one in table["stuck"]),
        )  # fmt: skip
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return Outcome(job.mission.name, job.seed, result, None, 0 if result.passed else 1)


def take_over(folder: Path, staging: Path) -> None:
    """Copy a finished run's folder into a new one."""
    staging.parent.mkdir(parents=True, exist_ok=True)
    shutil.copytree(folder, staging)
