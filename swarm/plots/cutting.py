"""Where a level plane cuts triangles, and the lines that the pieces make up."""

from __future__ import annotations

import numpy as np

from swarm.state import Floats


def segments(corners: Floats, height: float) -> Floats:
    """(S, 2, 2) m, where triangles are cut: from start to end with the outside on the right."""
    above = corners[:, :, 2] >= height  # a corner in the plane counts as above it, in every triangle that has it
    some = above.any(axis=1) & ~above.all(axis=1)
    corners, above = corners[some], above[some]
    if len(corners) == 0:
        return np.empty((0, 2, 2))
    # Turn each triangle until the corner that is alone on its side comes first.
    alone = np.where(above.sum(axis=1) == 1, above.argmax(axis=1), (~above).argmax(axis=1))
    rows = np.arange(len(corners))[:, None]
    turned = corners[rows, (alone[:, None] + np.arange(3)) % 3]
    first = meet(turned[:, 0], turned[:, 1], height)
    second = meet(turned[:, 2], turned[:, 0], height)
    lone_above = above[rows[:, 0], alone]
    return np.where(lone_above[:, None, None], np.stack([first, second], 1), np.stack([second, first], 1))


def meet(a: Floats, b: Floats, height: float) -> Floats:
    """(S, 2) m, where edges cross the plane; the same bits whichever end of an edge is given first."""
    swap = (a[:, 2] > b[:, 2])[:, None]
    low, high = np.where(swap, b, a), np.where(swap, a, b)
    share = (height - low[:, 2:]) / (high[:, 2:] - low[:, 2:])
    return np.asarray(low[:, :2] + share * (high[:, :2] - low[:, :2]))


def chains(pieces: Floats) -> tuple[list[Floats], list[Floats]]:
    """Segments joined end to start: closed rings, and open lines."""
    keys = np.round(pieces, 7) + 0.0
    following: dict[tuple[float, float], list[int]] = {}
    kept = np.flatnonzero((keys[:, 0] != keys[:, 1]).any(axis=1)).tolist()
    for k in kept:
        following.setdefault(tuple(keys[k, 0]), []).append(k)
    ends = {tuple(keys[k, 1]) for k in kept}
    # Lines that begin nowhere are followed first, or they would be entered in their middle.
    order = sorted(kept, key=lambda k: tuple(keys[k, 0]) in ends)
    used = np.zeros(len(pieces), bool)
    rings: list[Floats] = []
    lines: list[Floats] = []
    for k in order:
        if used[k]:
            continue
        points, current = [pieces[k, 0]], k
        while True:
            used[current] = True
            points.append(pieces[current, 1])
            further = [j for j in following.get(tuple(keys[current, 1]), ()) if not used[j]]
            if not further:
                break
            current = further[0]
        closed = tuple(keys[current, 1]) == tuple(keys[k, 0])
        (rings if closed and len(points) > 3 else lines).append(np.array(points))
    return rings, lines
