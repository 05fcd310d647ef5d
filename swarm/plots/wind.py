"""The wind of a world as an arrow in the corner of a picture."""

from __future__ import annotations

from typing import Any

import numpy as np

from swarm.plots import style
from swarm.plots.marks import add_polygons, scale_of
from swarm.plots.views import VIEWS, Panel
from swarm.state import Floats
from swarm.worlds.world import World

COLOR = "#5B8DB8"
LONG, THICK, CORNER = 0.55, 0.09, 0.45  # inches


def wind_now(world: World, time: float) -> Floats | None:
    """(D,) m/s at a time in s; None where there is no wind."""
    blowing: Any = getattr(world, "wind_at", None)
    if blowing is None or not getattr(world, "wind", ()):
        return None
    air: Floats = blowing(time)
    return air


def wind_arrow(panel: Panel, air: Floats) -> Floats:
    """(7, 2) m, an arrow in the upper left corner of a view that points where the wind (D,) m/s blows to."""
    axes = panel.axes
    scale = scale_of(axes)
    middle = np.array([axes.get_xlim()[0], axes.get_ylim()[1]]) + np.array([CORNER, -CORNER]) / scale
    seen = air[list(VIEWS[panel.view].axes)]
    speed, whole = float(np.hypot(*seen)), float(np.linalg.norm(air))
    if speed < 1e-9:
        return np.repeat(middle[None], 7, axis=0)
    ahead = seen / speed
    left = np.array([-ahead[1], ahead[0]])
    long, thick = LONG * speed / whole / scale, THICK / scale
    along = np.array([-0.5, 0.15, 0.15, 0.5, 0.15, 0.15, -0.5])
    across = np.array([0.25, 0.25, 1.0, 0.0, -1.0, -0.25, -0.25])
    return np.asarray(middle + long * along[:, None] * ahead + thick * across[:, None] * left)


def draw_wind(panel: Panel, world: World, time: float = 0.0, arrow: bool = True) -> None:
    """Draw where the wind blows to at a time in s, and how fast; nothing where there is none.

    Args:
        panel: The view.
        world: Whose wind.
        time: s.
        arrow: Whether to draw more than a word, as where the arrow is drawn in every frame.
    """
    air = wind_now(world, time)
    if air is None:
        return
    if arrow:
        add_polygons(panel.axes, [wind_arrow(panel, air)], 4.5, facecolors=COLOR, edgecolors="white", linewidths=0.8)
    if panel.view == "top":
        page: Any = panel.axes.figure
        place = panel.axes.get_position()
        width, height = page.get_size_inches()
        across, up = CORNER / (place.width * width), 1.0 - 1.95 * CORNER / (place.height * height)
        panel.axes.text(
            across, up, f"wind {np.linalg.norm(air):.2g} m/s" if arrow else "wind", transform=panel.axes.transAxes,
            fontsize=7.5, color=COLOR, ha="center", va="top", zorder=4.6, path_effects=style.halo(2.5),
        )  # fmt: skip
