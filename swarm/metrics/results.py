"""Reading a scoreboard: series, means, extremes, counts and outcomes, over the run or a window of time."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from swarm.metrics import motion_kernel as motions
from swarm.metrics.movement import efficiency, success_weighted
from swarm.metrics.registry import METRICS
from swarm.metrics.samples import Samples, joined, nothing
from swarm.metrics.setting import Setting
from swarm.metrics.vasarhelyi import vasarhelyi_fitness
from swarm.state import Bools, Floats

Value = bool | float | None
_SLACK = 1e-9  # s, by which a sample's time may miss a limit through rounding
_PHI = ("phi_vel", "phi_corr", "phi_coll", "phi_wall", "phi_disc", "phi_cluster")


@dataclass(frozen=True)
class Event:
    """Something that happened, or the sample a value stems from."""

    time: float  # s
    agents: tuple[int, ...] = ()
    surface: int = -1  # index into world.surfaces; -1 for none or not known
    value: float = 0.0  # what was measured: m, m/s, ...


class Results:
    """What has been measured so far, and every way to read it."""

    def __init__(self, setting: Setting) -> None:
        self.setting = setting
        self._member = np.ones(setting.count, bool) if setting.member is None else np.asarray(setting.member, bool)
        self._parts: list[Samples] = []
        self._more: list[str] = []  # names of the series beside those of the kernels
        self._has_command = False
        self._onsets: dict[str, list[Event]] = {
            "near_misses": [],
            "collisions": [],
            "obstacle_collisions": [],
            "captures": [],
        }
        self._reported: list[Event] | None = None  # contacts as an engine saw them
        self._outcomes: dict[str, Value] = {}
        self._way: float | None = None  # m there was to go

    @property
    def time(self) -> Floats:
        """(T,) s of the samples so far."""
        return self._all.time

    @property
    def series(self) -> dict[str, Floats]:
        """Every metric that varies in time: name to (T,) values; inf where a sample has none."""
        return self._kept(self._all)

    @property
    def latest(self) -> dict[str, float]:
        """The last sample of every series; costs the same however long the run is."""
        first = sum(len(part.time) for part in self._parts) - 1
        last = self._kept(self._parts[-1].last(), first) if self._parts else {}
        return {name: float(values[-1]) for name, values in last.items() if len(values)}

    def _kept(self, samples: Samples, first: int = 0) -> dict[str, Floats]:
        series = samples.series(self.setting.reference_at(samples.time, first))
        if not self._has_command:
            del series["control_effort"]
        return series

    def events(self, name: str) -> list[Event]:
        """The onsets behind a count, in time."""
        if name in ("near_misses", "captures") or self._reported is None:
            return list(self._onsets[name])
        agents = 2 if name == "collisions" else 1
        return [e for e in self._reported if len(e.agents) == agents and self._member[list(e.agents)].any()]

    def result(self) -> dict[str, Value]:
        """Every registered metric by name: time means, extremes, counts and outcomes; None where there is no value."""
        series = self.series
        return {name: self._value(name, series, None, None) for name in METRICS}

    def value(self, name: str, start: float | None = None, stop: float | None = None) -> Value:
        """One metric over the samples and onsets with start <= time <= stop.

        Args:
            name: Of a registered metric.
            start, stop: s; by default means begin at `measure_from`, and all else covers the run.
        """
        return self._value(name, self.series, start, stop)

    def where(self, name: str, start: float | None = None, stop: float | None = None) -> Event | None:
        """When the worst sample of a metric was, or its first onset, with the agents (and surface) concerned."""
        metric = METRICS[name]
        if metric.kind == "count" and name in self._onsets:
            times = [event for event in self.events(name) if _within(event.time, start, stop)]
            return times[0] if times else None
        values = self.series.get(name)
        if values is None or metric.better == "none":
            return None
        whole = self._all
        taken = np.flatnonzero(
            self._samples(values, -math.inf if metric.kind == "extreme" and start is None else start, stop)
        )
        if not len(taken):
            return None
        at = int(taken[np.argmin(values[taken]) if metric.better == "high" else np.argmax(values[taken])])
        agents: tuple[int, ...] = ()
        if name == "min_separation":
            agents = tuple(sorted(whole.closest[at].tolist()))
        elif name == "min_clearance":
            agents = (int(whole.lowest[at]),)
        return Event(float(whole.time[at]), agents, value=float(values[at]))

    def _value(self, name: str, series: dict[str, Floats], start: float | None, stop: float | None) -> Value:
        kind = METRICS[name].kind
        if name == "captures" and not self.setting.predators:
            return None
        if kind == "count" and name in self._onsets:
            return sum(_within(event.time, start, stop) for event in self.events(name))
        if kind in ("count", "outcome"):
            return self._outcome(name, series, start, stop)
        if name not in series:
            return None
        if kind == "extreme":
            taken = series[name][self._samples(series[name], -math.inf if start is None else start, stop)]
            if not len(taken):
                return None
            return float(taken.min() if METRICS[name].better == "high" else taken.max())
        inside = self._samples(series[name], start, stop)
        if name == "control_effort":
            inside[:1] = False  # nothing came before the first sample
        if not inside.any():
            return None
        if name == "mean_heading":
            x, y = self._heading(inside)
            return float(np.arctan2(y, x)) if math.hypot(x, y) > 1e-12 * inside.sum() else None
        return float(series[name][inside].mean())

    def _heading(self, inside: Bools) -> tuple[float, float]:
        """Sum of all headings of the samples, along the reference and to its left."""
        x, y = (self._all.motion[inside, k] for k in (motions.HEADING_X, motions.HEADING_Y))
        reference = np.broadcast_to(self.setting.reference_at(self._all.time), inside.shape)[inside]
        cosine, sine = np.cos(reference), np.sin(reference)
        return float((x * cosine + y * sine).sum()), float((y * cosine - x * sine).sum())

    def _outcome(self, name: str, series: dict[str, Floats], start: float | None, stop: float | None) -> Value:
        if name == "vasarhelyi_fitness":
            phi: dict[str, Any] = {each: self._value(each, series, start, stop) for each in _PHI}
            if self.setting.flocking is None or None in phi.values():
                return None
            return vasarhelyi_fitness(**phi, count=int(self._member.sum()), flocking=self.setting.flocking)
        if name == "path_length":
            return self._flown(math.inf)
        if name in ("path_efficiency", "spl"):
            reached = self._outcomes.get("time_to_target")
            if self._way is None or not self._way > 0.0 or (reached is None and name == "path_efficiency"):
                return None
            flown = self._flown(math.inf if reached is None else float(reached))
            if flown is None:
                return None
            if name == "path_efficiency":
                return efficiency(self._way, flown)
            return success_weighted(self._way, flown, bool(self._outcomes.get("success")))
        return self._outcomes.get(name)

    def _flown(self, until: float) -> float | None:
        whole = self._all
        inside = np.flatnonzero((whole.time <= until + _SLACK) & (whole.motion[:, motions.LIVING] > 0))
        return float(whole.motion[inside[-1], motions.FLOWN]) if len(inside) else None

    def _samples(self, values: Floats, start: float | None, stop: float | None) -> Bools:
        whole = self._all
        begin = self.setting.measure_from if start is None else start
        inside = (whole.time >= begin - _SLACK) & (whole.motion[:, motions.LIVING] > 0) & np.isfinite(values)
        return inside if stop is None else inside & (whole.time <= stop + _SLACK)

    @property
    def _all(self) -> Samples:
        if not self._parts:
            return nothing(0 if self.setting.formation is None else 2, self._more)
        if len(self._parts) > 1:
            self._parts = [joined(self._parts)]
        return self._parts[0]


def _within(time: float, start: float | None, stop: float | None) -> bool:
    return (start is None or time >= start - _SLACK) and (stop is None or time <= stop + _SLACK)
