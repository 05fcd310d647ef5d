"""What tells agents apart in a picture: colour and size by role, a colour of its own for each of a few."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.lines import Line2D

from swarm.plots import style
from swarm.state import LEADER, MEMBER, PREDATOR, Floats, Ints

COLORS = {MEMBER: style.CROWD, LEADER: "#E69F00", PREDATOR: "#111111"}  # black keeps vermilion for what went wrong
LARGER = {MEMBER: 1.0, LEADER: 1.2, PREDATOR: 1.7}
CAUGHT = "#9AA3AB"
WORDS = {MEMBER: "member", LEADER: "leader", PREDATOR: "predator"}


def role_colors(role: Ints) -> list[str]:
    """A colour for each agent: its role's; each member's own while there are no more members than colours."""
    members = int((role == MEMBER).sum())
    return [
        style.agent_color(agent, members) if kind == MEMBER else COLORS[int(kind)] for agent, kind in enumerate(role)
    ]


def role_sizes(role: Ints) -> Floats:
    """(N,) how many times as large as a member each agent is drawn."""
    return np.array([LARGER[int(kind)] for kind in role])


def role_legend(role: Ints, caught: bool = False) -> Sequence[Line2D]:
    """Entries of a legend; none where all are members; `caught` where prey that was caught is shown."""
    kinds = np.unique(role).tolist()
    if kinds == [MEMBER]:
        return []
    marks = [_mark(COLORS[kind], WORDS[kind], 6.0 * LARGER[kind]) for kind in kinds]
    return [*marks, _mark(CAUGHT, "caught", 6.0)] if caught and PREDATOR in kinds else marks


def _mark(color: str, label: str, size: float) -> Line2D:
    return Line2D([], [], linestyle="none", marker=">", color=color, label=label, markersize=size)
