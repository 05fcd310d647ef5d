"""Triangles with normals, made by formula: what everything that can be seen is put together from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from swarm.state import Floats, Ints

ROUND = 20  # sides of what is round
CREASE = np.cos(np.radians(35.0))  # faces that meet at a sharper angle keep their edge


class Solid(NamedTuple):
    """V vertices; a face is seen from the side on which its corners run anticlockwise."""

    vertices: Floats  # (V, 3) m
    normals: Floats  # (V, 3) unit
    faces: Ints  # (F, 3)
    swatch: Ints  # (V,) which colour of a palette

    def moved(self, offset: Sequence[float] | Floats) -> Solid:
        """This solid, offset (3,) m away."""
        return self._replace(vertices=self.vertices + np.asarray(offset, float))

    def turned(self, rotation: Floats) -> Solid:
        """This solid, turned by a matrix (3, 3)."""
        return self._replace(vertices=self.vertices @ rotation.T, normals=self.normals @ rotation.T)

    def painted(self, swatch: int) -> Solid:
        """This solid in another colour of the palette."""
        return self._replace(swatch=np.full(len(self.vertices), swatch))


def joined(*solids: Solid) -> Solid:
    """Several solids as one."""
    first = np.cumsum([0, *(len(solid.vertices) for solid in solids)])
    return Solid(
        np.concatenate([solid.vertices for solid in solids]),
        np.concatenate([solid.normals for solid in solids]),
        np.concatenate([solid.faces + start for solid, start in zip(solids, first)]),
        np.concatenate([solid.swatch for solid in solids]),
    )


def _solid(vertices: Floats, normals: Floats, faces: Ints) -> Solid:
    return Solid(vertices, normals, faces, np.zeros(len(vertices), np.int64))


def quad(corners: Floats) -> Solid:
    """A flat face of four corners (4, 3) m, seen from where they run anticlockwise."""
    normal = np.cross(corners[1] - corners[0], corners[2] - corners[0])
    normal /= np.linalg.norm(normal)
    return _solid(np.asarray(corners, float), np.tile(normal, (4, 1)), np.array([[0, 1, 2], [0, 2, 3]]))


def sheet(low: Floats, high: Floats, height: float, pieces: int = 10) -> Solid:
    """Level ground between two corners (2,) m, seen from above, in pieces x pieces tiles."""
    share = np.linspace(0.0, 1.0, pieces + 1)
    x, y = np.meshgrid(low[0] + share * (high[0] - low[0]), low[1] + share * (high[1] - low[1]), indexing="ij")
    here = (np.arange(pieces)[:, None] * (pieces + 1) + np.arange(pieces)).ravel()
    right, over = here + pieces + 1, here + pieces + 2
    faces = np.concatenate([np.stack([here, right, over], axis=1), np.stack([here, over, here + 1], axis=1)])
    vertices = np.stack([x.ravel(), y.ravel(), np.full(x.size, height)], axis=1)
    return _solid(vertices, np.tile([0.0, 0.0, 1.0], (x.size, 1)), faces)


def box(size: Sequence[float]) -> Solid:
    """A box about the origin, edges (3,) m."""
    sides = []
    for axis in range(3):
        for sign in (1.0, -1.0):
            along, across = np.roll(np.eye(3), axis, axis=1)[1:]
            out = np.eye(3)[axis] * sign
            if np.dot(np.cross(along, across), out) < 0:
                along, across = across, along
            sides.append(quad(np.stack([out - along - across, out + along - across, out + along + across,
                                        out - along + across]) * np.asarray(size) / 2.0))  # fmt: skip
    return joined(*sides)


def disc(radius: float, sides: int = ROUND) -> Solid:
    """A flat disc about the origin, seen from above."""
    angle = 2.0 * np.pi * np.arange(sides) / sides
    rim = np.stack([np.cos(angle), np.sin(angle), 0.0 * angle], axis=1)
    second = np.arange(1, sides - 1)
    faces = np.stack([0 * second, second, second + 1], axis=1)
    return _solid(radius * rim, np.tile([0.0, 0.0, 1.0], (sides, 1)), faces)


def cylinder(radius: float, height: float, sides: int = ROUND, pieces: int = 1) -> Solid:
    """A cylinder about the origin along z; its corners lie a little outside, so that it is as thick as a round one.

    Args:
        radius, height: m.
        sides: Of the polygon that stands for the circle.
        pieces: That the mantle is cut into along z.
    """
    angle = 2.0 * np.pi * np.arange(sides) / sides
    out = np.stack([np.cos(angle), np.sin(angle), 0.0 * angle], axis=1)
    wide = radius * (2.0 / (1.0 + np.cos(np.pi / sides)))
    low, high = np.array([0.0, 0.0, -height / 2.0]), np.array([0.0, 0.0, height / 2.0])
    here = (np.arange(sides) + sides * np.arange(pieces)[:, None]).ravel()
    there = ((np.arange(sides) + 1) % sides + sides * np.arange(pieces)[:, None]).ravel()
    faces = np.concatenate(
        [np.stack([here, there, there + sides], axis=1), np.stack([here, there + sides, here + sides], axis=1)]
    )
    rings = [wide * out + low + share * (high - low) for share in np.linspace(0.0, 1.0, pieces + 1)]
    mantle = _solid(np.concatenate(rings), np.tile(out, (pieces + 1, 1)), faces)
    lid = disc(wide, sides)
    return joined(mantle, lid.moved(high), lid.turned(np.diag([1.0, -1.0, -1.0])).moved(low))


def sphere(radius: float, sides: int = ROUND) -> Solid:
    """A sphere about the origin."""
    rings = sides // 2
    polar, angle = np.pi * np.arange(rings + 1) / rings, 2.0 * np.pi * np.arange(sides) / sides
    ring = np.sin(polar)[:, None]
    out = np.stack([ring * np.cos(angle), ring * np.sin(angle), np.cos(polar)[:, None] + 0.0 * angle], axis=-1)
    row, column = np.meshgrid(np.arange(rings), np.arange(sides), indexing="ij")
    here, right = row * sides + column, row * sides + (column + 1) % sides
    faces = np.stack([here, here + sides, right + sides, here, right + sides, right], axis=-1).reshape(-1, 3)
    corners = out.reshape(-1, 3)
    return _solid(radius * (1.0 + 0.5 * (1.0 - np.cos(np.pi / sides))) * corners, corners, faces)


def ring(radius: float, thickness: float, sides: int = 32) -> Solid:
    """A hoop about the x axis, of square section."""
    angle = 2.0 * np.pi * np.arange(sides) / sides
    out = np.stack([0.0 * angle, np.cos(angle), np.sin(angle)], axis=1)
    side = np.array([thickness / 2.0, 0.0, 0.0])
    edges = [(radius + a * thickness / 2.0) * out + b * side for a, b in ((1, -1), (1, 1), (-1, 1), (-1, -1))]
    strips = []
    for first, second in zip(edges, [*edges[1:], edges[0]]):
        strips += [quad(np.stack([first[k - 1], first[k], second[k], second[k - 1]])) for k in range(sides)]
    return joined(*strips)


def mesh(vertices: Floats, faces: Ints) -> Solid:
    """A triangle mesh, smooth where its faces meet at a blunt angle and sharp at its edges.

    Args:
        vertices: (V, 3) m.
        faces: (F, 3).
    """
    corners = vertices[faces]
    across = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    flat = across / np.maximum(np.linalg.norm(across, axis=1, keepdims=True), 1e-30)
    mean = np.zeros_like(vertices)
    np.add.at(mean, faces.ravel(), np.repeat(across, 3, axis=0))  # weighted by area
    mean /= np.maximum(np.linalg.norm(mean, axis=1, keepdims=True), 1e-30)
    smooth = mean[faces]
    blunt = (smooth * flat[:, None]).sum(axis=2, keepdims=True) > CREASE
    normals = np.where(blunt, smooth, flat[:, None])
    return _solid(corners.reshape(-1, 3), normals.reshape(-1, 3), np.arange(3 * len(faces)).reshape(-1, 3))
