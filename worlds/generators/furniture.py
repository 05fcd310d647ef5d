"""Furnished rooms: tables with chairs, sofas, shelves and lamps where they find a place."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from swarm.errors import BadInput
from swarm.schema import show
from swarm.state import Floats
from swarm.worlds.generators.filling import Filling
from swarm.worlds.generators.keys import Area, Corner, Count, Seed, area_in
from swarm.worlds.meshes.files import MESHES
from swarm.worlds.meshes.load import load_mesh
from swarm.worlds.obstacles import Obstacle
from swarm.worlds.tables import Length

TRIES = 40  # places tried for one piece; it is left out if it fits into none
BESIDE_WALL = 0.05  # m, between a wall and the back of what stands against it
AISLE = 0.9  # m, from the walls to what stands free in the room


@dataclass(frozen=True)
class Piece:
    """One piece of furniture, or a group of them."""

    parts: tuple[tuple[str, str, float, float, float], ...]  # name, mesh, place x and y (m), yaw (degrees)
    size: tuple[float, float]  # m, footprint
    against_wall: bool  # its back, towards -y, is


CHAIRS = tuple(("chair", "chair.ply", x, y, 0.0 if y < 0.0 else 180.0) for x in (-0.4, 0.4) for y in (-0.62, 0.62))
TABLE = Piece((("table", "table.obj", 0.0, 0.0, 0.0), *CHAIRS), (1.6, 1.7), False)
OTHERS = (
    Piece((("sofa", "sofa.glb", 0.0, 0.0, 0.0),), (2.0, 0.9), True),
    Piece((("shelf", "shelf.stl", 0.0, 0.0, 0.0),), (1.0, 0.35), True),
    Piece((("lamp", "lamp.dae", 0.0, 0.0, 0.0),), (0.5, 0.5), True),
)


@dataclass(frozen=True)
class Furniture:
    """Keys of `[generator] kind = "furniture"`."""

    kind: str
    rooms: list[Area]  # m, within whose sides furniture stands
    pieces: tuple[Count, Count] = (3, 6)  # fewest and most in a room, a table with its chairs being one
    keep_clear: list[Corner] = field(default_factory=list)  # m, doors and other spots near which nothing stands
    clear: Length = 1.2  # m, how near
    gap: Length = 0.3  # m, between two pieces
    seed: Seed | None = None

    def __post_init__(self) -> None:
        if self.pieces[0] > self.pieces[1]:
            raise BadInput(f"pieces: expected [fewest, most], got {show(list(self.pieces))}")

    def fill(self, bounds: Floats, rng: np.random.Generator) -> Filling:
        """Meshes of the library on the lowest z, sides along x and y.

        A room gets a table first, then what chance picks; a piece that finds no place is left out.

        Args:
            bounds: (2, 3) m of the world.
            rng: Where chance comes from.

        Raises:
            BadInput: A room is not in the bounds, or the world has two dimensions.
        """
        if bounds.shape[1] != 3:
            raise BadInput("kind: expected a world of three dimensions for furniture")
        made: list[Obstacle] = []
        counts: dict[str, int] = {}
        for index, area in enumerate(self.rooms):
            room = area_in(area, bounds, f"rooms[{index}]")
            taken: list[Floats] = []  # (2, 2) m, footprints
            for number in range(int(rng.integers(self.pieces[0], self.pieces[1] + 1))):
                piece = TABLE if number == 0 else OTHERS[int(rng.integers(len(OTHERS)))]
                place = self._place(piece, room, taken, rng)
                if place is None:
                    continue
                x, y, yaw = place
                for name, file, ahead, aside, turn in piece.parts:
                    counts[name] = counts.get(name, 0) + 1
                    cosine, sine = math.cos(yaw), math.sin(yaw)
                    center = (x + cosine * ahead - sine * aside, y + sine * ahead + cosine * aside, float(bounds[0, 2]))
                    roll = math.pi / 2.0 if file.endswith(".glb") else 0.0  # whose y axis is up
                    rpy = (roll, 0.0, yaw + math.radians(turn))
                    mesh = load_mesh(MESHES / file)
                    made.append(Obstacle("mesh", center, f"{name} {counts[name]}", rpy=rpy, mesh=mesh))
        return Filling(made)

    def _place(
        self, piece: Piece, room: Floats, taken: list[Floats], rng: np.random.Generator
    ) -> tuple[float, float, float] | None:
        """Place (m) and yaw (rad) of a piece, its footprint added to those taken; None if there is no room for it."""
        spots = np.array(self.keep_clear, dtype=np.float64).reshape(-1, 2)
        for _ in range(TRIES):
            side = int(rng.integers(4))  # its back is towards -y, +x, +y or -x
            half = np.array(piece.size if side % 2 == 0 else piece.size[::-1]) / 2.0
            aisle = BESIDE_WALL if piece.against_wall else AISLE
            low, high = room[0] + half + aisle, room[1] - half - aisle
            share = rng.uniform(size=2)
            if (low > high).any():
                continue
            center = low + share * (high - low)
            if piece.against_wall:
                axis = 1 - side % 2
                center[axis] = low[axis] if side in (0, 3) else high[axis]
            footprint = np.array([center - half, center + half])
            away = np.linalg.norm(np.maximum(np.maximum(footprint[0] - spots, spots - footprint[1]), 0.0), axis=1)
            free = all(
                (np.maximum(footprint[0] - other[1], other[0] - footprint[1]) >= self.gap).any() for other in taken
            )
            if free and (away >= self.clear).all():
                taken.append(footprint)
                return float(center[0]), float(center[1]), side * math.pi / 2.0
        return None
