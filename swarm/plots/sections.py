"""Obstacles cut by a level plane: what is solid there, what lies lower and what hangs over it."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np
from matplotlib.path import Path

from swarm.plots.cutting import chains, meet, segments
from swarm.plots.silhouettes import outline
from swarm.plots.solids import faces
from swarm.state import Floats
from swarm.worlds.obstacles import Obstacle

_POINTS = np.array([[a, b, 12 - a - b] for a in range(1, 11, 3) for b in range(1, 12 - a, 3)]) / 12.0  # barycentric


class Section(NamedTuple):
    """One obstacle, seen from above and cut at a height."""

    rings: list[Floats]  # (K, 2) m each, closed; solid to the left, so those around holes run clockwise
    lines: list[Floats]  # (K, 2) m each, where a surface that is not closed is cut
    lower: Floats  # (F, 3, 2) m, triangles that cover what is lower
    upper: Floats  # (F, 3, 2) m, triangles that cover what is higher


def section(obstacle: Obstacle, height: float) -> Section:
    """Cut an obstacle of a world of three dimensions at a height in m."""
    if obstacle.kind == "sphere":
        return _ball(obstacle, height)
    if obstacle.kind != "mesh" and obstacle.rotation[2, 2] > 1.0 - 1e-12:
        return _upright(obstacle, height)
    corners = triangles_of(obstacle)
    rings, lines = chains(segments(corners, height))
    return Section(rings, lines, _part(corners, height, -1.0), _part(corners, height, 1.0))


_NONE = np.empty((0, 3, 2))


def _ball(obstacle: Obstacle, height: float) -> Section:
    disc, above = outline(obstacle, (0, 1)), height - obstacle.center[2]
    whole = _fan(*disc[:, None])
    lower = np.concatenate(whole) if above >= 0.0 else _NONE
    upper = np.concatenate(whole) if above < 0.0 else _NONE
    share = 1.0 - (above / obstacle.radius) ** 2
    middle = np.array(obstacle.center[:2])
    return Section([middle + np.sqrt(share) * (disc - middle)] if share > 0.0 else [], [], lower, upper)


def _upright(obstacle: Obstacle, height: float) -> Section:
    """A box or cylinder that stands upright: its cut, where there is one, covers all of it."""
    plan, rise = outline(obstacle, (0, 1)), outline(obstacle, (0, 2))[:, 1]
    whole = np.concatenate(_fan(*plan[:, None]))
    if height > rise.max():
        return Section([], [], whole, _NONE)
    if height < rise.min():
        return Section([], [], _NONE, whole)
    return Section([plan], [], _NONE, _NONE)


def beyond(triangles: Floats, rings: list[Floats]) -> bool:
    """Whether triangles (F, 3, 2) m cover anything outside of rings; looks at some points of each."""
    if len(triangles) == 0 or not rings:
        return len(triangles) > 0
    first, second = triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0]
    twice = np.abs(first[:, 0] * second[:, 1] - first[:, 1] * second[:, 0])
    largest = triangles[np.argsort(-twice, kind="stable")[: min(300, int((twice > 1e-6).sum()))]]
    points = np.einsum("pk,fkd->fpd", _POINTS, largest).reshape(-1, 2)
    inside = np.zeros(len(points), np.int64)
    for ring in rings:
        turn = np.roll(ring, -1, axis=0)
        solid = (ring[:, 0] * turn[:, 1] - ring[:, 1] * turn[:, 0]).sum() > 0.0
        inside += np.where(Path(ring).contains_points(points), 1 if solid else -1, 0)
    return bool((inside <= 0).any())


def triangles_of(obstacle: Obstacle) -> Floats:
    """(F, 3, 3) m, the surface of any obstacle, outward by the right-hand rule where it is closed."""
    if obstacle.mesh is not None:
        return np.asarray(obstacle.vertices()[obstacle.mesh.faces])
    quads, normals = faces(obstacle, 1e9)
    split = np.concatenate([quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]])
    turned = np.cross(split[:, 1] - split[:, 0], split[:, 2] - split[:, 0])
    inward = (turned * np.concatenate([normals, normals])).sum(axis=1) < 0.0
    split[inward] = split[inward][:, ::-1]
    return np.asarray(split[np.linalg.norm(turned, axis=1) > 0.0])


def _part(corners: Floats, height: float, side: float) -> Floats:
    """(F, 3, 2) m, what of the triangles is below (-1) or above (+1) the plane, in plan."""
    over = side * (corners[:, :, 2] - height)
    inside = over > 0.0
    whole = inside.all(axis=1)
    parts = [corners[whole][:, :, :2]]
    for count in (1, 2):
        some = inside.sum(axis=1) == count
        if not some.any():
            continue
        chosen, within = corners[some], inside[some]
        alone = within.argmax(axis=1) if count == 1 else (~within).argmax(axis=1)
        rows = np.arange(len(chosen))[:, None]
        a, b, c = np.moveaxis(chosen[rows, (alone[:, None] + np.arange(3)) % 3], 1, 0)
        ab, ac = meet(a, b, height), meet(c, a, height)
        if count == 1:
            parts.append(np.stack([a[:, :2], ab, ac], axis=1))
        else:
            for three in _fan(ab, b[:, :2], c[:, :2], ac):
                parts.append(three)
    return np.concatenate(parts)


def _fan(*corners: Floats) -> list[Floats]:
    """Triangles (F, 3, 2) that make up polygons, given their corners (F, 2) in turn."""
    return [np.stack([corners[0], b, c], axis=1) for b, c in pairwise(corners[1:])]
