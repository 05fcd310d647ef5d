"""The recording of a run: the start and the state after every command step."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from swarm.fresh_memory import fresh
from swarm.output import whole_file
from swarm.state import Bools, Floats, Ints, State, resized

CROWD = 1000  # agents from which on a step needs about as much memory as the nearest cache holds


@dataclass(frozen=True, eq=False)
class Trajectory:
    """T = command steps + 1 samples of N agents."""

    time: Floats  # (T,) s
    position: Floats  # (T, N, D) m
    velocity: Floats  # (T, N, D) m/s
    command: Floats  # (T, N, D) m/s; row k is what led to sample k, row 0 is zero
    clearance: Floats  # (T, N) m, hull to the nearest surface
    alive: Bools  # (T, N)
    role: Ints  # (N,)
    attitude: NDArray[np.float32] | None = None  # (T, N, 4) quaternion x, y, z, w; body to world
    painted: Ints | None = None  # (P, 4) first sample, row, column and kind of floor plan cells that were changed

    def sha256(self) -> str:
        """Digest of the bytes that the same seed must give again; the attitudes, of single precision, are left out."""
        digest = hashlib.sha256()
        for part in (self.time, self.position, self.velocity, self.command, self.alive, self.role):
            digest.update(np.ascontiguousarray(part).data)
        return digest.hexdigest()

    def save(self, path: Path, series: dict[str, Floats]) -> None:
        """Write an .npz without pickles; `series` become `metric_<name>` arrays of length T."""
        arrays: dict[str, Any] = {
            "time": self.time, "position": self.position, "velocity": self.velocity, "command": self.command,
            "clearance": self.clearance, "alive": self.alive, "role": self.role,
        }  # fmt: skip
        if self.attitude is not None:
            arrays["attitude"] = self.attitude
        if self.painted is not None and len(self.painted):
            arrays["painted"] = self.painted
        arrays |= {f"metric_{name}": values for name, values in series.items()}
        with whole_file(path) as file:
            np.savez_compressed(file, **arrays)


class Recorder:
    """Grows as the run goes on; nothing is lost when a run stops early."""

    def __init__(self, agents: int, dim: int, steps: int) -> None:
        self._room = min(steps + 1, 4096)
        self._count = 0
        self._small = small = agents >= CROWD
        self._time = fresh((self._room,))
        self._motion = fresh((3, self._room, agents, dim), small=small)  # position, velocity, command
        self._clearance = fresh((self._room, agents), small=small)
        self._alive = fresh((self._room, agents), bool, small)
        self._attitude = fresh((self._room, agents, 4), np.float32, small)
        self._role = np.zeros(agents, np.int64)
        self._painted: list[Ints] = []

    def __len__(self) -> int:
        return self._count

    def add(self, state: State, command: Floats, clearance: Floats) -> None:
        """Append one sample; the arrays are copied."""
        k = self._count
        if k == self._room:
            self._grow()
        self._time[k] = state.time
        motion = self._motion
        motion[0, k] = state.position
        motion[1, k] = state.velocity
        motion[2, k] = command
        self._clearance[k] = clearance
        self._alive[k] = state.alive
        self._attitude[k] = state.attitude
        if k == 0:
            self._role = state.role
        self._count = k + 1

    def room(self, samples: int) -> Trajectory:
        """Room for the next samples, after the first, to be written before `extend` makes them count."""
        while self._count + samples > self._room:
            self._grow()
        return self._part(slice(self._count, self._count + samples))

    def extend(self, samples: int) -> None:
        """So many samples have been written to their `room`."""
        self._count += samples

    def paint(self, changes: ArrayLike) -> None:
        """Note cells (K, 3) of the floor plan, row, column and kind, that have changed before the next sample."""
        cells = np.asarray(changes, np.int64).reshape(-1, 3)
        self._painted.append(np.column_stack([np.full(len(cells), self._count), cells]))

    def resize(self, state: State) -> None:
        """Make room for more agents, who up to now are recorded as standing where they do, not alive."""
        before, count = self._motion.shape[2], len(state.position)
        new = slice(before, count)
        self._motion = resized(self._motion, count, axis=2)
        self._motion[0, : self._count, new] = state.position[new]
        self._clearance = resized(self._clearance, count, axis=1)
        self._clearance[: self._count, new] = np.inf
        self._alive = resized(self._alive, count, axis=1)
        self._attitude = resized(self._attitude, count, axis=1)
        self._attitude[: self._count, new] = state.attitude[new]
        self._role = state.role

    def _grow(self) -> None:
        def wider(array: np.ndarray, axis: int) -> np.ndarray:
            shape = list(array.shape)
            shape[axis] *= 2
            longer = fresh(tuple(shape), array.dtype, self._small)
            longer[(slice(None),) * axis + (slice(self._room),)] = array
            return longer

        self._time, self._motion = wider(self._time, 0), wider(self._motion, 1)
        self._clearance, self._alive = wider(self._clearance, 0), wider(self._alive, 0)
        self._attitude = wider(self._attitude, 0)
        self._room *= 2

    def trajectory(self, first: int = 0) -> Trajectory:
        """The samples from `first` on, as views of the recording."""
        return self._part(slice(first, self._count))

    def _part(self, part: slice) -> Trajectory:
        position, velocity, command = self._motion[:, part]
        return Trajectory(
            self._time[part], position, velocity, command, self._clearance[part], self._alive[part], self._role,
            self._attitude[part], np.concatenate([np.empty((0, 4), np.int64), *self._painted]),
        )  # fmt: skip
