"""Path following: along a path, back onto it when off it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np
from msgspec import Meta

from swarm.compiled import kernel
from swarm.errors import BadInput
from swarm.state import Floats
from swarm.view import View

Place = Annotated[tuple[float, ...], Meta(min_length=2, max_length=3)]


@dataclass(frozen=True)
class PathFollowing:
    """Along the path while the place predicted after `horizon` is within `radius` of it, else towards it a bit ahead::

        q = x_i + v_i horizon,   s = arc length of the point of the path nearest to q
        v_i = speed * tangent(s)                        where |q - path(s)| <= radius
        v_i = speed * unit(path(s + lookahead) - x_i)   else, and within `slowing` of the end, to arrive there

    Where a path crosses itself the nearest leg counts. Nothing without a path.

    Source: Reynolds, Steering Behaviors for Autonomous Characters (1999), path following.

    Args:
        path: (K, D) m; None takes the task's.
        speed: m/s.
        radius: m, half the width of the path.
        lookahead: m along the path.
        horizon: s.
        slowing: m before the end within which to slow down, so as to end at speed 0; 0 goes through it.
        closed: Whether the path leads from its last point back to its first.
    """

    path: Annotated[tuple[Place, ...], Meta(min_length=2)] | None = None
    speed: Annotated[float, Meta(ge=0)] = 1.5
    radius: Annotated[float, Meta(ge=0)] = 0.5
    lookahead: Annotated[float, Meta(ge=0)] = 1.0
    horizon: Annotated[float, Meta(ge=0)] = 0.5
    slowing: Annotated[float, Meta(ge=0)] = 1.0
    closed: bool = False

    def __post_init__(self) -> None:
        if self.path is not None and len({len(place) for place in self.path}) != 1:
            raise BadInput("path: expected places of 2 or of 3 numbers, all alike")

    def __call__(self, view: View) -> Floats:
        """Contribution (A, D) m/s."""
        path = view.path if self.path is None else np.array(self.path)
        if path is None or len(path) == 0:
            return np.zeros_like(view.position)
        if path.shape[1] != view.dim:
            raise BadInput(f"path: expected places of {view.dim} numbers, got {path.shape[1]}")
        after = np.roll(path, -1, axis=0)
        legs = view.space.displacement(path, after if self.closed else np.concatenate([after[:-1], path[-1:]]))
        return along_path(
            view.position, view.velocity, np.ascontiguousarray(path, np.float64), np.ascontiguousarray(legs),
            view.space.period, self.speed, self.radius, self.lookahead, self.horizon,
            0.0 if self.closed else self.slowing, self.closed,
        )  # fmt: skip


@kernel
def along_path(
    position: Floats, velocity: Floats, corner: Floats, leg: Floats, box: Floats,
    speed: float, radius: float, lookahead: float, horizon: float, slowing: float, closed: bool,
) -> Floats:  # fmt: skip
    """The formula of PathFollowing, (A, D) m/s.

    Args:
        position, velocity: (A, D) m and m/s.
        corner, leg: (K, D) m, where each leg begins and its way to the next; the last leg of an open path is zero.
        box: (D,) m, the period of each axis, 0 where it does not wrap.
        speed, radius, lookahead, horizon, slowing, closed: See PathFollowing.
    """
    agents, dim = position.shape
    legs = len(corner)
    long = np.zeros(legs)
    whole = 0.0
    for m in range(legs):
        for k in range(dim):
            long[m] += leg[m, k] * leg[m, k]
        long[m] = np.sqrt(long[m])
        whole += long[m]
    total = np.zeros((agents, dim))
    step = np.empty(3)
    for i in range(agents):
        best, on, at, passed, before = np.inf, 0, 0.0, 0.0, 0.0
        for m in range(legs):
            share = 0.0
            for k in range(dim):
                step[k] = position[i, k] + horizon * velocity[i, k] - corner[m, k]
                if box[k] > 0.0:
                    step[k] -= box[k] * np.floor(step[k] / box[k] + 0.5)
                share += step[k] * leg[m, k]
            share = min(max(share / (long[m] * long[m]), 0.0), 1.0) if long[m] > 0.0 else 0.0
            square = 0.0
            for k in range(dim):
                square += (step[k] - share * leg[m, k]) ** 2
            if square < best and (long[m] > 0.0 or whole == 0.0):
                best, on, at, passed = square, m, share * long[m], before
            before += long[m]
        left = whole - passed - at
        if best <= radius * radius and long[on] > 0.0 and (closed or left > slowing):
            for k in range(dim):
                total[i, k] = speed * leg[on, k] / long[on]
            continue
        further = at + lookahead
        while further > long[on] and (closed or on < legs - 1) and whole > 0.0:
            further -= long[on]
            on = (on + 1) % legs
        share = min(further / long[on], 1.0) if long[on] > 0.0 else 0.0
        length = 0.0
        for k in range(dim):
            step[k] = corner[on, k] + share * leg[on, k] - position[i, k]
            if box[k] > 0.0:
                step[k] -= box[k] * np.floor(step[k] / box[k] + 0.5)
            length += step[k] * step[k]
        length = np.sqrt(length)
        if length > 1e-12:
            rest = length if left <= lookahead else left
            pace = speed if slowing == 0.0 else speed * min(1.0, rest / slowing)
            for k in range(dim):
                total[i, k] = pace * step[k] / length
    return total
