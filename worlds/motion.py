"""Obstacles that move: at constant speed along straight legs, as a formula of time."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from swarm.errors import BadInput
from swarm.state import Bools, Floats

MODES = ("back-and-forth", "loop", "once")
SHORTEST = 1e-6  # m; a shorter leg has no direction


@dataclass(frozen=True, eq=False)
class Motion:
    """The way of an obstacle's centre; its orientation never changes.

    With `way` = speed * time and L the length of the legs, the centre is at way mod L of the closed polygon ("loop"),
    at way mod 2 L of the polygon there and back ("back-and-forth"), or at min(way, L), where it then stays ("once").
    """

    start: tuple[float, ...]  # (D,) m, at time 0
    path: tuple[tuple[float, ...], ...]  # (K, D) m, then visited one after the other
    speed: float  # m/s
    mode: str = "back-and-forth"  # or loop, once

    def __post_init__(self) -> None:
        if self.mode not in MODES:
            raise BadInput(f"mode: expected {', '.join(MODES)}, got {self.mode!r}")
        if not (math.isfinite(self.speed) and self.speed > 0.0):
            raise BadInput(f"speed: expected a finite number > 0, got {self.speed!r}")
        if not any(math.dist(point, self.start) > SHORTEST for point in self.path):
            raise BadInput("path: expected a point other than the centre at which the obstacle starts")

    def corners(self) -> list[tuple[float, ...]]:
        """Ends of the legs of one round, the first of them `start`; a leg has a length."""
        points = [tuple(map(float, point)) for point in (self.start, *self.path)]
        if self.mode == "loop":
            points.append(points[0])
        elif self.mode == "back-and-forth":
            points += points[-2::-1]
        corners = points[:1]
        for point in points[1:]:
            if math.dist(point, corners[-1]) > SHORTEST:
                corners.append(point)
        return corners

    @cached_property
    def _tracks(self) -> Tracks:
        return Tracks([self])

    def position(self, time: float) -> Floats:
        """(D,) m, of the centre; at its start before time 0."""
        place: Floats = self._tracks.at(time)[0][0]
        return place

    def velocity(self, time: float) -> Floats:
        """(D,) m/s; at a corner that of the leg to come."""
        velocity: Floats = self._tracks.at(time)[1][0]
        return velocity


class Tracks:
    """Several motions laid out side by side, so that all movers of a world are placed at once.

    Args:
        motions: One or more, of the same dimension.
    """

    def __init__(self, motions: Sequence[Motion]) -> None:
        ways = [np.array(motion.corners()) for motion in motions]
        most, dim = max(len(way) for way in ways), ways[0].shape[1]
        self._speed: Floats = np.array([motion.speed for motion in motions])
        self._ends: Bools = np.array([motion.mode == "once" for motion in motions])
        self._corner = np.zeros((len(ways), most, dim))  # m, where each leg begins
        self._heading = np.zeros((len(ways), most, dim))  # unit, direction of each leg
        self._passed = np.full((len(ways), most), np.inf)  # m of way before each leg
        self._length = np.zeros(len(ways))  # m, of one round
        for row, way in enumerate(ways):
            legs = np.diff(way, axis=0)
            lengths = np.linalg.norm(legs, axis=1)
            count = len(legs)
            self._corner[row, :count] = way[:-1]
            self._heading[row, :count] = legs / lengths[:, None]
            self._passed[row, :count] = np.concatenate(([0.0], lengths[:-1].cumsum()))
            self._length[row] = lengths.sum()
        self._rows = np.arange(len(ways))
        self.fastest = float(self._speed.max())  # m/s

    def at(self, time: float) -> tuple[Floats, Floats]:
        """Where all are and how fast they go.

        Args:
            time: s.

        Returns:
            (M, D) m and (M, D) m/s.
        """
        way = self._speed * max(time, 0.0)
        along = np.where(self._ends, np.minimum(way, self._length), np.mod(way, self._length))
        leg = (self._passed <= along[:, None]).sum(axis=1) - 1
        heading = self._heading[self._rows, leg]
        place = self._corner[self._rows, leg] + heading * (along - self._passed[self._rows, leg])[:, None]
        going = np.where(self._ends & (way >= self._length), 0.0, self._speed)
        return place, heading * going[:, None]
