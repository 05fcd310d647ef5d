"""Gates as openings with their number and the direction in which they are crossed; areas as faint regions."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from swarm.plots import style
from swarm.plots.marks import add_polygons, scale_of
from swarm.plots.views import VIEWS
from swarm.state import Floats
from swarm.worlds.world import World
from swarm.worlds.zones import Zone

ARROW = 0.34  # inches, half of the arrow through a gate
SIZE = 6.5  # points of a name
_TURN = np.linspace(0.0, 2.0 * np.pi, 49)[:-1]


def draw_zones(axes: Axes, world: World, view: str) -> None:
    """Draw all zones of a world; areas only from above, where they do not cover each other."""
    for zone in world.zones:
        if zone.kind == "gate":
            _draw_gate(axes, zone, view)
        elif view == "top":
            _draw_area(axes, zone)


def gate_rim(gate: Zone) -> Floats:
    """(K, D) m, the edge of a gate's opening; in two dimensions its two ends."""
    ahead, middle = gate.normal, np.asarray(gate.center)
    if len(middle) == 2:
        half = gate.radius or gate.size[0] / 2.0
        left = np.array([-ahead[1], ahead[0]])
        return np.stack([middle - half * left, middle + half * left])
    left, up = np.array([-ahead[1], ahead[0], 0.0]), np.array([0.0, 0.0, 1.0])
    if gate.radius > 0.0:
        across, rise = gate.radius * np.cos(_TURN), gate.radius * np.sin(_TURN)
    else:
        width, height = gate.size
        across, rise = width / 2.0 * np.array([-1, 1, 1, -1]), height / 2.0 * np.array([-1, -1, 1, 1])
    return np.asarray(middle + across[:, None] * left + rise[:, None] * up)


def _draw_gate(axes: Axes, gate: Zone, view: str) -> None:
    pair = list(VIEWS[view].axes)
    rim, middle, ahead = gate_rim(gate)[:, pair], np.asarray(gate.center)[pair], gate.normal[pair]
    # Seen edge-on the opening is a line: it is widened to be seen over the wall it is in.
    add_polygons(axes, [rim], 2.55, facecolors="none", edgecolors="white", linewidths=4.5, joinstyle="round")
    add_polygons(axes, [rim], 2.56, facecolors="#00805C18", edgecolors=style.GOAL, linewidths=2.2, joinstyle="round")
    length = float(np.hypot(*ahead))
    half = ARROW / scale_of(axes)
    label = middle
    if length > 0.1:
        axes.annotate(
            "", tuple(middle + half * ahead / length), tuple(middle - half * ahead / length), zorder=2.6,
            annotation_clip=True,
            arrowprops={"arrowstyle": "-|>", "color": style.GOAL, "linewidth": 1.4, "shrinkA": 0.0, "shrinkB": 0.0},
        )  # fmt: skip
        label = middle - 1.15 * half * ahead / length
    axes.text(
        label[0], label[1], str(gate.order), fontsize=7, fontweight="bold", color="white", ha="center", va="center",
        zorder=4.2, clip_on=True, bbox={"boxstyle": "circle,pad=0.22", "facecolor": style.GOAL, "edgecolor": "white"},
    )  # fmt: skip


def _draw_area(axes: Axes, area: Zone) -> None:
    low = np.asarray(area.center)[:2] - np.asarray(area.size)[:2] / 2.0
    across, up = area.size[:2]
    axes.add_artist(
        Rectangle(
            (low[0], low[1]), across, up, facecolor="#4A6FA50C", edgecolor="#4A6FA599", linewidth=0.8,
            linestyle=(0, (5, 3)), zorder=1.25,
        )
    )  # fmt: skip
    inset = 0.05 / scale_of(axes)
    wide = 0.6 * SIZE / 72.0 * len(area.name) / scale_of(axes)  # m, about
    out = low[0] + inset + wide > axes.get_xlim()[1]  # its name would be cut at the picture's edge
    axes.text(
        low[0] + (across - inset if out else inset), low[1] + up - inset, area.name, fontsize=SIZE, fontstyle="italic",
        color="#3C5C8C", ha="right" if out else "left", va="top", zorder=2.0, clip_on=True,
        path_effects=style.halo(2.0), gid=label_of(area),
    )  # fmt: skip


def label_of(area: Zone) -> str:
    """What the artist of an area's name is called."""
    return f"area {area.name}"
