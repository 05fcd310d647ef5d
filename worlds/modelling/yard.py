"""What stands in a yard: arch, crane, torus, containers, a net of beams, and a gate ring."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np

from swarm.worlds.modelling.form import Form, joined
from swarm.worlds.modelling.solids import Corner, band, beam, blocks, revolved
from swarm.worlds.modelling.walls import ring

BEAM = 0.2  # m, of the net
PITCH = 2.2  # m, from beam to beam


def arch() -> Form:
    """An arch across the x axis: opening 4 m wide and 3 m high, 1 m thick all round, 1.2 m deep."""
    turn = math.pi * (np.arange(24) + 0.5) / 24
    circle = np.stack((np.zeros(24), np.cos(turn), np.sin(turn)), axis=1)
    springing = np.array([0.0, 0.0, 1.0])  # where the jambs end and the half circle begins
    inner = [[0.0, 2.0, 0.0], *(springing + 2.0 / math.cos(math.pi / 48) * circle), [0.0, -2.0, 0.0]]
    outer = [[0.0, 3.0, 0.0], *(springing + 3.0 / math.cos(math.pi / 48) * circle), [0.0, -3.0, 0.0]]
    return band(np.array(inner), np.array(outer), np.array([1.2, 0.0, 0.0])).moved(x=-0.6)


def crane() -> Form:
    """A tower crane of lattice: tower 1.4 m square, jib along +y at 5.9 m, counterweight along -y, tip at 7.4 m."""
    half, storeys, tall = 0.65, 5, 5.8
    feet = [(half, half), (-half, half), (-half, -half), (half, -half)]
    parts = [blocks([((-1.2, -1.2, 0.0), (1.2, 1.2, 0.35))])]
    parts += [beam((x, y, 0.1), (x, y, tall + 0.05), 0.14) for x, y in feet]
    heights = np.linspace(0.35, tall, storeys + 1).tolist()
    for storey, (low, high) in enumerate(pairwise(heights)):
        for side, (one, two) in enumerate(zip(feet, feet[1:] + feet[:1])):
            parts.append(beam((*one, high), (*two, high), 0.09))
            start, end = (one, two) if (storey + side) % 2 else (two, one)
            parts.append(beam((*start, low), (*end, high), 0.07))
    parts.append(blocks([((-0.85, -0.85, tall), (0.85, 0.85, tall + 0.15))]))
    parts.append(_truss(-3.4, 8.4, 12, tall + 0.15))
    tip: Corner = (0.0, 0.0, 7.4)
    parts += [beam((x, y, tall + 0.1), tip, 0.1) for x, y in feet]
    parts += [beam(tip, (0.0, 7.5, tall + 0.75), 0.05), beam(tip, (0.0, -3.2, tall + 0.75), 0.05)]
    parts.append(blocks([((-0.6, -3.6, tall - 0.9), (0.6, -2.6, tall + 0.2))]))
    parts.append(beam((0.0, 6.0, tall + 0.2), (0.0, 6.0, 3.6), 0.05))  # the rope, and its hook
    parts.append(blocks([((-0.15, 5.85, 3.3), (0.15, 6.15, 3.65))]))
    return joined(*parts)


def _truss(start: float, end: float, panels: int, z: float) -> Form:
    """Three chords along the y axis, two below and one above, and what braces them."""
    below, above, half = z + 0.05, z + 0.6, 0.4
    parts = [beam((x, start, below), (x, end, below), 0.1) for x in (-half, half)]
    parts.append(beam((0.0, start, above), (0.0, end, above), 0.1))
    steps = np.linspace(start + 0.1, end - 0.1, panels + 1).tolist()
    for k, (y, after) in enumerate(pairwise(steps)):
        middle = (y + after) / 2.0
        parts.append(beam((-half, y, below), (half, y, below), 0.06))
        parts.append(beam((-half, y, below), (half, after, below), 0.05))
        for x in (-half, half):
            parts += [
                beam((x, y, below), (0.0, middle, above), 0.05),
                beam((0.0, middle, above), (x, after, below), 0.05),
            ]
        if k == panels - 1:
            parts.append(beam((-half, after, below), (half, after, below), 0.06))
    return joined(*parts)


def torus() -> Form:
    """A ring standing across the x axis: 1.9 m from its centre to the middle of a tube of 0.4 m."""
    turn = 2.0 * math.pi * np.arange(16) / 16
    tube = [(1.9 + 0.4 * math.cos(t), 0.4 * math.sin(t)) for t in turn.tolist()]
    return revolved(tube, 40, closed=True).upright()


def containers() -> Form:
    """Four corrugated containers of 6 x 2.4 x 2.6 m: two side by side along the y axis, two upon them."""
    one = _container()
    return joined(
        one.moved(x=-1.25),
        one.moved(x=1.25, y=0.3),
        one.moved(x=-1.2, y=-0.4, z=2.6),
        one.turned(8.0).moved(x=1.25, y=0.5, z=2.6),
    )


def _container() -> Form:
    """One container, its length along y, standing at z = 0."""
    folds = 9
    width, depth, pitch = 1.2, 0.08, 5.8 / folds
    along, side = [], []
    for fold in range(folds):
        y = -2.9 + fold * pitch
        along += [y, y + 0.35 * pitch, y + 0.5 * pitch, y + 0.85 * pitch]
        side += [width, width, width - depth, width - depth]
    along.append(2.9)
    side.append(width)
    left = np.stack((-np.array(side), along, np.full(len(side), 0.05)), axis=1)
    right = np.stack((np.array(side), along, np.full(len(side), 0.05)), axis=1)
    frame = [((x - 0.08, y - 0.1, 0.0), (x + 0.08, y + 0.1, 2.6)) for x in (-1.14, 1.14) for y in (-2.9, 2.9)]
    frame += [((-1.22, y - 0.08, z), (1.22, y + 0.08, z + 0.16)) for y in (-2.9, 2.9) for z in (0.0, 2.44)]
    frame += [((x - 0.05, -2.9, z), (x + 0.05, 2.9, z + 0.14)) for x in (-1.17, 1.17) for z in (0.02, 2.44)]
    return joined(band(left, right, np.array([0.0, 0.0, 2.5])), *(blocks([post]) for post in frame))


def net() -> Form:
    """A net of beams across the x axis: six by two openings of 2 x 2 m, 13.4 m wide and 4.6 m high, a post at y = 0."""
    half, thick, tall = 3 * PITCH + BEAM / 2.0, BEAM / 2.0, 2 * PITCH + BEAM
    posts = [((-thick, k * PITCH - thick, 0.0), (thick, k * PITCH + thick, tall)) for k in range(-3, 4)]
    bars = [((-thick, -half, k * PITCH), (thick, half, k * PITCH + BEAM)) for k in range(3)]
    return blocks([*posts, *bars])


def gate_ring() -> Form:
    """A ring to fly through along x, free to 1 m around its centre, on a post 1.7 m high to the centre."""
    post = blocks([((-0.05, -0.06, -1.66), (0.05, 0.06, -1.05)), ((-0.4, -0.4, -1.7), (0.4, 0.4, -1.64))])
    return joined(ring(1.0, 1.2, 0.16), post)
