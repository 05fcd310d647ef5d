"""A workspace that sorts agents into cells, step after step without new memory."""

from __future__ import annotations

import math
import threading
from itertools import pairwise
from typing import Any

import numpy as np

from swarm.errors import BadInput, SimulationError
from swarm.neighbours import sorting
from swarm.neighbours.chunks import LARGE, SORTED_APART, cores, share, stretches
from swarm.neighbours.grid import make_grid
from swarm.state import Bools, Floats, Ints


class Cells:
    """Agents sorted by cell. Belongs to one thread; what it holds is that of its last `sort`.

    Args:
        threads: How many to work on, from two thousand agents on; all cores by default. Results do not depend
            on it.

    Attributes:
        grid: The cells.
        order: (L,) the living by cell, in each by index.
        start: (C + 1,) where in `order` each cell begins.
        cell: (A,) the cell of each agent, -1 for the dead.
        at, flying: (3, L) m and m/s, position and velocity in that order, by axis; of a plane in the last two rows.
        position, box, reach: What was sorted.
        living: L.
    """

    def __init__(self, threads: int | None = None) -> None:
        self.threads = cores() if threads is None else threads
        self._kept: dict[str, Any] = {}
        self._flat = -1

    def spare(self, name: str, least: int, kind: type = np.float64) -> Any:
        """All of an array of the workspace, made anew only where it is shorter than `least`; not cleared."""
        kept = self._kept.get(name)
        if kept is None or len(kept) < least:
            kept = self._kept[name] = np.empty(least + least // 8, kind)
        return kept

    def room(self, name: str, shape: tuple[int, ...], kind: type = np.float64) -> Any:
        """The front of such an array in a shape."""
        size = math.prod(shape)
        return self.spare(name, size, kind)[:size].reshape(shape)

    def sort(
        self, position: Floats, velocity: Floats, alive: Bools, world_index: Ints, box: Floats, reach: float
    ) -> None:
        """Sort the living.

        Args:
            position, velocity: (A, D) m and m/s.
            alive: (A,).
            world_index: (A,) only agents of one world meet.
            box: (D,) m, the period of each axis, 0 where it does not wrap.
            reach: m, a cell and those around it hold all within this range.

        Raises:
            BadInput: The range is not above 0.
            SimulationError: A living agent is nowhere.
        """
        if not reach > 0.0:
            raise BadInput(f"reach: expected more than 0 m, got {reach}")
        agents, dim = position.shape
        threads = self.threads if agents >= SORTED_APART else 1
        parts = stretches(agents, threads)
        found = self.room("found", (threads, 10))
        share(threads, lambda p: sorting.survey(position, alive, world_index, *parts[p], found[p]), threads)
        # Plain numbers: for as few as ten arrays would take longer than looking at a thousand agents.
        reports = found.tolist()
        living = int(sum(report[sorting.LIVING] for report in reports))
        fault = int(max(report[sorting.FAULT] for report in reports))
        if fault >= 0:
            raise SimulationError(f"agent {fault}: expected a finite position, got {position[fault]} m")
        low, high, first_world, worlds = [0.0] * 3, [0.0] * 3, 0, 1
        if living:
            low = [min(report[k] for report in reports) for k in range(3)]
            high = [max(report[k] for report in reports) for k in range(3, 6)]
            first_world = int(min(report[sorting.FIRST_WORLD] for report in reports))
            worlds = int(max(report[sorting.LAST_WORLD] for report in reports)) - first_world + 1
            if worlds > agents:  # numbered with gaps
                names, world_index = np.unique(world_index, return_inverse=True)
                first_world, worlds = 0, len(names)
        grid = self.grid = make_grid(box, reach, low, high, 2.0 * living / worlds)
        total = worlds * grid.cells
        cell, order = self.room("cell", (agents,), np.int32), self.room("order", (living,), np.int32)
        count, start = self.room("count", (threads, total), np.int32), self.room("start", (total + 1,), np.int32)
        at, flying = self.room("at", (3, living)), self.room("flying", (3, living))
        if dim == 2 and self._flat != living:  # as many as last time left zeros in the unused axis
            at[0], flying[0] = 0.0, 0.0
        self._flat = living if dim == 2 else -1

        where = (grid.box, grid.origin, grid.per_metre, grid.across, grid.shape)
        if threads == 1:
            sorting.sort(
                position, velocity, alive, world_index, first_world, *where, cell, count, start, order, at, flying
            )
        else:
            share(
                threads,
                lambda p: sorting.assign(position, alive, world_index, first_world, *where, *parts[p], cell, count[p]),
                threads,
            )
            sorting.prefix(count, start)
            slots = stretches(living, threads)
            share(threads, lambda p: sorting.place(cell, count[p], *parts[p], order), threads)
            share(threads, lambda p: sorting.gather(position, velocity, order, *slots[p], at, flying), threads)
        self.order, self.start, self.at, self.flying, self.cell = order, start, at, flying, cell
        self.position, self.box, self.reach, self.living = position, box, float(reach), living

    def stretches(self) -> list[tuple[int, int]]:
        """Consecutive stretches of cells of about as many agents each, a few for each thread."""
        cells = len(self.start) - 1
        if len(self.position) < LARGE or self.threads == 1:
            return [(0, cells)]
        parts = min(4 * self.threads, self.living // 200 + 1)
        cuts = np.searchsorted(self.start, np.arange(1, parts) * (self.living / parts))
        edges = [0, *cuts.tolist(), cells]
        return list(pairwise(edges))


_own = threading.local()


def workspace() -> Cells:
    """The workspace of this thread, for those who keep none of their own."""
    if not hasattr(_own, "cells"):
        _own.cells = Cells()
    made: Cells = _own.cells
    return made
