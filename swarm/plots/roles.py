"""What tells agents apart in a picture: colour and size by role, a colour of its own for each of a few."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.lines import Line2D

from swarm.plots import style
from swarm.state import LEADER, MEMBER, PREDATOR, Floats, Ints

COLORS = {MEMBER: style.CROWD, LEADER: "#E69F00", PREDATOR: "#111111"}  # black keeps vermilion for what went wrong
LARGER = {MEMBER: 1.0, LEADER: 1.2, PREDATOR: 1.7}
# NetLogo's yellow on a floor plan of its green, red, sky and grey.
ON_PLAN = {MEMBER: "#EDED31", LEADER: "#CC79A7", PREDATOR: "#FFFFFF"}
CAUGHT = "#9AA3AB"
LEFT = "#1FA37B"  # who has left by an exit
WORDS = {MEMBER: "member", LEADER: "leader", PREDATOR: "predator"}


def role_colors(role: Ints, on_plan: bool = False) -> list[str]:
    """A colour for each agent: its role's; each member's own while there are no more members than colours.

    On a floor plan all members are yellow.
    """
    if on_plan:
        return [ON_PLAN[int(kind)] for kind in role]
    members = int((role == MEMBER).sum())
    return [
        style.agent_color(agent, members) if kind == MEMBER else COLORS[int(kind)] for agent, kind in enumerate(role)
    ]


def role_sizes(role: Ints) -> Floats:
    """(N,) how many times as large as a member each agent is drawn."""
    return np.array([LARGER[int(kind)] for kind in role])


def role_legend(role: Ints, caught: bool = False, on_plan: bool = False, left: str = "") -> Sequence[Line2D]:
    """Entries of a legend.

    Args:
        role: (N,) of all; where all are members they have no entry, but on a floor plan.
        caught: Whether prey that was caught is shown.
        on_plan: Whether they are drawn as on a floor plan.
        left: What those who are gone without being lost have done; "" where nobody is.
    """
    kinds = np.unique(role).tolist()
    marks = []
    if on_plan:
        words = {**WORDS, MEMBER: "walker, its bar points ahead"} if kinds == [MEMBER] else WORDS
        marks = [mark(ON_PLAN[kind], words[kind], 6.0 * LARGER[kind], "o", style.INK) for kind in kinds]
    elif kinds != [MEMBER]:
        marks = [mark(COLORS[kind], WORDS[kind], 6.0 * LARGER[kind]) for kind in kinds]
    if caught and PREDATOR in kinds:
        marks.append(mark(CAUGHT, "caught", 6.0))
    return [*marks, mark(LEFT, f"just {left}", 6.0, "o" if on_plan else ">")] if left else marks


def mark(color: str, label: str, size: float, marker: str = ">", edge: str | None = None) -> Line2D:
    """An entry of a legend that shows one mark, `size` points large."""
    return Line2D(
        [],
        [],
        linestyle="none",
        marker=marker,
        color=color,
        label=label,
        markersize=size,
        markeredgecolor=edge or color,
    )


def contact_legend() -> Line2D:
    """What a legend says about the circle around who just touched something."""
    return Line2D(
        [], [], linestyle="none", marker="o", markerfacecolor="none", color=style.FAULT, markersize=7,
        markeredgewidth=1.6, label="contact",
    )  # fmt: skip


def heading_legend() -> Line2D:
    """What a legend says about direction marks of people who are all alike."""
    return mark(COLORS[MEMBER], "walker, points ahead", 6.0)
