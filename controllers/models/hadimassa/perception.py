"""What a walker perceives: wall cells and others within its personal space and field of view, as NetLogo's in-cone."""

from __future__ import annotations

import math
from typing import NamedTuple

from swarm.compiled import kernel
from swarm.state import Bools, Floats, Ints
from swarm.worlds.floor_plan.places import Ground, number_of
from swarm.worlds.floor_plan.plan import OBSTACLE

ROUNDING = 1e-12  # share by which something on the rim of the cone may miss it


class Crowd(NamedTuple):
    """Walkers by the square bin they are in, so that those near one are found."""

    side: float  # m, of a bin; at least as far as anybody perceives
    across: int  # bins in a row
    first: Ints  # (bins + 1,) where each begins in `order`, row by row from below
    order: Ints  # (A,) walkers
    place: Floats  # (A, 2) m, where they are, in that order
    seen: Floats  # (M, 2) m, room for offsets to all that one perceives


@kernel
def sort(position: Floats, alive: Bools, ground: Ground, crowd: Crowd) -> None:
    """Put the living in their bins, in the order of their numbers within one (counting sort)."""
    first = crowd.first
    first[:] = 0
    for i in range(len(position)):
        if alive[i]:
            first[_bin(position[i, 0], position[i, 1], ground, crowd)] += 1
    total = 0
    for each in range(len(first)):
        total += first[each]
        first[each] = total
    for i in range(len(position) - 1, -1, -1):
        if alive[i]:
            own = _bin(position[i, 0], position[i, 1], ground, crowd)
            first[own] -= 1
            crowd.order[first[own]] = i
            crowd.place[first[own], 0], crowd.place[first[own], 1] = position[i, 0], position[i, 1]


@kernel
def _bin(x: float, y: float, ground: Ground, crowd: Crowd) -> int:
    up = (len(crowd.first) - 1) // crowd.across
    row = number_of(y, ground.low_y, crowd.side, up)
    return row * crowd.across + number_of(x, ground.low_x, crowd.side, crowd.across)


@kernel
def in_cone(dx: float, dy: float, x: float, y: float, radius: float, cosine: float) -> bool:
    """Whether something at (dx, dy) m is within radius m and the cone about the unit heading (x, y).

    `cosine` is that of half the field of view; what is at the walker's own place is in every cone.
    """
    square = dx * dx + dy * dy
    return square <= radius * radius and dx * x + dy * y >= (cosine - ROUNDING) * math.sqrt(square)


@kernel
def perceive(
    i: int, position: Floats, x: float, y: float, radius: float, cosine: float, walls: bool, edges: bool,
    ground: Ground, crowd: Crowd,
) -> int:  # fmt: skip
    """How many things walker i perceives: middles of wall cells, then others; offsets to them, m, go to `crowd.seen`.

    Args:
        i: Who looks.
        position: (A, 2) m.
        x, y: Unit, where it looks.
        radius: m, how far.
        cosine: Of half the angle of what it sees.
        walls: Whether any wall cell can be so near.
        edges: Whether there are wall cells all round the plan.
        ground: What it walks on.
        crowd: The others, sorted.
    """
    here_x, here_y, seen = position[i, 0] - ground.low_x, position[i, 1] - ground.low_y, crowd.seen
    count = _walls(here_x, here_y, x, y, radius, cosine, edges, ground, seen) if walls else 0
    across, high = crowd.across, (len(crowd.first) - 1) // crowd.across
    left, right = (
        number_of(here_x - radius, 0.0, crowd.side, across),
        number_of(here_x + radius, 0.0, crowd.side, across),
    )
    bottom, top = number_of(here_y - radius, 0.0, crowd.side, high), number_of(here_y + radius, 0.0, crowd.side, high)
    for up in range(bottom, top + 1):
        for k in range(crowd.first[up * across + left], crowd.first[up * across + right + 1]):
            dx, dy = crowd.place[k, 0] - position[i, 0], crowd.place[k, 1] - position[i, 1]
            if crowd.order[k] != i and in_cone(dx, dy, x, y, radius, cosine):
                seen[count, 0], seen[count, 1] = dx, dy
                count += 1
    return count


@kernel
def _walls(
    here_x: float, here_y: float, x: float, y: float, radius: float, cosine: float, edges: bool, ground: Ground,
    seen: Floats,
) -> int:  # fmt: skip
    """How many wall cells are perceived from a place, m from the plan's lower left corner; offsets go to `seen`."""
    rows, columns = ground.cells.shape
    cell, count = ground.cell, 0
    left, right = math.floor((here_x - radius) / cell), math.floor((here_x + radius) / cell)
    bottom, top = math.floor((here_y - radius) / cell), math.floor((here_y + radius) / cell)
    if not edges:
        left, right, bottom, top = max(left, 0), min(right, columns - 1), max(bottom, 0), min(top, rows - 1)
    for up in range(bottom, top + 1):
        for column in range(left, right + 1):
            beyond = up < 0 or up >= rows or column < 0 or column >= columns
            if beyond or ground.cells[rows - 1 - up, column] == OBSTACLE:
                dx, dy = (column + 0.5) * cell - here_x, (up + 0.5) * cell - here_y
                if in_cone(dx, dy, x, y, radius, cosine):
                    seen[count, 0], seen[count, 1] = dx, dy
                    count += 1
    return count


@kernel
def blocked(
    i: int, position: Floats, x: float, y: float, reach: float, ground: Ground, crowd: Crowd
) -> bool:  # fmt: skip
    """Whether a wall cell or another walker is within `reach` m on the side of walker i that (x, y) points to.

    Whoever stands at the very same place is on no side.
    """
    for k in range(perceive(i, position, x, y, reach, 0.0, True, True, ground, crowd)):
        if crowd.seen[k, 0] != 0.0 or crowd.seen[k, 1] != 0.0:
            return True
    return False
