"""What a run must meet: a bound on a metric, over the run, a stretch of it, every step, or many seeds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from swarm.metrics import METRICS
from swarm.schema import choose, nearest, show

BOUNDS = ("equals", "at_least", "at_most", "between")
SPANS = ("run", "steps", "seeds")
KEYS = (*BOUNDS, "from", "to", "last", "over", "optional")
Limit = bool | float | tuple[float, float]
Value = bool | float | None


@dataclass(frozen=True)
class Criterion:
    """One bound of [criteria].

    Over the run the metric's own value counts (the mean of a series, the worst of an extreme, the number of onsets);
    over steps every sample must meet the bound, and the value is the worst of them; over seeds it is the share of runs
    in which a flag is true, or the mean over runs of a number.
    """

    name: str  # of the metric
    bound: str  # one of BOUNDS
    limit: Limit
    start: float | None = None  # s, `from`
    stop: float | None = None  # s, `to`
    last: float | None = None  # s, only the end of the run counts
    over: str = "run"  # one of SPANS
    optional: bool = False  # a miss is a warning

    def met(self, value: Value) -> bool:
        """Whether a measured value is acceptable; a value that is not there never is."""
        return value is not None and self.excess(value) <= 0.0

    def excess(self, value: bool | float) -> float:
        """How far a value is on the wrong side of the bound; 0 or less is acceptable."""
        if isinstance(self.limit, tuple):
            return max(self.limit[0] - value, value - self.limit[1])
        if self.bound == "at_least":
            return self.limit - value
        if self.bound == "at_most":
            return value - self.limit
        return abs(float(value) - float(self.limit))

    def acceptable(self) -> str:
        """The bound in words, such as "<= 0.5"."""
        if isinstance(self.limit, tuple):
            return f"{self.limit[0]:g} to {self.limit[1]:g}"
        limit = str(self.limit).lower() if isinstance(self.limit, bool) else f"{self.limit:g}"
        return {"equals": "", "at_least": ">= ", "at_most": "<= "}[self.bound] + limit

    def span(self) -> str:
        """Where the bound holds, in words; empty for the whole run."""
        words = []
        if self.over != "run":
            words.append({"steps": "every step", "seeds": "over seeds"}[self.over])
        if self.last is not None:
            words.append(f"last {self.last:g} s")
        elif self.start is not None and self.stop is not None:
            words.append(f"{self.start:g} to {self.stop:g} s")
        elif self.start is not None:
            words.append(f"from {self.start:g} s")
        elif self.stop is not None:
            words.append(f"to {self.stop:g} s")
        return ", ".join(words)

    def title(self) -> str:
        """The metric, and where the bound holds, such as "formation_error (every step)"."""
        span = self.span()
        return f"{self.name} ({span})" if span else self.name


def read_criteria(
    table: Mapping[str, Any], where: str, faults: list[str], duration: float = float("inf")
) -> tuple[Criterion, ...]:
    """Check the [criteria] table.

    Args:
        table: Metric name to a bound, or to a list of bounds.
        where: Prefix of messages.
        faults: Gets one line for each fault.
        duration: s, of the run; a stretch must lie in it.

    Returns:
        The criteria, in order.
    """
    criteria = []
    for name, bounds in table.items():
        place = f"{where}.{name}"
        if name not in METRICS:
            faults.append(f"{place}: unknown metric{nearest(name, METRICS)}; `swarm list metrics` shows all")
            continue
        if isinstance(bounds, list) and bounds:
            given = [(bound, f"{place}[{k}]") for k, bound in enumerate(bounds)]
        else:
            given = [(bounds, place)]
        for bound, at in given:
            criterion = _read(name, bound, at, faults, duration)
            if criterion is not None:
                criteria.append(criterion)
    return tuple(criteria)


def _read(name: str, table: object, place: str, faults: list[str], duration: float) -> Criterion | None:
    before = len(faults)
    if not isinstance(table, dict):
        faults.append(f"{place}: expected one bound such as {{ at_most = 0.5 }}, got {show(table)}")
        return None
    for key in table:
        choose(key, KEYS, place, faults)
    bounds = [key for key in table if key in BOUNDS]
    if len(faults) == before and len(bounds) != 1:
        faults.append(f"{place}: expected one bound such as {{ at_most = 0.5 }}, got {show(table)}")
    over = table.get("over", "run")
    if choose(over, SPANS, f"{place}.over", faults) and over == "steps":
        kinds = [key for key, metric in METRICS.items() if metric.kind in ("series", "extreme")]
        if name not in kinds:
            faults.append(f'{place}.over: expected "run" or "seeds", {name} has no value at every step')
    if not isinstance(table.get("optional", False), bool):
        faults.append(f"{place}.optional: expected true or false, got {show(table['optional'])}")
    _check_stretch(name, table, place, faults, duration)
    if len(faults) > before:
        return None
    limit = _limit(name, bounds[0], table[bounds[0]], over, f"{place}.{bounds[0]}", faults)
    if limit is None:
        return None
    stretch = {key: float(table[key]) if key in table else None for key in ("from", "to", "last")}
    return Criterion(
        name, bounds[0], limit, stretch["from"], stretch["to"], stretch["last"], over, table.get("optional", False)
    )


def _check_stretch(name: str, table: Mapping[str, Any], place: str, faults: list[str], duration: float) -> None:
    given = [key for key in ("from", "to", "last") if key in table]
    if given and METRICS[name].kind == "outcome":
        faults.append(f"{place}.{given[0]}: {name} is one value a run and has no stretch")
        return
    for key in given:
        value, lowest = table[key], 0.0
        if not _number(value) or value < lowest or value > duration or (key != "from" and value == 0):
            faults.append(f"{place}.{key}: expected a time within the run, 0 to {duration:g} s, got {show(value)}")
            return
    if given and table.get("over") == "seeds":
        faults.append(f"{place}.{given[0]}: over seeds the value of the whole run counts, without a stretch")
    elif "last" in given and len(given) > 1:
        faults.append(f"{place}: expected either last or from and to, got both")
    elif "from" in given and table["from"] >= table.get("to", duration):
        end = table.get("to", duration)
        faults.append(f"{place}.from: expected less than the end of the stretch, {end:g} s, got {table['from']:g}")


def _limit(name: str, bound: str, limit: Any, over: str, place: str, faults: list[str]) -> Limit | None:
    flag = METRICS[name].unit == "bool"
    if flag and over != "seeds":
        if bound == "equals" and isinstance(limit, bool):
            return limit
        faults.append(f"{place}: expected {{ equals = true }} or {{ equals = false }}, got {show(limit)}")
        return None
    if bound == "between":
        if isinstance(limit, list) and len(limit) == 2 and all(map(_number, limit)) and limit[0] <= limit[1]:
            values: tuple[float, ...] = (float(limit[0]), float(limit[1]))
        else:
            faults.append(f"{place}: expected [lowest, highest], got {show(limit)}")
            return None
    elif _number(limit):
        values = (limit,)
    else:
        faults.append(f"{place}: expected a finite number, got {show(limit)}")
        return None
    if flag and not all(0.0 <= value <= 1.0 for value in values):
        faults.append(f"{place}: expected a share of the seeds, 0 to 1, got {show(limit)}")
        return None
    return (values[0], values[1]) if bound == "between" else values[0]


def _number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) < 1e300
