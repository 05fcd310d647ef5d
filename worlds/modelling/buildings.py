"""Walls of whole places: a maze, its bridge, the rooms of a flat, and the trap."""

from __future__ import annotations

from collections.abc import Sequence

from swarm.worlds.modelling.form import Form
from swarm.worlds.modelling.solids import blocks
from swarm.worlds.modelling.walls import Opening, along_x, along_y, pieces

MAZE_HEIGHT, MAZE_THICKNESS = 4.0, 0.3
LOW, HIGH = (0.3, 2.1), (2.0, 3.8)  # m, from where to where a low and a high window reach
OVER = (1.8, MAZE_HEIGHT)  # a wall that does not reach the ceiling
Run = tuple[float, float, float, Sequence[Opening]]  # where it stands, from where to where, its openings

# The chambers of the maze are 8 m wide; passages lead from one to the next at alternate ends.
MAZE_Y: tuple[Run, ...] = (
    (8.0, 0.0, 16.0, [(5.0, 7.0, *HIGH)]),
    (16.0, 4.0, 20.0, [(9.0, 11.0, *LOW), (16.0, 20.0, *OVER)]),
    (24.0, 0.0, 16.0, [(6.0, 10.0, *OVER), (13.0, 15.0, *HIGH)]),
)
MAZE_X: tuple[Run, ...] = (
    (4.0, 0.0, 4.0, []),
    (8.0, 4.0, 8.0, [(5.0, 7.0, *LOW)]),
    (12.0, 0.0, 4.0, []),
    (16.0, 4.0, 8.0, []),
    (16.0, 8.0, 12.0, []),
    (12.0, 12.0, 16.0, [(12.0, 16.0, *OVER)]),
    (8.0, 8.0, 12.0, [(9.0, 11.0, *HIGH)]),
    (4.0, 12.0, 16.0, []),
    (4.0, 20.0, 24.0, [(21.0, 23.0, *LOW)]),
    (8.0, 16.0, 20.0, [(16.0, 20.0, *OVER)]),
    (12.0, 20.0, 24.0, []),
    (16.0, 16.0, 20.0, [(17.0, 19.0, *HIGH)]),
    (16.0, 24.0, 28.0, []),
    (12.0, 28.0, 32.0, [(29.0, 31.0, *LOW)]),
    (8.0, 24.0, 28.0, []),
    (4.0, 28.0, 32.0, [(28.0, 32.0, *OVER)]),
)

ROOM_HEIGHT, ROOM_THICKNESS = 3.0, 0.15
DOOR = (1.3, 2.2)  # m, width and height
SOUTH, NORTH = 5.8, 8.2  # m, where the corridor's walls stand
DOORS_SOUTH, DOORS_NORTH = (4.0, 12.0, 20.0), (2.5, 11.0, 21.0)  # m, their middles
CROSS_SOUTH, CROSS_NORTH = (8.0, 16.0), (6.0, 16.0)  # m, walls between the rooms


def maze_walls_x() -> Form:
    """The walls of the maze that run along x."""
    parts = [along_x(y, MAZE_THICKNESS, _run(start, end, openings)) for y, start, end, openings in MAZE_X]
    return blocks([box for part in parts for box in part])


def maze_walls_y() -> Form:
    """The walls of the maze that run along y."""
    parts = [along_y(x, MAZE_THICKNESS, _run(start, end, openings)) for x, start, end, openings in MAZE_Y]
    return blocks([box for part in parts for box in part])


def _run(start: float, end: float, openings: Sequence[Opening]) -> list[Opening]:
    return pieces(start, end, MAZE_HEIGHT, openings)


def bridge() -> Form:
    """A bridge over a passage 8 m wide, along x: deck 1.6 m wide from 1.85 to 2.1 m, on piers at both ends."""
    piers = [((x - 0.35, -0.8, 0.0), (x + 0.35, 0.8, 1.85)) for x in (-3.6, 3.6)]
    kerbs = [((-4.0, y - 0.05, 2.1), (4.0, y + 0.05, 2.2)) for y in (-0.75, 0.75)]
    return blocks([*piers, *kerbs, ((-4.0, -0.8, 1.85), (4.0, 0.8, 2.1))])


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
    return blocks(along_x(0.0, MAZE_THICKNESS, pieces(-2.0, 2.0, MAZE_HEIGHT, [(-1.0, 1.0, 1.1, 2.9)])))
