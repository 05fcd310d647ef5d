"""A world in words, a line at a time."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from swarm.worlds.floor_plan.plan import KINDS, FloorPlan
from swarm.worlds.obstacles import Obstacle
from swarm.worlds.wind import Wind
from swarm.worlds.world import World
from swarm.worlds.zones import Zone

PLURALS = {"box": "boxes", "mesh": "meshes"}
MOST = 12  # lines about things of one kind
ROUND_TRIPS = {"back-and-forth": "there and back", "loop": "round and round", "once": "once"}


def world_lines(world: World) -> Iterator[str]:
    """A world in words."""
    yield f"world {world.name}: {world.dim} dimensions"
    yield line("bounds", ", ".join(f"{axis} {low:g} to {high:g} m" for axis, low, high in zip("xyz", *world.bounds)))
    solid = world.surfaces[len(world.obstacles) :]
    yield line("boundary", world.boundary + (f": {', '.join(solid)}" if solid else ""))
    if world.floor_plan is not None:
        yield from plan_lines(world.floor_plan)
    kinds = Counter(obstacle.kind for obstacle in world.obstacles)
    yield line("obstacles", ", ".join(counted(number, kind) for kind, number in sorted(kinds.items())) or "none")
    names = [obstacle.name for obstacle in world.obstacles]
    if names:
        yield line("", ", ".join(names) if len(names) <= MOST else f"{names[0]}, {names[1]} ... {names[-1]}")
    yield from listed("meshes", _meshes(world.obstacles))
    yield from listed("moving", [_motion(o) for o in world.obstacles if o.motion is not None])
    yield from listed("gates", [_gate(gate) for gate in world.gates])
    areas = [zone.name for zone in world.zones if zone.kind == "area"]
    if areas:
        yield line("areas", ", ".join(areas))
    yield from listed("wind", [_wind(wind) for wind in world.wind])
    yield line("surfaces", str(len(world.surfaces)))
    for notice in world.notices:
        yield line("notice", notice)


def plan_lines(plan: FloorPlan) -> Iterator[str]:
    """A floor plan in words: its cells by kind, and the ways to the goal."""
    rows, columns = plan.shape
    yield line(
        "floor plan", f"{columns:,} × {rows:,} cells of {plan.cell:g} m, {plan.walkable.sum():,} of them walkable"
    )
    counts = ", ".join(f"{(plan.cells == kind).sum():,} {name}" for kind, name in enumerate(KINDS))
    yield line("", f"{counts}; one has arrived on {plan.goal_cells.sum():,}")
    reached = plan.distance[np.isfinite(plan.distance)]
    if len(reached):
        yield line(
            "", f"to the goal {reached.mean():.3g} m on average, {reached.max():g} m at most, over sides of cells"
        )


def listed(word: str, texts: Sequence[str]) -> Iterator[str]:
    """Lines under one word; of many only the first."""
    shown = texts if len(texts) <= MOST else [*texts[: MOST - 1], f"and {len(texts) - MOST + 1} more"]
    for k, text in enumerate(shown):
        yield line("" if k else word, text)


def _wind(wind: Wind) -> str:
    climb = f", {math.degrees(wind.climb):g}° upwards" if wind.climb else ""
    gusts = f", another gust every {wind.gusts.every:g} s" if wind.gusts is not None else ""
    return f"{wind.speed:g} m/s towards {math.degrees(wind.direction):g}°{climb}{gusts}"


def _meshes(obstacles: Sequence[Obstacle]) -> list[str]:
    """One for each mesh, however often it stands in the world."""
    used = Counter(obstacle.mesh for obstacle in obstacles if obstacle.mesh is not None)
    texts = []
    for mesh, times in used.items():
        name = Path(mesh.file).name
        again = f"{times} × " if times > 1 else ""
        inside = "watertight" if mesh.closed else "not watertight: a surface without an inside"
        texts.append(f"{again}{name}: {counted(len(mesh.faces), 'face')}, {inside}")
    return texts


def _motion(obstacle: Obstacle) -> str:
    motion = obstacle.motion
    assert motion is not None
    points = np.array([motion.start, *motion.path])
    once = float(np.linalg.norm(np.diff(points, axis=0), axis=1).sum())
    way = f"{point(motion.start)} to {point(motion.path[-1])}"
    if motion.mode == "loop":
        once += float(np.linalg.norm(points[-1] - points[0]))
        way = f"from {point(motion.start)}"
    return f"{obstacle.name}: {motion.speed:g} m/s along {once:.3g} m, {ROUND_TRIPS[motion.mode]}, {way}"


def _gate(gate: Zone) -> str:
    size = f"round, {2 * gate.radius:.3g} m wide" if gate.radius else " × ".join(f"{s:.3g}" for s in gate.size) + " m"
    return f"{gate.name}: {size}, at {point(gate.center)}, crossed {_heading(gate)}"


def _heading(gate: Zone) -> str:
    """Along an axis where it is, else as an angle."""
    for name, axis in (("+x", (1.0, 0.0)), ("-x", (-1.0, 0.0)), ("+y", (0.0, 1.0)), ("-y", (0.0, -1.0))):
        if float(gate.normal[:2] @ axis) > 1.0 - 1e-9:
            return f"along {name}"
    return f"towards {np.degrees(gate.yaw):.3g}°"


def counted(number: int, thing: str) -> str:
    """1 box, 2 boxes."""
    return f"{number:,} {thing if number == 1 else PLURALS.get(thing, thing + 's')}"


def line(word: str, text: str) -> str:
    """One line under a heading."""
    return f"  {word:<11} {text}"


def point(values: Sequence[float] | Any) -> str:
    """(x, y, z) m."""
    return "(" + ", ".join(f"{round(float(value), 3) + 0.0:g}" for value in values) + ") m"
