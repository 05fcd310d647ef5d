"""The scoreboard of a run: digests the recording chunk by chunk and keeps every metric.

Whatever the chunks, the results are the same to the last bit: a run scored live and its recording scored later agree.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from swarm.errors import BadInput
from swarm.metrics import motion_kernel as motions
from swarm.metrics import pair_kernel as pairings
from swarm.metrics.formation import DISTANCE_ERROR, ERROR, fit_samples, places
from swarm.metrics.frames import check_finite, shortest
from swarm.metrics.graph import DENSEST, second_eigenvalue
from swarm.metrics.heading import direction
from swarm.metrics.measure import PairMeter
from swarm.metrics.movement import efficiency, success_weighted
from swarm.metrics.registry import METRICS
from swarm.metrics.vasarhelyi import Flocking, vasarhelyi_fitness
from swarm.state import Bools, Floats, Ints

Value = bool | float | None

# Where the fused kernels leave each series.
_MOTION = {
    "order": motions.ORDER, "milling": motions.MILLING, "speed": motions.SPEED, "phi_vel": motions.SPEED,
    "compactness": motions.COMPACTNESS, "compactness_sd": motions.COMPACTNESS_SD, "control_effort": motions.EFFORT,
    "min_clearance": motions.CLEARANCE, "phi_wall": motions.OUTSIDE,
}  # fmt: skip
_PAIRS = {
    "min_separation": pairings.SEPARATION, "nearest_neighbour": pairings.NEAREST, "groups": pairings.GROUPS,
    "union": pairings.UNION, "safety": pairings.SAFETY, "phi_corr": pairings.PHI_CORR, "phi_coll": pairings.PHI_COLL,
    "phi_disc": pairings.PHI_DISC, "phi_cluster": pairings.PHI_CLUSTER,
}  # fmt: skip
_FIT = {"formation_error": ERROR, "formation_distance_error": DISTANCE_ERROR}
_CLUSTERED = [pairings.PHI_CORR, pairings.PHI_DISC, pairings.PHI_CLUSTER]
_SLACK = 1e-9  # s, by which a sample's time may miss a limit through rounding
_PHI = ("phi_vel", "phi_corr", "phi_coll", "phi_wall", "phi_disc", "phi_cluster")


@dataclass(frozen=True, eq=False)
class Setting:
    """What a scoreboard must know beside the recording."""

    count: int  # N agents in the recording
    dim: int  # 2 or 3
    dt: float  # s between samples
    radius: float  # m, of the hull
    near_miss_radius: float | None = None  # m between centres; default 3 radii
    interaction_range: float = math.inf  # m between centres, up to which two agents interact
    formation: Floats | None = None  # (M, D) m slots
    measure_from: float = 0.0  # s; means are over samples at or after it
    box: Floats | None = None  # (D,) m, period of each axis of a torus, 0 where it does not wrap
    collision_radius: float | None = None  # m, of the ball safety and phi_coll keep free about an agent; default radius
    cluster_range: float | None = None  # m between centres, for the phi_*; default interaction_range
    flocking: Flocking | None = None  # wanted flight, for vasarhelyi_fitness
    reference: float = 0.0  # rad, direction mean_heading counts from, such as the wind's
    member: Bools | None = None  # (N,) who is measured; default all

    def __post_init__(self) -> None:
        faults = [
            f"{name}: expected more than 0, got {getattr(self, name)}"
            for name in ("count", "dt", "radius")
            if not getattr(self, name) > 0
        ]
        if self.dim not in (2, 3):
            faults.append(f"dim: expected 2 or 3, got {self.dim}")
        for name, shape in (("box", (self.dim,)), ("member", (self.count,))):
            value = getattr(self, name)
            if value is not None and np.shape(value) != shape:
                faults.append(f"{name}: expected shape {shape}, got {np.shape(value)}")
        if self.formation is not None:
            if np.shape(self.formation)[1:] != (self.dim,):
                faults.append(f"formation: expected rows of {self.dim} numbers, got {np.shape(self.formation)}")
            elif len(self.formation) < (self.count if self.member is None else int(np.sum(self.member))):
                faults.append(f"formation: expected a slot for each of {self.count} agents, got {len(self.formation)}")
        if faults:
            raise BadInput(*faults)


@dataclass(frozen=True)
class Event:
    """Something that happened, or the sample a value stems from."""

    time: float  # s
    agents: tuple[int, ...] = ()
    surface: int = -1  # index into world.surfaces; -1 for none or not known
    value: float = 0.0  # what was measured: m, m/s, ...


class Touch(Protocol):
    """An onset of contact as an engine reports it."""

    time: float  # s
    agent: int
    other: int  # agent, or -1
    surface: int  # index into world.surfaces, or -1
    speed: float  # m/s, normal


@dataclass
class _Chunk:
    """What is kept of a chunk."""

    time: Floats
    motion: Floats  # (T, motions.COLUMNS)
    pairs: Floats  # (T, pairings.COLUMNS)
    fit: Floats | None  # (T, 2)
    closest: Ints  # (T, 2) pair of least separation
    lowest: Ints  # (T,) agent of least clearance
    more: dict[str, Floats] = field(default_factory=dict)  # the rest, by name


class Scoreboard:
    """Keeps every metric of a run.

    Args:
        setting: What must be known beside the recording.
    """

    def __init__(self, setting: Setting) -> None:
        self.setting = setting
        s = setting
        near = 3.0 * s.radius if s.near_miss_radius is None else s.near_miss_radius
        ball = s.radius if s.collision_radius is None else s.collision_radius
        cluster = s.interaction_range if s.cluster_range is None else s.cluster_range
        self._box = np.zeros(s.dim) if s.box is None else np.ascontiguousarray(s.box, np.float64)
        self._pairs = PairMeter(self._box, 2.0 * s.radius, near, 2.0 * ball, s.interaction_range)
        # The clusters of the phi are of the interaction graph, unless they have a range of their own.
        self._clusters = None if cluster == s.interaction_range else PairMeter(self._box, interaction=cluster)
        self._carry = np.zeros((s.count + 1, 2 * s.dim + 3))
        self._place = None if s.formation is None else places(s.formation, s.dim)
        self._member = np.ones(s.count, bool) if s.member is None else np.asarray(s.member, bool)
        self._chunks: list[_Chunk] = []
        self._onsets: dict[str, list[Event]] = {"near_misses": [], "collisions": [], "obstacle_collisions": []}
        self._reported: list[Event] | None = None
        self._outcomes: dict[str, Value] = {}
        self._way: float | None = None
        known = {"alive", "box", "position", "velocity", "command", "clearance", *vars(s)}
        fused = {*_MOTION, *_PAIRS, *_FIT, "mean_heading", "connectivity"}
        self._added: dict[str, Callable[..., Any]] = {}
        self._asks: dict[str, list[str]] = {}
        for name, metric in METRICS.items():
            if metric.kind == "series" and name not in fused:
                asked = list(inspect.signature(metric.function).parameters)
                if set(asked) <= known:
                    self._added[name], self._asks[name] = metric.function, asked
        self._more = [*self._added, *(["connectivity"] if s.count <= DENSEST else [])]
        self._has_command = False

    def update(
        self,
        time: Floats,
        position: Floats,
        velocity: Floats,
        command: Floats | None = None,
        clearance: Floats | None = None,
        alive: Bools | None = None,
    ) -> None:
        """Digest the next T samples of the recording.

        Args:
            time: (T,) s.
            position, velocity, command: (T, N, D) m, m/s, m/s; without commands there is no control effort.
            clearance: (T, N) m, of the hull to the nearest surface, inf where there is none.
            alive: (T, N) bool; default all.

        Raises:
            BadInput: A wrong shape, or a number that is not finite.
        """
        s = self.setting
        shape = (len(time), s.count, s.dim)
        arrays = {"position": position, "velocity": velocity}
        if command is not None:
            arrays["command"] = command
        for name, array in arrays.items():
            if array.shape != shape:
                raise BadInput(f"{name}: expected shape {shape}, got {array.shape}")
            check_finite(name, array)
            arrays[name] = np.ascontiguousarray(array, np.float64)
        position, velocity = arrays["position"], arrays["velocity"]
        gap = np.full(shape[:2], np.inf) if clearance is None else np.ascontiguousarray(clearance, np.float64)
        if gap.shape != shape[:2] or np.isnan(gap).any():
            raise BadInput(f"clearance: expected numbers of shape {shape[:2]}, got {gap.shape}")
        measured = np.repeat(self._member[None], shape[0], axis=0) if alive is None else alive & self._member
        self._has_command |= command is not None

        middle = motions.centroids(position, measured, self._box)
        motion, lowest, touch = motions.motion(
            position, velocity, arrays.get("command", velocity), gap, measured, middle, self._box, s.radius, s.dt,
            self._carry,
        )  # fmt: skip
        pairs, closest, onsets = self._pairs.update(position, velocity, measured)
        if self._clusters is not None:
            pairs[:, _CLUSTERED] = self._clusters.update(position, velocity, measured)[0][:, _CLUSTERED]
        fit = None
        if self._place is not None:
            fit = fit_samples(position, middle, measured, self._box, self._place)[0]
        chunk = _Chunk(np.array(time, np.float64), motion, pairs, fit, closest, lowest)
        if s.count <= DENSEST:
            chunk.more["connectivity"] = second_eigenvalue(pairs, position, measured, s.interaction_range, self._box)
        if self._added:
            given = {**vars(s), **arrays, "clearance": gap, "alive": measured, "box": self._box}
            for name, function in self._added.items():
                chunk.more[name] = np.asarray(function(**{key: given[key] for key in self._asks[name]}), np.float64)
        self._chunks.append(chunk)
        if len(onsets):
            step = position[onsets[:, 0], onsets[:, 2]] - position[onsets[:, 0], onsets[:, 1]]
            apart = np.sqrt((shortest(step, self._box) ** 2).sum(axis=1))
            for (t, a, b, kind), value in zip(onsets.tolist(), apart.tolist()):
                name = "collisions" if kind else "near_misses"
                self._onsets[name].append(Event(float(time[t]), (a, b), value=value))
        if motion[:, motions.TOUCHES].any():
            for t, agent in np.argwhere(touch).tolist():
                self._onsets["obstacle_collisions"].append(Event(float(time[t]), (agent,), value=float(gap[t, agent])))

    def contact(self, time: float, agent: int, other: int = -1, surface: int = -1, speed: float = 0.0) -> None:
        """Note an onset of contact that the engine saw; from the first one on, the engine's count and overlaps do not.

        Args:
            time: s.
            agent, other: Who touched whom; other -1 for a surface.
            surface: Index into world.surfaces.
            speed: m/s, normal.
        """
        event = Event(time, (agent,) if other < 0 else (min(agent, other), max(agent, other)), surface, speed)
        self._reported = [*(self._reported or []), event]

    def outcome(
        self,
        success: bool | None = None,
        time_to_target: float | None = None,
        way: float | None = None,
        contacts: Iterable[Touch] | None = None,
        **others: Value,
    ) -> None:
        """Say how the run ended, or stands; a later call replaces what an earlier one said.

        Args:
            success: Whether the goal was met and nobody lost.
            time_to_target: s, when the goal first held; None if it never did.
            way: m, straight or along the route, that there was to go.
            contacts: Every onset of contact of the run where an engine sees them; else overlaps in the recording count.
            others: Further registered metrics that are one value a run.
        """
        for name in others:
            if name not in METRICS or METRICS[name].kind in ("series", "extreme"):
                raise BadInput(f"{name}: expected a registered metric that is one value a run")
        self._outcomes.update(success=success, time_to_target=time_to_target, **others)
        self._way = way
        if contacts is not None:
            self._reported = []
            for touch in contacts:
                self.contact(touch.time, touch.agent, touch.other, touch.surface, touch.speed)

    @property
    def time(self) -> Floats:
        """(T,) s of the samples so far."""
        return self._all.time

    @property
    def series(self) -> dict[str, Floats]:
        """Every metric that varies in time: name to (T,) values; inf where a sample has none."""
        whole = self._all
        series = {name: whole.motion[:, k] for name, k in _MOTION.items()}
        series |= {name: whole.pairs[:, k] for name, k in _PAIRS.items()}
        if whole.fit is not None:
            series |= {name: whole.fit[:, k] for name, k in _FIT.items()}
        x, y = whole.motion[:, motions.HEADING_X], whole.motion[:, motions.HEADING_Y]
        series["mean_heading"] = direction(x, y, self.setting.reference)
        series |= whole.more
        if not self._has_command:
            del series["control_effort"]
        return series

    @property
    def latest(self) -> dict[str, float]:
        """The last sample of every series."""
        return {name: float(values[-1]) for name, values in self.series.items() if len(values)}

    def events(self, name: str) -> list[Event]:
        """The onsets behind a count, in time."""
        if name == "near_misses" or self._reported is None:
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
            self._samples(values, 0.0 if metric.kind == "extreme" and start is None else start, stop)
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
            x, y = (float(self._all.motion[inside, k].sum()) for k in (motions.HEADING_X, motions.HEADING_Y))
            return float(direction(x, y, self.setting.reference)) if math.hypot(x, y) > 1e-12 * inside.sum() else None
        return float(series[name][inside].mean())

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
    def _all(self) -> _Chunk:
        if len(self._chunks) == 1:
            return self._chunks[0]
        chunks = self._chunks
        whole = _Chunk(
            _joined([c.time for c in chunks], ()),
            _joined([c.motion for c in chunks], (motions.COLUMNS,)),
            _joined([c.pairs for c in chunks], (pairings.COLUMNS,)),
            None if self._place is None else _joined([c.fit for c in chunks], (2,)),
            _joined([c.closest for c in chunks], (2,)),
            _joined([c.lowest for c in chunks], ()),
            {name: _joined([c.more[name] for c in chunks], ()) for name in self._more},
        )
        if chunks:
            self._chunks = [whole]
        return whole


def _joined(parts: list[Any], rest: tuple[int, ...]) -> Any:
    return np.concatenate(parts) if parts else np.empty((0, *rest))


def _within(time: float, start: float | None, stop: float | None) -> bool:
    return (start is None or time >= start - _SLACK) and (stop is None or time <= stop + _SLACK)
