"""Poisson-disk scattering by dart throwing: points at random, none too near another."""

from __future__ import annotations

import math

import numpy as np

from swarm.errors import BadInput
from swarm.state import Floats

JAMMING = 0.547  # share of the plane that discs thrown at random cover when no more fit (Feder 1980)
TRIES = 3000  # darts for one point before the throwing starts anew
ROUNDS = 10


def scatter(area: Floats, count: int, spacing: float, rng: np.random.Generator) -> Floats:
    """A number of points, uniform over an area but for a smallest distance between any two.

    Args:
        area: (2, 2) m, lowest and highest corner.
        count: Points wanted.
        spacing: m, smallest distance between two points.
        rng: Where chance comes from.

    Returns:
        (count, 2) m.

    Raises:
        BadInput: "density: ...": there is no room for so many.
    """
    # Discs of the spacing's diameter around all points lie in the area widened by half of it on each side.
    room = JAMMING * float(np.prod(area[1] - area[0] + spacing)) / (math.pi * (spacing / 2.0) ** 2)
    found = 0
    for _ in range(ROUNDS if count <= 1.1 * room + 1 else 0):
        points = _throw(area, count, spacing, rng)
        if len(points) == count:
            return np.array(points, dtype=np.float64).reshape(-1, 2)
        found = max(found, len(points))
    most = found or int(room)
    density = most / float(np.prod(area[1] - area[0]))
    raise BadInput(
        f"density: expected at most about {density:.2g} per m^2 ({most} in the area) at a spacing of {spacing:g} m,"
        f" got {count / float(np.prod(area[1] - area[0])):.3g} ({count})"
    )


def _throw(area: Floats, count: int, spacing: float, rng: np.random.Generator) -> list[tuple[float, float]]:
    """Throw darts until all have stuck, or one finds no place in many tries."""
    low, high = area.tolist()
    cells: dict[tuple[int, int], list[tuple[float, float]]] = {}  # a dart's rivals are in its own and the eight around
    points: list[tuple[float, float]] = []
    square = spacing * spacing
    while len(points) < count:
        for x, y in (dart for _ in range(TRIES // 100) for dart in rng.uniform(low, high, (100, 2)).tolist()):
            i, j = int((x - low[0]) // spacing), int((y - low[1]) // spacing)
            rivals = (p for a in (i - 1, i, i + 1) for b in (j - 1, j, j + 1) for p in cells.get((a, b), ()))
            if all((x - u) * (x - u) + (y - v) * (y - v) >= square for u, v in rivals):
                cells.setdefault((i, j), []).append((x, y))
                points.append((x, y))
                break
        else:
            return points
    return points
