"""The outline of an obstacle as seen along one axis."""

from __future__ import annotations

import numpy as np

from swarm.state import Floats
from swarm.worlds.obstacles import Obstacle

_CIRCLE = np.linspace(0.0, 2.0 * np.pi, 48, endpoint=False)
_CORNERS = np.array([[x, y, z] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])
CELLS = 256  # a mesh is drawn to one part in this many of its extent; finer triangles cannot be seen


def outline(obstacle: Obstacle, axes: tuple[int, int]) -> Floats:
    """Silhouette of a box, sphere or cylinder.

    Args:
        obstacle: Not a mesh.
        axes: The two world axes of the picture.

    Returns:
        (K, 2) m, corners of a convex polygon.
    """
    center = place(obstacle)
    if obstacle.kind == "sphere":
        ring = np.stack([np.cos(_CIRCLE), np.sin(_CIRCLE)], axis=1)
        return np.asarray(center[list(axes)] + obstacle.radius * ring)
    if obstacle.kind == "box":
        size = np.zeros(3)
        size[: len(obstacle.size)] = obstacle.size
        solid = _CORNERS * size
    else:
        ring = obstacle.radius * np.stack([np.cos(_CIRCLE), np.sin(_CIRCLE), np.zeros(len(_CIRCLE))], axis=1)
        half = np.array([0.0, 0.0, obstacle.height / 2.0])
        solid = np.concatenate([ring - half, ring + half])
    return hull((solid @ obstacle.rotation.T + center)[:, axes])


def triangles(obstacle: Obstacle, axes: tuple[int, int]) -> Floats:
    """(F, 3, 2) m, the triangles of a mesh in the picture; together they cover its true silhouette."""
    assert obstacle.mesh is not None
    return coarse(obstacle.vertices()[:, axes][obstacle.mesh.faces])


def coarse(flat: Floats) -> Floats:
    """Triangles (F, 3, 2) m that cover what the given ones do, to what a picture can show.

    Those without an area are left out. Where there are many, corners nearer to each other than can be seen become one
    and triangles that then coincide are drawn once, so that millions of faces stay drawable.
    """
    if len(flat) == 0:
        return flat
    low = flat.min(axis=(0, 1))
    step = max(float((flat.max(axis=(0, 1)) - low).max()) / CELLS, 1e-9)
    many = len(flat) > 20_000
    corners = np.rint((flat - low) / step).astype(np.int64) if many else flat
    first, second = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    seen = np.abs(first[:, 0] * second[:, 1] - first[:, 1] * second[:, 0]) > 1e-12
    if not many:
        return np.asarray(flat[seen])
    keys = corners[seen] @ np.array([CELLS * 2, 1])
    unique = np.unique(np.sort(keys, axis=1), axis=0)
    return np.asarray(np.stack([unique // (CELLS * 2), unique % (CELLS * 2)], axis=-1) * step + low)


def place(obstacle: Obstacle) -> Floats:
    """(3,) m, the centre; z is 0 in a world of two dimensions."""
    center = np.zeros(3)
    center[: len(obstacle.center)] = obstacle.center
    return center


def hull(points: Floats) -> Floats:
    """Convex hull in the plane, counter-clockwise (A. M. Andrew 1979, monotone chain); (P, 2) to (K, 2)."""
    ordered = sorted(set(map(tuple, points.tolist())))
    if len(ordered) < 3:
        return np.asarray(ordered, dtype=float)

    def chain(sequence: list[tuple[float, ...]]) -> list[tuple[float, ...]]:
        kept: list[tuple[float, ...]] = []
        for x, y in sequence:
            while len(kept) > 1:
                (ax, ay), (bx, by) = kept[-2], kept[-1]
                if (bx - ax) * (y - ay) - (by - ay) * (x - ax) > 1e-12:
                    break
                kept.pop()
            kept.append((x, y))
        return kept[:-1]

    return np.asarray(chain(ordered) + chain(ordered[::-1]), dtype=float)


def extent(obstacle: Obstacle) -> Floats:
    """(2, 3) m, lowest and highest corner of the box along the axes around an obstacle."""
    if obstacle.kind == "mesh":
        vertices = obstacle.vertices()
        return np.stack([vertices.min(axis=0), vertices.max(axis=0)])
    if len(obstacle.center) == 2:
        flat = outline(obstacle, (0, 1))
        return np.stack([[*flat.min(axis=0), 0.0], [*flat.max(axis=0), 0.0]])
    plan, side = outline(obstacle, (0, 1)), outline(obstacle, (0, 2))
    return np.stack([[*plan.min(axis=0), side[:, 1].min()], [*plan.max(axis=0), side[:, 1].max()]])
