"""By how much a mission is scaled, and how its places, lengths and rates come out."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from swarm.state import Floats
from swarm.worlds.lifting import lifted

if TYPE_CHECKING:
    from swarm.mission import Mission
    from swarm.worlds.world import World

CRUISE = 1.5  # m/s that a drone flies where the mission's top speed is asked for
ALTITUDE = 1.5  # m, at which the hall that a world of two dimensions becomes is flown through, at least
SLOWEST_COMMANDS, SLOWEST_PHYSICS = 48, 240  # Hz


@dataclass(frozen=True)
class Scale:
    """A mission and the factor by which others fly it. Times stay as they are.

    Attributes:
        native: The mission as it was written.
        factor: m for a unit of length of the mission, and m/s for a unit of speed.
        flat: Whether the mission's world has two dimensions; it is flown at one altitude.
        altitude: m, half way up to the ceiling.
    """

    native: Mission
    factor: float
    flat: bool
    altitude: float = ALTITUDE

    def world(self, world: World) -> World:
        """The world as it is flown; one object for one world."""
        ceiling = 2.0 * self.altitude
        hall = f", in a hall of {ceiling:g} m at {self.altitude:g} m" if self.flat else ""
        notice = f"{self.native.name}: drones fly it at {self.factor:g} times its lengths and speeds{hall}"
        return lifted(world, self.factor, ceiling, self.altitude, notice)

    def place(self, point: tuple[float, ...]) -> tuple[float, ...]:
        """A place of the mission where it is flown."""
        return (*(self.factor * c for c in point), *((self.altitude,) if self.flat else ()))

    def up(self, points: Floats) -> Floats:
        """Places (..., D) of the mission where they are flown, (..., 3) m."""
        scaled = self.factor * points
        if not self.flat:
            return np.asarray(scaled)
        return np.concatenate([scaled, np.full((*scaled.shape[:-1], 1), self.altitude)], axis=-1)

    def down(self, vectors: Floats) -> Floats:
        """Places or velocities (..., 3) of the flight in the mission's units and dimensions, in arrays of their own."""
        return np.ascontiguousarray(vectors[..., : 2 if self.flat else 3] / self.factor)

    @property
    def rates(self) -> tuple[int, int]:
        """Hz of commands and of physics: enough for a drone, and whole multiples of the mission's commands."""
        native = self.native.swarm.command_hz
        commands = native * math.ceil(SLOWEST_COMMANDS / native)
        return commands, commands * math.ceil(SLOWEST_PHYSICS / commands)
