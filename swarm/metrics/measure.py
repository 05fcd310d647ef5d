"""Run a kernel on a recording given as plain arrays; the metrics' functions read a column of what comes back."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from swarm.errors import BadInput
from swarm.metrics import cell_kernel
from swarm.metrics.frames import frames, living, padded, period
from swarm.metrics.motion_kernel import centroids, motion
from swarm.metrics.pair_kernel import pairs
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
        self._box = padded(self.box)
        self._held = np.empty((0, 4), np.int64)
        self._room = 64

    def update(self, position: Floats, velocity: Floats, alive: Bools) -> tuple[Floats, Ints, Ints]:
        """Table (T, COLUMNS) of `pair_kernel`, closest pair (T, 2) or -1, and onsets of a chunk.

        Onsets are (E, 4): sample, agent, agent, 1 for contact or 0 for a near miss; in time.
        """
        order, start, beside, size = self._arrange(position, alive)
        while True:
            near = np.empty((self._room, 4), np.int64)
            table, closest, nearest, found = pairs(
                position, velocity, self._box, self._ranges, order, start, beside, near
            )
            if found <= self._room:
                break
            self._room = 2 * found
        if size is not None:
            cell_kernel.far_neighbours(position, self._box, order, start, size, nearest, table, closest)
        return table, closest, self._onsets(near[:found], position.shape)

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

    def _arrange(self, position: Floats, alive: Bools) -> tuple[Ints, Ints, Ints, Floats | None]:
        samples, agents = alive.shape
        if agents > cell_kernel.ALL_PAIRS and self._reach < math.inf:
            return cell_kernel.cells(position, alive, self._box, self._reach)
        start = np.zeros((samples, 2), np.int64)
        start[:, 1] = alive.sum(axis=1)
        order = np.argsort(~alive, axis=1, kind="stable")
        return order, start, np.zeros((samples, 1, 1), np.int64), None


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
