"""The way to a target around everything solid: how far it is, and which way it begins, from anywhere in a world."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from swarm.state import Bools, Floats, Ints
from swarm.worlds.grid import Grid
from swarm.worlds.toward import toward

if TYPE_CHECKING:
    from swarm.worlds.world import World

BESIDE = 1.8  # cells; a node this near to a place in the open is in its sight


@dataclass(frozen=True, eq=False)
class Route:
    """Ways to one target; all points are (..., D) m.

    Ways keep the margin at every node of the grid; what is followed between nodes may cut into it, by less than a cell.
    Where there is no way (in an obstacle, in its margin, shut in) distance and direction are those to the nearest place
    that has one and on from there, so both are always finite.
    """

    world: World
    target: Floats  # (D,) m
    margin: float  # m
    grid: Grid
    places: Floats  # (N + 1, 3) cells from the first node, of every node and of the target
    length: Floats  # (N + 1,) cells to the target, inf where there is no way
    turn: Ints  # (N,) where the straight line from a node ends: at a node, or at the target (-1)

    def toward(self, points: Floats) -> tuple[Floats, Floats]:
        """Distance and direction in one pass.

        Args:
            points: (A, D) m.

        Returns:
            (A,) m to go and (A, D) unit vectors, zero at the target itself.
        """
        return self._follow(points)[:2]

    def distance(self, points: Floats) -> Floats:
        """Length of the way to the target, (...,) m."""
        return self._follow(points.reshape(-1, len(self.target)))[0].reshape(points.shape[:-1])

    def direction(self, points: Floats) -> Floats:
        """Unit vector in which the way to the target begins, (..., D); zero at the target itself."""
        return self._follow(points.reshape(-1, len(self.target)))[1].reshape(points.shape)

    def reachable(self, points: Floats) -> Bools:
        """Whether each point is free and has a way to the target, (...,)."""
        flat = points.reshape(-1, len(self.target))
        free = self.world.clearance(flat)[0] > 0.0
        around = (self.grid.around(p[: self._axes], BESIDE) for p in self._unrolled(flat))
        onto = [bool(np.isfinite(self.length[nodes]).any()) for nodes in around]
        return (free & onto).reshape(points.shape[:-1])

    def path(self, start: Floats) -> Floats:
        """The way from one point.

        Args:
            start: (D,) m.

        Returns:
            (K, D) m, corners from start to target. In a torus they go on beyond the bounds where the way wraps.
        """
        point = self._unrolled(np.array([start], dtype=np.float64))
        node, nodes = int(self._follow(point)[2][0]), []
        while node >= 0:
            nodes.append(node)
            node = int(self.turn[node])
        corners = np.empty((len(nodes) + 2, len(self.target)))
        corners[0], corners[-1] = point[0], self.target
        corners[1:-1, : self._axes] = self.grid.place(np.array(nodes, dtype=np.int64))[:, : self._axes]
        if self._axes < len(self.target):  # found in the plane: climb evenly
            steps = np.linalg.norm(np.diff(corners[:, :2], axis=0), axis=1)
            along = np.concatenate(([0.0], steps.cumsum())) / max(float(steps.sum()), 1e-12)
            corners[:-1, 2] = point[0, 2] + along[:-1] * (self.target[2] - point[0, 2])
        ahead = np.diff(corners, axis=0)
        ahead /= np.maximum(np.linalg.norm(ahead, axis=1, keepdims=True), 1e-12)
        turns = np.abs(np.diff(ahead, axis=0)).max(axis=1, initial=0.0) > 1e-9
        return corners[np.concatenate(([True], turns, [True]))]

    @property
    def _axes(self) -> int:
        """Axes of the grid: 2 in the plane."""
        return 3 if self.grid.shape[2] > 1 else 2

    def _unrolled(self, points: Floats) -> Floats:
        """The periodic images of points that are nearest to the target."""
        if self.world.boundary == "torus":
            return self.target + self.world.space.displacement(self.target, points)
        return points

    def _follow(self, points: Floats) -> tuple[Floats, Floats, Ints]:
        points = np.ascontiguousarray(self._unrolled(points), dtype=np.float64)
        points = points if points.flags.writeable else points.copy()
        height = float(self.target[-1])
        return toward(points, self.grid.shape, self.grid.frame, self.places, self.length, self.turn, height)
