"""Places in a world that a task can name: gates to cross in order, and areas."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any

import msgspec
import numpy as np

from swarm.errors import BadInput
from swarm.schema import build, choose, show
from swarm.state import Bools, Floats
from swarm.worlds.tables import Coordinate, Length

KINDS = ("gate", "area")


@dataclass(frozen=True)
class Zone:
    """One gate or area. It is no obstacle: what stands around a gate's opening does so on its own."""

    kind: str  # gate or area
    name: str
    center: tuple[float, ...]  # (D,) m, of the opening or of the area
    size: tuple[float, ...] = ()  # m; gate: width and, in three dimensions, height; area: (D,) whole edges
    radius: float = 0.0  # m, of a round gate; 0.0 when it is rectangular
    yaw: float = 0.0  # rad, direction in which a gate is crossed
    order: int = 0  # of gates, from 1; 0 for areas

    @property
    def normal(self) -> Floats:
        """(D,) unit vector along which a gate is crossed."""
        return np.array([math.cos(self.yaw), math.sin(self.yaw), 0.0][: len(self.center)])

    def crossed(self, before: Floats, after: Floats) -> Bools:
        """Which points went through a gate's opening, in the direction in which it is to be crossed.

        Args:
            before, after: (A, D) m, ends of straight segments.

        Returns:
            (A,) whether the segment comes from behind the gate's plane and ends on it or beyond, inside the opening.
        """
        normal, center = self.normal, np.asarray(self.center)
        behind, beyond = (before - center) @ normal, (after - center) @ normal
        passed = (behind < 0.0) & (beyond >= 0.0)
        share = np.where(passed, behind, -1.0) / np.where(passed, behind - beyond, -1.0)
        place = before - center + share[:, None] * (after - before)
        across = np.column_stack((place[:, 1] * normal[0] - place[:, 0] * normal[1], place[:, 2:]))
        if self.radius > 0.0:
            inside = np.linalg.norm(across, axis=1) <= self.radius
        else:
            inside = (np.abs(across) <= np.asarray(self.size) / 2.0).all(axis=1)
        return np.asarray(passed & inside)

    def contains(self, points: Floats) -> Bools:
        """Which points (..., D) m are in an area, its faces included, (...,)."""
        return np.asarray((np.abs(points - np.asarray(self.center)) <= np.asarray(self.size) / 2.0).all(axis=-1))


@dataclass(frozen=True, kw_only=True)
class Gate:
    """Keys of a gate."""

    kind: str
    order: Annotated[int, msgspec.Meta(ge=1)]
    center: list[Coordinate]  # m
    size: list[Length] = field(default_factory=list)  # m, [width, height]; [width] in two dimensions
    radius: Length | None = None  # m, of a round one
    yaw: float = 0.0  # degrees
    name: str = ""  # "gate" and its order if empty

    def __post_init__(self) -> None:
        if bool(self.size) == (self.radius is not None):
            raise BadInput(f"size: expected either size or radius, got {'both' if self.size else 'neither'}")


@dataclass(frozen=True, kw_only=True)
class Area:
    """Keys of an area."""

    kind: str
    center: list[Coordinate]  # m
    size: list[Length]  # m, whole edges
    name: str = ""  # "area" and its number if empty


CLASSES: dict[str, type[Gate] | type[Area]] = {"gate": Gate, "area": Area}


def read_zones(entries: Sequence[object], where: str, dim: int, faults: list[str]) -> list[Zone]:
    """Read [[zones]].

    Args:
        entries: What the file holds.
        where: Prefix of every message.
        dim: Of the world.
        faults: Gets what is wrong.
    """
    zones: list[Zone] = []
    gates = 0
    for index, entry in enumerate(entries):
        place = f"{where}[{index}]"
        if not isinstance(entry, Mapping):
            faults.append(f"{place}: expected a table, got {show(entry)}")
            continue
        if "kind" not in entry:
            faults.append(f"{place}.kind: missing; allowed: {', '.join(KINDS)}")
            continue
        if not choose(entry["kind"], KINDS, f"{place}.kind", faults):
            continue
        gates += entry["kind"] == "gate"
        keys: Any = build(CLASSES[entry["kind"]], entry, place, faults)
        if keys is None:
            continue
        zone = _zone(keys, index)
        if isinstance(keys, Gate) and keys.order != gates:
            faults.append(
                f"{place}.order: expected {gates}, got {keys.order}: "
                "gates stand in the file in the order in which they are crossed"
            )
        for key, wanted in (("center", dim), ("size", dim - isinstance(keys, Gate))):
            value = getattr(zone, key)
            if len(value) != wanted and not (key == "size" and zone.radius > 0.0):
                faults.append(f"{place}.{key}: expected {wanted} number{'s' * (wanted > 1)}, got {show(list(value))}")
        if zone.name in [other.name for other in zones]:
            faults.append(f'{place}.name: expected a name of its own, got "{zone.name}" once more')
        zones.append(zone)
    return zones


def _zone(keys: Gate | Area, index: int) -> Zone:
    center, size = tuple(keys.center), tuple(keys.size)
    if isinstance(keys, Area):
        return Zone("area", keys.name or f"area {index}", center, size)
    name = keys.name or f"gate {keys.order}"
    return Zone("gate", name, center, size, keys.radius or 0.0, math.radians(keys.yaw), keys.order)
