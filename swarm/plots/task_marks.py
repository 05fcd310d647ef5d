"""Marks of a task in plan and elevation: target, way-points, the area and the range of a search."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.patches import Circle, Rectangle

from swarm.plots import style
from swarm.plots.marks import add_lines, add_polygons, darts, note
from swarm.plots.sketch import Sketch
from swarm.plots.views import VIEWS, Panel
from swarm.plots.zones import label_of
from swarm.state import Floats
from swarm.worlds.zones import Zone

DASHES = (0, (4, 2))
NUMBERS = 9  # along a sweep, at most
ARROWS = 0.9  # inches of the way between two arrows on it


def draw_task(panel: Panel, task: Sketch, word: str | None = None) -> None:
    """The target as a circle with its radius, a prescribed path as a dashed line through its way-points.

    Args:
        panel: Where.
        task: What.
        word: At the target, in place of the sketch's own.
    """
    axes, pair = panel.axes, list(VIEWS[panel.view].axes)
    if task.area is not None:
        (left, low), (right, high) = task.area[:, pair]
        look: dict[str, Any] = {"fill": False, "edgecolor": style.GOAL, "linewidth": 1.1, "linestyle": (0, (6, 3))}
        axes.add_artist(Rectangle((left, low), right - left, high - low, zorder=2.05, **look))
    for zone in task.exits:
        _draw_exit(panel, zone)
    if task.path is not None:
        if task.sensing > 0.0:
            _draw_sweep(panel, task.path[:, pair])
        else:
            way = task.path[:, pair]
            axes.plot(way[:, 0], way[:, 1], color=style.GOAL, linestyle=DASHES, linewidth=1.2, zorder=2.2)
            axes.plot(way[:, 0], way[:, 1], "D", color=style.GOAL, markersize=3.5, zorder=2.3)
    if task.end is None:
        return
    across, up = task.end[pair].tolist()
    axes.add_artist(Circle((across, up), task.radius, facecolor="#00805C22", edgecolor="none", zorder=2.1))
    look = {"fill": False, "edgecolor": style.GOAL, "linewidth": 1.4, "linestyle": DASHES}
    axes.add_artist(Circle((across, up), task.radius, zorder=2.4, **look))
    axes.plot([across], [up], marker="*", color=style.GOAL, markersize=8, zorder=2.5)
    if panel.view == "top" and not task.exits:
        note(panel, across, up - task.radius, word or task.word, style.GOAL, below=True)


def _draw_exit(panel: Panel, zone: Zone) -> None:
    """A way out as a green area; the word stands before its name, unless that says so."""
    pair = list(VIEWS[panel.view].axes)
    middle, size = np.asarray(zone.center)[pair], np.asarray(zone.size)[pair]
    left, low = (middle - size / 2.0).tolist()
    look: dict[str, Any] = {"facecolor": "#00805C30", "edgecolor": style.GOAL, "linewidth": 1.6}
    panel.axes.add_artist(Rectangle((left, low), float(size[0]), float(size[1]), zorder=2.1, **look))
    if panel.view != "top" or "exit" in zone.name.lower():
        return
    for text in panel.axes.texts:
        if text.get_gid() == label_of(zone):
            text.set(text=f"exit {zone.name}", color=style.GOAL, zorder=2.6)
            return
    note(panel, float(middle[0]), low, f"exit {zone.name}", style.GOAL, below=True)


def draw_sensing(panel: Panel, task: Sketch, middle: Floats) -> None:
    """How far a searching swarm senses its target: a circle about its middle (D,) m, from above."""
    if task.sensing <= 0.0 or panel.view != "top":
        return
    across, up = middle[:2].tolist()
    look = {"edgecolor": style.GOAL, "linewidth": 0.9, "linestyle": (0, (1, 2)), "facecolor": "#00805C0C"}
    panel.axes.add_artist(Circle((across, up), task.sensing, zorder=2.0, **look))
    tilt = np.radians(25.0)
    place = middle[:2] + task.sensing * np.array([np.cos(tilt), np.sin(tilt)])
    note(panel, float(place[0]), float(place[1]), f"senses {task.sensing:g} m", style.GOAL)


def _draw_sweep(panel: Panel, way: Floats) -> None:
    """A way with arrows along it and, from above, numbers that tell the order."""
    legs = np.diff(way, axis=0)
    length = np.hypot(*legs.T)
    along = np.concatenate([[0.0], np.cumsum(length)])
    add_lines(panel.axes, [way], 2.2, colors=[style.GOAL], linewidths=1.3, linestyles=[(0, (1, 1.5))])
    if along[-1] <= 0.0:
        return

    def at(distance: Floats) -> tuple[Floats, Floats]:
        leg = np.searchsorted(along, distance, side="right").clip(1, len(legs)) - 1
        share = (distance - along[leg]) / np.maximum(length[leg], 1e-9)
        return way[leg] + share[:, None] * legs[leg], legs[leg]

    count = max(1, int(along[-1] * panel.scale / ARROWS))
    place, ahead = at(along[-1] * (np.arange(count) + 0.5) / count)
    add_polygons(panel.axes, darts(place, ahead, 0.06 / panel.scale), 2.3, facecolors=style.GOAL, edgecolors="none")
    if panel.view != "top":
        return
    numbers = min(NUMBERS, count + 1)
    place, _ = at(along[-1] * np.arange(1, numbers + 1) / numbers)
    for k, (across, up) in enumerate(place.tolist()):
        panel.axes.text(
            across, up, str(k + 1), fontsize=6.5, color=style.GOAL, ha="center", va="center", zorder=2.8, clip_on=True,
            bbox={"boxstyle": "circle,pad=0.2", "facecolor": "white", "edgecolor": style.GOAL, "linewidth": 0.8},
        )  # fmt: skip
