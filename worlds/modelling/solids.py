"""Simple solids: what boxes cover together, beams, bands and solids of revolution."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from swarm.state import Floats, Ints
from swarm.worlds.modelling.form import Form, outward, triangles

Corner = tuple[float, float, float]
Cuboid = tuple[Corner, Corner]  # lowest and highest corner, m


def blocks(boxes: Sequence[Cuboid]) -> Form:
    """The surface of what axis-aligned boxes cover together, nothing of it inside.

    All corner coordinates make a grid whose cells are either covered or not; the faces between one that is and one that
    is not are the surface.

    Args:
        boxes: Lowest and highest corner of each.
    """
    corners = np.array(boxes, dtype=np.float64)
    lines = [np.unique(corners[:, :, axis]) for axis in range(3)]
    covered = np.zeros([len(line) + 1 for line in lines], np.bool_)  # with a rim of empty cells around
    for low, high in corners:
        covered[
            tuple(
                slice(int(np.searchsorted(line, low[axis])) + 1, int(np.searchsorted(line, high[axis])) + 1)
                for axis, line in enumerate(lines)
            )
        ] = True
    nodes = np.arange(np.prod(shape := [len(line) for line in lines])).reshape(shape)
    quads: list[Ints] = []
    for axis in range(3):
        cells, grid = np.moveaxis(covered, (axis, (axis + 1) % 3, (axis + 2) % 3), (0, 1, 2)), None
        grid = np.moveaxis(nodes, (axis, (axis + 1) % 3, (axis + 2) % 3), (0, 1, 2))
        below, above = cells[:-1, 1:-1, 1:-1], cells[1:, 1:-1, 1:-1]
        ring = np.stack((grid[:, :-1, :-1], grid[:, 1:, :-1], grid[:, 1:, 1:], grid[:, :-1, 1:]), axis=-1)
        quads += [ring[below & ~above], ring[above & ~below][:, ::-1]]
    faces = triangles(np.concatenate(quads))
    used, faces = np.unique(faces, return_inverse=True)
    places = np.stack(np.meshgrid(*lines, indexing="ij"), axis=-1).reshape(-1, 3)
    return Form(places[used], faces.reshape(-1, 3))


def beam(start: Corner, end: Corner, width: float) -> Form:
    """A square bar from one point to another."""
    along = np.subtract(end, start)
    along = along / np.linalg.norm(along)
    side = np.cross(along, (0.0, 0.0, 1.0) if abs(along[2]) < 0.9 else (1.0, 0.0, 0.0))
    side *= width / 2.0 / np.linalg.norm(side)
    up = np.cross(side, along)
    ring = np.array([side + up, -side + up, -side - up, side - up])
    return band(ring[[0, 1]] + start, ring[[3, 2]] + start, np.subtract(end, start))


def band(one: Floats, two: Floats, depth: Floats, closed: bool = False) -> Form:
    """A strip between two lines, made thick.

    Args:
        one, two: (n, 3) m, points of both lines in turn.
        depth: (3,) m, from the strip's one side to its other.
        closed: Whether the last points are joined to the first ones, which makes a ring.
    """
    count = len(one)
    vertices = np.concatenate((one, two, one + depth, two + depth))
    here = np.arange(count if closed else count - 1)
    then = (here + 1) % count
    a, b, c, d = (np.stack((here, then)) + k * count for k in range(4))
    quads = [
        np.stack((a[0], b[0], b[1], a[1]), axis=1),
        np.stack((c[0], c[1], d[1], d[0]), axis=1),
        np.stack((a[0], a[1], c[1], c[0]), axis=1),
        np.stack((b[0], d[0], d[1], b[1]), axis=1),
    ]
    if not closed:
        last = count - 1
        quads.append(
            np.array([[0, 2 * count, 3 * count, count], [last, count + last, 3 * count + last, 2 * count + last]])
        )
    return outward(vertices, triangles(np.concatenate(quads)))


def revolved(profile: Sequence[tuple[float, float]], sides: int, closed: bool = False) -> Form:
    """A solid of revolution about the z axis.

    Args:
        profile: Radius (m, above zero) and height (m) of the rings, in turn.
        sides: Corners of each ring, which lie on the circle.
        closed: Whether the last ring is joined to the first one, as in a torus; else both ends are closed by discs.
    """
    turn = 2.0 * np.pi * np.arange(sides) / sides
    rings = np.array([np.stack((r * np.cos(turn), r * np.sin(turn), np.full(sides, z)), axis=1) for r, z in profile])
    count = len(profile)
    ring, side = np.meshgrid(np.arange(count if closed else count - 1), np.arange(sides), indexing="ij")
    after, beside = (ring + 1) % count, (side + 1) % sides
    corners = [ring * sides + side, ring * sides + beside, after * sides + beside, after * sides + side]
    faces = triangles(np.stack(corners, axis=-1).reshape(-1, 4))
    vertices = rings.reshape(-1, 3)
    if not closed:
        here = np.arange(sides)
        then, last, middle = (here + 1) % sides, (count - 1) * sides, count * sides
        bottom = np.stack((then, here, np.full(sides, middle)), axis=1)
        top = np.stack((last + here, last + then, np.full(sides, middle + 1)), axis=1)
        faces = np.concatenate((faces, bottom, top))
        vertices = np.concatenate((vertices, [[0.0, 0.0, profile[0][1]], [0.0, 0.0, profile[-1][1]]]))
    return outward(vertices, faces)
