"""The grid on which a route is searched: how fine, and over what."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from swarm.state import Floats, Ints
from swarm.worlds.geometry import extent

if TYPE_CHECKING:
    from swarm.worlds.obstacles import Obstacle
    from swarm.worlds.world import World

FINEST_PLANE, FINEST_SPACE = 0.05, 0.125  # m, cells of a world so small that they make no more nodes than QUICK
USUAL_PLANE, USUAL_SPACE = 0.125, 0.25  # m, cells at most, unless they make more nodes than MOST
QUICK, MOST = 50_000, 200_000  # nodes
AROUND = 3.0  # m, least ground around obstacles that is searched for ways in a world without walls
NEARLY = 1e-9  # cells; rounding in a size that is a whole number of cells


@dataclass(frozen=True, eq=False)
class Grid:
    """Nodes at equal distances along each axis; plane grids have one layer."""

    shape: Ints  # (6,) nodes along x, y, z, and 1 for each axis that wraps, else 0
    frame: Floats  # (6,) first node in m, and cells along x, y, z in m

    @property
    def cell(self) -> float:
        """Largest distance between neighbouring nodes, m."""
        return float(self.frame[3:].max())

    @property
    def count(self) -> int:
        """Number of nodes."""
        return int(self.shape[:3].prod())

    @property
    def axes(self) -> int:
        """2 for a plane grid, else 3."""
        return 3 if self.shape[2] > 1 else 2

    @property
    def period(self) -> Floats:
        """(3,) m after which each axis repeats; 0 where it does not."""
        return np.asarray(self.shape[3:] * self.shape[:3] * self.frame[3:])

    def offset(self, nodes: Ints) -> Floats:
        """(..., 3) m from the first node to nodes by number."""
        return np.asarray(self.frame[3:] * np.stack(np.unravel_index(nodes, tuple(self.shape[:3])), axis=-1))

    def places(self) -> Floats:
        """(N, D) m, all nodes in order."""
        axes = [self.frame[k] + self.frame[3 + k] * np.arange(self.shape[k]) for k in range(self.axes)]
        return np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, self.axes)

    def around(self, point: Floats, reach: float) -> tuple[Ints, Floats]:
        """Nodes around a point.

        Args:
            point: (D,) m, D 2 or 3; a point beyond the grid counts as moved to its edge, along an axis that wraps as
                moved by whole periods.
            reach: m.

        Returns:
            Their numbers (K,) and where they are from the first node, (K, 3) m: the images next to the point.
        """
        indices, square = [np.zeros(1, dtype=np.int64)] * 3, np.zeros((1, 1, 1))
        for axis in range(self.axes):
            count, wraps, cell = int(self.shape[axis]), self.shape[3 + axis], float(self.frame[3 + axis])
            middle = (float(point[axis]) - float(self.frame[axis])) / cell
            middle = middle - np.floor(middle / count) * count if wraps else min(max(middle, 0.0), count - 1.0)
            index = np.arange(np.ceil(middle - reach / cell), np.floor(middle + reach / cell) + 1.0).astype(np.int64)
            indices[axis] = index if wraps else index[(index >= 0) & (index < count)]
            away = ((indices[axis] - middle) * cell) ** 2
            square = square + np.expand_dims(away, tuple(other for other in range(3) if other != axis))
        every = np.stack(np.meshgrid(*indices, indexing="ij"), axis=-1)[square <= reach * reach]
        return np.ravel_multi_index(tuple((every % self.shape[:3]).T), tuple(self.shape[:3])), every * self.frame[3:]


def make_grid(lowest: Floats, highest: Floats, wraps: bool, cell: float = 0.0) -> Grid:
    """A grid over a box, the finer the smaller the box is.

    Args:
        lowest, highest: (D,) m, D 2 or 3.
        wraps: Whether the axes do; cells then divide each period exactly, else the grid is in the middle of the box.
        cell: m, larger cells than need be, for a rough search.
    """
    size = highest - lowest
    dim = len(size)
    cell, usual = (FINEST_PLANE, USUAL_PLANE) if dim == 2 else (FINEST_SPACE, USUAL_SPACE)
    while cell < usual and _nodes(size, cell) > QUICK:
        cell = min(1.1 * cell, usual)
    while _nodes(size, cell) > MOST:
        cell *= 1.1
    shape, frame = np.array([1, 1, 1, 0, 0, 0]), np.array([0.0, 0.0, 0.0, cell, cell, cell])
    if wraps:
        counts = np.maximum(np.ceil(size / cell - NEARLY), 1.0)
        frame[:dim], frame[3 : 3 + dim] = lowest, size / counts
        frame[5] = frame[5] if dim == 3 else frame[3:5].max()
        shape[3 : 3 + dim] = 1
    else:
        counts = np.floor(size / cell + NEARLY) + 1.0
        frame[:dim] = lowest + (size - (counts - 1.0) * cell) / 2.0
    shape[:dim] = counts.astype(np.int64)
    return Grid(shape, frame)


def _nodes(size: Floats, cell: float) -> float:
    return float(np.prod(np.floor(size / cell + NEARLY) + 1.0))


def region(world: World, target: Floats, margin: float) -> tuple[Floats, Floats]:
    """The box in which ways are searched, (D,) m each: the bounds; without walls also the ground around obstacles.

    It is the same at all times, and for most targets and margins, so that what is known of its nodes can be kept.
    """
    lowest, highest = world.bounds
    if world.boundary == "open":
        corners = np.array([target, *(corner[: world.dim] for o in world.obstacles for corner in swept(o))])
        around = max(AROUND, np.ceil(2.0 * margin + 2.0))
        lowest = np.minimum(lowest, corners.min(axis=0) - around)
        highest = np.maximum(highest, corners.max(axis=0) + around)
        if world.floor:
            lowest[2] = world.bounds[0, 2]
    return lowest, highest


def swept(obstacle: Obstacle) -> tuple[Floats, Floats]:
    """Lowest and highest corner of the box in which an obstacle is at any time, (3,) each, m."""
    if obstacle.motion is None:
        return extent(obstacle)
    corners = np.array(obstacle.motion.corners())
    low, high = extent(dataclasses.replace(obstacle, center=obstacle.motion.start))
    shifts = np.zeros((len(corners), 3))
    shifts[:, : corners.shape[1]] = corners - corners[0]
    return low + shifts.min(axis=0), high + shifts.max(axis=0)
