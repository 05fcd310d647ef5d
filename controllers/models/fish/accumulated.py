"""The text's program as it stands: "means" that a later fish outweighs, and directions kept from tick to tick."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from swarm.compiled import kernel
from swarm.controllers.models.headings import unit
from swarm.state import LEADER, Bools, Floats, Ints

LONGEST = 1e100  # length at which directions are cut, of which some grow by a tenth every tick
NOTHING = 1e-150  # length below which a direction is none: its square is next to nothing in floating point


@dataclass
class Memory:
    """What the program keeps from one tick to the next.

    Where it divides 0 by 0, a fish becomes NaN for good and all means with it. Here such a fish stays where it is for
    that tick and counts as undefined; Φ stays what it was.
    """

    direction: Floats  # (A, D) d, of any length
    cohesion: Floats  # (A, D) m, C
    alignment: Floats  # (A, D) A
    repulsion: Floats  # (A, D) m, R
    phi: Floats  # (A,) Φ
    undefined: Bools  # (A,) without a direction in the last tick

    @classmethod
    def begin(cls, direction: Floats, phi: float) -> Memory:
        """Nothing but directions (A, D), and Φ the same for all."""
        zero, agents = np.zeros_like(direction), len(direction)
        return cls(direction, zero, zero.copy(), zero.copy(), np.full(agents, phi), np.zeros(agents, np.bool_))

    def gather(
        self, position: Floats, role: Ints, repulsion: float, vision: float, itself: bool = True, close: bool = False,
        present: Bools | None = None,
    ) -> tuple[Floats, Floats]:  # fmt: skip
        """Go over all fish `present` (A,), those informed first as in the text; the rest as of `accumulate`."""
        sequence = np.argsort(role != LEADER, kind="stable")
        if present is not None:
            sequence = sequence[present[sequence]]
        return accumulate(
            position, sequence, self.direction, self.cohesion, self.alignment, self.repulsion, self.phi, repulsion,
            vision, itself, close,
        )  # fmt: skip

    def terms(self, centre: Floats, heading: Floats) -> dict[str, Floats]:
        """d, C, A, R, G and H by the names of their weights."""
        return {
            "own": self.direction, "cohesion": self.cohesion, "alignment": self.alignment, "repulsion": self.repulsion,
            "centre": centre, "heading": heading,
        }  # fmt: skip

    def step(self, pace: Floats) -> Floats:
        """Velocities (A, D) m/s along the directions; notes who has none, and cuts what has grown too long."""
        length = np.sqrt((self.direction * self.direction).sum(axis=1))
        self.undefined = length <= NOTHING
        for kept in (self.direction, self.cohesion, self.alignment, self.repulsion):
            np.clip(kept, -LONGEST, LONGEST, out=kept)
        return unit(self.direction, np.zeros_like(self.direction), NOTHING) * pace[:, None]


@kernel
def accumulate(
    position: Floats, sequence: Ints, direction: Floats, cohesion: Floats, alignment: Floats, repulsion: Floats,
    phi: Floats, least: float, vision: float, itself: bool, close_itself: bool,
) -> tuple[Floats, Floats]:  # fmt: skip
    """Over all fish in turn: acc = (acc + x) / m, m the how manieth it is. So the last of M counts 1/M, the one before
    1/(M (M − 1)), the first 1/M!, and what was there before as little.

    Args:
        position: (A, D) m.
        sequence: (S,) in which order fish are gone over; who is not in it is not seen.
        direction: (A, D) d.
        cohesion, alignment, repulsion: (A, D) C, A, R of the tick before, written.
        phi: (A,) Φ of the tick before, written where somebody is seen.
        least, vision: m, inclusive: who counts for C, A and Φ; those nearer count for R.
        itself: Whether a fish counts itself in G and H.
        close_itself: Whether it counts itself among those it has to keep away from.

    Returns:
        G, m, and H, accumulated over the whole school, m the place in the sequence.
    """
    agents, dim = position.shape
    centre, heading = np.zeros((agents, dim)), np.zeros((agents, dim))
    total = np.zeros(dim)
    for i in range(agents):
        near, close, lengths = 0, 0, 0.0
        for k in range(dim):
            total[k] = 0.0
        for place in range(len(sequence)):
            j = sequence[place]
            square, length = 0.0, 0.0
            for k in range(dim):
                offset = position[j, k] - position[i, k]
                square += offset * offset
                length += direction[j, k] * direction[j, k]
                if itself or j != i:
                    centre[i, k] = (centre[i, k] + offset) / (place + 1)
                    heading[i, k] = (heading[i, k] + direction[j, k]) / (place + 1)
            if j == i and not close_itself:
                continue
            apart = math.sqrt(square)
            if least <= apart <= vision:
                near += 1
                lengths += math.sqrt(length)
                for k in range(dim):
                    total[k] += direction[j, k]
                    cohesion[i, k] = (cohesion[i, k] + position[j, k] - position[i, k]) / near
                    alignment[i, k] = (alignment[i, k] + direction[j, k]) / near
            elif apart < least:
                close += 1
                for k in range(dim):
                    repulsion[i, k] = (repulsion[i, k] + position[i, k] - position[j, k]) / close
        if lengths > 0.0:
            square = 0.0
            for k in range(dim):
                square += total[k] * total[k]
            phi[i] = min(math.sqrt(square) / lengths, 1.0)
    return centre, heading
