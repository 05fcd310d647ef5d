"""A world's surfaces as solids with colours."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from swarm.eyes.solids import Solid, box, cylinder, joined, mesh, quad, ring, sphere
from swarm.state import Floats
from swarm.worlds.geometry import Plane
from swarm.worlds.obstacles import Obstacle
from swarm.worlds.world import World
from swarm.worlds.zones import Zone

Color = tuple[float, float, float]

TALL = 1.0  # m, height that flat worlds are given
BEYOND = 1000.0  # m, how far a floor without walls is drawn outside the bounds
GRASS: Color = (0.78, 0.81, 0.73)
CEILING: Color = (1.0, 1.0, 1.0)  # no sun shines on it
_WALL: Color = (0.84, 0.85, 0.86)
_KINDS: dict[str, Color] = {
    "cylinder": (0.60, 0.48, 0.36), "box": (0.71, 0.66, 0.60), "sphere": (0.62, 0.64, 0.48), "mesh": (0.72, 0.68, 0.62),
}  # fmt: skip
MOVER: Color = (0.80, 0.52, 0.30)


class Thing(NamedTuple):
    """One thing to put on a stage, in its own frame."""

    solid: Solid
    color: Color
    label: int  # segmentation
    center: Floats  # (3,) m
    both_sides: bool = False  # seen from behind too


def lifted(point: Floats | tuple[float, ...], height: float = 0.0) -> Floats:
    """(3,) m of a point in a world of two or three dimensions."""
    return np.array([*point, height][:3], dtype=np.float64)


def obstacle_thing(obstacle: Obstacle, index: int, large: bool = False) -> Thing:
    """An obstacle; each has a shade of its own, so that one can be told from the next.

    Args:
        obstacle: Of any kind.
        index: Of its surface.
        large: Whether it is for large pictures. Bullet's renderer goes over the whole box around each triangle, so
            that long thin ones are slow there; in small pictures it is their number that counts.
    """
    flat = len(obstacle.center) == 2
    if obstacle.kind == "box":
        solid = box((*obstacle.size, TALL)[:3]).turned(obstacle.rotation)
    elif obstacle.kind == "cylinder" or flat:
        height = TALL if flat else obstacle.height
        pieces = int(np.clip(round(height / (2.5 * obstacle.radius)), 1, 6))
        solid = cylinder(obstacle.radius, height, 16, pieces) if large else cylinder(obstacle.radius, height)
        solid = solid if flat else solid.turned(obstacle.rotation)
    elif obstacle.kind == "sphere":
        solid = sphere(obstacle.radius)
    else:
        assert obstacle.mesh is not None
        solid = mesh(obstacle.mesh.vertices, obstacle.mesh.faces).turned(obstacle.rotation)
    color = MOVER if obstacle.motion is not None else _KINDS[obstacle.kind]
    shade = 0.88 + 0.24 * ((0.618034 * (index + 1)) % 1.0)
    bright = tuple(min(1.0, shade * part) for part in color)
    double = obstacle.mesh is not None and not obstacle.mesh.closed
    return Thing(solid, bright, index, lifted(obstacle.center, TALL / 2.0), double)  # type: ignore[arg-type]


def plane_things(world: World) -> Iterator[tuple[Plane, Thing]]:
    """Floor, ceiling and walls, seen from inside only: cameras may look in from outside."""
    low, high = lifted(world.bounds[0]), lifted(world.bounds[1], TALL)
    for index, plane in enumerate(world.planes, start=len(world.obstacles)):
        begin, end = low.copy(), high.copy()
        if world.boundary != "walls":
            begin[:2] -= BEYOND
            end[:2] += BEYOND
        color = (GRASS if plane.inward > 0 else CEILING) if plane.axis == 2 else _shaded_wall(plane)
        yield plane, Thing(rectangle(begin, end, plane), color, index, np.zeros(3))


def rectangle(low: Floats, high: Floats, plane: Plane) -> Solid:
    """The side of a box (3,), (3,) m that lies in a plane, seen from inside."""
    one, two = ((plane.axis + 1) % 3, (plane.axis + 2) % 3)
    corners = np.empty((4, 3))
    corners[:, plane.axis] = plane.position
    corners[:, one] = low[one], high[one], high[one], low[one]
    corners[:, two] = low[two], low[two], high[two], high[two]
    return quad(corners if plane.inward > 0 else corners[::-1])


def _shaded_wall(plane: Plane) -> Color:
    shade = 0.97 if plane.axis == 0 else 1.0
    red, green, blue = (shade * part for part in _WALL)
    return red, green, blue


def zone_solid(zone: Zone, thickness: float) -> Solid:
    """A thin frame around a gate's opening or along the edges of an area, about its centre."""
    if zone.kind == "gate":
        turn = np.array(
            [[np.cos(zone.yaw), -np.sin(zone.yaw), 0.0], [np.sin(zone.yaw), np.cos(zone.yaw), 0.0], [0.0, 0.0, 1.0]]
        )
        if zone.radius > 0.0:
            return ring(zone.radius + thickness / 2.0, thickness).turned(turn)
        width, height = (*zone.size, TALL)[:2]
        sides = [
            box((thickness, thickness, height + 2 * thickness)).moved((0.0, sign * (width + thickness) / 2.0, 0.0))
            for sign in (-1, 1)
        ]
        beams = [
            box((thickness, width, thickness)).moved((0.0, 0.0, sign * (height + thickness) / 2.0)) for sign in (-1, 1)
        ]
        return joined(*sides, *beams).turned(turn)
    size = np.array((*zone.size, TALL)[:3])
    edges = []
    for axis in range(3):
        bar = np.full(3, thickness)
        bar[axis] = size[axis]
        one, two = (axis + 1) % 3, (axis + 2) % 3
        for a in (-0.5, 0.5):
            for b in (-0.5, 0.5):
                offset = np.zeros(3)
                offset[one], offset[two] = a * size[one], b * size[two]
                edges.append(box(bar.tolist()).moved(offset))
    return joined(*edges)


def target_solid(radius: float) -> Solid:
    """A hoop that lies flat about the target, and a small ball in it."""
    lying = np.array([[0.0, 0.0, -1.0], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0]])
    return joined(ring(radius, 0.04 * radius + 0.02).turned(lying), sphere(0.08 * radius + 0.04, 12))
