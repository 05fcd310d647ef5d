"""Where the agents start: a formation turned towards the target, or places drawn at random in free space."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Literal

import numpy as np
from msgspec import Meta

from swarm import formations
from swarm.errors import BadInput
from swarm.formations import Shape
from swarm.others import Nearest, Others, nearest
from swarm.packing import clashes
from swarm.state import Floats

if TYPE_CHECKING:
    from swarm.worlds.world import World

FREE = 1.5  # hull radii that an agent placed at random keeps from surfaces
ROOM = 0.25  # m that a formation placed at random keeps from surfaces
TRIES = 500  # places drawn for a formation
MOST_FAULTS = 5  # lines about agents that cannot start where they should

Point = Annotated[tuple[float, ...], Meta(min_length=2, max_length=3)]


@dataclass(frozen=True)
class Spawn:
    """Where the agents start."""

    shape: Shape | Literal["uniform"] = "uniform"
    spacing: Annotated[float, Meta(gt=0, le=1e5)] = 1.0  # m
    center: Point | None = None  # m; default: the middle of the world
    size: Annotated[tuple[Annotated[float, Meta(ge=0)], ...], Meta(min_length=2, max_length=3)] | None = None
    # m, box around the centre in which places are drawn: of all agents for `uniform` (default: the world's bounds), of
    # the formation's middle for any other shape (default: the centre itself)
    points: tuple[Point, ...] | None = None  # m, for `points`: offsets from the centre
    heading: float | Literal["random"] | None = None  # degrees from +x towards +y; default: towards the target, else 0


def place(
    spawn: Spawn, world: World, count: int, radius: float, target: Floats | None, rng: np.random.Generator, where: str,
    taken: Floats | None = None,
) -> tuple[Floats, Floats]:  # fmt: skip
    """Starting positions and headings.

    Args:
        spawn: The [swarm.spawn] table.
        world: The world of the run.
        count: Number of agents, N.
        radius: m, hull radius; every hull must be free.
        target: (D,) m, what a formation points at; None points along +x.
        rng: For `uniform`.
        where: Prefix of error messages.
        taken: (M, D) m, where others start already.

    Returns:
        Position (N, D) m and heading (N,) rad.

    Raises:
        BadInput: An agent would start inside an obstacle or another agent or outside the world, or there is no room.
    """
    low, high = world.bounds
    center = (low + high) / 2
    if spawn.center is not None:
        if len(spawn.center) != world.dim:
            raise BadInput(f"{where}.center: expected {world.dim} numbers, got {len(spawn.center)}")
        center = np.asarray(spawn.center, dtype=float)
    heading = 0.0
    if target is not None:
        ahead = world.space.displacement(center, target)
        heading = float(np.arctan2(ahead[1], ahead[0]))
    if spawn.shape == "uniform":
        position = _uniform(spawn, world, count, radius, center, rng, where, taken)
    else:
        slots = formations.slots(spawn.shape, count, spawn.spacing, world.dim, spawn.points)
        if spawn.shape == "points":  # a formation's middle is the origin; these are where they were written
            slots = np.zeros_like(slots)
            for slot, point in zip(slots, spawn.points or ()):
                slot[: len(point)] = point[: world.dim]
        slots = turn(slots, heading)
        position = center + slots if spawn.size is None else _somewhere(spawn, world, slots, radius, center, rng, where)
    _check(position, world, radius, where, taken)
    if spawn.heading == "random":
        return position, rng.uniform(-np.pi, np.pi, count)
    if spawn.heading is not None:
        heading = float(np.radians(spawn.heading))
    return position, np.full(count, heading)


def turn(points: Floats, angle: float) -> Floats:
    """Points turned about z by an angle in rad; (N, D) to (N, D)."""
    turned = points.copy()
    cosine, sine = np.cos(angle), np.sin(angle)
    turned[:, 0] = cosine * points[:, 0] - sine * points[:, 1]
    turned[:, 1] = sine * points[:, 0] + cosine * points[:, 1]
    return np.asarray(turned)


def _box(spawn: Spawn, world: World, center: Floats, where: str) -> tuple[Floats, Floats]:
    """Lowest and highest corner of the box in which places are drawn, m."""
    low, high = world.bounds
    if spawn.size is None:
        return low, high
    if len(spawn.size) != world.dim:
        raise BadInput(f"{where}.size: expected {world.dim} numbers, got {len(spawn.size)}")
    half = np.asarray(spawn.size, dtype=float) / 2
    first, last = np.maximum(low, center - half), np.minimum(high, center + half)
    if (first > last).any():
        raise BadInput(f"{where}.center: the box around {center.tolist()} is outside the world")
    return first, last


def _somewhere(
    spawn: Spawn, world: World, slots: Floats, radius: float, center: Floats, rng: np.random.Generator, where: str
) -> Floats:
    """The whole formation at a place drawn at random, every hull free."""
    for place in rng.uniform(*_box(spawn, world, center, where), (TRIES, world.dim)):
        position = place + slots
        outside = world.boundary != "open" and ((position < world.bounds[0]) | (position > world.bounds[1])).any()
        if not outside and (world.clearance(position)[0] > radius + ROOM).all():
            return np.asarray(position)
    raise BadInput(f"{where}: found no place in {TRIES} where all of the formation is free; use a larger size")


def _uniform(
    spawn: Spawn, world: World, count: int, radius: float, center: Floats, rng: np.random.Generator, where: str,
    taken: Floats | None,
) -> Floats:  # fmt: skip
    low, high = _box(spawn, world, center, where)
    apart = max(2.0 * radius, min(spawn.spacing, 6.0 * radius))
    placed = np.empty((0, world.dim))
    for _ in range(200):
        drawn = rng.uniform(low, high, (max(64, 2 * count), world.dim))
        free = drawn[world.clearance(drawn)[0] > FREE * radius]
        if taken is not None and apart > 0.0:
            free = free[_beside(free, taken, world).distance >= apart]
        tried = np.concatenate([placed, free])
        clash = clashes(tried, apart, world.bounds[0], world.space.period, skip=True, most=count)
        placed = tried[: len(clash)][clash < 0]
        if len(placed) == count:
            return placed
    raise BadInput(
        f"{where}: no room for {count} agents {apart:.2f} m apart in free space, only {len(placed)} found a place"
    )


def _beside(position: Floats, taken: Floats, world: World) -> Nearest:
    """Who of those who have a place already is nearest."""
    there = Others(taken, np.zeros_like(taken), np.ones(len(taken), np.bool_))
    return nearest(position, there, world.space.period)


def _check(position: Floats, world: World, radius: float, where: str, taken: Floats | None) -> None:
    low, high = world.bounds
    distance, _, surface = world.nearest(position)
    outside = ((position < low) | (position > high)).any(axis=1) & (world.boundary != "open")
    wrong = np.flatnonzero(outside | (distance <= radius))

    def shown(agent: int) -> str:
        return f"{where}: agent {agent} at {np.round(position[agent], 3).tolist()} is "

    beyond = f"outside the world {low.tolist()} to {high.tolist()}"
    faults = [
        shown(i) + (beyond if outside[i] else f"inside {world.surfaces[surface[i]]}")
        for i in wrong[:MOST_FAULTS].tolist()
    ]
    if len(wrong) == 0:
        clash = clashes(position, 2.0 * radius, low, world.space.period, skip=False)
        wrong = np.flatnonzero(clash >= 0)
        faults = [
            f"{where}: agents {clash[i]} and {i} start inside each other; give them more spacing"
            for i in wrong[:MOST_FAULTS].tolist()
        ]
    if len(wrong) == 0 and taken is not None and radius > 0.0:
        near = _beside(position, taken, world)
        wrong = np.flatnonzero(near.distance < 2.0 * radius)
        faults = [
            f"{where}: agents {near.index[i]} and {len(taken) + i} start inside each other; give them places apart"
            for i in wrong[:MOST_FAULTS].tolist()
        ]
    if len(wrong) > MOST_FAULTS:
        faults.append(f"{where}: ... and {len(wrong) - MOST_FAULTS} more agents")
    if faults:
        raise BadInput(*faults)
