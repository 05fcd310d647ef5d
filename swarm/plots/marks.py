"""Marks that pictures and videos share: agents as darts, the lines of a formation, target and way-points."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection, PolyCollection
from matplotlib.patches import Circle

from swarm.plots import style
from swarm.plots.views import VIEWS, Panel
from swarm.state import Floats
from swarm.tasks import Task


def add_polygons(axes: Axes, shapes: Any, zorder: float, **look: Any) -> PolyCollection:
    """Draw (F, K, 2) polygons, or a list of (K, 2) ones; limits of the axes stay."""
    made = PolyCollection(shapes, zorder=zorder, **look)
    axes.add_collection(made, autolim=False)
    return made


def add_lines(axes: Axes, lines: Any, zorder: float, **look: Any) -> LineCollection:
    """Draw (L, K, 2) lines, or a list of (K, 2) ones; limits of the axes stay."""
    made = LineCollection(list(lines), zorder=zorder, **look)
    axes.add_collection(made, autolim=False)
    return made


_DART = np.array([[1.0, 0.0], [-0.75, 0.62], [-0.35, 0.0], [-0.75, -0.62]])


def darts(position: Floats, direction: Floats, size: float) -> Floats:
    """Arrow heads that show where agents are and head.

    Args:
        position: (A, 2) m.
        direction: (A, 2), of any length; zero points to the right.
        size: m from the middle to the tip.

    Returns:
        (A, 4, 2) m, corners.
    """
    length = np.hypot(direction[:, 0], direction[:, 1])[:, None]
    ahead = np.where(length > 1e-9, direction / np.maximum(length, 1e-9), (1.0, 0.0))
    turn = np.stack([ahead, np.stack([-ahead[:, 1], ahead[:, 0]], axis=1)], axis=1)
    return np.asarray(position[:, None] + size * (_DART @ turn))


def add_darts(panel: Panel, position: Floats, direction: Floats, colors: list[str], count: int) -> None:
    """Draw agents of a swarm of `count` as darts: (A, 2) positions and directions, A colours."""
    shapes = darts(position, direction, dart_size(panel, count))
    width = 0.6 if count <= 20 else 0.2
    add_polygons(panel.axes, shapes, 4.0, facecolors=colors, edgecolors=style.INK, linewidths=width)


def dart_size(panel: Panel, count: int) -> float:
    """Size of a dart in m that looks alike at any scale, smaller in a crowd."""
    inches = 0.085 if count <= 20 else 0.06 if count <= 200 else 0.03
    return inches / panel.scale


def places(task: Task, dim: int) -> Floats:
    """(K, dim) m, where a task wants the swarm: its way-points, or its target; the last is the end of the way."""
    path, target = getattr(task, "path", None), getattr(task, "target", None)
    wanted = path if path is not None else [target] if target is not None else []
    if len(wanted) == 0 or len(wanted[0]) != dim:
        return np.empty((0, dim))
    return np.asarray(wanted, dtype=float)


def draw_task(panel: Panel, task: Task, dim: int) -> None:
    """The target as a circle with its radius, a prescribed path as a dashed line through its way-points."""
    axes, way = panel.axes, places(task, dim)[:, list(VIEWS[panel.view].axes)]
    if len(way) == 0:
        return
    dashes = (0, (4, 2))
    if len(way) > 1:
        axes.plot(way[:, 0], way[:, 1], color=style.GOAL, linestyle=dashes, linewidth=1.2, zorder=2.2)
        axes.plot(way[:, 0], way[:, 1], "D", color=style.GOAL, markersize=3.5, zorder=2.3)
    across, up = way[-1].tolist()
    radius = getattr(task, "radius", 0.0)
    axes.add_patch(Circle((across, up), radius, facecolor="#00805C22", edgecolor="none", zorder=2.1))
    axes.add_patch(
        Circle((across, up), radius, fill=False, edgecolor=style.GOAL, linewidth=1.4, linestyle=dashes, zorder=2.4)
    )
    axes.plot([across], [up], marker="*", color=style.GOAL, markersize=8, zorder=2.5)
    if panel.view == "top":
        note(panel, across, up - radius, "target", style.GOAL, below=True)


def note(panel: Panel, across: float, up: float, text: str, color: str = style.INK, below: bool = False) -> None:
    """A short word just above or below a place, legible over lines and kept inside the view."""
    (left, right), (bottom, top) = panel.axes.get_xlim(), panel.axes.get_ylim()
    if below and up - 0.22 / panel.scale < bottom:
        below, up = False, up + 0.1 / panel.scale
    sign = -1.0 if below else 1.0
    up = min(max(up + sign * 0.04 / panel.scale, bottom), top - 0.16 / panel.scale if not below else top)
    edge = 0.05 * (right - left)
    align = "left" if across < left + edge else "right" if across > right - edge else "center"
    panel.axes.text(
        across, up, text, color=color, fontsize=7.5, ha=align, va="top" if below else "bottom", zorder=6,
        path_effects=style.halo(), clip_on=True,
    )  # fmt: skip
