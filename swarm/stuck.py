"""Who does not get on, and why."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from swarm.compiled import kernel
from swarm.metrics.crowd import stuck
from swarm.state import Bools, Floats, Ints

if TYPE_CHECKING:
    from swarm.view import View

WINDOW = 10  # s over which progress is looked at
SHARE = 0.1  # of the way that one would walk in that time, below which one is stuck
PACE = 1.34  # m/s, at which one would walk, or the speed limit if that is less
SIDE = 0.5  # cosine of the angle to the way, up to which somebody is ahead
TOUCH = 0.6  # m between hulls up to which somebody is in the way
EVERY = 1.0  # s from one look to the next
ROUNDING = 1e-9  # s
WALL = 0.3  # m between a hull and a surface up to which that is in the way
PERSON = 0.3  # m, taken for the hull of who has none, such as a walker
NAMED = 3  # agents in a sentence

Why = Literal["unreachable", "head-on", "crowd jam", "corner", "standing"]


@dataclass(frozen=True)
class Stuck:
    """An agent that does not get on."""

    agent: int
    since: float  # s
    why: Why
    where: tuple[float, ...]  # (D,) m

    def table(self) -> dict[str, Any]:
        """As it stands in a result."""
        return {"agent": self.agent, "since": self.since, "why": self.why, "where": list(self.where)}


def in_words(found: tuple[Stuck, ...]) -> str:
    """Who is stuck and why, the first few by name; empty where nobody is."""
    words = [f"agent {one.agent}: {one.why} since t = {one.since:.2f} s" for one in found[:NAMED]]
    return ", ".join(words) + (f", and {len(found) - NAMED} more" if len(found) > NAMED else "")


class Detector:
    """Follows how much nearer everybody comes to its goal.

    An agent is stuck when it is on its way and has come less than a tenth of 10 s at walking pace (1.34 m/s, or the
    speed limit if that is less) nearer to its goal, by the way to go, within the last 10 s; since the beginning of the
    first such 10 s. Who is moved by the task (which shows as a jump of the way to go) begins anew.

    Args:
        agents: A, of the party that is followed.
    """

    def __init__(self, agents: int) -> None:
        self._way = np.full((WINDOW + 1, agents), np.nan)  # m to go, the latest last
        self._since = np.full(agents, np.nan)  # s
        self._next = -np.inf  # s, of the next look
        self._looks = False

    def resize(self, agents: int) -> None:
        """So many from now on; the new ones begin anew."""
        new = agents - len(self._since)
        self._way = np.pad(self._way, ((0, 0), (0, new)), constant_values=np.nan)
        self._since = np.pad(self._since, (0, new), constant_values=np.nan)

    @property
    def count(self) -> int | None:
        """How many are stuck; None where nobody says who is on its way."""
        return stuck(self._since) if self._looks else None

    def look(self, view: View, bound: Bools | None) -> None:
        """Called after every command step; looks once a second.

        Args:
            view: Of the party.
            bound: (A,) who is on its way; None where the task does not say.
        """
        if bound is None:
            return
        route = None if view.senses.way is None else view.senses.way.route
        left = getattr(route, "left", None)  # of a way that can tell the length alone
        way = view.route_distance if left is None else left(view.position)
        self.follow(np.array([view.time]), way[None], (bound & view.alive)[None], view.speed_limit)

    def looks(self, times: Floats) -> Bools:
        """(T,) at which of these times, s, `follow` looks at the way to go: once a second."""
        looks, due = np.zeros(len(times), np.bool_), self._next
        for k, time in enumerate(times.tolist()):
            if time >= due - ROUNDING:
                looks[k], due = True, time + EVERY
        return looks

    def follow(self, times: Floats, way: Floats, on_way: Bools, speed_limit: float) -> None:
        """The same for several command steps in a row.

        Args:
            times: (T,) s.
            way: (T, A) m to go, inf where there is no way; only what `looks` says is read.
            on_way: (T, A) who is on its way, and alive.
            speed_limit: m/s.
        """
        self._looks = True
        jump, least = 2.0 * speed_limit + 1.0, SHARE * min(PACE, speed_limit) * WINDOW
        self._next = _follow(self._way, self._since, self._next, times, way, on_way, jump, least)

    def found(self, view: View, agents: Ints) -> tuple[Stuck, ...]:
        """Who is stuck now.

        Args:
            view: Of the party.
            agents: (A,) their numbers among all.
        """
        rows = np.flatnonzero(np.isfinite(self._since)) if self._looks else np.empty(0, np.int64)
        if len(rows) == 0:
            return ()
        route = None if view.senses.way is None else view.senses.way.route
        reachable = getattr(route, "reachable", None)
        free = np.isfinite(view.route_distance) if reachable is None else reachable(view.position)
        return tuple(
            Stuck(
                int(agents[i]), float(self._since[i]), why(view, i) if free[i] else "unreachable",
                tuple(view.position[i].tolist()),
            )
            for i in rows.tolist()
        )  # fmt: skip


@kernel
def _follow(
    window: Floats, since: Floats, due: float, times: Floats, way: Floats, on_way: Bools, jump: float, least: float
) -> float:
    """Look once a second; `window` (W, A) m and `since` (A,) s are written. Returns s, when to look next.

    Args:
        window: Ways to go at the last looks, the latest last.
        since: When who is stuck began to be; NaN for others.
        due: s, of the next look.
        times, way, on_way: As of `Detector.follow`.
        jump: m by which the way changes between two looks of who is put somewhere else.
        least: m that one comes nearer within a window, or is stuck.
    """
    for t in range(len(times)):
        look = times[t] >= due - ROUNDING
        for i in range(len(since)):
            if not on_way[t, i]:
                window[:, i], since[i] = math.nan, math.nan
            if not look:
                continue
            now = way[t, i] if on_way[t, i] else math.nan
            if abs(now - window[-1, i]) > jump:
                window[:, i], since[i] = math.nan, math.nan
            for k in range(len(window) - 1):
                window[k, i] = window[k + 1, i]
            window[-1, i] = now
            gained = 0.0 if math.isinf(now) else window[0, i] - now  # there may be no way
            if not math.isnan(window[0, i]) and gained < least:  # never true of who is not on its way
                since[i] = times[t] - WINDOW if math.isnan(since[i]) else since[i]
            else:
                since[i] = math.nan
        if look:
            due = times[t] + EVERY
    return due


def why(view: View, agent: int) -> Why:
    """What keeps an agent that has a way.

    Somebody ahead who wants the other way, others ahead, a wall or its corner beside it, or nothing.
    """
    wanted, graph, near = view.route_direction, view.neighbours, view.near
    hull = view.radius if view.radius > 0.0 else PERSON
    row = slice(graph.indptr[agent], graph.indptr[agent + 1])
    distance = graph.distance[row]
    ahead = _along(graph.displacement[row], wanted[agent]) >= SIDE * distance
    others = graph.indices[row][ahead & (distance <= 2.0 * hull + TOUCH)]
    if len(others):
        against = wanted[others] @ wanted[agent] < -SIDE
        return "head-on" if against.any() else "crowd jam"
    surfaces = near.distance[near.indptr[agent] : near.indptr[agent + 1]]  # m from the hull it has
    beside = surfaces <= hull - view.radius + WALL  # ways lead away from what is so near
    return "corner" if beside.any() else "standing"


def _along(vectors: Floats, direction: Floats) -> Floats:
    return np.asarray((vectors * direction).sum(axis=1))
