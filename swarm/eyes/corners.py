"""Where a camera that stands still has a whole flight in its picture."""

from __future__ import annotations

import numpy as np

from swarm.eyes.footage import Footage
from swarm.eyes.lens import Lens
from swarm.eyes.scenery import TALL, lifted
from swarm.state import Bools, Floats
from swarm.worlds.world import World

SIDES = (52.0, -52.0, 28.0, -28.0, 78.0, -78.0)  # degrees to the left of the way in which a camera in a corner may look
MOST = 0.4  # share of a world's area beyond which a flight is shown with all of the world
HEIGHTS = (33.0, 46.0, 60.0)  # degrees that it may look down; the first is liked best


def reach(footage: Footage) -> float:
    """m, farther than anything of the world that can be seen from in it."""
    size = float(np.linalg.norm(footage.world.bounds[1] - footage.world.bounds[0]))
    return max(1.5 * size, 50.0) if footage.world.boundary == "walls" else max(3.0 * size, 300.0)


def extent(footage: Footage) -> Floats:
    """(2, 3) m, box around the flight and its target with some or all of the world about it."""
    points = footage.position.reshape(-1, 3)
    if footage.target is not None:
        points = np.concatenate([points, footage.target[None]])
    low, high = points.min(axis=0), points.max(axis=0)
    pad = 1.0 + 0.06 * float((high - low).max())
    low[:2] -= pad
    high[:2] += pad
    bounds, dim = footage.world.bounds, footage.world.dim
    if dim == 3:
        low[2] = max(bounds[0, 2], low[2] - 3.0)
    low[:2], high[:2] = np.maximum(low[:2], bounds[0, :2]), np.minimum(high[:2], bounds[1, :2])
    if np.prod(high[:2] - low[:2]) > MOST * np.prod(bounds[1, :2] - bounds[0, :2]):
        low[:2], high[:2] = bounds[0, :2], bounds[1, :2]
    return np.stack([np.minimum(low, high - 0.5), high])


def top(footage: Footage, shape: float) -> Lens:
    """Straight down on the whole flight, from so high that it hardly leans; x to the right."""
    return _around(extent(footage), np.array([0.0, 0.0, -1.0]), np.array([0.0, 1.0, 0.0]), 14.0, shape)


def corner(footage: Footage, shape: float) -> Lens:
    """From behind the start, beside the way and above it, on the whole flight, from where most of it is seen."""
    way = footage.position[-1].mean(axis=0) - footage.position[0].mean(axis=0)
    if footage.target is not None:
        way = footage.target - footage.position[0].mean(axis=0)
    course = np.arctan2(way[1], way[0]) if np.hypot(way[0], way[1]) > 1.0 else 0.0
    box, up = extent(footage), np.array([0.0, 0.0, 1.0])
    some = np.linspace(0, len(footage.time) - 1, 24).astype(int)
    points = footage.position[some].mean(axis=1)
    best, most = None, -np.inf
    for height in HEIGHTS:
        for side in SIDES:
            azimuth, elevation = course + np.radians(side), np.radians(height)
            level = np.cos(elevation)
            ahead = np.array([np.cos(azimuth) * level, np.sin(azimuth) * level, -np.sin(elevation)])
            lens = _around(box, ahead, up, 40.0, shape)
            liked = float(seen(footage.world, points, lens.eye).mean()) - 0.004 * (height - HEIGHTS[0])
            if liked > most + 0.02:
                best, most = lens, liked
    assert best is not None
    return best


def seen(world: World, points: Floats, eye: Floats) -> Bools:
    """Which points (K, 3) m no obstacle hides from an eye (3,) m, by sphere tracing; walls and ceiling hide nothing."""
    way = eye - points
    length = np.linalg.norm(way, axis=1)
    gone, going, free = np.full(len(points), 0.1), np.ones(len(points), bool), np.ones(len(points), bool)
    for _ in range(200):
        here = points + (gone / length)[:, None] * way
        inside = ((here >= lifted(world.bounds[0])) & (here <= lifted(world.bounds[1], TALL))).all(axis=1)
        going = going & inside & (gone < length)
        if not going.any():
            break
        room, _, surface = world.nearest(here[:, : world.dim])
        solid = (surface >= 0) & (surface < len(world.obstacles))
        free = free & ~(going & solid & (room < 0.01))
        going = going & free
        gone = np.where(going, gone + np.where(solid, np.minimum(np.maximum(room, 0.01), 1e3), 0.25), gone)
    return free


def _around(box: Floats, ahead: Floats, up: Floats, field_of_view: float, shape: float) -> Lens:
    """The nearest lens that looks in a direction and has all corners of a box (2, 3) in its picture."""
    corners = np.array([[box[i, 0], box[j, 1], box[k, 2]] for i in (0, 1) for j in (0, 1) for k in (0, 1)])
    middle = box.mean(axis=0)
    axes = Lens.at(middle - ahead, middle, field_of_view, 0.1, 1.0, up).axes
    seen = (corners - middle) @ axes.T
    slope = np.tan(np.radians(field_of_view) / 2.0) * np.array([1.0, shape])
    shift = np.zeros(2)
    distance = 1.0
    for _ in range(30):  # the picture's middle moves to the middle of what is seen
        flat = seen[:, :2] - shift
        distance = float(np.max(np.abs(flat) / slope - seen[:, 2:]))
        share = flat / (seen[:, 2:] + distance)
        shift += 0.5 * (share.min(axis=0) + share.max(axis=0)) * distance
    eye = middle + shift @ axes[:2] - 1.04 * distance * ahead
    deep = float(np.ptp(seen[:, 2]))
    return Lens(eye, axes, field_of_view, max(0.05, 0.2 * distance), 3.0 * (distance + deep) + 200.0)
