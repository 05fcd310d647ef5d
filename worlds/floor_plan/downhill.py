"""The way over a floor plan to its goal cells, from anywhere on it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from swarm.compiled import kernel
from swarm.state import Bools, Floats, Ints
from swarm.worlds.floor_plan.plan import FloorPlan

AHEAD = 24  # cells along the way that are looked at for one in sight


@dataclass(frozen=True, eq=False)
class Downhill:
    """Ways to the nearest goal cell that cut no corner; all points are (A, 2) m.

    From cell to cell, of the eight around the one from which it is nearest; one makes straight for the furthest of the
    next 24 that is in sight. Where there is no way the distance is inf and the direction 0.
    """

    plan: FloorPlan

    @cached_property
    def onward(self) -> Ints:
        """(rows * columns,) the next cell of the way, its own number at a goal, -1 where there is none."""
        return descend(self.plan.walkable, self.plan.geodesic / self.plan.cell)

    def toward(self, points: Floats) -> tuple[Floats, Floats]:
        """Way to go (A,) m and unit directions (A, 2), zero at a goal."""
        plan = self.plan
        points = np.ascontiguousarray(points, dtype=np.float64)
        row, column = plan.cell_of(points)
        return ahead(points, row, column, plan.walkable, self.onward, plan.geodesic, *plan.packed[1:])

    def left(self, points: Floats) -> Floats:
        """(A,) m, the way to go from cell to cell, counted from the place in the first; quicker than `toward`."""
        plan = self.plan
        points = np.ascontiguousarray(points, dtype=np.float64)
        row, column = plan.cell_of(points)
        return remaining(points, row, column, self.onward, plan.geodesic, *plan.packed[1:])

    def reachable(self, points: Floats) -> Bools:
        """(A,) whether there is a way."""
        return np.asarray(np.isfinite(self.plan.geodesic[self.plan.cell_of(points)]))

    def path(self, start: Floats) -> Floats:
        """(K, 2) m, from one point (2,) over the middles of cells to a goal."""
        row, column = self.plan.cell_of(start)
        columns, places = self.plan.shape[1], [np.asarray(start)]
        cell = int(row * columns + column)
        while self.onward[cell] not in (-1, cell):
            cell = int(self.onward[cell])
            places.append(self.plan.center_of(cell // columns, cell % columns))
        return np.array(places)


@kernel
def descend(walkable: Bools, length: Floats) -> Ints:
    """The neighbour of each cell, without cutting corners, over which the way (rows, columns) in cells is shortest."""
    rows, columns = walkable.shape
    onward = np.full(rows * columns, -1)
    for r in range(rows):
        for c in range(columns):
            if not walkable[r, c] or not math.isfinite(length[r, c]):
                continue
            best, onward[r * columns + c] = math.inf, r * columns + c
            for dr in range(-1, 2):
                for dc in range(-1, 2):
                    y, x = r + dr, c + dc
                    if not (0 <= y < rows and 0 <= x < columns) or not walkable[y, x]:
                        continue
                    if not (walkable[r, x] and walkable[y, c]) or not length[y, x] < length[r, c]:
                        continue
                    over = length[y, x] + math.hypot(dr, dc)
                    if over < best:
                        best, onward[r * columns + c] = over, y * columns + x
    return onward


@kernel
def clear(walkable: Bools, x: float, y: float, to_x: float, to_y: float) -> bool:
    """Whether a straight line touches walkable cells only; places in cells from the lower left corner of the plan.

    At a corner of four cells all of them count.
    """
    rows, columns = walkable.shape
    pieces = 1 + int(8.0 * max(abs(to_x - x), abs(to_y - y)))
    for k in range(pieces + 1):
        at_x, at_y = x + (to_x - x) * k / pieces, y + (to_y - y) * k / pieces
        for dx in (-0.12, 0.12):
            for dy in (-0.12, 0.12):
                c, r = math.floor(at_x + dx), rows - 1 - math.floor(at_y + dy)
                if 0 <= r < rows and 0 <= c < columns and not walkable[r, c]:
                    return False
    return True


@kernel
def remaining(
    points: Floats, row: Ints, column: Ints, onward: Ints, length: Floats, cell: float, origin_x: float, origin_y: float
) -> Floats:
    """Way to go (A,) m; arguments as of `ahead`."""
    rows, columns = length.shape
    distance = np.full(len(points), math.inf)
    for i in range(len(points)):
        here = row[i] * columns + column[i]
        if onward[here] < 0:
            continue
        distance[i] = length[row[i], column[i]]
        along_x, along_y = onward[here] % columns - column[i], row[i] - onward[here] // columns  # cells
        if along_x != 0 or along_y != 0:
            off_x = points[i, 0] - origin_x - cell * column[i]
            off_y = points[i, 1] - origin_y - cell * (rows - 1 - row[i])
            distance[i] = max(0.0, distance[i] - (off_x * along_x + off_y * along_y) / math.hypot(along_x, along_y))
    return distance


@kernel
def ahead(
    points: Floats, row: Ints, column: Ints, walkable: Bools, onward: Ints, length: Floats, cell: float,
    origin_x: float, origin_y: float,
) -> tuple[Floats, Floats]:  # fmt: skip
    """Way to go (A,) m and unit directions (A, 2); see `Downhill`.

    Args:
        points: (A, 2) m.
        row, column: (A,) cells they are in.
        walkable, onward, length: (rows, columns), (rows * columns,) and (rows, columns) m.
        cell: m.
        origin_x, origin_y: m, middle of the lower left cell.
    """
    rows, columns = walkable.shape
    distance, direction = np.full(len(points), math.inf), np.zeros((len(points), 2))
    for i in range(len(points)):
        here = row[i] * columns + column[i]
        if onward[here] < 0:
            continue
        distance[i] = length[row[i], column[i]]
        if onward[here] == here:
            continue
        x = (points[i, 0] - origin_x) / cell + 0.5
        y = (points[i, 1] - origin_y) / cell + 0.5
        there, aim = here, onward[here]
        for _ in range(AHEAD):
            if onward[there] == there:
                break
            there = onward[there]
            if clear(walkable, x, y, there % columns + 0.5, rows - 1 - there // columns + 0.5):
                aim = there
        to_x, to_y = aim % columns + 0.5 - x, rows - 1 - aim // columns + 0.5 - y
        size = math.hypot(to_x, to_y)
        if size > 1e-12:
            direction[i, 0], direction[i, 1] = to_x / size, to_y / size
            off_x, off_y = x - (column[i] + 0.5), y - (rows - 1 - row[i] + 0.5)
            distance[i] = max(0.0, distance[i] - cell * (off_x * direction[i, 0] + off_y * direction[i, 1]))
    return distance, direction
