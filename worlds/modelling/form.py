"""Closed surfaces of triangles, and how they are put together."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from swarm.state import Floats, Ints


class Form(NamedTuple):
    """A closed surface, wound outward."""

    vertices: Floats  # (V, 3) m
    faces: Ints  # (F, 3)

    def moved(self, x: float = 0.0, y: float = 0.0, z: float = 0.0) -> Form:
        """This form somewhere else."""
        return Form(self.vertices + (x, y, z), self.faces)

    def turned(self, degrees: float) -> Form:
        """This form turned about the z axis."""
        turn = math.radians(degrees)
        about = np.array(
            [[math.cos(turn), -math.sin(turn), 0.0], [math.sin(turn), math.cos(turn), 0.0], [0.0, 0.0, 1.0]]
        )
        return Form(self.vertices @ about.T, self.faces)

    def upright(self) -> Form:
        """This form with its z axis along x, x along y and y along z: what lay flat stands across the x axis."""
        return Form(self.vertices[:, [2, 0, 1]], self.faces)


def joined(*forms: Form) -> Form:
    """Several forms as one. Where they overlap, the inside is that of them all."""
    first = np.cumsum([0, *(len(form.vertices) for form in forms)])
    faces = [form.faces + offset for form, offset in zip(forms, first)]
    return Form(np.concatenate([form.vertices for form in forms]), np.concatenate(faces))


def triangles(quads: Ints) -> Ints:
    """Both halves of quads (n, 4), (2 n, 3)."""
    return np.concatenate((quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]))


def outward(vertices: Floats, faces: Ints) -> Form:
    """A closed surface that is wound one way, turned outward if need be."""
    a, b, c = (vertices[faces[:, k]] for k in range(3))
    inward = float(np.einsum("ij,ij->", a, np.cross(b, c))) < 0.0
    return Form(vertices, faces[:, ::-1] if inward else faces)
