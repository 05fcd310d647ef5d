"""Who arrives at a floor plan's goal, and where everybody begins anew."""

from __future__ import annotations

import math
from typing import NamedTuple

from swarm.chance import whole
from swarm.compiled import kernel
from swarm.state import Bools, Floats
from swarm.worlds.floor_plan.places import Ground, up_and_column

SOURCE, HEADING = 3, 4  # purposes of what is left to chance


class Errands(NamedTuple):
    """What everybody is about."""

    arrival: Floats  # (A,) s, of the first arrival; inf before
    latest: Floats  # (A,) s, of the last arrival; -inf before
    inside: Bools  # (A,) who is on a goal cell
    goals: Bools  # (rows, columns) goal cells
    sources: Floats  # (S, 2) m, middles of the source cells
    seed: int
    batch: bool  # whether who has arrived is gone until everybody has
    placing: bool  # whether anybody can be put somewhere else; if not, everybody arrives once
    taking_part: int  # how many do, the first ones; the others are not there


@kernel
def arrive(
    position: Floats, alive: Bools, errands: Errands, ground: Ground, tick: int, time: float, place: Floats,
    going: Bools, coming: Bools,
) -> int:  # fmt: skip
    """Note who has come to a goal cell in this tick.

    Args:
        position, alive: (A, 2) m and (A,).
        errands: Written.
        ground: Where they are.
        tick: Number of this tick.
        time: s, now.
        place: (A, 2) m, written: where those who are coming begin anew.
        going: (A,) written: who is gone from now on.
        coming: (A,) written: who begins anew, at a random source cell.

    Returns:
        How many have arrived.
    """
    arrived, left, rows = 0, 0, len(ground.cells)
    for i in range(len(position)):
        going[i], coming[i] = False, False
        if not alive[i]:
            continue
        up, column = up_and_column(position, i, ground)
        there = errands.goals[rows - 1 - up, column]
        if there and not errands.inside[i] and (errands.placing or errands.arrival[i] == math.inf):
            arrived += 1
            errands.arrival[i], errands.latest[i] = min(errands.arrival[i], time), time
            going[i], coming[i] = errands.placing and errands.batch, errands.placing and not errands.batch
        errands.inside[i] = there
        left += not going[i]
    if errands.placing and errands.batch and left == 0:
        for i in range(errands.taking_part):
            going[i], coming[i] = False, True
    if arrived > 0 or left == 0:
        for i in range(len(position)):
            if coming[i]:
                source = whole(errands.seed, tick, i, SOURCE, len(errands.sources))
                place[i, 0], place[i, 1] = errands.sources[source, 0], errands.sources[source, 1]
                errands.inside[i] = False
    return arrived
