"""What a picture shows of the agents at one instant, of a recording or of a flight that goes on."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from swarm.plots.flown import JUMP, Flown
from swarm.state import PREDATOR, Bools, Floats, Ints, State
from swarm.worlds.space import Space
from swarm.worlds.world import World

TRAIL = 3.0  # s of a small swarm's paths that stay in sight
CROWD_TRAIL = 0.4  # s of a crowd's, as shown
PIECES = 5_000  # line pieces of all trails together
LONGEST = 24  # pieces of one trail
HIT = 1.0  # s for which a contact is marked


def _nobody() -> Floats:
    return np.empty((0, 2))


@dataclass(frozen=True, eq=False)
class Moment:
    """N agents in D dimensions."""

    time: float  # s
    position: Floats  # (N, D) m
    direction: Floats  # (N, D) unit, where each heads
    alive: Bools  # (N,)
    since: Floats  # (N,) s for which an agent has been lost or caught; 0 for the living, inf before it joined
    trail: Floats  # (K, N, D) m, where each was before, latest first; without jumps where a torus wraps
    links: Ints = field(default_factory=lambda: np.empty((0, 2), np.int64))  # (E, 2) agents joined by a line
    crosses: Floats = field(default_factory=_nobody)  # (L, D) m, where agents were lost
    hits: Floats = field(default_factory=_nobody)  # (H, D) m, of agents that just touched something
    left: Ints = field(default_factory=lambda: np.empty(0, np.int64))  # (L,) agents that have left by an exit


def trail_pieces(count: int) -> int:
    """Pieces of each agent's trail in a swarm of `count`."""
    return int(np.clip(PIECES // count, 0, LONGEST))


def backwards(places: Floats, space: Space) -> Floats:
    """Places (K + 1, N, D) m, latest first, moved by whole periods to where they join without a jump, (K, N, D)."""
    steps = space.displacement(places[:-1], places[1:])
    return np.asarray(places[0] + np.cumsum(steps, axis=0))


class Moments:
    """The moments of a recorded flight.

    Args:
        flight: The flight.
        pace: Simulated seconds shown in a second.
    """

    def __init__(self, flight: Flown, pace: float) -> None:
        self._flight = flight
        step = float(np.median(np.diff(flight.time))) if len(flight.time) > 1 else 1.0
        pieces = trail_pieces(flight.count)
        lasting = CROWD_TRAIL * pace if flight.crowd else TRAIL
        stride = max(1, round(lasting / step / max(pieces, 1)))
        reach = max(1, round(lasting / step / stride)) if pieces else 0
        self._back = np.arange(min(pieces, reach) + 1) * stride
        self._preyed = bool((flight.trajectory.role == PREDATOR).any())

    def __getitem__(self, sample: int) -> Moment:
        flight = self._flight
        flown, time = flight.trajectory, float(flight.time[sample])
        places = flown.position[np.maximum(sample - self._back, 0)]
        trail = backwards(places, flight.world.space)
        if flight.on_plan:
            trail[self._broken(sample)] = np.nan
        away = np.flatnonzero(~flown.alive[sample])
        since = np.zeros(flight.count)
        since[away] = time - flight.time[self._gone_since(sample, away)]
        since[away[~flown.alive[: sample + 1, away].any(axis=0)]] = np.inf  # who has not joined yet
        gone = np.flatnonzero((flight.lost >= 0) & (flight.lost <= sample))
        hit = [c.agent for c in flight.result.contacts if 0.0 <= time - c.time < HIT]
        lost = gone[:0] if self._preyed else gone  # what is caught fades and was not an accident
        return Moment(
            time, flown.position[sample], flight.direction[sample], flown.alive[sample], since,
            trail, flight.links(sample), flown.position[flight.lost[lost], lost], flown.position[sample, hit],
            away[flight.left[away]],
        )  # fmt: skip

    def _gone_since(self, sample: int, away: Ints) -> Ints:
        """(K,) sample from which on agents have been gone until now; who left may have come back in between."""
        before = self._flight.trajectory.alive[: sample + 1, away][::-1]
        return np.where(before.any(axis=0), sample + 1 - np.argmax(before, axis=0), 0)

    def _broken(self, sample: int) -> Bools:
        """(K, N) pieces of trails that are older than a step which nobody walked."""
        at = np.maximum(sample - self._back, 0)
        broken = [self._flight.breaks[old:new].any(axis=0) for new, old in pairwise(at.tolist())]
        if not broken:
            return np.zeros((0, self._flight.count), np.bool_)
        return np.asarray(np.logical_or.accumulate(np.stack(broken), axis=0))


class Watched:
    """The moments of a flight that goes on, of those states that are shown.

    Args:
        world: Where.
        count: Agents.
        kept: Shown states that a trail goes back.
        out: Who of those that are gone at (A, D) m has left by an exit; None: nobody.
    """

    def __init__(self, world: World, count: int, kept: int, out: Callable[[Floats], Bools] | None = None) -> None:
        self._space, self._out, self._on_plan = world.space, out, world.floor_plan is not None
        self._left = np.zeros(count, np.bool_)
        self._fastest, self._time = 0.0, -np.inf  # m/s so far, and s of the state before
        self._jumps: deque[Bools] = deque(maxlen=min(kept, trail_pieces(count)))
        self._places: deque[Floats] = deque(maxlen=1 + min(kept, trail_pieces(count)))
        self._direction: Floats | None = None
        self._gone = np.full(count, np.inf)  # s, when an agent was lost

    def add(self, state: State) -> Moment:
        """The next one."""
        speed = np.linalg.norm(state.velocity, axis=1, keepdims=True)
        if self._direction is None:
            self._direction = np.zeros_like(state.velocity)
            self._direction[:, 0] = 1.0
        still = speed <= 1e-9 * max(float(speed.max(initial=0.0)), 1e-9)
        self._direction = np.where(still, self._direction, state.velocity / np.where(still, 1.0, speed))
        if self._on_plan:  # who steps back does not turn round
            self._direction = look(state.attitude)
            self._see_jumps(state, float(speed.max(initial=0.0)))
        if self._out is not None:
            fresh = ~state.alive & np.isinf(self._gone)
            self._left[state.alive] = False
            self._left[fresh] = self._out(state.position[fresh])
        self._gone = np.where(state.alive, np.inf, np.minimum(self._gone, state.time))
        self._places.appendleft(state.position)
        since = np.where(state.alive, 0.0, np.maximum(state.time - self._gone, 0.0))
        since[~np.isfinite(since)] = 0.0
        trail = backwards(np.stack(self._places), self._space)
        if self._jumps:
            trail[np.logical_or.accumulate(np.stack(self._jumps), axis=0)[: len(trail)]] = np.nan
        left = np.flatnonzero(self._left)
        return Moment(state.time, state.position, self._direction, state.alive, since, trail, left=left)

    def _see_jumps(self, state: State, fastest: float) -> None:
        """Note who was put somewhere else since the state before."""
        self._fastest = max(self._fastest, fastest)
        if self._places:
            step = np.linalg.norm(state.position - self._places[0], axis=1)
            self._jumps.appendleft(step > JUMP * self._fastest * (state.time - self._time) + 1e-9)
        self._time = state.time


def look(attitude: Floats) -> Floats:
    """(N, 2) unit, where agents of attitudes (N, 4) look in the plane."""
    x, y, z, w = attitude.T
    return np.stack([1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + w * z)], axis=1)
