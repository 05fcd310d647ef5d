"""Where every agent is and how it moves, at one instant."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

MEMBER, LEADER, PREDATOR = 0, 1, 2
ROLE_NAMES = ("member", "leader", "predator")


@dataclass(frozen=True, slots=True)
class State:
    """A = worlds x agents, stored flat; D = 2 or 3. The arrays belong to the reader and are never written again."""

    time: float  # s since the start of the episode
    position: Floats  # (A, D) m, world frame
    velocity: Floats  # (A, D) m/s, world frame
    attitude: Floats  # (A, 4) quaternion x, y, z, w; body to world
    angular_velocity: Floats  # (A, 3) rad/s, world frame
    alive: Bools  # (A,) False once crashed or caught
    role: Ints  # (A,) MEMBER, LEADER or PREDATOR
    world_index: Ints  # (A,) which world of the batch the agent lives in


def copied(state: State) -> State:
    """The same state in arrays of its own."""
    return State(
        state.time, state.position.copy(), state.velocity.copy(), state.attitude.copy(), state.angular_velocity.copy(),
        state.alive.copy(), state.role.copy(), state.world_index.copy(),
    )  # fmt: skip


def part(state: State, rows: Ints) -> State:
    """Some of the agents, in arrays of their own."""
    return State(
        state.time, state.position[rows], state.velocity[rows], state.attitude[rows], state.angular_velocity[rows],
        state.alive[rows], state.role[rows], state.world_index[rows],
    )  # fmt: skip


def resized(array: NDArray[Any], count: int, axis: int = 0) -> NDArray[Any]:
    """An array of as many agents along an axis: the first ones, and zeros for more than there were."""
    before = array.shape[axis]
    if count <= before:
        return np.ascontiguousarray(array.take(range(count), axis=axis))
    more = np.zeros((*array.shape[:axis], count - before, *array.shape[axis + 1 :]), array.dtype)
    return np.concatenate([array, more], axis=axis)
