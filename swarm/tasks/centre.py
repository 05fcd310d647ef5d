"""How far the middle of the living swarm is from a place."""

from __future__ import annotations

from swarm.compiled import kernel
from swarm.state import Bools, Floats


@kernel
def centre_distance(position: Floats, alive: Bools, place: Floats, box: Floats) -> float:
    """Distance from a place to the centroid of the living, m; inf when none lives.

    Args:
        position: (A, D) m.
        alive: (A,) bool.
        place: (D,) m.
        box: (D,) m, period of each axis, 0 where it does not wrap; offsets are taken the shortest way round.
    """
    square, living = 0.0, 0
    for i in range(position.shape[0]):
        living += alive[i]
    if living == 0:
        return float("inf")
    for k in range(position.shape[1]):
        total = 0.0
        for i in range(position.shape[0]):
            if alive[i]:
                offset = position[i, k] - place[k]
                if box[k] > 0.0:
                    offset -= box[k] * float(int(offset / box[k] + (0.5 if offset > 0 else -0.5)))
                total += offset
        square += (total / living) ** 2
    return float(square**0.5)
