"""Walls with openings, rectangular or round."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from swarm.worlds.modelling.form import Form
from swarm.worlds.modelling.solids import Cuboid, band, blocks

Opening = tuple[float, float, float, float]  # from and to along the wall, from and to in height, m


def pieces(start: float, end: float, height: float, openings: Sequence[Opening] = ()) -> list[Opening]:
    """Rectangles (as openings are given) that a wall consists of, those beside, below and above its openings.

    Args:
        start, end: m along the wall.
        height: m.
        openings: In turn along the wall, none beside another's height.
    """
    rest: list[Opening] = []
    for low, high, bottom, top in openings:
        rest += [(start, low, 0.0, height), (low, high, 0.0, bottom), (low, high, top, height)]
        start = high
    return [piece for piece in (*rest, (start, end, 0.0, height)) if piece[0] < piece[1] and piece[2] < piece[3]]


def along_x(y: float, thickness: float, parts: Sequence[Opening]) -> list[Cuboid]:
    """Boxes of a wall's pieces along the x axis, y being its middle."""
    half = thickness / 2.0
    return [((low, y - half, bottom), (high, y + half, top)) for low, high, bottom, top in parts]


def along_y(x: float, thickness: float, parts: Sequence[Opening]) -> list[Cuboid]:
    """Boxes of a wall's pieces along the y axis, x being its middle."""
    half = thickness / 2.0
    return [((x - half, low, bottom), (x + half, high, top)) for low, high, bottom, top in parts]


def ring(radius: float, outer: float, depth: float, sides: int = 32) -> Form:
    """A flat ring about the x axis, its inner edges touching a circle of the radius, m."""
    turn = 2.0 * math.pi * (np.arange(sides) + 0.5) / sides
    circle = np.stack((np.zeros(sides), np.cos(turn), np.sin(turn)), axis=1)
    inner = radius / math.cos(math.pi / sides) * circle
    form = band(inner, outer * circle, np.array([depth, 0.0, 0.0]), closed=True)
    return form.moved(x=-depth / 2.0)


def framed(width: tuple[float, float], height: tuple[float, float], opening: tuple[float, float], depth: float) -> Form:
    """An upright wall across the x axis with a rectangular opening about it.

    Args:
        width, height: Where the wall begins and ends along y and z, m from the opening's centre: below and above zero.
        opening: Width and height, m.
        depth: m, of the wall.
    """
    half, across, up = depth / 2.0, opening[0] / 2.0, opening[1] / 2.0
    return blocks(
        [
            ((-half, width[0], height[0]), (half, -across, height[1])),
            ((-half, across, height[0]), (half, width[1], height[1])),
            ((-half, -across, height[0]), (half, across, -up)),
            ((-half, -across, up), (half, across, height[1])),
        ]
    )


def pierced(
    width: tuple[float, float], height: tuple[float, float], radius: float, depth: float, sides: int = 32
) -> Form:
    """An upright wall across the x axis with a round hole about it.

    The hole's edges touch the circle from outside, so the opening is nowhere narrower than the radius says.

    Args:
        width, height: Where the wall begins and ends along y and z, m from the hole's centre: below and above zero.
        radius: m of the hole; less than any of the four.
        depth: m, of the wall.
        sides: Edges of the hole, a multiple of four.
    """
    step = 2.0 * math.pi / sides
    corners = [math.atan2(z, y) % (2.0 * math.pi) for y in width for z in height]
    turn = np.unique(np.concatenate((step * (np.arange(sides) + 0.5), corners)).round(9))
    y, z = np.cos(turn), np.sin(turn)
    flat = np.zeros(len(turn))
    inner = np.stack((flat, y, z), axis=1) * (radius / np.cos(turn - step * np.rint(turn / step)))[:, None]
    # A ray from the centre leaves the wall at the nearer of the two edges that it heads for.
    reach = np.minimum(np.where(y > 0.0, *width[::-1]) / y, np.where(z > 0.0, *height[::-1]) / z)
    outer = np.stack((flat, (y * reach).clip(*width), (z * reach).clip(*height)), axis=1)
    return band(inner, outer, np.array([depth, 0.0, 0.0]), closed=True).moved(x=-depth / 2.0)
