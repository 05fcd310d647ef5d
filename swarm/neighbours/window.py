"""The agents of a cell and those around it, as a few contiguous runs of slots."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from swarm.compiled import kernel
from swarm.neighbours.sorting import Ints32
from swarm.state import Floats, Ints

Slots = NDArray[np.uint32]  # without a sign an index needs no check whether it counts from the end


@kernel
def window(cell: int, shape: Ints, start: Ints32, runs: Ints) -> tuple[int, int]:
    """Runs of slots that hold the agents of a cell and of its neighbours, each cell once.

    Cells along the last axis lie side by side in memory, so three of them are one run, two at the seam.

    Args:
        cell: Counted through all worlds.
        shape: (3,) cells of each ring.
        start: (C + 1,) where cells begin.
        runs: (18, 2) out, first slot and the one after the last.

    Returns:
        Number of runs, number of slots.
    """
    last = cell % shape[2]
    rest = cell // shape[2]
    middle = rest % shape[1]
    rest //= shape[1]
    first = rest % shape[0]
    world = rest // shape[0]
    found, slots = 0, 0
    for u in range(min(3, shape[0])):
        a = first + u - 1 if shape[0] >= 3 else u
        a += shape[0] if a < 0 else (-shape[0] if a >= shape[0] else 0)
        for v in range(min(3, shape[1])):
            b = middle + v - 1 if shape[1] >= 3 else v
            b += shape[1] if b < 0 else (-shape[1] if b >= shape[1] else 0)
            row = ((world * shape[0] + a) * shape[1] + b) * shape[2]
            begin, end = max(last - 1, 0), min(last + 2, shape[2])
            if shape[2] <= 3:
                begin, end = 0, shape[2]
            runs[found, 0], runs[found, 1] = start[row + begin], start[row + end]
            slots += runs[found, 1] - runs[found, 0]
            found += 1
            if shape[2] > 3 and (last == 0 or last == shape[2] - 1):
                other = row + (shape[2] - 1 if last == 0 else 0)
                runs[found, 0], runs[found, 1] = start[other], start[other + 1]
                slots += runs[found, 1] - runs[found, 0]
                found += 1
    return found, slots


@kernel
def middle(
    cell: int, box: Floats, origin: Floats, per_metre: Floats, shape: Ints, inside: bool, centre: Floats
) -> bool:
    """Find the centre of a cell.

    Args:
        cell: Counted through all worlds.
        box, origin, per_metre, shape, inside: The grid (swarm.neighbours.grid.Grid).
        centre: (3,) out, m.

    Returns:
        Whether agents around it may be near as images only.
    """
    seam = not inside
    for k in range(2, -1, -1):
        centre[k] = origin[k] + (cell % shape[k] + 0.5) / per_metre[k] if per_metre[k] > 0.0 else 0.0
        cell //= shape[k]
        if box[k] > 0.0:
            seam |= centre[k] * per_metre[k] < 1.25 or (box[k] - centre[k]) * per_metre[k] < 1.25
    return seam


@kernel
def candidates(
    runs: Ints, count: int, at: Floats, unused: int, centre: Floats, box: Floats, slot: Slots, here: Floats
) -> None:
    """Copy the positions of all agents of some runs side by side, each as its image nearest to a centre.

    Args:
        runs: (R, 2) first slot and the one after the last.
        count: Of the runs that matter.
        at: (3, A) m, by slot.
        unused: Axes in front that a plane has not; they are left alone.
        centre: (3,) m.
        box: (3,) m; 0 leaves an axis as it is.
        slot: (M,) out, which slot each candidate is in.
        here: (3, M) out, m.
    """
    filled = 0
    for r in range(count):
        begin, length = runs[r, 0], runs[r, 1] - runs[r, 0]
        for c in range(length):
            slot[filled + c] = begin + c
        for k in range(unused, 3):
            for c in range(length):
                here[k, filled + c] = at[k, begin + c]
        filled += length
    for k in range(unused, 3):
        nearest_image(here[k], filled, centre[k], box[k])


@kernel
def nearest_image(x: Floats, many: int, centre: float, period: float) -> None:
    """Replace coordinates by those of the images nearest to a centre.

    Args:
        x: (M,) m, in and out.
        many: Of the first that matter.
        centre, period: m; a period of 0 leaves them as they are.
    """
    if period > 0.0:
        per_period = 1.0 / period
        for c in range(many):
            x[c] -= period * np.floor((x[c] - centre) * per_period + 0.5)
