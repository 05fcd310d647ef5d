"""Light masts and barrels, here and there in the free parts of a yard."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from swarm.errors import BadInput
from swarm.state import Floats
from swarm.worlds.generators.filling import Filling
from swarm.worlds.generators.keys import Area, Corner, Count, Range, Seed, area_in, check_range
from swarm.worlds.obstacles import Obstacle
from swarm.worlds.tables import Length

TRIES = 2000  # places tried for one thing


@dataclass(frozen=True)
class Masts:
    """Keys of `[generator] kind = "masts"`."""

    kind: str
    areas: list[Area]  # m, where the middles of masts and barrels stand
    masts: Count = 8
    barrels: Count = 8
    height: Range = (3.0, 6.0)  # m, of the masts
    radius: Range = (0.06, 0.12)  # m, of the masts
    spacing: Length = 2.0  # m, smallest distance between two middles
    keep_clear: list[Corner] = field(default_factory=list)  # m, spots near which nothing stands
    clear: Length = 1.5  # m, how near
    barrel: tuple[Length, Length] = (0.3, 0.9)  # m, radius and height
    seed: Seed | None = None

    def __post_init__(self) -> None:
        check_range("height", self.height)
        check_range("radius", self.radius)

    def fill(self, bounds: Floats, rng: np.random.Generator) -> Filling:
        """Masts and barrels on the lowest z; a mast is a thin cylinder with a lamp, a ball, on it.

        Args:
            bounds: (2, D) m of the world; in two dimensions all are discs.
            rng: Where chance comes from.

        Raises:
            BadInput: An area is not in the bounds, or there is no room for so many.
        """
        areas = [area_in(area, bounds, f"areas[{k}]") for k, area in enumerate(self.areas)]
        count = self.masts + self.barrels
        if count and not areas:
            raise BadInput("areas: expected one or more, got none")
        points = self._scattered(areas, count, rng)
        radii, heights = rng.uniform(*self.radius, self.masts), rng.uniform(*self.height, self.masts)
        made: list[Obstacle] = []
        for number, ((x, y), radius, height) in enumerate(zip(points, radii.tolist(), heights.tolist()), start=1):
            made += _upright(x, y, radius, height, f"mast {number}", bounds)
            if bounds.shape[1] == 3:
                made.append(
                    Obstacle("sphere", (x, y, float(bounds[0, 2]) + height), f"lamp {number}", radius=2 * radius)
                )
        for number, (x, y) in enumerate(points[self.masts :], start=1):
            made += _upright(x, y, *self.barrel, f"barrel {number}", bounds)
        return Filling(made)

    def _scattered(self, areas: Sequence[Floats], count: int, rng: np.random.Generator) -> list[tuple[float, float]]:
        """Points all over the areas, none too near another or a spot to keep clear."""
        points: list[tuple[float, float]] = []
        sizes = np.array([np.prod(area[1] - area[0]) for area in areas])
        spots = np.array(self.keep_clear, dtype=np.float64).reshape(-1, 2)
        for _ in range(count):
            for _ in range(TRIES):
                area = areas[int(rng.choice(len(areas), p=sizes / sizes.sum()))]
                point = rng.uniform(area[0], area[1])
                apart = np.linalg.norm(np.array(points).reshape(-1, 2) - point, axis=1).min(initial=np.inf)
                if apart >= self.spacing and (np.linalg.norm(spots - point, axis=1) >= self.clear).all():
                    points.append((float(point[0]), float(point[1])))
                    break
            else:
                raise BadInput(f"spacing: expected room for {count} masts and barrels, found it for {len(points)}")
        return points


def _upright(x: float, y: float, radius: float, height: float, name: str, bounds: Floats) -> list[Obstacle]:
    if bounds.shape[1] == 2:
        return [Obstacle("cylinder", (x, y), name, radius=radius)]
    return [Obstacle("cylinder", (x, y, float(bounds[0, 2]) + height / 2.0), name, radius=radius, height=height)]
