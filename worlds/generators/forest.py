"""A forest: upright trunks at a density, none too near another (Poisson-disk)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from swarm.state import Floats
from swarm.worlds.generators.filling import Filling
from swarm.worlds.generators.keys import Area, Density, Range, Seed, area_in, check_range, count_in
from swarm.worlds.generators.scatter import scatter
from swarm.worlds.obstacles import Obstacle
from swarm.worlds.tables import Length


@dataclass(frozen=True)
class Forest:
    """Keys of `[generator] kind = "forest"`."""

    kind: str
    area: Area  # m, where the trunks' centres stand
    density: Density  # trunks per m^2
    radius: Range = (0.15, 0.35)  # m
    spacing: Length = 1.5  # m, smallest distance between two centres
    height: Length = 0.0  # m from the lowest z; all the way up if absent
    seed: Seed | None = None

    def __post_init__(self) -> None:
        check_range("radius", self.radius)

    def fill(self, bounds: Floats, rng: np.random.Generator) -> Filling:
        """The trunks.

        Args:
            bounds: (2, D) m of the world; in two dimensions trunks are discs.
            rng: Where chance comes from.

        Raises:
            BadInput: The area is not in the bounds, or there is no room for so many trunks.
        """
        area = area_in(self.area, bounds)
        points = scatter(area, count_in(area, self.density), self.spacing, rng)
        radii = rng.uniform(*self.radius, len(points))
        trunks = [(*point, radius) for point, radius in zip(points.tolist(), radii.tolist())]
        if bounds.shape[1] == 2:
            discs = [Obstacle("cylinder", (x, y), f"trunk {k}", radius=r) for k, (x, y, r) in enumerate(trunks)]
            return Filling(discs)
        low, high = bounds[:, 2].tolist()
        height = high - low if self.height == 0.0 else self.height
        middle = low + height / 2.0
        return Filling(
            [
                Obstacle("cylinder", (x, y, middle), f"trunk {k}", radius=r, height=height)
                for k, (x, y, r) in enumerate(trunks)
            ]
        )
