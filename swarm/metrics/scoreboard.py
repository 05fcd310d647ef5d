"""The scoreboard of a run: digests the recording chunk by chunk and keeps every metric.

Whatever the chunks, the results are the same to the last bit: a run scored live and its recording scored later agree.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from typing import Any, Protocol

import numpy as np

from swarm.errors import BadInput
from swarm.metrics import motion_kernel as motions
from swarm.metrics import pair_kernel as pairings
from swarm.metrics.formation import fit_samples, places
from swarm.metrics.frames import check_finite, shortest
from swarm.metrics.graph import DENSEST, second_eigenvalue
from swarm.metrics.measure import PairMeter
from swarm.metrics.registry import METRICS
from swarm.metrics.results import Event, Results, Value
from swarm.metrics.samples import COMPUTED, Samples
from swarm.metrics.setting import Setting
from swarm.state import Bools, Floats, Ints

__all__ = ["Event", "Scoreboard", "Setting", "Touch"]

_CLUSTERED = [pairings.PHI_CORR, pairings.PHI_DISC, pairings.PHI_CLUSTER]


class Touch(Protocol):
    """An onset of contact as an engine reports it."""

    @property
    def time(self) -> float:
        """s since the start."""

    @property
    def agent(self) -> int:
        """Who touched."""

    @property
    def other(self) -> int:
        """The other agent, or -1."""

    @property
    def surface(self) -> int:
        """Index into world.surfaces, or -1."""

    @property
    def speed(self) -> float:
        """m/s along the contact normal."""


class Scoreboard(Results):
    """Keeps every metric of a run.

    Args:
        setting: What must be known beside the recording.
    """

    def __init__(self, setting: Setting) -> None:
        super().__init__(setting)
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
        self._added = _added_series(s)
        self._more = [*self._added, *(["connectivity"] if s.count <= DENSEST else [])]

    def update(
        self,
        time: Floats,
        position: Floats,
        velocity: Floats,
        command: Floats | None = None,
        clearance: Floats | None = None,
        alive: Bools | None = None,
        hunger: Floats | None = None,
    ) -> None:
        """Digest the next T samples of the recording.

        Args:
            time: (T,) s.
            position, velocity, command: (T, N, D) m, m/s, m/s; without commands there is no control effort.
            clearance: (T, N) m, of the hull to the nearest surface, inf where there is none.
            alive: (T, N) bool; default all.
            hunger: (T, P) of the predators, where there are any.

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
        fit = np.empty((shape[0], 0))
        if self._place is not None:
            fit = fit_samples(position, middle, measured, self._box, self._place)[0]
        more = {}
        if s.count <= DENSEST:
            more["connectivity"] = second_eigenvalue(pairs, position, measured, s.interaction_range, self._box)
        if self._added:
            given = {**vars(s), **arrays, "clearance": gap, "alive": measured, "box": self._box, "hunger": hunger}
            for name, (function, asked) in self._added.items():
                more[name] = np.asarray(function(**{key: given[key] for key in asked}), np.float64)
        self._parts.append(Samples(np.array(time, np.float64), motion, pairs, fit, closest, lowest, more))
        self._note(time, position, gap, onsets, touch)

    def _note(self, time: Floats, position: Floats, gap: Floats, onsets: Ints, touch: Bools) -> None:
        if len(onsets):
            step = position[onsets[:, 0], onsets[:, 2]] - position[onsets[:, 0], onsets[:, 1]]
            apart = np.sqrt((shortest(step, self._box) ** 2).sum(axis=1))
            for (t, a, b, kind), value in zip(onsets.tolist(), apart.tolist()):
                name = "collisions" if kind else "near_misses"
                self._onsets[name].append(Event(float(time[t]), (a, b), value=value))
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
        if self._reported is None:
            self._reported = []
        agents = (agent,) if other < 0 else (min(agent, other), max(agent, other))
        self._reported.append(Event(time, agents, surface, speed))

    def outcome(
        self,
        success: bool | None = None,
        time_to_target: float | None = None,
        way: float | None = None,
        contacts: Iterable[Touch] | None = None,
        captures: Iterable[Event] | None = None,
        **others: Value,
    ) -> None:
        """Say how the run ended, or stands; a later call replaces what an earlier one said.

        Args:
            success: Whether the goal was met and nobody lost.
            time_to_target: s, when the goal first held; None if it never did.
            way: m, straight or along the route, that there was to go.
            contacts: Every onset of contact of the run where an engine sees them; else overlaps in the recording count.
            captures: Every capture of the run: who was caught, and by whom.
            others: Further registered metrics that are one value a run.
        """
        for name in others:
            if name not in METRICS or METRICS[name].kind in ("series", "extreme"):
                raise BadInput(f"{name}: expected a registered metric that is one value a run")
        self._outcomes.update(success=success, time_to_target=time_to_target, **others)
        self._way = way
        if captures is not None:
            self._onsets["captures"] = list(captures)
        if contacts is not None:
            self._reported = []
            for touch in contacts:
                self.contact(touch.time, touch.agent, touch.other, touch.surface, touch.speed)


def _added_series(setting: Setting) -> dict[str, tuple[Callable[..., Any], list[str]]]:
    """Registered series that no kernel measures: name to function and the parameters it asks for."""
    known = {"alive", "box", "position", "velocity", "command", "clearance", *vars(setting)}
    if setting.predators:
        known.add("hunger")
    added = {}
    for name, metric in METRICS.items():
        if metric.kind == "series" and name not in COMPUTED:
            asked = list(inspect.signature(metric.function).parameters)
            if set(asked) <= known:
                added[name] = (metric.function, asked)
    return added
