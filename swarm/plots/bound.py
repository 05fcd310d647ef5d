"""Who is bound for which of several exits: a colour for each exit, so that lanes are seen."""

from __future__ import annotations

import numpy as np
from matplotlib.lines import Line2D

from swarm.plots import style
from swarm.plots.flown import Flown
from swarm.plots.roles import mark
from swarm.state import MEMBER, Ints

# Blue, orange, reddish purple, black and sky: without the green of exits and the vermilion of faults.
COLORS = (style.AGENTS[0], style.AGENTS[1], style.AGENTS[3], style.INK, style.AGENTS[4])


def exits_taken(flight: Flown) -> Ints | None:
    """(N,) number of the exit of each: the one by which it left, else the one to which it came nearer most.

    None where there are not several exits, or more than there are colours, or not all are members.
    """
    exits, flown = flight.task.exits, flight.trajectory
    if not 1 < len(exits) <= len(COLORS) or (flown.role != MEMBER).any():
        return None
    agents = np.arange(flight.count)
    first = flown.alive.argmax(axis=0)
    last = np.where(flight.ended >= 0, flight.ended, len(flight.time) - 1)
    begin, end = flown.position[first, agents], flown.position[last, agents]
    nearer = []
    for zone in exits:
        middle = np.asarray(zone.center)
        come = np.linalg.norm(begin - middle, axis=1) - np.linalg.norm(end - middle, axis=1)
        nearer.append(np.where(flight.left & zone.contains(end), np.inf, come))
    return np.asarray(np.argmax(nearer, axis=0))


def exit_colors(flight: Flown) -> list[str] | None:
    """A colour for each agent by its exit; None where `exits_taken` tells none."""
    taken = exits_taken(flight)
    return None if taken is None else [COLORS[number] for number in taken.tolist()]


def exit_legend(flight: Flown) -> list[Line2D]:
    """What a legend says about those colours."""
    if exits_taken(flight) is None:
        return []
    look = ("o", style.INK) if flight.on_plan else (">", None)
    return [mark(color, f"bound for {zone.name}", 6.0, *look) for color, zone in zip(COLORS, flight.task.exits)]
