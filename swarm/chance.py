"""Random numbers by counting: a number belongs to a seed, a tick, an agent and a purpose, in whatever order one asks.

So a run that is worked out step by step, and one that is worked out many ticks in a call, draw the same numbers.
"""

from __future__ import annotations

import numpy as np

from swarm.compiled import kernel

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
FIRST, SECOND = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
SHIFTS = (np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(11))
PURPOSES = 8  # streams that one tick has


@kernel
def mixed(word: np.uint64) -> np.uint64:
    """A word whose every bit depends on every bit of the given one (SplitMix64; Steele, Lea, Flood 2014)."""
    word = (word ^ (word >> SHIFTS[0])) * FIRST
    word = (word ^ (word >> SHIFTS[1])) * SECOND
    last: np.uint64 = word ^ (word >> SHIFTS[2])
    return last


@kernel
def uniform(seed: int, tick: int, agent: int, purpose: int) -> float:
    """A number from 0 to below 1.

    Args:
        seed: Of the run, any 64 bits.
        tick, agent: 0 or more.
        purpose: 0 to 7, one for each thing that is left to chance.
    """
    word = mixed(np.uint64(seed) + GOLDEN * np.uint64(tick * PURPOSES + purpose + 1))
    return float(mixed(word + GOLDEN * np.uint64(agent + 1)) >> SHIFTS[3]) * 2.0**-53


@kernel
def whole(seed: int, tick: int, agent: int, purpose: int, count: int) -> int:
    """A whole number from 0 to below `count`, all equally likely."""
    return min(int(uniform(seed, tick, agent, purpose) * count), count - 1)


def word(rng: np.random.Generator) -> int:
    """A seed for `uniform` from a run's generator."""
    return int(rng.integers(2**62))
