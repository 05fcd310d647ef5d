"""Run a kernel on a recording given as plain arrays; the metrics' functions read a column of what comes back."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from swarm.errors import BadInput
from swarm.metrics import cell_kernel, pair_kernel
from swarm.metrics.frames import frames, living, no_pairs, padded, period
from swarm.metrics.motion_kernel import motion
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
    table, middle, _, _ = motion(
        given.get("position", zero), given.get("velocity", zero), given.get("command", zero),
        np.full((samples, agents), np.inf) if gap is None else gap, living(alive, like), period(box, dim),
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
    cluster: float = 0.0  # m, up to which two agents are of one cluster

    def __post_init__(self) -> None:
        near = max(self.near, self.contact)
        self._ranges = np.array([self.contact, near, self.collision, self.interaction, self.cluster])
        self._reach = float(self._ranges.max())
        self._box = padded(self.box)
        self._held, self._holding, self._room = no_pairs(), 0, 16

    def update(self, position: Floats, velocity: Floats, alive: Bools) -> tuple[Floats, Ints, Ints]:
        """Table (T, COLUMNS) of `pair_kernel`, closest pair (T, 2) or -1, and onsets (E, 4) of a chunk."""
        order, start, beside, size = self._arrange(position, alive)
        onset_room = 16
        while True:
            held = no_pairs(self._room)
            held[: self._holding] = self._held[: self._holding]
            onsets = np.empty((onset_room, 4), np.int64)
            table, closest, now, holding, begun, most = pair_kernel.pairs(
                position, velocity, self._box, self._ranges, order, start, beside, size, held, self._holding,
                no_pairs(self._room), onsets,
            )  # fmt: skip
            if most > self._room or begun > onset_room:
                self._room, onset_room = max(self._room, 2 * most), max(onset_room, begun)
                continue
            self._held, self._holding = now, holding
            return table, closest, onsets[:begun]

    def _arrange(self, position: Floats, alive: Bools) -> tuple[Ints, Ints, Ints, Floats]:
        samples, agents = alive.shape
        if agents > cell_kernel.ALL_PAIRS and self._reach < math.inf:
            return cell_kernel.cells(position, alive, self._box, self._reach)  # type: ignore[no-any-return]
        start = np.zeros((samples, 2), np.int64)
        start[:, 1] = alive.sum(axis=1)
        order = np.argsort(~alive, axis=1, kind="stable")
        return order, start, np.zeros((samples, 1, 1), np.int64), np.full(samples, np.inf)


def measure_pairs(
    position: ArrayLike,
    velocity: ArrayLike | None = None,
    alive: ArrayLike | None = None,
    box: ArrayLike | None = None,
    contact: float = 0.0,
    near: float = 0.0,
    collision: float = 0.0,
    interaction: float = 0.0,
    cluster: float = 0.0,
) -> Floats:
    """Table of `pair_kernel` (T, COLUMNS) for plain arrays."""
    where = frames("position", position)
    speed = np.zeros_like(where) if velocity is None else frames("velocity", velocity)
    if speed.shape != where.shape:
        raise BadInput(f"velocity: expected shape {where.shape}, got {speed.shape}")
    meter = PairMeter(period(box, where.shape[2]), contact, near, collision, interaction, cluster)
    return meter.update(where, speed, living(alive, where))[0]
