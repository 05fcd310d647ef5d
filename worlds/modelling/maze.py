"""A maze of upright walls made from a plan, and the bridge that crosses one of its passages."""

from __future__ import annotations

from collections.abc import Iterator

from swarm.worlds.modelling.form import Form
from swarm.worlds.modelling.solids import Cuboid, blocks
from swarm.worlds.modelling.walls import Opening, along_x, along_y, pieces

CELL, HEIGHT, THICKNESS = 4.0, 4.0, 0.3  # m

# North is up. Walls of a cell's length: - and | from floor to ceiling, o with a low and O with a high window, = with
# room to fly over. The outer ones are the bounds of the world.
PLAN = """
+---+---+---+---+---+---+---+---+
|           |               |   |
+   +---+   +   +-O-+---+   +   +
|   |       |   |       |   |   |
+   +   +---+   +   +   +---+   +
|   |   |       =   |           |
+   +-o-+---+   +---+---+   +---+
|           O   |       |       |
+---+---+   +   +   +   +===+   +
|               |   |           |
+---+---+---+---+---+---+---+---+
"""

# What a mark leaves open of a wall: from and to along it, from and to in height, m.
OPENINGS: dict[str, list[Opening]] = {
    "-": [],
    "|": [],
    "o": [(1.0, 3.0, 0.3, 2.1)],
    "O": [(1.0, 3.0, 2.0, 3.8)],
    "=": [(0.0, CELL, 1.8, HEIGHT)],
}


def walls_x() -> Form:
    """The walls that run along x."""
    return blocks(list(_boxes(along="x")))


def walls_y() -> Form:
    """The walls that run along y."""
    return blocks(list(_boxes(along="y")))


def _boxes(along: str) -> Iterator[Cuboid]:
    """Boxes of the inner walls of the plan, each as far as the middle of the walls that it meets."""
    lines = PLAN.strip().splitlines()
    last = len(lines) - 1
    for row, line in enumerate(lines[1:-1], start=1):
        for column in range(2, len(line) - 1, 4) if along == "x" else range(4, len(line) - 1, 4):
            mark = line[column]
            if mark not in OPENINGS or (row % 2 == 0) != (along == "x"):
                continue
            y = (last - row) / 2.0 * CELL
            start = (column - 2) // 4 * CELL if along == "x" else y - CELL / 2.0
            parts = [(start + a, start + b, low, high) for a, b, low, high in pieces(0.0, CELL, HEIGHT, OPENINGS[mark])]
            yield from along_x(y, THICKNESS, parts) if along == "x" else along_y(column // 4 * CELL, THICKNESS, parts)


def bridge() -> Form:
    """A bridge over a passage 4 m wide, along x: deck 1.6 m wide from 1.85 to 2.1 m, on piers at both ends."""
    piers = [((x - 0.2, -0.8, 0.0), (x + 0.2, 0.8, 1.85)) for x in (-1.8, 1.8)]
    kerbs = [((-2.0, y - 0.05, 2.1), (2.0, y + 0.05, 2.2)) for y in (-0.75, 0.75)]
    return blocks([*piers, *kerbs, ((-2.0, -0.8, 1.85), (2.0, 0.8, 2.1))])
