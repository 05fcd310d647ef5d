"""Obstacles cut by a level plane: what is solid there, what lies lower and what hangs over it."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np
from matplotlib.path import Path

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
    corners = triangles_of(obstacle)
    rings, lines = _chains(_segments(corners, height))
    return Section(rings, lines, _part(corners, height, -1.0), _part(corners, height, 1.0))


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


def _segments(corners: Floats, height: float) -> Floats:
    """(S, 2, 2) m, where triangles are cut: from start to end with the outside on the right."""
    above = corners[:, :, 2] >= height  # a corner in the plane counts as above it, in every triangle that has it
    some = above.any(axis=1) & ~above.all(axis=1)
    corners, above = corners[some], above[some]
    if len(corners) == 0:
        return np.empty((0, 2, 2))
    # Turn each triangle until the corner that is alone on its side comes first.
    alone = np.where(above.sum(axis=1) == 1, above.argmax(axis=1), (~above).argmax(axis=1))
    rows = np.arange(len(corners))[:, None]
    turned = corners[rows, (alone[:, None] + np.arange(3)) % 3]
    first = _meet(turned[:, 0], turned[:, 1], height)
    second = _meet(turned[:, 2], turned[:, 0], height)
    lone_above = above[rows[:, 0], alone]
    return np.where(lone_above[:, None, None], np.stack([first, second], 1), np.stack([second, first], 1))


def _meet(a: Floats, b: Floats, height: float) -> Floats:
    """(S, 2) m, where edges cross the plane; the same bits whichever end of an edge is given first."""
    swap = (a[:, 2] > b[:, 2])[:, None]
    low, high = np.where(swap, b, a), np.where(swap, a, b)
    share = (height - low[:, 2:]) / (high[:, 2:] - low[:, 2:])
    return np.asarray(low[:, :2] + share * (high[:, :2] - low[:, :2]))


def _chains(segments: Floats) -> tuple[list[Floats], list[Floats]]:
    """Segments joined end to start: closed rings, and open lines."""
    keys = np.round(segments, 7) + 0.0
    following: dict[tuple[float, float], list[int]] = {}
    kept = np.flatnonzero((keys[:, 0] != keys[:, 1]).any(axis=1)).tolist()
    for k in kept:
        following.setdefault(tuple(keys[k, 0]), []).append(k)
    ends = {tuple(keys[k, 1]) for k in kept}
    # Lines that begin nowhere are followed first, or they would be entered in their middle.
    order = sorted(kept, key=lambda k: tuple(keys[k, 0]) in ends)
    used = np.zeros(len(segments), bool)
    rings: list[Floats] = []
    lines: list[Floats] = []
    for k in order:
        if used[k]:
            continue
        points, current = [segments[k, 0]], k
        while True:
            used[current] = True
            points.append(segments[current, 1])
            further = [j for j in following.get(tuple(keys[current, 1]), ()) if not used[j]]
            if not further:
                break
            current = further[0]
        closed = tuple(keys[current, 1]) == tuple(keys[k, 0])
        (rings if closed and len(points) > 3 else lines).append(np.array(points))
    return rings, lines


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
        ab, ac = _meet(a, b, height), _meet(c, a, height)
        if count == 1:
            parts.append(np.stack([a[:, :2], ab, ac], axis=1))
        else:
            for three in _fan(ab, b[:, :2], c[:, :2], ac):
                parts.append(three)
    return np.concatenate(parts)


def _fan(*corners: Floats) -> list[Floats]:
    """Triangles (F, 3, 2) that make up polygons, given their corners (F, 2) in turn."""
    return [np.stack([corners[0], b, c], axis=1) for b, c in pairwise(corners[1:])]
