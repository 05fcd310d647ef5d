"""What a picture shows of the agents at one instant, of a recording or of a flight that goes on."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

import numpy as np

from swarm.plots.flown import Flown
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
    since: Floats  # (N,) s for which an agent has been lost or caught; 0 for the living
    trail: Floats  # (K, N, D) m, where each was before, latest first; without jumps where a torus wraps
    links: Ints = field(default_factory=lambda: np.empty((0, 2), np.int64))  # (E, 2) agents joined by a line
    crosses: Floats = field(default_factory=_nobody)  # (L, D) m, where agents were lost
    hits: Floats = field(default_factory=_nobody)  # (H, D) m, of agents that just touched something


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
        gone = np.flatnonzero((flight.lost >= 0) & (flight.lost <= sample))
        since = np.zeros(flight.count)
        since[gone] = time - flight.time[flight.lost[gone]]
        hit = [c.agent for c in flight.result.contacts if 0.0 <= time - c.time < HIT]
        lost = gone[:0] if self._preyed else gone  # what is caught fades and was not an accident
        return Moment(
            time, flown.position[sample], flight.direction[sample], flown.alive[sample], since,
            backwards(places, flight.world.space), flight.links(sample),
            flown.position[flight.lost[lost], lost], flown.position[sample, hit],
        )  # fmt: skip


class Watched:
    """The moments of a flight that goes on, of those states that are shown.

    Args:
        world: Where.
        count: Agents.
        kept: Shown states that a trail goes back.
    """

    def __init__(self, world: World, count: int, kept: int) -> None:
        self._space = world.space
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
        self._gone = np.where(state.alive, np.inf, np.minimum(self._gone, state.time))
        self._places.appendleft(state.position)
        since = np.where(state.alive, 0.0, np.maximum(state.time - self._gone, 0.0))
        since[~np.isfinite(since)] = 0.0
        trail = backwards(np.stack(self._places), self._space)
        return Moment(state.time, state.position, self._direction, state.alive, since, trail)
