"""Time to find the ways to a target, and to follow them, in a hall of 40 x 12 x 4 m with boxes, meshes and movers."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable, Iterator

import numpy as np

from swarm.benchmarks import Row
from swarm.worlds import Mesh, Obstacle, World
from swarm.worlds.motion import Motion

TARGET, MARGIN = (39.0, 0.0, 2.0), 0.3  # m
AGENTS = 5


def hall(seed: int = 0) -> World:
    """Twenty turned boxes, two balls and two rings of 1,280 and 2,048 triangles, and ten pillars that move."""
    import trimesh

    rng = np.random.default_rng(seed)
    parts = [
        Obstacle(
            "box", tuple(rng.uniform([2.0, -5.0, 0.5], [38.0, 5.0, 3.5])), f"box {k}",
            size=tuple(rng.uniform(0.4, 2.5, 3)), rpy=(0.0, 0.0, float(rng.uniform(0.0, np.pi))),
        )
        for k in range(20)
    ]  # fmt: skip
    for k in range(4):
        ring = trimesh.creation.torus(1.2, 0.25)
        solid = ring if k % 2 else trimesh.creation.icosphere(subdivisions=3, radius=0.8)
        form = Mesh("made", np.array(solid.vertices, dtype=np.float64), np.array(solid.faces, dtype=np.int64), True)
        place = tuple(rng.uniform([4.0, -4.0, 1.0], [36.0, 4.0, 3.0]))
        parts.append(Obstacle("mesh", place, f"mesh {k}", rpy=tuple(rng.uniform(-np.pi, np.pi, 3)), mesh=form))
    for k in range(10):
        start, end = (5.0 + 3.0 * k, 0.0, 2.0), (5.0 + 3.0 * k, 4.0, 2.0)
        parts.append(Obstacle("box", start, f"pillar {k}", size=(0.5, 0.5, 4.0), motion=Motion(start, (end,), 0.5)))
    return World("hall", np.array([[0.0, -6.0, 0.0], [40.0, 6.0, 4.0]]), "walls", True, tuple(parts))


def _fastest_ms(call: Callable[[int], object], rounds: int = 9) -> float:
    """The least of some runs: whatever else the machine does only adds."""
    runs = []
    for number in range(rounds):
        start = time.perf_counter()
        call(number)
        runs.append(time.perf_counter() - start)
    return min(runs) * 1e3


def measure() -> Iterator[Row]:
    """A row for each kind of search, and one for following."""
    world, target = hall(), np.array(TARGET)
    still = [dataclasses.replace(world.still) for _ in range(9)]
    for fresh in still:
        _ = fresh.geometry
    route = world.route(target, MARGIN)  # compiles
    nodes = f"{route.grid.count:,} nodes"
    first = _fastest_ms(lambda number: still[number].route(target, MARGIN))
    yield Row(f"route in a hall, {nodes}, boxes and meshes", f"{first:.0f} ms", "150 ms", first <= 150)
    another = _fastest_ms(lambda number: still[0].route(target + [0.0, 0.3 * (number - 4.5), 0.0], MARGIN))
    yield Row("route to another target", f"{another:.0f} ms", "120 ms", another <= 120)
    moved = _fastest_ms(lambda number: world.at(0.5 + number).route(target, MARGIN))
    yield Row("route after ten obstacles have moved", f"{moved:.0f} ms", "150 ms", moved <= 150)
    points = np.linspace([1.0, -1.0, 1.0], [30.0, 4.0, 3.0], AGENTS)
    repeats = 2000
    follow = _fastest_ms(lambda _: [route.toward(points) for _ in range(repeats)]) / repeats * 1e3
    yield Row(f"distance and direction of {AGENTS} drones", f"{follow:.1f} us", "10 us", follow <= 10)
