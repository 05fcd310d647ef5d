"""What fills a world by chance: name in a world file -> class of its keys."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

import numpy as np

from swarm.errors import BadInput
from swarm.schema import build, choose
from swarm.state import Floats
from swarm.worlds.generators.cells import Cells
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
    "cells": Cells,
}


def random_stream(seed: int) -> np.random.Generator:
    """The random numbers that make a world."""
    return np.random.default_rng((seed, WORLDS))


def generated(table: Mapping[str, Any], bounds: Floats, seed: int, where: str, faults: list[str]) -> Filling:
    """What a [generator] table makes.

    Args:
        table: Its keys.
        bounds: (2, D) m of the world.
        seed: The run's.
        where: Prefix of every message.
        faults: Gets what is wrong.
    """
    if "kind" not in table:
        faults.append(f"{where}.kind: missing; allowed: {', '.join(GENERATORS)}")
        return Filling()
    if not choose(table["kind"], GENERATORS, f"{where}.kind", faults):
        return Filling()
    generator = build(GENERATORS[table["kind"]], table, where, faults)
    if generator is None:
        return Filling()
    try:
        return generator.fill(bounds, random_stream(seed if generator.seed is None else generator.seed))
    except BadInput as error:
        faults.extend(f"{where}.{fault}" for fault in error.faults)
        return Filling()
