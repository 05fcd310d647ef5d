"""A floor plan: cells, where they lie, and how far each is from the goal."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from swarm.errors import BadInput
from swarm.schema import show
from swarm.state import Bools, Floats, Ints
from swarm.worlds.floor_plan import distances, straight
from swarm.worlds.floor_plan.regions import inner, rectangles
from swarm.worlds.obstacles import Obstacle

FREE, OBSTACLE, SOURCE, GOAL = 0, 1, 2, 3
KINDS = ("free", "obstacle", "source", "goal")
MOST = 4_000  # rows and columns of a plan
SMALLEST, WIDEST = 1e-6, 1e9  # m, side of a cell
FARTHEST = 1e7  # m, coordinates of the origin: there a hundredth of the smallest cell can still be told apart

Array = TypeVar("Array", bound=np.ndarray[Any, Any])


class Packed(NamedTuple):
    """A plan as compiled code reads it."""

    cells: NDArray[np.int8]  # (rows, columns), row 0 is the largest y
    cell: float  # m
    x: float  # m, centre of the lower left cell
    y: float  # m


@dataclass(frozen=True, eq=False)
class FloorPlan:
    """Square cells in rows; row 0 is the largest y, column 0 the smallest x. Every cell but an obstacle is walkable.

    A cell holds its left and lower side, not its right and upper ones.
    """

    cells: NDArray[np.uint8]  # (rows, columns) FREE, OBSTACLE, SOURCE or GOAL
    cell: float = 1.0  # m, side of a cell
    origin: tuple[float, float] = (0.0, 0.0)  # m, centre of the lower left cell
    place: str = ""  # where it was read from, for messages
    ground: FloorPlan | None = None  # the plan without what moves, of one on which something does

    def __post_init__(self) -> None:
        cells = np.array(self.cells, dtype=np.uint8, order="C")
        if cells.ndim != 2 or cells.size == 0 or max(cells.shape) > MOST or cells.max() > GOAL:
            raise BadInput(
                f"cells: expected 1 to {MOST:,} rows and columns of numbers from 0 to 3, got an array of shape "
                f"{np.shape(self.cells)}"
            )
        if not SMALLEST <= self.cell <= WIDEST:
            raise BadInput(f"cell: expected {SMALLEST:g} to {WIDEST:g} m, got {self.cell}")
        if len(self.origin) != 2 or not all(abs(each) <= FARTHEST for each in self.origin):
            raise BadInput(f"origin: expected two coordinates of at most {FARTHEST:g} m, got {self.origin}")
        object.__setattr__(self, "cells", _kept(cells))
        object.__setattr__(self, "origin", (float(self.origin[0]), float(self.origin[1])))

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return self.cells.shape[0], self.cells.shape[1]

    @cached_property
    def bounds(self) -> Floats:
        """(2, 2) m, lowest and highest corner of the outer edges."""
        low = np.array(self.origin) - self.cell / 2.0
        return _kept(np.stack([low, low + self.cell * np.array(self.shape[::-1])]))

    @cached_property
    def packed(self) -> Packed:
        """What compiled code reads."""
        return Packed(_kept(self.cells.astype(np.int8)), float(self.cell), *self.origin)

    @cached_property
    def walkable(self) -> Bools:
        """(rows, columns) everything but obstacles."""
        return _kept(self.cells != OBSTACLE)

    @cached_property
    def source_cells(self) -> Bools:
        """(rows, columns)."""
        return _kept(self.cells == SOURCE)

    @cached_property
    def goal_cells(self) -> Bools:
        """(rows, columns) where one has arrived.

        Goal cells among goal cells only, by their eight neighbours in the plan; of a region that has none, all cells.
        """
        return _kept(inner(self.cells == GOAL))

    @cached_property
    def distance(self) -> Floats:
        """(rows, columns) m to the nearest goal cell over sides of walkable cells; inf where there is no way."""
        return _kept(distances.manhattan(self.walkable, self.goal_cells, float(self.cell)))

    @cached_property
    def eight(self) -> Floats:
        """(rows, columns) m to the nearest goal cell by steps to eight neighbours that cut no corner, else inf."""
        return _kept(self.cell * distances.eight(self.walkable, self.goal_cells))

    @cached_property
    def geodesic(self) -> Floats:
        """(rows, columns) m to the nearest goal cell along straight lines that cut no corner, else inf."""
        return _kept(self.cell * straight.geodesic(self.walkable, self.goal_cells))

    @cached_property
    def unreachable(self) -> Bools:
        """(rows, columns) walkable cells that have no way to the goal."""
        return _kept(self.walkable & np.isinf(self.distance))

    def cell_of(self, points: ArrayLike) -> tuple[Ints, Ints]:
        """Row and column of the cell that a point is in.

        Args:
            points: (..., 2) m; what is beyond the plan counts as in the nearest of its cells.

        Returns:
            (...,) rows and (...,) columns.
        """
        low, (rows, columns) = self.bounds[0], self.shape
        along = np.floor((np.asarray(points, dtype=np.float64) - low) / self.cell)
        column = np.clip(along[..., 0], 0, columns - 1).astype(np.int64)
        return rows - 1 - np.clip(along[..., 1], 0, rows - 1).astype(np.int64), column

    def center_of(self, row: ArrayLike, column: ArrayLike) -> Floats:
        """(..., 2) m, x and y of the middles of cells, by rows and columns of shape (...,)."""
        x = self.origin[0] + self.cell * np.asarray(column, dtype=np.float64)
        y = self.origin[1] + self.cell * (self.shape[0] - 1 - np.asarray(row, dtype=np.float64))
        return np.stack(np.broadcast_arrays(x, y), axis=-1)

    def painted(self, changes: ArrayLike) -> FloorPlan:
        """This plan with some cells changed; its distances are worked out anew when they are asked for.

        Args:
            changes: (K, 3) row, column and FREE, OBSTACLE, SOURCE or GOAL; the last of those for one cell counts.

        Raises:
            BadInput: A cell is not in the plan, there is no such kind, or no cell would be walkable any more.
        """
        try:
            given = np.asarray(changes, dtype=np.float64)
        except (TypeError, ValueError):
            raise BadInput(f"changes: expected rows of three whole numbers, got {show(changes)}") from None
        if given.size and (given.ndim != 2 or given.shape[1] != 3):
            raise BadInput(f"changes: expected three numbers for each cell, got an array of shape {given.shape}")
        given = given.reshape(-1, 3)
        most = np.array([*self.shape, GOAL + 1])
        for change in given[~((given >= 0) & (given < most) & (given == np.floor(given))).all(axis=1)].tolist():
            raise BadInput(
                f"changes: expected rows below {most[0]}, columns below {most[1]} and kinds from 0 to 3, got "
                f"{[int(each) if each == each // 1 else each for each in change]}"
            )
        row, column, kind = given.astype(np.int64).T
        cells = self.cells.copy()
        cells[row, column] = kind
        if (cells == OBSTACLE).all() and len(given):
            raise BadInput("changes: expected at least one walkable cell to be left, got obstacles everywhere")
        ground = None if self.ground is None else self.ground.painted(changes)
        return dataclasses.replace(self, cells=cells, ground=ground)

    @cached_property
    def blocks(self) -> Ints:
        """(K, 4) first row, row after the last, first column, column after the last of boxes that are the obstacles."""
        return _kept(rectangles(self.cells == OBSTACLE))

    def obstacles(self) -> tuple[Obstacle, ...]:
        """The obstacle cells as boxes; the same objects when asked again."""
        return self._obstacles

    @cached_property
    def _obstacles(self) -> tuple[Obstacle, ...]:
        corner, made = self.bounds[0], []
        for number, (top, bottom, left, right) in enumerate(self.blocks.tolist()):
            low = corner + self.cell * np.array([left, self.shape[0] - bottom])
            size = self.cell * np.array([right - left, bottom - top])
            made.append(
                Obstacle("box", tuple((low + size / 2.0).tolist()), f"block {number}", size=tuple(size.tolist()))
            )
        return tuple(made)

    def save(self, path: Path | str) -> dict[str, Any]:
        """Write the plan: as rows (.txt), as an image (.png), or as polygons (.wkt, goals and sources beside it).

        Args:
            path: The file; its ending says what it is.

        Returns:
            The keys of a world file's [floor_plan] that make the same plan of it.

        Raises:
            BadInput: Another ending, or the file cannot be written.
        """
        from swarm.worlds.floor_plan.saving import save

        return save(self, Path(path))

    def require_sources(self) -> None:
        """For tasks that need somewhere to start.

        Raises:
            BadInput: No cell is a source.
        """
        if not self.source_cells.any():
            raise BadInput(f"{self.place or 'floor_plan'}: expected at least one source cell, got none")


def _kept(array: Array) -> Array:
    """The array, not to be written any more: a plan is shared by everything that looks at it."""
    array.setflags(write=False)
    return array
