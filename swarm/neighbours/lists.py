"""Neighbour graphs from agents sorted by cell."""

from __future__ import annotations

from typing import Any

import numpy as np

from swarm.errors import BadInput
from swarm.neighbours.all_pairs import Graph
from swarm.neighbours.cells import Cells
from swarm.neighbours.checks import check_number
from swarm.neighbours.chunks import share
from swarm.neighbours.closest import closest
from swarm.neighbours.rows import fill, in_range
from swarm.state import Bools, Floats, Ints


def within(cells: Cells, reach: float | None = None, field_of_view: float = 2 * np.pi, lend: bool = False) -> Graph:
    """Neighbours within a range and a field of view; the same as `swarm.neighbours.graph` to the bit.

    Args:
        cells: Sorted.
        reach: m, up to the range they were sorted for, which it is by default.
        field_of_view: rad, full opening angle about the heading.
        lend: Whether the arrays stay those of the workspace, which saves new memory; the next call overwrites them.

    Raises:
        BadInput: The cells are narrower than the range.
    """
    grid, radius, half_view = cells.grid, cells.reach if reach is None else float(reach), 0.5 * float(field_of_view)
    if not 0.0 < radius <= cells.reach:
        raise BadInput(f"reach: expected more than 0 and up to {cells.reach} m, got {radius}")
    parts, count = cells.stretches(), cells.room("many", (cells.living,), np.int64)
    slots = [(int(cells.start[a]), int(cells.start[b])) for a, b in parts]
    hits: list[Any] = [None] * len(parts)

    def look(p: int) -> None:
        needed = 32 * (slots[p][1] - slots[p][0])
        while hits[p] is None or needed > len(hits[p]):
            hits[p] = cells.spare(f"hits {p}", needed, np.int32)
            needed = in_range(
                *parts[p], cells.start, cells.order, cells.at, cells.flying, grid.box, grid.shape, grid.tight,
                radius, half_view, hits[p], count,
            )  # fmt: skip

    share(cells.threads, look, len(parts))
    return _rows(cells, slots, hits, count, lend)


def sort_by_density(
    cells: Cells, position: Floats, velocity: Floats, alive: Bools, world_index: Ints, box: Floats, number: int
) -> None:
    """Sort the living into cells as wide as it mostly takes to find `number` neighbours in one and those around it."""
    few = position[alive][:: 1 + len(position) // 512]
    dim, width = position.shape[1], 1.0
    if len(few) > 1 and np.isfinite(few).all():
        # Quartiles, so that those far away do not count; twice their distance is the extent of an even spread.
        spread = 2 * np.subtract(*np.quantile(few, (0.75, 0.25), axis=0))
        spread = np.maximum(spread, 1e-3 * spread.max())
        worlds = min(len(position), int(world_index.max() - world_index.min()) + 1)
        of_one = float(spread.prod()) * worlds / np.count_nonzero(alive)
        width = float((2 * number / (np.pi if dim == 2 else 4 * np.pi / 3) * of_one) ** (1 / dim))
    cells.sort(position, velocity, alive, world_index, box, width if width > 0.0 else 1.0)


def nearest_of(
    cells: Cells, number: int, reach: float = np.inf, field_of_view: float = 2 * np.pi, lend: bool = False
) -> Graph:
    """The nearest neighbours of each; see `swarm.neighbours.nearest`. Fastest after `sort_by_density`."""
    check_number(number)
    if not reach > 0.0:
        raise BadInput(f"reach: expected more than 0 m, got {reach}")
    grid, parts, half_view = cells.grid, cells.stretches(), 0.5 * float(field_of_view)
    most = min(int(number), max(cells.living - 1, 1))
    slots = [(int(cells.start[a]), int(cells.start[b])) for a, b in parts]
    count = cells.room("many", (cells.living,), np.int64)
    hits = [cells.spare(f"hits {p}", (b - a) * most, np.int32) for p, (a, b) in enumerate(slots)]

    def look(p: int) -> None:
        closest(
            *slots[p], cells.cell, cells.start, cells.order, cells.at, cells.flying, grid.box, grid.per_metre,
            grid.shape, most, float(reach), half_view, hits[p], count,
        )  # fmt: skip

    share(cells.threads, look, len(parts))
    return _rows(cells, slots, hits, count, lend)


def _rows(cells: Cells, slots: list[tuple[int, int]], hits: list[Any], count: Ints, lend: bool) -> Graph:
    """Compressed rows in agents' order of what was found in the order of slots."""
    agents, dim = cells.position.shape
    indptr = cells.room("indptr", (agents + 1,), np.int64) if lend else np.empty(agents + 1, np.int64)
    indptr[:] = 0
    indptr[cells.order + np.int32(1)] = count
    np.cumsum(indptr, out=indptr)
    edges = int(indptr[-1])
    if lend:
        indices, distance = cells.room("indices", (edges,), np.int64), cells.room("distance", (edges,))
        found = Graph(indptr, indices, cells.room("displacement", (edges, dim)), distance)
    else:
        found = Graph(indptr, np.empty(edges, np.int64), np.empty((edges, dim)), np.empty(edges))

    def write(p: int) -> None:
        fill(cells.position, cells.box, cells.order, *slots[p], hits[p], count, *found)  # type: ignore[arg-type]

    share(cells.threads, write, len(slots))
    return found
