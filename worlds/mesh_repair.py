"""From a soup of triangles to one surface: corners merged, faces mended and wound outward."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from swarm.errors import BadInput
from swarm.state import Bools, Floats, Ints

FLAT = 1e-12  # share of its longest edge squared below which a face has no area
THIN = 1e-10  # share of area times diagonal below which a closed mesh has no volume


class Mended(NamedTuple):
    """What came of a soup of triangles."""

    vertices: Floats  # (V, 3) m
    faces: Ints  # (F, 3), with an area each; outward by the right-hand rule when closed
    closed: bool
    doubles: int  # faces that had been there already
    flat: int  # faces without an area


def mend(vertices: Floats, faces: Ints) -> Mended:
    """Merge corners, drop double faces and those without an area, find out whether it is closed and wind it outward.

    It is closed when every edge is passed as often one way as the other, so that the winding number is a whole number
    everywhere. Of a closed mesh every connected part is wound outward, but for one that is wound inward and lies in
    another: a cavity.

    Args:
        vertices: (V, 3) m, finite where a face uses them.
        faces: (F, 3) corners.

    Raises:
        BadInput: "file: ..." when no face has an area, or all together hold no volume though closed.
    """
    given = len(faces)
    vertices, faces = _merge(vertices, faces)
    a, b, c = faces.T
    faces = faces[(a != b) & (b != c) & (c != a)]
    flat = given - len(faces)
    given = len(faces)
    turned = np.take_along_axis(faces, (faces.argmin(axis=1)[:, None] + np.arange(3)) % 3, axis=1)
    faces = faces[np.sort(_distinct(turned.astype(np.uint64))[0])]
    doubles = given - len(faces)
    faces, closed = _orient(faces, len(vertices))
    if closed:
        faces = _outward(vertices, faces)
    # A sliver between two faces closes the mesh though it has no area, so these go last.
    area = _doubled_areas(vertices, faces)
    good = area > FLAT
    if not good.any():
        raise BadInput("file: expected faces with an area, got none")
    return Mended(vertices, np.ascontiguousarray(faces[good]), closed, doubles, flat + int((~good).sum()))


def _distinct(rows: np.ndarray[tuple[int, ...], np.dtype[np.uint64]]) -> tuple[Ints, Ints]:
    """First index of each distinct row (n, 3), and for every row which of those it is; by hashing, without NaN."""
    mixed = np.zeros(len(rows), np.uint64)
    for column, odd in enumerate((0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9)):
        mixed = (mixed ^ rows[:, column]) * np.uint64(odd)
        mixed ^= mixed >> np.uint64(29)
    _, first, place = np.unique(mixed, return_index=True, return_inverse=True)
    if not np.array_equal(rows[first][place], rows):  # two different rows with one hash
        _, first, place = np.unique(rows, axis=0, return_index=True, return_inverse=True)
    return first, place.ravel()


def _merge(vertices: Floats, faces: Ints) -> tuple[Floats, Ints]:
    """Make one of corners at one place, as STL writes them, and leave out those without a face."""
    used = np.zeros(len(vertices), np.bool_)
    used[faces] = True
    corners = np.ascontiguousarray(vertices[used] + 0.0)  # a negative zero is a zero
    first, place = _distinct(corners.view(np.uint64))
    order = first.argsort()
    rank = np.empty(len(first), np.int64)
    rank[order] = np.arange(len(first))
    number = np.zeros(len(vertices), np.int64)
    number[used] = rank[place]
    return corners[first[order]], number[faces]


def _doubled_areas(vertices: Floats, faces: Ints) -> Floats:
    """Twice the area of each face, as a share of its longest edge squared."""
    corners = vertices[faces]
    one, two = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    longest = np.maximum((one * one).sum(axis=1), (two * two).sum(axis=1))
    longest = np.maximum(longest, ((two - one) ** 2).sum(axis=1))
    return np.asarray(np.linalg.norm(np.cross(one, two), axis=1) / np.maximum(longest, 1e-300))


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


def _orient(faces: Ints, vertices: int) -> tuple[Ints, bool]:
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


def _outward(vertices: Floats, faces: Ints) -> Ints:
    """Closed faces with every part wound outward that is not a cavity of another."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    one, two = _edges(faces, len(vertices)).pairs.T
    graph = coo_array((np.ones(len(one), np.bool_), (one, two)), shape=(len(faces), len(faces)))
    parts, label = connected_components(graph, directed=False)
    corners = vertices[faces] - vertices.mean(axis=0)
    volumes = np.einsum("ij,ij->i", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])) / 6.0
    volume = np.bincount(label, volumes, parts)
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
