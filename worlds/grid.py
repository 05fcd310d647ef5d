"""The grid on which a route is searched: how fine, over what, and what of the world stands upright."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from swarm.state import Floats, Ints
from swarm.worlds.geometry import extent

if TYPE_CHECKING:
    from swarm.worlds.world import World

FINEST_PLANE, FINEST_SPACE = 0.125, 0.25  # m, cells where the world is small enough for them
MOST_NODES = 200_000  # larger worlds get larger cells


@dataclass(frozen=True, eq=False)
class Grid:
    """Nodes at equal distances; plane grids have one layer."""

    shape: Ints  # (3,) nodes along x, y, z
    frame: Floats  # (4,) x, y, z of the first node and the cell, m

    @property
    def cell(self) -> float:
        """Distance between nodes, m."""
        return float(self.frame[3])

    def place(self, nodes: Ints) -> Floats:
        """(..., 3) m of nodes by number."""
        return np.asarray(self.frame[:3] + self.cell * np.stack(np.unravel_index(nodes, tuple(self.shape)), axis=-1))

    def around(self, point: Floats, cells: float) -> Ints:
        """Numbers of the nodes within some cells of a point (D,), D 2 or 3, which is moved into the grid."""
        axes = [np.arange(count) for count in self.shape]
        square = np.zeros(())
        for axis, coordinate in enumerate(point):
            middle = min(max((coordinate - self.frame[axis]) / self.cell, 0.0), self.shape[axis] - 1.0)
            axes[axis] = axes[axis][np.abs(axes[axis] - middle) <= cells]
            square = np.add.outer(square, (axes[axis] - middle) ** 2)
        nodes = np.ravel_multi_index(np.meshgrid(*axes, indexing="ij"), tuple(self.shape)).ravel()
        return np.asarray(nodes[square.ravel() <= cells * cells], dtype=np.int64)


def make_grid(lowest: Floats, highest: Floats) -> Grid:
    """As fine a grid over a box as the number of nodes allows, in its middle.

    Args:
        lowest, highest: (D,) m, D 2 or 3.
    """
    size = highest - lowest
    cell = FINEST_PLANE if len(size) == 2 else FINEST_SPACE
    while np.prod(np.floor(size / cell) + 1.0) > MOST_NODES:
        cell *= 1.1
    shape, frame = np.ones(3, dtype=np.int64), np.zeros(4)
    counts = np.floor(size / cell).astype(np.int64) + 1
    shape[: len(size)], frame[3] = counts, cell
    frame[: len(size)] = lowest + (size - (counts - 1) * cell) / 2.0
    return Grid(shape, frame)


def region(world: World, target: Floats, margin: float) -> tuple[Floats, Floats]:
    """The box in which ways are searched, (D,) m each: the bounds; without walls also the ground around obstacles."""
    if world.boundary == "torus":  # one period with the target in its middle: a straight way never leaves it
        half = (world.bounds[1] - world.bounds[0]) / 2.0
        return target - half, target + half
    lowest, highest = world.bounds
    if world.boundary == "open":
        corners = np.array([target, *(c[: world.dim] for o in world.obstacles for c in extent(o))])
        around = 2.0 * margin + 2.0
        lowest = np.minimum(lowest, corners.min(axis=0) - around)
        highest = np.maximum(highest, corners.max(axis=0) + around)
        if world.floor:
            lowest[2] = world.bounds[0, 2]
    return lowest, highest


def flattened(world: World) -> World | None:
    """The ground plan of a closed world in which everything stands upright from floor to ceiling; None for any other.

    Every horizontal cut through such a world is the same, so ways can be searched in the plane.
    """
    if world.dim == 2 or world.boundary != "walls":
        return None
    bottom, top = world.bounds[:, 2]
    plan = []
    for obstacle in world.obstacles:
        upright = obstacle.kind in ("box", "cylinder") and obstacle.rpy[:2] == (0.0, 0.0)
        low, high = extent(obstacle)
        if not upright or low[2] > bottom + 1e-9 or high[2] < top - 1e-9:
            return None
        plan.append(dataclasses.replace(obstacle, center=obstacle.center[:2], size=obstacle.size[:2]))
    return dataclasses.replace(world, bounds=world.bounds[:, :2], floor=False, obstacles=tuple(plan))


def nodes_of(grid: Grid, dim: int) -> Floats:
    """(N, D) m, all nodes in order."""
    axes = [grid.frame[axis] + grid.cell * np.arange(grid.shape[axis]) for axis in range(dim)]
    return np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, dim)
