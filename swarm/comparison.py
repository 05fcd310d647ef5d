"""One mission on several bodies or by several controllers, with the same seeds: means, intervals and differences.

A mean has the 95 % interval of Student's t over the seeds, a share that of Wilson (1927), and a difference that of t
over the pairs of runs with one seed. Runs that ended in an error count as not passed and are left out of all else.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from swarm.batch import Outcome
from swarm.metrics import METRICS
from swarm.verdicts import SeedsVerdict, wilson

LENGTH_UNITS = ("m", "m/s", "m/s²")  # of metrics that grow with the scale
METHOD = "means with the 95 % interval of Student's t over seeds, shares with Wilson's, differences with t over pairs"


@dataclass(frozen=True)
class Estimate:
    """A mean or a share over runs."""

    mean: float
    interval: tuple[float, float] | None  # 95 %; None for a mean of a single run
    runs: int  # that had a value

    def table(self) -> dict[str, Any]:
        """The entry in a JSON file."""
        return {"mean": self.mean, "interval": self.interval, "runs": self.runs}


@dataclass(frozen=True)
class Column:
    """All runs of one body and controller, in the order of the seeds.

    Metrics of lengths and speeds count in those of the mission, also where it was flown at another scale.
    """

    body: str
    controller: str
    outcomes: tuple[Outcome, ...]
    over_seeds: tuple[SeedsVerdict, ...] = ()  # verdicts on the criteria over seeds

    @property
    def fine(self) -> bool:
        """Whether `swarm run` of these runs would have passed."""
        return self.passed == len(self.outcomes) and not any(verdict.blocks for verdict in self.over_seeds)

    @property
    def passed(self) -> int:
        """Runs that met every criterion."""
        return sum(outcome.exit_code == 0 for outcome in self.outcomes)

    @property
    def errors(self) -> int:
        """Runs that ended in an error."""
        return sum(outcome.error is not None for outcome in self.outcomes)

    @property
    def scale(self) -> float:
        """m flown for a metre of the mission."""
        return next((o.result.scale for o in self.outcomes if o.result is not None), 1.0)

    def values(self, metric: str) -> dict[int, float]:
        """Value by seed, of the runs that have one."""
        found = {}
        unit = self.scale if METRICS[metric].unit in LENGTH_UNITS else 1.0
        for outcome in self.outcomes:
            value = None if outcome.result is None or outcome.error is not None else outcome.result.metrics.get(metric)
            if value is not None and math.isfinite(value):
                found[outcome.seed] = float(value) / unit
        return found


@dataclass(frozen=True)
class Row:
    """One metric in every column, and how far each is from the first."""

    metric: str
    unit: str
    estimates: tuple[Estimate | None, ...]
    differences: tuple[Estimate | None, ...]  # None for the first column and for shares


@dataclass(frozen=True)
class Comparison:
    """What `compare` found."""

    mission: str
    seeds: tuple[int, ...]
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]

    def labels(self) -> tuple[str, ...]:
        """A short name for each column: what it differs in."""
        bodies, controllers = {c.body for c in self.columns}, {c.controller for c in self.columns}
        if len(controllers) == 1:
            return tuple(c.body for c in self.columns)
        if len(bodies) == 1:
            return tuple(c.controller for c in self.columns)
        return tuple(f"{c.controller} on {c.body}" for c in self.columns)

    def table(self) -> dict[str, Any]:
        """As JSON can hold it."""
        return {
            "mission": self.mission,
            "seeds": list(self.seeds),
            "method": METHOD,
            "columns": [
                {"label": label, "body": c.body, "controller": c.controller, "runs": len(c.outcomes),
                 "passed": c.passed, "errors": c.errors, "fine": c.fine, "scale": c.scale,
                 "over_seeds": [verdict.table() for verdict in c.over_seeds]}
                for label, c in zip(self.labels(), self.columns)
            ],
            "metrics": [
                {"name": row.metric, "unit": row.unit,
                 "values": [None if e is None else e.table() for e in row.estimates],
                 "difference_to_first": [None if e is None else e.table() for e in row.differences]}
                for row in self.rows
            ],
            "runs": [outcome.table() for column in self.columns for outcome in column.outcomes],
        }  # fmt: skip


def mean(values: Sequence[float], circular: bool = False) -> Estimate | None:
    """Mean with Student's interval: mean -+ t(0.975, n - 1) s / sqrt(n).

    Args:
        values: One a run.
        circular: Whether these are angles in rad: they are counted from their mean direction, the short way round.
    """
    runs = len(values)
    if runs == 0:
        return None
    if circular:
        ahead = math.atan2(math.fsum(map(math.sin, values)), math.fsum(map(math.cos, values)))
        values = [ahead + math.remainder(value - ahead, math.tau) for value in values]
    middle = math.fsum(values) / runs
    if runs == 1:
        return Estimate(middle, None, 1)
    from scipy.special import stdtrit

    variance = math.fsum((value - middle) ** 2 for value in values) / (runs - 1)
    half = float(stdtrit(runs - 1, 0.975)) * math.sqrt(variance / runs)
    return Estimate(middle, (middle - half, middle + half), runs)


def share(values: Sequence[float]) -> Estimate | None:
    """Share of true flags with Wilson's interval."""
    if not values:
        return None
    hits = sum(map(bool, values))
    return Estimate(hits / len(values), wilson(hits, len(values)), len(values))


def compare(mission: str, columns: Sequence[Column]) -> Comparison:
    """Hold the columns' runs against each other; all have the same seeds in the same order."""
    rows = []
    for name, metric in METRICS.items():
        found = [column.values(name) for column in columns]
        if not any(found):
            continue
        flag, angle = metric.unit == "bool", metric.unit == "rad"
        estimates = [share(list(v.values())) if flag else mean(list(v.values()), angle) for v in found]
        differences: list[Estimate | None] = [None]
        for values in found[1:]:
            pairs = [values[seed] - value for seed, value in found[0].items() if seed in values]
            differences.append(None if flag else mean(pairs, angle))
        rows.append(Row(name, metric.unit, tuple(estimates), tuple(differences)))
    seeds = tuple(outcome.seed for outcome in columns[0].outcomes)
    return Comparison(mission, seeds, tuple(columns), tuple(rows))
