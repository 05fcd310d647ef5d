"""Touching, as a body reports it."""

from __future__ import annotations

from typing import NamedTuple


class Contact(NamedTuple):
    """The onset of a contact: the two did not touch in the physics step before."""

    time: float  # s since the start of the episode
    agent: int
    other: int  # the other agent, or -1
    surface: int  # index into world.surfaces of the obstacle hit, or -1
    speed: float  # m/s at which the two closed along the contact normal, 0 or more
