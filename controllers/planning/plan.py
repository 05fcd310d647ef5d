"""A plan: for each station along the way, where every slot should be and how fast the frame may run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from swarm.state import Floats, Ints
from swarm.worlds.kept import Kept

if TYPE_CHECKING:
    from swarm.worlds.world import World
    from swarm.worlds.zones import Zone

STATION = 0.1  # m between stations
MOST_STATIONS = 3_000
ROOMY = 0.1  # m to spare with which a formation stays rigid


@dataclass(frozen=True)
class Manner:
    """How to plan; see Formation for the meaning of each."""

    cruise: float  # m/s
    clearance: float  # m
    apart: float  # m between centres
    stiffness: float  # m^4
    toll: float  # 1/m^2
    rounding: float  # m
    turning: float  # m
    surface_margin: float  # m of clearance
    pair_margin: float  # m between centres
    braking: float  # m/s^2
    delay: float  # s
    fastest: float  # m/s
    sideways: float  # m/s^2
    along: float  # m/s^2
    radius: float  # m


@dataclass(frozen=True, eq=False)
class Plan:
    """Lanes and pace by station; stations are `spacing` apart on the centre's way."""

    spacing: float  # m
    lanes: Floats  # (K, N, D) m
    speed: Floats  # (K,) m/s of the frame
    line: Floats  # (M, D) m, the centre's way; may begin before the first station and end after the last
    first: int = 0  # place of the first station in the line


_plans: Kept[tuple[Plan, ...]] = Kept(8)


def make_plans(
    world: World,
    slots: Floats,
    way: Floats,
    speed: Floats | None,
    given: bool,
    manner: Manner,
    trails: Sequence[Floats],
    gates: tuple[Zone, ...] = (),
) -> tuple[Plan, ...]:
    """Plan for a formation, or the same plans as before when all is as it was.

    Where there is room the formation is rigid (see rigid); else it winds through like a train (see winding).

    Args:
        world: Where.
        slots: (N, D) m, centroid at the origin, +x forward.
        way: (K, D) m, start, any way-points, end of the centre's way.
        speed: (K - 1,) m/s wanted on each leg; None for cruise.
        given: Whether the way-points are the task's own; else a way around the obstacles is sought from start to end.
        manner: How.
        trails: (M, D) m each, free lines that end at the start, such as the one on which the swarm came.
        gates: To be crossed by all where the centre crosses them.

    Returns:
        Plans to fly one after the other, each from rest to rest.
    """
    key = (slots.tobytes(), way.tobytes(), None if speed is None else speed.tobytes(), given, manner, gates)
    wanted = np.full(len(way) - 1, manner.cruise) if speed is None else speed
    return _plans.get(
        world,
        (*key, *(trail.tobytes() for trail in trails)),
        lambda: _roomiest(world, slots, way, wanted, given, manner, trails, gates),
    )


def _roomiest(
    world: World, slots: Floats, way: Floats, wanted: Floats, given: bool, manner: Manner, trails: Sequence[Floats],
    gates: tuple[Zone, ...],
) -> tuple[Plan, ...]:  # fmt: skip
    """The rigid plan where it has room to spare, else that of the two that has more of it."""
    from swarm.controllers.planning.openings import all_through
    from swarm.controllers.planning.rigid import rigid
    from swarm.controllers.planning.winding import winding

    plans: tuple[Plan, ...] = (rigid(world, slots, way, wanted, given, manner),)
    through = all(all_through(gates, plan.line, plan.lanes) for plan in plans)
    spare = spared(world, plans, slots, manner)
    if spare < ROOMY or not through:
        others = winding(world, slots, way, wanted, manner, trails, gates)
        plans = others if not through or spared(world, others, slots, manner) > spare else plans
    return plans


def spared(world: World, plans: tuple[Plan, ...], slots: Floats, manner: Manner) -> float:
    """m by which plans keep more from surfaces and between slots than the barrier asks for, at their tightest."""
    near = min(float(world.clearance(plan.lanes)[0].min()) for plan in plans) - manner.radius - manner.surface_margin
    pairs = np.triu_indices(len(slots), 1)
    if len(pairs[0]) == 0:
        return near
    own = float(_gaps(slots, pairs).min())
    gap = min(float(_gaps(plan.lanes, pairs).min()) for plan in plans) - min(manner.pair_margin, 0.9 * own)
    return min(near, gap)


def _gaps(places: Floats, pairs: tuple[Ints, Ints]) -> Floats:
    """Distances (..., P) m between pairs of places (..., N, D)."""
    offset = places[..., pairs[0], :] - places[..., pairs[1], :]
    return np.asarray(np.sqrt((offset * offset).sum(axis=-1)))


def station(way: Floats) -> float:
    """m between the stations of a way."""
    length = float(np.sqrt((np.diff(way, axis=0) ** 2).sum(axis=1)).sum())
    return max(STATION, length / MOST_STATIONS)
