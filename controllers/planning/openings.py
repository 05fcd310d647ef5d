"""Gates on the way: every lane goes through the opening that the centre goes through, walls or no walls around it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from swarm.state import Floats
from swarm.worlds.zones import Zone

SHARES = 24  # parts of a slot's place across that are tried
DEEP = 0.2  # m before and behind a gate within which lanes are inside its opening
STEP = 0.01  # m before and behind the plane, for asking whether a place is in the opening


def kept_within(gates: Sequence[Zone], line: Floats, across: Floats, room: float, spacing: float) -> Floats:
    """How much of its place across a slot may take so that it stays within the gates' openings.

    Args:
        gates: To be crossed.
        line: (M, D) m, the centre's way.
        across: (M, D) m, the slot's place across the way.
        room: m to the rim of the opening.
        spacing: m between stations.

    Returns:
        (M,) share of `across`; 1 where there is no gate.
    """
    most = np.ones(len(line))
    tried = np.linspace(0.0, 1.0, SHARES + 1)
    deep = round(DEEP / spacing)
    for gate in gates:
        inner = _smaller(gate, room)
        for at in np.flatnonzero(gate.crossed(line[:-1], line[1:])).tolist():
            places = line[at] + tried[:, None] * across[at]
            onto = places - ((places - np.asarray(gate.center)) @ gate.normal)[:, None] * gate.normal
            inside = inner.crossed(onto - STEP * gate.normal, onto + STEP * gate.normal)
            share = tried[max(int(inside.cumprod().sum()) - 1, 0)]
            near = slice(max(at - deep, 0), at + deep + 2)
            most[near] = np.minimum(most[near], share)
    return most


def all_through(gates: Sequence[Zone], line: Floats, lanes: Floats) -> bool:
    """Whether every lane (K, N, D) crosses each gate that the centre's way (M, D) crosses."""
    for gate in gates:
        if gate.crossed(line[:-1], line[1:]).any():
            through = [gate.crossed(lanes[:-1, n], lanes[1:, n]).any() for n in range(lanes.shape[1])]
            if not all(through):
                return False
    return True


def _smaller(gate: Zone, room: float) -> Zone:
    """The gate with a rim of `room` taken off its opening, half of it at most."""
    size = tuple(edge - 2.0 * min(room, edge / 4.0) for edge in gate.size)
    return replace(gate, size=size, radius=gate.radius - min(room, gate.radius / 2.0))
