"""Which way faces are wound: whether they close, and outward where they do."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from swarm.errors import BadInput
from swarm.state import Bools, Floats, Ints

THIN = 1e-10  # share of area times diagonal below which a closed mesh has no volume


class _Edges(NamedTuple):
    """Where faces meet."""

    balanced: bool  # every edge is passed as often one way as the other
    pairs: Ints  # (P, 2) faces that share an edge with nobody else
    opposed: Bools  # (P,) whether they pass it in opposite ways, as neighbours on one side do


def _edges(faces: Ints, vertices: int) -> _Edges:
    start, end = faces.ravel(), np.roll(faces, -1, axis=1).ravel()
    key = np.minimum(start, end) * vertices + np.maximum(start, end)
    order = key.argsort(kind="stable")
    key = key[order]
    forward = np.where(start < end, 1, -1)[order]
    first = np.flatnonzero(np.concatenate(([True], key[1:] != key[:-1])))
    count = np.diff(np.concatenate((first, [len(key)])))
    two = first[count == 2]
    pairs = np.stack((order[two] // 3, order[two + 1] // 3), axis=1)
    balanced = not np.add.reduceat(forward, first).any()
    return _Edges(balanced, pairs, forward[two] != forward[two + 1])


def orient(faces: Ints, vertices: int) -> tuple[Ints, bool]:
    """Faces wound one way throughout each part, and whether they are closed then."""
    if len(faces) == 0:
        return faces, False
    edges = _edges(faces, vertices)
    if edges.balanced or 2 * len(edges.pairs) < 3 * len(faces):
        return faces, edges.balanced
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    # Each face has two nodes, as it is and turned; those that go together are connected. The two sides of a part that
    # can be wound one way are two components, of which the one with the smaller number is taken.
    count, (one, two) = len(faces), edges.pairs.T
    turn = np.where(edges.opposed, 0, count)
    rows, columns = np.concatenate((one, one + count)), np.concatenate((two + turn, two + count - turn))
    graph = coo_array((np.ones(len(rows), np.bool_), (rows, columns)), shape=(2 * count, 2 * count))
    label = connected_components(graph, directed=False)[1]
    turned = label[:count] > label[count:]
    faces = np.where(turned[:, None], faces[:, ::-1], faces)
    return faces, _edges(faces, vertices).balanced


def outward(vertices: Floats, faces: Ints) -> Ints:
    """Closed faces with every part wound outward that is not a cavity of another."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    one, two = _edges(faces, len(vertices)).pairs.T
    graph = coo_array((np.ones(len(one), np.bool_), (one, two)), shape=(len(faces), len(faces)))
    parts, label = connected_components(graph, directed=False)
    corners = vertices[faces] - vertices.mean(axis=0)
    volumes = np.einsum("ij,ij->i", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])) / 6.0
    volume = np.bincount(label, volumes, parts).astype(np.float64)
    sides = np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1)
    if np.abs(volume).max() <= THIN * float(sides.sum()) * float(np.linalg.norm(np.ptp(vertices, axis=0))):
        raise BadInput("file: expected a solid or an open sheet, got a closed mesh that holds no volume")
    wrong = (volume < 0.0) & ~_cavities(corners, label, volume)
    return np.where(wrong[label][:, None], faces[:, ::-1], faces)


def _cavities(corners: Floats, label: Ints, volume: Floats) -> Bools:
    """Which parts are wound inward and lie in one that is wound outward."""
    found = np.zeros(len(volume), np.bool_)
    if not ((volume < 0.0).any() and (volume > 0.0).any()):
        return found
    low, high = np.full((len(volume), 3), np.inf), np.full((len(volume), 3), -np.inf)
    np.minimum.at(low, label, corners.min(axis=1))
    np.maximum.at(high, label, corners.max(axis=1))
    for part in np.flatnonzero(volume < 0.0):
        around = (volume > 0.0) & (low <= low[part]).all(axis=1) & (high >= high[part]).all(axis=1)
        if around.any():
            point = corners[np.argmax(label == part), 0]
            found[part] = _windings(corners[around[label]] - point) > 0.5
    return found


def _windings(corners: Floats) -> float:
    """How often triangles (F, 3, 3) wind around the origin: their solid angles (van Oosterom and Strackee 1983)."""
    a, b, c = (corners[:, k] for k in range(3))
    p, q, r = (np.linalg.norm(corners[:, k], axis=1) for k in range(3))
    volume = np.einsum("ij,ij->i", a, np.cross(b, c))
    dots = [np.einsum("ij,ij->i", *pair) for pair in ((a, b), (b, c), (c, a))]
    return float(np.arctan2(volume, p * q * r + dots[0] * r + dots[1] * p + dots[2] * q).sum() / (2.0 * np.pi))
