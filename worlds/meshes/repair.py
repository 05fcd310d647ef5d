"""From a soup of triangles to one surface: corners merged, faces mended and wound outward."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from swarm.errors import BadInput
from swarm.state import Floats, Ints
from swarm.worlds.meshes.winding import orient, outward

FLAT = 1e-12  # share of its longest edge squared below which a face has no area


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
    faces, closed = orient(faces, len(vertices))
    if closed:
        faces = outward(vertices, faces)
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
