"""Walls from side to side, each with one opening somewhere: gates to cross in turn."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated

import msgspec
import numpy as np

from swarm.errors import BadInput
from swarm.schema import show
from swarm.state import Floats
from swarm.worlds.generators.filling import Filling
from swarm.worlds.generators.keys import Range, Seed, check_range
from swarm.worlds.modelling.form import Form
from swarm.worlds.modelling.walls import framed, pierced
from swarm.worlds.obstacles import Mesh, Obstacle
from swarm.worlds.tables import Coordinate, Length
from swarm.worlds.zones import Zone


@dataclass(frozen=True)
class GateWalls:
    """Keys of `[generator] kind = "gate-wall"`."""

    kind: str
    walls: list[Coordinate]  # m, where along x each wall stands, in the order in which they are crossed
    width: Range = (2.2, 2.8)  # m, of an opening
    height: Range = (1.6, 2.2)  # m
    radius: Range = (1.0, 1.2)  # m, of a round opening
    round: list[Annotated[int, msgspec.Meta(ge=1)]] = field(default_factory=list)  # which walls have one, from 1
    edge: Length = 0.5  # m, least distance of an opening from floor, ceiling and sides
    thickness: Length = 0.3  # m, of the walls
    seed: Seed | None = None

    def __post_init__(self) -> None:
        for key in ("width", "height", "radius"):
            check_range(key, getattr(self, key))
        if any(number > len(self.walls) for number in self.round):
            raise BadInput(f"round: expected numbers of walls, 1 to {len(self.walls)}, got {show(list(self.round))}")

    def fill(self, bounds: Floats, rng: np.random.Generator) -> Filling:
        """The walls, meshes with a hole each, and a gate in each hole, crossed along +x.

        Args:
            bounds: (2, D) m of the world; in two dimensions a wall is two boxes, and a round opening as wide as it is
                across.
            rng: Where chance comes from.

        Raises:
            BadInput: A wall is not in the bounds, or an opening can be too large for them.
        """
        self._check(bounds)
        obstacles: list[Obstacle] = []
        zones: list[Zone] = []
        for order, x in enumerate(self.walls, start=1):
            # The draws are the same for every shape, so that making a wall round leaves the others where they are.
            radius, *size = (float(rng.uniform(*pair)) for pair in (self.radius, self.width, self.height))
            share = rng.uniform(size=2)[: bounds.shape[1] - 1]
            if order in self.round:
                size = [2.0 * radius, 2.0 * radius]
            else:
                radius = 0.0
            half = np.array(size[: len(share)]) / 2.0
            low, high = bounds[0, 1:] + self.edge + half, bounds[1, 1:] - self.edge - half
            center = (float(x), *(low + share * (high - low)).tolist())
            opening = () if radius > 0.0 else tuple(size[: len(share)])
            gate = Zone("gate", f"gate {order}", center, opening, radius, order=order)
            zones.append(gate)
            obstacles += self._wall(gate, bounds)
        return Filling(obstacles, zones)

    def _wall(self, gate: Zone, bounds: Floats) -> list[Obstacle]:
        """What stands around a gate, from side to side."""
        name = f"wall {gate.order}"
        sides = [(float(low) - c, float(high) - c) for low, high, c in zip(*bounds[:, 1:], gate.center[1:])]
        if len(sides) == 1:
            half, ((start, end),) = gate.radius or gate.size[0] / 2.0, sides
            return [
                Obstacle(
                    "box",
                    (gate.center[0], gate.center[1] + (low + high) / 2.0),
                    f"{name} {side}",
                    (self.thickness, high - low),
                )
                for side, low, high in (("right", start, -half), ("left", half, end))
            ]
        if gate.radius > 0.0:
            form = pierced(sides[0], sides[1], gate.radius, self.thickness)
        else:
            form = framed(sides[0], sides[1], (gate.size[0], gate.size[1]), self.thickness)
        return [Obstacle("mesh", gate.center, name, mesh=_mesh(form))]

    def _check(self, bounds: Floats) -> None:
        low, high = bounds[:, 0] + (self.thickness / 2.0, -self.thickness / 2.0)
        outside = [x for x in self.walls if not low <= x <= high]
        if outside:
            raise BadInput(f"walls: expected {low:g} to {high:g}, so that they stand in the bounds, got {outside[0]:g}")
        rooms = (bounds[1] - bounds[0])[1:] - 2.0 * self.edge
        rectangular = len(set(self.round)) < len(self.walls)
        wanted = [("width", self.width[1], rooms[:1])] if rectangular else []
        wanted += [("height", self.height[1], rooms[1:])] if rectangular else []
        wanted += [("radius", 2.0 * self.radius[1], rooms)] if self.round else []
        for key, size, room in wanted:
            if (size > room).any():
                raise BadInput(
                    f"{key}: expected openings of at most {room.min():g} m, for {self.edge:g} m of wall on each side, "
                    f"got {size:g} m"
                )


def _mesh(form: Form) -> Mesh:
    vertices, faces = np.ascontiguousarray(form.vertices), np.ascontiguousarray(form.faces, dtype=np.int64)
    for array in (vertices, faces):
        array.setflags(write=False)
    return Mesh("made by the generator", vertices, faces, closed=True)
