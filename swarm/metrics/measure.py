"""Run a kernel on a recording given as plain arrays; the metrics' functions read a column of what comes back."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from swarm.errors import BadInput
from swarm.metrics import cell_kernel
from swarm.metrics.frames import frames, living, period
from swarm.metrics.motion_kernel import centroids, motion
from swarm.metrics.pair_kernel import pairs
from swarm.neighbours.chunks import cores, share, stretches
from swarm.state import Bools, Floats, Ints


def measure_motion(
    position: ArrayLike | None = None,
    velocity: ArrayLike | None = None,
    command: ArrayLike | None = None,
    clearance: ArrayLike | None = None,
    alive: ArrayLike | None = None,
    box: ArrayLike | None = None,
    radius: float = 0.0,
    dt: float = 1.0,
) -> tuple[Floats, Floats]:
    """Table of `motion_kernel` (T, COLUMNS) and centroid (T, D) of what is given; what is not given reads as zero."""
    if not 0.0 <= radius < math.inf:
        raise BadInput(f"radius: expected 0 m or more, got {radius}")
    if not dt > 0.0:
        raise BadInput(f"dt: expected more than 0 s, got {dt}")
    named = {"position": position, "velocity": velocity, "command": command}
    given = {name: frames(name, values) for name, values in named.items() if values is not None}
    gap: Floats | None = None
    if clearance is not None:
        gap = np.ascontiguousarray(np.atleast_2d(np.asarray(clearance, dtype=np.float64)))
        if np.isnan(gap).any():
            raise BadInput("clearance: expected distances in m, or inf where there is no surface, got nan")
        given.setdefault("position", np.zeros((*gap.shape, 2)))
    like = next(iter(given.values()))
    for name, array in given.items():
        if array.shape != like.shape:
            raise BadInput(f"{name}: expected shape {like.shape}, got {array.shape}")
    zero = np.zeros_like(like)
    samples, agents, dim = like.shape
    where, alive, box = given.get("position", zero), living(alive, like), period(box, dim)
    middle = centroids(where, alive, box)
    table, _, _ = motion(
        where, given.get("velocity", zero), given.get("command", zero),
        np.full((samples, agents), np.inf) if gap is None else gap, alive, middle, box,
        float(radius), float(dt), np.zeros((agents + 1, 2 * dim + 3)),
    )  # fmt: skip
    return table, middle


SHARED = 30_000  # agents times samples from which threads are worth waking


@dataclass
class PairMeter:
    """Measures pairs chunk by chunk; remembers which pairs were near each other at the end of the last chunk."""

    box: Floats  # (D,) m, period of each axis, 0 where it does not wrap
    contact: float = 0.0  # m between centres, below which two agents touch
    near: float = 0.0  # m, below which two that do not touch have a near miss
    collision: float = 0.0  # m, below which a pair counts against safety
    interaction: float = 0.0  # m, up to which two agents interact

    def __post_init__(self) -> None:
        near = max(self.near, self.contact)
        self._ranges = np.array([self.contact, near, self.collision, self.interaction])
        self._reach = float(self._ranges.max())
        self._box = np.append(np.zeros(3 - len(self.box)), self.box)  # the unused axis of a plane in front
        self._held = np.empty((0, 4), np.int64)
        self._room = 64

    def update(self, position: Floats, velocity: Floats, alive: Bools) -> tuple[Floats, Ints, Ints]:
        """Table (T, COLUMNS) of `pair_kernel`, closest pair (T, 2) or -1, and onsets of a chunk.

        Onsets are (E, 4): sample, agent, agent, 1 for contact or 0 for a near miss; in time.
        """
        samples, agents = alive.shape
        # Each sample is measured by itself, so it does not matter who measures which.
        parts = stretches(samples, min(samples, 2 * cores()) if samples * agents >= SHARED else 1)
        measured: list[Any] = [None] * len(parts)

        def work(p: int) -> None:
            take = slice(*parts[p])
            measured[p] = self._measure(position[take], velocity[take], alive[take])

        share(cores(), work, len(parts))
        for (first, _), (_, _, near) in zip(parts, measured):
            near[:, 0] += first
        table, closest, near = (np.concatenate(part) if len(parts) > 1 else part[0] for part in zip(*measured))
        return table, closest, self._onsets(near, position.shape)

    def _measure(self, position: Floats, velocity: Floats, alive: Bools) -> tuple[Floats, Ints, Ints]:
        """Table, closest pair, and all that are near, (P, 4)."""
        samples, agents = alive.shape
        many = agents > cell_kernel.ALL_PAIRS and self._reach < math.inf
        if many:
            order, start, shapes, seen = cell_kernel.cells(position, alive, self._box, self._reach)
        else:
            start, shapes = np.zeros((samples, 2), np.int64), np.ones((samples, 3), np.int64)
            start[:, 1] = alive.sum(axis=1)
            order, seen = np.argsort(~alive, axis=1, kind="stable"), np.full(samples, np.inf)
        room = self._room
        while True:
            near = np.empty((room, 4), np.int64)
            table, closest, nearest, found = pairs(
                position, velocity, self._box, self._ranges, order, start, shapes, seen, near
            )
            if found <= room:
                break
            self._room = room = 2 * found
        if many:
            cell_kernel.far_neighbours(position, self._box, order, start, shapes, seen, nearest, table, closest)
        return table, closest, near[:found]

    def _onsets(self, near: Ints, shape: tuple[int, ...]) -> Ints:
        samples, agents = shape[:2]
        if not len(near) and not len(self._held):
            return near
        near[:, 1:3].sort(axis=1)
        # A pair in a state now, coded by sample, is no onset where the sample before had the pair in the same state.
        code = ((near[:, 0] * agents + near[:, 1]) * agents + near[:, 2]) * 2 + near[:, 3]
        known = np.concatenate([self._held, near])
        earlier = (((known[:, 0] + 1) * agents + known[:, 1]) * agents + known[:, 2]) * 2 + known[:, 3]
        fresh = near[~np.isin(code, earlier)]
        self._held = near[near[:, 0] == samples - 1]
        self._held[:, 0] = -1
        return fresh[np.lexsort(fresh.T[::-1])]


def measure_pairs(
    position: ArrayLike,
    velocity: ArrayLike | None = None,
    alive: ArrayLike | None = None,
    box: ArrayLike | None = None,
    **ranges: float,
) -> tuple[Floats, Ints]:
    """Table of `pair_kernel` (T, COLUMNS) and onsets (E, 4) for plain arrays; `ranges` are those of `PairMeter`, m."""
    where = frames("position", position)
    speed = np.zeros_like(where) if velocity is None else frames("velocity", velocity)
    if speed.shape != where.shape:
        raise BadInput(f"velocity: expected shape {where.shape}, got {speed.shape}")
    for name, value in ranges.items():
        if not value >= 0.0:
            raise BadInput(f"{name}: expected a distance of 0 m or more, got {value}")
    table, _, onsets = PairMeter(period(box, where.shape[2]), **ranges).update(where, speed, living(alive, where))
    return table, onsets
