"""What a generator gives a world."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from swarm.worlds.obstacles import Obstacle
from swarm.worlds.zones import Zone


class Filling(NamedTuple):
    """Obstacles, and the zones that belong to them; gates count from 1."""

    obstacles: Sequence[Obstacle] = ()
    zones: Sequence[Zone] = ()
