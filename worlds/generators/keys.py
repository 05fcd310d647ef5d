"""Types and checks that generators' keys share."""

from __future__ import annotations

from typing import Annotated

import msgspec
import numpy as np

from swarm.errors import BadInput
from swarm.schema import show
from swarm.state import Floats
from swarm.worlds.tables import Coordinate, Length

Corner = tuple[Coordinate, Coordinate]
Area = tuple[Corner, Corner]  # [[lowest x, y], [highest x, y]] m
Range = tuple[Length, Length]  # smallest and largest, m
Density = Annotated[float, msgspec.Meta(ge=0.0, le=1e6)]  # per m^2
Count = Annotated[int, msgspec.Meta(ge=0, le=1000)]
Seed = Annotated[int, msgspec.Meta(ge=0, le=2**63 - 1)]

MOST = 20_000  # things one generator makes; more is a slip in the density


def check_range(key: str, pair: Range) -> None:
    """Refuse a range that is the wrong way round."""
    if pair[0] > pair[1]:
        raise BadInput(f"{key}: expected [smallest, largest], got {show(list(pair))}")


def area_in(area: Area, bounds: Floats, key: str = "area") -> Floats:
    """The area as (2, 2) m, refused when flipped or not inside the world's bounds."""
    corners = np.array(area, dtype=np.float64)
    shown = show([list(corner) for corner in area])
    if not (corners[0] < corners[1]).all():
        raise BadInput(f"{key}: expected lowest < highest in x and y, got {shown}")
    if (corners[0] < bounds[0, :2]).any() or (corners[1] > bounds[1, :2]).any():
        raise BadInput(f"{key}: expected it inside the bounds {show(bounds[:, :2].tolist())}, got {shown}")
    return corners


def count_in(area: Floats, density: float) -> int:
    """How many things a density asks for, rounded."""
    count = round(density * float(np.prod(area[1] - area[0])))
    if count > MOST:
        raise BadInput(f"density: expected at most {MOST} in the whole area, got {count}")
    return count
