"""Who a task puts somewhere else."""

from __future__ import annotations

from typing import NamedTuple

from swarm.state import Floats, Ints


class Moves(NamedTuple):
    """Who is to be somewhere else at once."""

    agents: Ints  # (K,)
    position: Floats  # (K, D) m
    heading: Floats | None = None  # (K,) yaw in rad; None keeps it
