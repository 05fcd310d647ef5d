"""The way to a target around everything solid: how far it is, and which way it begins, from anywhere in a world."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from swarm.state import Bools, Floats, Ints
from swarm.worlds.routes.grid import Grid
from swarm.worlds.routes.toward import toward
from swarm.worlds.routes.unobstructed import unobstructed

if TYPE_CHECKING:
    from swarm.worlds.world import World

BESIDE = 1.8  # cells; nodes this near to a place may be in its sight
NEAREST = 48  # of them are looked at


@dataclass(frozen=True, eq=False)
class Route:
    """Ways to one target; all points are (..., D) m.

    Ways keep the margin to within half a cell, more often a tenth, and never touch anything. From a place in the margin
    they lead out of it, and into it to a target there, by the nearest way. Where there is no way (in an obstacle, shut
    in) distance and direction are those to the nearest place that has one and on from there, so both are finite for all
    finite points. For a point that is not finite the distance is inf, the direction 0, `reachable` False and the path
    the target alone.

    What the grid can miss: of passages narrower than twice the margin (0.35 cells if that is more) and 1.4 cells in the
    plane, 1.7 cells in space, some are found closed; a wider one never is. A wall, a beam or a wire that is thinner
    than a cell is not cut through, only a speck behind which each node around it has something else that is nearer.
    """

    world: World
    target: Floats  # (D,) m
    margin: float  # m
    grid: Grid
    field: Floats  # (N, 4) clearance in m and normal at each node
    keep: float  # m that ways between nodes keep: the margin, and enough for what is thinner than a cell
    inside: float  # m, the target's clearance
    near: float  # m within which places make straight for the target, where that does not keep the margin; else 0
    ahead: Floats  # (N, 5) m from the first node: where the straight line from a node ends, and more (see any_angle)
    turn: Ints  # (N,) what is there: a node, the target (-1), or -2 minus the nearest node with a way from one without

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
        """Whether each point is free and has a way to the target, (...,).

        A way begins at a node that is in sight of the point, looked for beside it and, from inside the margin, as far
        as that reaches.
        """
        flat = np.array(points, dtype=np.float64).reshape(-1, len(self.target))
        onto = np.zeros(len(flat), dtype=np.bool_)
        finite = np.flatnonzero(np.isfinite(flat).all(axis=1))
        room = self.world.clearance(flat[finite])[0]
        owner, ends = [], []
        for row, clearance in zip(finite.tolist(), room.tolist()):
            places = self._beside(flat[row], BESIDE * self.grid.cell + max(self.keep - clearance, 0.0))
            if clearance > 0.0:
                owner += [row] * len(places)
                ends.append(places)
        if owner:
            seen = unobstructed(self.world, flat[owner], np.concatenate(ends))
            onto[np.array(owner)[seen]] = True
        return onto.reshape(points.shape[:-1])

    def _beside(self, point: Floats, reach: float) -> Floats:
        """Nodes with a way around a point, the nearest first, (K, D) m."""
        axes = self.grid.axes
        nodes, places = self.grid.around(point, reach)
        places = places[self.turn[nodes] >= -1][:, :axes] + self.grid.frame[:axes]
        period = self.grid.period[:axes]
        whole = np.where(period > 0.0, period, np.inf)
        away = places - point[:axes]
        away -= np.rint(away / whole) * period
        order = np.linalg.norm(away, axis=1).argsort(kind="stable")[:NEAREST]
        beside = np.repeat(point[None], len(order), axis=0)
        beside[:, :axes] += away[order]
        return beside

    def path(self, start: Floats) -> Floats:
        """The way from one point.

        Args:
            start: (D,) m.

        Returns:
            (K, D) m, corners from start to target. In a torus it ends at the target and begins at that image of the
            start from which the way leads there.
        """
        point = np.array([start], dtype=np.float64)
        distances, directions, ends = self._follow(point)
        if not np.isfinite(distances[0]):
            return np.array([self.target])
        axes, node, left = self.grid.axes, int(ends[0]), float(distances[0])
        heading = directions[0, :axes]
        if axes < len(self.target):
            left = float(np.sqrt(max(left**2 - (self.target[2] - point[0, 2]) ** 2, 0.0)))
            heading = heading / max(float(np.linalg.norm(heading)), 1e-300)
        chain = []
        while node >= 0:
            chain.append(node)
            node = int(self.turn[node]) if self.turn[node] >= -1 else -2 - int(self.turn[node])
        nodes = np.array(chain, dtype=np.int64)
        legs = (self.ahead[nodes, :3] - self.grid.offset(nodes))[:, :axes]
        first = left - (float(np.linalg.norm(legs[0])) + float(self.ahead[nodes[0], 3]) if chain else 0.0)
        legs = np.concatenate(((first * heading)[None], legs))
        corners = np.empty((len(legs) + 1, len(self.target)))
        corners[0] = point[0]
        if self.world.boundary == "torus":
            corners[0, :axes] = self.target[:axes] - legs.sum(axis=0)
        corners[1:, :axes] = corners[0, :axes] + legs.cumsum(axis=0)
        corners[-1] = self.target
        if axes < len(self.target):  # found in the plane: climb evenly
            steps = np.linalg.norm(np.diff(corners[:, :2], axis=0), axis=1)
            along = np.concatenate(([0.0], steps.cumsum())) / max(float(steps.sum()), 1e-12)
            corners[:-1, 2] = point[0, 2] + along[:-1] * (self.target[2] - point[0, 2])
        steps = np.diff(corners, axis=0)
        steps /= np.maximum(np.linalg.norm(steps, axis=1, keepdims=True), 1e-12)
        turns = np.abs(np.diff(steps, axis=0)).max(axis=1, initial=0.0) > 1e-9
        return corners[np.concatenate(([True], turns, [True]))]

    def _follow(self, points: Floats) -> tuple[Floats, Floats, Ints]:
        points = np.ascontiguousarray(points, dtype=np.float64)
        points = points if points.flags.writeable else points.copy()
        grid = self.grid
        return toward(
            points,
            grid.shape,
            grid.frame,
            self.field,
            self.ahead,
            self.turn,
            self.keep,
            self.near,
            self.inside,
            self.target,
        )
