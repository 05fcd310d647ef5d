"""Furniture, each piece standing at z = 0 with its back, where it has one, towards -y."""

from __future__ import annotations

from swarm.worlds.modelling.form import Form
from swarm.worlds.modelling.solids import Cuboid, blocks, revolved


def table() -> Form:
    """A table: 1.6 x 0.8 m, its top at 0.75 m."""
    legs: list[Cuboid] = [
        ((x - 0.04, y - 0.04, 0.0), (x + 0.04, y + 0.04, 0.71)) for x in (-0.72, 0.72) for y in (-0.32, 0.32)
    ]
    return blocks([*legs, ((-0.8, -0.4, 0.71), (0.8, 0.4, 0.75))])


def chair() -> Form:
    """A chair: 0.45 x 0.45 m, seat at 0.45 m, back to 0.9 m."""
    legs: list[Cuboid] = [
        ((x - 0.02, y - 0.02, 0.0), (x + 0.02, y + 0.02, 0.41)) for x in (-0.2, 0.2) for y in (-0.2, 0.2)
    ]
    posts: list[Cuboid] = [((x - 0.02, -0.225, 0.41), (x + 0.02, -0.185, 0.9)) for x in (-0.2, 0.2)]
    rails: list[Cuboid] = [((-0.2, -0.22, z), (0.2, -0.19, z + 0.1)) for z in (0.6, 0.78)]
    return blocks([*legs, *posts, *rails, ((-0.225, -0.225, 0.41), (0.225, 0.225, 0.45))])


def sofa() -> Form:
    """A sofa: 2 x 0.9 m, seat at 0.42 m, back to 0.85 m."""
    arms: list[Cuboid] = [((x - 0.1, -0.45, 0.08), (x + 0.1, 0.45, 0.6)) for x in (-0.9, 0.9)]
    feet: list[Cuboid] = [
        ((x - 0.04, y - 0.04, 0.0), (x + 0.04, y + 0.04, 0.08)) for x in (-0.85, 0.85) for y in (-0.38, 0.38)
    ]
    return blocks([*arms, *feet, ((-0.8, -0.45, 0.08), (0.8, 0.45, 0.42)), ((-0.8, -0.45, 0.42), (0.8, -0.22, 0.85))])


def shelf() -> Form:
    """A set of shelves: 1 x 0.35 m, 1.8 m high, four compartments open to the front."""
    sides: list[Cuboid] = [((x - 0.015, -0.175, 0.0), (x + 0.015, 0.175, 1.8)) for x in (-0.485, 0.485)]
    boards: list[Cuboid] = [((-0.47, -0.175, z), (0.47, 0.175, z + 0.03)) for z in (0.05, 0.48, 0.91, 1.34, 1.77)]
    return blocks([*sides, *boards, ((-0.47, -0.175, 0.05), (0.47, -0.155, 1.8))])


def lamp() -> Form:
    """A standard lamp: base, pole and shade, 0.5 m across and 1.7 m high."""
    outline = [(0.18, 0.0), (0.18, 0.03), (0.02, 0.04), (0.02, 1.35), (0.25, 1.35), (0.14, 1.7)]
    return revolved(outline, 16)
