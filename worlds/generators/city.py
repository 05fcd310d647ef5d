"""A city: upright blocks at a density, with streets between them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from swarm.errors import BadInput
from swarm.state import Floats
from swarm.worlds.generators.filling import Filling
from swarm.worlds.generators.keys import Area, Density, Range, Seed, area_in, check_range, count_in
from swarm.worlds.obstacles import Obstacle
from swarm.worlds.tables import Length

TRIES = 2000  # places tried for one building before the whole city is begun anew
ROUNDS = 5


@dataclass(frozen=True)
class City:
    """Keys of `[generator] kind = "city"`."""

    kind: str
    area: Area  # m, in which the buildings stand whole
    density: Density  # buildings per m^2
    width: Range = (3.0, 7.0)  # m, each side of a building's ground plan
    height: Range = (4.0, 16.0)  # m
    street: Length = 2.5  # m, smallest gap between two buildings, along x or along y
    seed: Seed | None = None

    def __post_init__(self) -> None:
        check_range("width", self.width)
        check_range("height", self.height)

    def fill(self, bounds: Floats, rng: np.random.Generator) -> Filling:
        """The buildings, standing on the lowest z.

        Args:
            bounds: (2, D) m of the world; in two dimensions buildings are rectangles.
            rng: Where chance comes from.

        Raises:
            BadInput: The area is not in the bounds, or there is no room for so many buildings.
        """
        area = area_in(self.area, bounds)
        count = count_in(area, self.density)
        if (self.width[1] >= area[1] - area[0]).any():
            raise BadInput(f"width: expected less than the area's sides, got {self.width[1]:g}")
        for _ in range(ROUNDS):
            sizes = rng.uniform(*self.width, (count, 2))
            centers = _place(area, sizes, self.street, rng)
            if len(centers) == count:
                break
        else:
            raise BadInput(
                f"density: expected room for {count} buildings, found it for {len(centers)}; use a lower one"
            )
        heights = rng.uniform(*self.height, count)
        plans = zip(centers.tolist(), sizes.tolist(), heights.tolist())
        if bounds.shape[1] == 2:
            blocks = enumerate(plans)
            return Filling([Obstacle("box", (x, y), f"building {k}", (w, d)) for k, ((x, y), (w, d), _) in blocks])
        ground = float(bounds[0, 2])
        return Filling(
            [
                Obstacle("box", (x, y, ground + h / 2.0), f"building {k}", (w, d, h))
                for k, ((x, y), (w, d), h) in enumerate(plans)
            ]
        )


def _place(area: Floats, sizes: Floats, street: float, rng: np.random.Generator) -> Floats:
    """Centres (count, 2) of the rectangles, fewer when one found no place."""
    centers = np.empty((len(sizes), 2))
    for index, size in enumerate(sizes):
        apart = (size + sizes[:index]) / 2.0 + street
        for place in rng.uniform(area[0] + size / 2.0, area[1] - size / 2.0, (TRIES, 2)):
            if (np.abs(place - centers[:index]) >= apart).any(axis=1).all():
                centers[index] = place
                break
        else:
            return centers[:index]
    return centers
