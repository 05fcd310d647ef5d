"""What a run must meet: a bound on a metric."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from swarm.metrics import METRICS
from swarm.schema import choose, nearest, show

BOUNDS = ("equals", "at_least", "at_most", "between")
Limit = bool | float | tuple[float, float]
Value = bool | float | None


@dataclass(frozen=True)
class Criterion:
    """One line of [criteria]."""

    name: str  # of the metric
    bound: str  # one of BOUNDS
    limit: Limit

    def met(self, value: Value) -> bool:
        """Whether a measured value is acceptable; a value that is not there never is."""
        if value is None:
            return False
        if isinstance(self.limit, tuple):
            return self.limit[0] <= value <= self.limit[1]
        if self.bound == "at_least":
            return value >= self.limit
        if self.bound == "at_most":
            return value <= self.limit
        return value == self.limit

    def acceptable(self) -> str:
        """The bound in words, such as "<= 0.5"."""
        if isinstance(self.limit, tuple):
            return f"{self.limit[0]:g} to {self.limit[1]:g}"
        limit = str(self.limit).lower() if isinstance(self.limit, bool) else f"{self.limit:g}"
        return {"equals": "", "at_least": ">= ", "at_most": "<= "}[self.bound] + limit


@dataclass(frozen=True)
class Verdict:
    """A criterion with what was measured."""

    criterion: Criterion
    value: Value
    unit: str
    passed: bool


def read_criteria(table: Mapping[str, Any], where: str, faults: list[str]) -> tuple[Criterion, ...]:
    """Check the [criteria] table; each fault is one line."""
    criteria = []
    for name, bounds in table.items():
        place = f"{where}.{name}"
        if name not in METRICS:
            faults.append(f"{place}: unknown metric{nearest(name, METRICS)}; `swarm list metrics` shows all")
            continue
        if not isinstance(bounds, dict) or len(bounds) != 1:
            faults.append(f"{place}: expected one bound such as {{ at_most = 0.5 }}, got {show(bounds)}")
            continue
        ((bound, limit),) = bounds.items()
        if not choose(bound, BOUNDS, place, faults):
            continue
        truth = METRICS[name].unit == "bool"
        if truth and (bound != "equals" or not isinstance(limit, bool)):
            faults.append(f"{place}.{bound}: expected {{ equals = true }} or {{ equals = false }}, got {show(limit)}")
        elif bound == "between":
            if not (isinstance(limit, list) and len(limit) == 2 and all(map(_number, limit)) and limit[0] <= limit[1]):
                faults.append(f"{place}.between: expected [lowest, highest], got {show(limit)}")
            else:
                criteria.append(Criterion(name, bound, (float(limit[0]), float(limit[1]))))
        elif not truth and not _number(limit):
            faults.append(f"{place}.{bound}: expected a finite number, got {show(limit)}")
        else:
            criteria.append(Criterion(name, bound, limit))
    return tuple(criteria)


def _number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and value - value == 0


def judge(criteria: tuple[Criterion, ...], metrics: Mapping[str, Value]) -> tuple[Verdict, ...]:
    """Hold the measured metrics against every criterion."""
    return tuple(Verdict(c, metrics[c.name], METRICS[c.name].unit, c.met(metrics[c.name])) for c in criteria)
