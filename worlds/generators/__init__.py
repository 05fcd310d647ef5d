"""What fills a world by chance: name in a world file -> class of its keys."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from swarm.state import Floats
from swarm.worlds.generators.city import City
from swarm.worlds.generators.filling import Filling
from swarm.worlds.generators.forest import Forest
from swarm.worlds.generators.furniture import Furniture
from swarm.worlds.generators.gate_wall import GateWalls
from swarm.worlds.generators.masts import Masts

WORLDS = 0x776F726C  # "worl": keeps the draws of worlds apart from all else that a run draws from its seed


class Generator(Protocol):
    """Keys of a [generator] table that can fill a world."""

    @property
    def seed(self) -> int | None:
        """The generator's own seed; the run's is taken if None."""

    def fill(self, bounds: Floats, rng: np.random.Generator) -> Filling:
        """Obstacles and zones inside bounds (2, D)."""


GENERATORS: dict[str, type[Generator]] = {
    "forest": Forest,
    "city": City,
    "gate-wall": GateWalls,
    "masts": Masts,
    "furniture": Furniture,
}


def random_stream(seed: int) -> np.random.Generator:
    """The random numbers that make a world."""
    return np.random.default_rng((seed, WORLDS))
