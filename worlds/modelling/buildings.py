"""Walls of buildings: the rooms of a flat, a trap, and single walls with a door or a window."""

from __future__ import annotations

from collections.abc import Sequence

from swarm.worlds.modelling.form import Form
from swarm.worlds.modelling.solids import blocks
from swarm.worlds.modelling.walls import Opening, along_x, along_y, pieces

ROOM_HEIGHT, ROOM_THICKNESS = 3.0, 0.15
DOOR = (1.3, 2.2)  # m, width and height
SOUTH, NORTH = 5.8, 8.2  # m, where the corridor's walls stand
DOORS_SOUTH, DOORS_NORTH = (4.0, 12.0, 20.0), (2.5, 11.0, 21.0)  # m, their middles
CROSS_SOUTH, CROSS_NORTH = (8.0, 16.0), (6.0, 16.0)  # m, walls between the rooms


def rooms() -> Form:
    """The inner walls of a flat of 24 x 14 m: three rooms south and three north of a corridor, and a door to each."""
    wide, tall = DOOR

    def doors(middles: Sequence[float]) -> list[Opening]:
        return [(m - wide / 2.0, m + wide / 2.0, 0.0, tall) for m in middles]

    boxes = along_x(SOUTH, ROOM_THICKNESS, pieces(0.0, 24.0, ROOM_HEIGHT, doors(DOORS_SOUTH)))
    boxes += along_x(NORTH, ROOM_THICKNESS, pieces(0.0, 24.0, ROOM_HEIGHT, doors(DOORS_NORTH)))
    for x in CROSS_SOUTH:
        boxes += along_y(
            x, ROOM_THICKNESS, pieces(0.0, SOUTH, ROOM_HEIGHT, doors([3.0] if x == CROSS_SOUTH[0] else []))
        )
    for x in CROSS_NORTH:
        boxes += along_y(x, ROOM_THICKNESS, pieces(NORTH, 14.0, ROOM_HEIGHT))
    return blocks(boxes)


def trap_wall() -> Form:
    """A U 4 m high, open towards -x: 6 m wide outside, its arms 5 m long, walls 0.3 m thick; back face at x = 0."""
    walls = [((-5.0, side, 0.0), (0.0, side + 0.3, 4.0)) for side in (-3.0, 2.7)]
    return blocks([*walls, ((-0.3, -3.0, 0.0), (0.0, 3.0, 4.0))])


def door_wall() -> Form:
    """A wall along x with a door in its middle: 4 m long, 3 m high, the door 1.3 x 2.2 m."""
    return blocks(along_x(0.0, ROOM_THICKNESS, pieces(-2.0, 2.0, ROOM_HEIGHT, [(-0.65, 0.65, 0.0, DOOR[1])])))


def window_wall() -> Form:
    """A wall along x with a window in its middle: 4 m long and high, the window 2 m wide from 1.1 to 2.9 m."""
    return blocks(along_x(0.0, 0.3, pieces(-2.0, 2.0, 4.0, [(-1.0, 1.0, 1.1, 2.9)])))
