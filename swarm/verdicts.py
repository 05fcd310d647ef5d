"""Holding what was measured against the criteria, and saying where and why one was missed."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from swarm.criteria import Criterion, Value
from swarm.metrics import METRICS
from swarm.state import PREDATOR, Ints
from swarm.stuck import in_words

NAMED = 10  # agents by number in a sentence

if TYPE_CHECKING:
    from swarm.result import Result
    from swarm.simulation import Simulation


@dataclass(frozen=True)
class Verdict:
    """A criterion with what was measured.

    Attributes:
        criterion: What was asked.
        value: What was measured, in `unit`; None where there is no such value.
        unit: Of the metric.
        passed: Whether the value is acceptable.
        time: s, when the worst sample or the first onset was, for a miss; None where it has no time.
        agents: Concerned.
        obstacles: Names of the surfaces concerned.
        why: More on a miss, in words.
    """

    criterion: Criterion
    value: Value
    unit: str
    passed: bool
    time: float | None = None
    agents: tuple[int, ...] = ()
    obstacles: tuple[str, ...] = ()
    why: str = ""

    @property
    def blocks(self) -> bool:
        """Whether it is a miss that fails the run; an optional criterion only warns."""
        return not self.passed and not self.criterion.optional

    def table(self) -> dict[str, Any]:
        """The entry in result.json."""
        criterion = self.criterion
        entry: dict[str, Any] = {
            "name": criterion.name,
            "bound": criterion.bound,
            "limit": criterion.limit,
            "value": self.value if self.value is None or math.isfinite(self.value) else None,
            "unit": self.unit,
            "passed": self.passed,
        }
        more = {
            "span": criterion.span(), "optional": criterion.optional, "time": self.time, "agents": list(self.agents),
            "obstacles": list(self.obstacles), "why": self.why,
        }  # fmt: skip
        entry.update({key: value for key, value in more.items() if value not in (None, "", [], False)})
        return entry

    def place(self) -> str:
        """When, who and what, in words; empty where nothing is known."""
        words = []
        if self.time is not None:
            words.append(f"at t = {self.time:.2f} s")
        if self.agents:
            words.append(("agent " if len(self.agents) == 1 else "agents ") + " and ".join(map(str, self.agents)))
        if self.obstacles:
            words.append("near " + ", ".join(self.obstacles))
        if self.why:
            words.append(self.why)
        return ", ".join(words)


def judge(sim: Simulation) -> tuple[Verdict, ...]:
    """Every criterion of a run but those over seeds."""
    return tuple(_judge(c, sim) for c in sim.mission.criteria if c.over != "seeds")


def _judge(criterion: Criterion, sim: Simulation) -> Verdict:
    board = sim.scoreboard
    metric = METRICS[criterion.name]
    start, stop = criterion.start, criterion.stop
    if criterion.last is not None:
        start, stop = sim.state.time - criterion.last, sim.state.time
    time: float | None = None
    if criterion.over == "steps":
        value, time = _worst_sample(criterion, sim, start, stop)
    else:
        value = board.value(criterion.name, start, stop)
    passed = criterion.met(value)
    if passed:
        return Verdict(criterion, value, metric.unit, True)
    missing = metric.kind == "count" and criterion.bound != "at_most"  # what did not happen has no moment
    event = None if missing else board.where(criterion.name, start, stop)
    agents: tuple[int, ...] = ()
    obstacles: tuple[str, ...] = ()
    if event is not None:
        time, agents = event.time if time is None else time, event.agents
        obstacles = _surfaces(criterion.name, event.time, event.surface, agents, sim)
    why = _why_not(sim) if criterion.name in ("success", "time_to_target") else ""
    if criterion.name == "stuck":
        why = in_words(sim.stuck)
    if value is None and criterion.name.startswith("throughput"):
        why = f"the run is shorter than an episode of {getattr(sim.goal, 'episode_steps', 0) * sim.dt:g} s"
    return Verdict(criterion, value, metric.unit, False, time, agents, obstacles, why)


def _worst_sample(
    criterion: Criterion, sim: Simulation, start: float | None, stop: float | None
) -> tuple[float | None, float | None]:
    series = sim.series.get(criterion.name)
    if series is None:
        return None, None
    time = sim.scoreboard.time
    inside = np.isfinite(series)
    inside &= (time >= (0.0 if start is None else start - 1e-9)) & (time <= (np.inf if stop is None else stop + 1e-9))
    taken = np.flatnonzero(inside)
    if len(taken) == 0:
        return None, None
    worst = max(taken.tolist(), key=lambda k: criterion.excess(float(series[k])))
    return float(series[worst]), float(time[worst])


def _surfaces(name: str, time: float, surface: int, agents: tuple[int, ...], sim: Simulation) -> tuple[str, ...]:
    if surface < 0 and name == "min_clearance" and agents:
        sample = round(time / sim.dt)
        surface = int(sim.world.nearest(sim.trajectory.position[sample, list(agents)])[2][0])
    return (sim.world.surfaces[surface],) if surface >= 0 else ()


def _why_not(sim: Simulation) -> str:
    flock = np.flatnonzero(sim.state.role != PREDATOR)
    gone = getattr(sim.goal, "gone", None)  # who has been taken out by the task itself
    there = sim.state.alive[flock] if gone is None else sim.state.alive[flock] | gone
    lost = flock[~there]
    if len(lost):
        first = int(np.argmax(~sim.trajectory.alive[:, lost].all(axis=1)))
        return f"lost {_named(lost)}, the first at t = {first * sim.dt:.2f} s"
    left_over = getattr(sim.goal, "left_over", None)
    agents, what = (None, "") if left_over is None else left_over(sim.view.state)
    words = [] if agents is None else [f"{len(agents)} of {len(flock)} {what}: {_named(flock[agents])}"]
    remaining = sim.goal.remaining(sim.view.state)
    way = "no way to go" if math.isinf(remaining) else f"{remaining:.2f} m still to go"
    return ", ".join(words + ([way] if remaining > 0 else []))


def _named(agents: Ints) -> str:
    """Agents by number, the first few of many."""
    names = ", ".join(map(str, agents[:NAMED].tolist()))
    more = f" and {len(agents) - NAMED} more" if len(agents) > NAMED else ""
    return f"{'agent' if len(agents) == 1 else 'agents'} {names}{more}"


@dataclass(frozen=True)
class SeedsVerdict:
    """A criterion over many seeds: a share of runs with its Wilson interval, or a mean."""

    criterion: Criterion
    value: float | None
    unit: str
    passed: bool
    runs: int
    interval: tuple[float, float] | None  # 95 %, of a share
    missed: tuple[int, ...]  # seeds whose flag is not true

    @property
    def blocks(self) -> bool:
        """Whether it is a miss that counts."""
        return not self.passed and not self.criterion.optional

    def table(self) -> dict[str, Any]:
        """The entry in a JSON list."""
        return {
            "name": self.criterion.name, "bound": self.criterion.bound, "limit": self.criterion.limit,
            "value": self.value, "unit": self.unit, "passed": self.passed, "span": "over seeds", "runs": self.runs,
            "interval": self.interval, "missed": list(self.missed), "optional": self.criterion.optional,
        }  # fmt: skip


def wilson(hits: int, trials: int, z: float = 1.959963984540054) -> tuple[float, float]:
    """Wilson's score interval for a share of hits (Wilson 1927), 95 % by default.

    Args:
        hits: Number of successes.
        trials: Number of tries, 1 or more.
        z: Standard normal quantile of the confidence.
    """
    share = hits / trials
    spread = z * math.sqrt(share * (1 - share) / trials + z * z / (4 * trials * trials))
    middle, scale = share + z * z / (2 * trials), 1 + z * z / trials
    return max((middle - spread) / scale, 0.0), min((middle + spread) / scale, 1.0)


def judge_seeds(
    criteria: Sequence[Criterion], results: Sequence[Result | None], seeds: Sequence[int]
) -> tuple[SeedsVerdict, ...]:
    """The criteria over seeds of one mission; a run without a result is a miss, a missing value is left out."""
    verdicts = []
    for criterion in criteria:
        if criterion.over != "seeds":
            continue
        unit = METRICS[criterion.name].unit
        values = [None if result is None else result.metrics.get(criterion.name) for result in results]
        if unit == "bool":
            missed = tuple(seed for seed, value in zip(seeds, values) if not value)
            hits = len(values) - len(missed)
            share = hits / len(values)
            verdicts.append(
                SeedsVerdict(
                    criterion, share, "1", criterion.met(share), len(values), wilson(hits, len(values)), missed
                )
            )
        else:
            known = [float(value) for value in values if value is not None]
            mean = sum(known) / len(known) if known else None
            verdicts.append(SeedsVerdict(criterion, mean, unit, criterion.met(mean), len(known), None, ()))
    return tuple(verdicts)
