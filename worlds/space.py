"""The boundary of a world as two functions, so that nothing else asks which boundary it is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from swarm.state import Floats


class Space(Protocol):
    """How to go from one place to another, and where a place that left the bounds really is."""

    @property
    def period(self) -> Floats:
        """(D,) m after which each axis repeats; 0 where it does not."""

    def displacement(self, a: Floats, b: Floats) -> Floats:
        """Shortest vector from a to b, (..., D) m."""

    def wrap(self, points: Floats) -> Floats:
        """The same places inside the bounds, (..., D) m."""


@dataclass(frozen=True, eq=False)
class Torus:
    """What leaves on one side comes in on the other."""

    lowest: Floats  # (D,) m
    period: Floats  # (D,) m

    def displacement(self, a: Floats, b: Floats) -> Floats:
        """Shortest vector from a to b over all periodic images (minimum image convention), (..., D) m."""
        straight = b - a
        return np.asarray(straight - self.period * np.rint(straight / self.period))

    def wrap(self, points: Floats) -> Floats:
        """Points moved by whole periods to lowest <= p < lowest + period, (..., D) m."""
        inside = np.mod(points - self.lowest, self.period)
        # The remainder of a tiny negative number rounds up to the period itself, which is the low side again.
        return np.asarray(self.lowest + np.where(inside >= self.period, 0.0, inside))


@dataclass(frozen=True, eq=False)
class Walled:
    """Walls on every side: nothing is ever beyond them."""

    lowest: Floats  # (D,) m
    highest: Floats  # (D,) m

    @property
    def period(self) -> Floats:
        """(D,) zeros: no axis repeats."""
        return np.zeros(len(self.lowest))

    def displacement(self, a: Floats, b: Floats) -> Floats:
        """The straight vector from a to b, (..., D) m."""
        return np.asarray(b - a)

    def wrap(self, points: Floats) -> Floats:
        """Points beyond a wall moved onto it, (..., D) m."""
        return np.clip(points, self.lowest, self.highest)


@dataclass(frozen=True, eq=False)
class Open:
    """No end: the bounds only say where the interesting part is."""

    dim: int

    @property
    def period(self) -> Floats:
        """(D,) zeros: no axis repeats."""
        return np.zeros(self.dim)

    def displacement(self, a: Floats, b: Floats) -> Floats:
        """The straight vector from a to b, (..., D) m."""
        return np.asarray(b - a)

    def wrap(self, points: Floats) -> Floats:
        """The points as they are, (..., D) m."""
        return points


def make_space(boundary: str, bounds: Floats) -> Space:
    """The space of a boundary: torus, walls or open."""
    if boundary == "torus":
        return Torus(bounds[0], bounds[1] - bounds[0])
    if boundary == "walls":
        return Walled(bounds[0], bounds[1])
    return Open(bounds.shape[1])
