"""A world before anything flies in it, and where a mission starts, heads and ends."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.artist import Artist
from matplotlib.colors import to_rgba_array
from matplotlib.figure import Figure

from swarm.plots import style
from swarm.plots.floor_plan import has_goal
from swarm.plots.formation_lines import formation_lines, slot_edges
from swarm.plots.marks import add_lines, add_polygons, arrows, dart_size, note
from swarm.plots.roles import role_colors, role_legend, role_sizes
from swarm.plots.sketch import Sketch
from swarm.plots.task_marks import draw_sensing, draw_task
from swarm.plots.views import VIEWS, Panel, frame, panels
from swarm.plots.walkers import walkers
from swarm.plots.wind import draw_wind
from swarm.plots.world import draw_world
from swarm.state import MEMBER, Floats, Ints
from swarm.worlds.world import World

PAGE = (14.0, 10.0)  # inches at most
FEW = 12  # agents up to which it is said that they start there
FULL = 0.98  # of a page, that a legend may take across


@dataclass(frozen=True, eq=False)
class Plan:
    """What a mission adds to its world."""

    position: Floats  # (N, D) m, start
    heading: float  # rad
    slots: Floats | None  # (N, D) m, formation
    task: Sketch
    route: Floats | None  # (K, D) m, way of the swarm's middle to the target, or along all that it has to visit
    margin: float | None = None  # m that the route keeps from everything solid
    direction: Floats | None = None  # (N, D) unit, where each agent heads; None: all along the heading
    role: Ints | None = None  # (N,) MEMBER, LEADER or PREDATOR; None: all members


def write_overview(path: Path, world: World, title: str, plan: Plan | None = None) -> None:
    """Write a world as PNG, with a mission's start, route and target where there is one.

    Args:
        path: The file.
        world: The world.
        title: One line above.
        plan: Of a mission.

    Raises:
        BadInput: The file cannot be written.
    """
    with style.styled():
        style.save(draw_overview(world, title, plan), path)


def draw_overview(world: World, title: str, plan: Plan | None = None) -> Figure:
    """The view from above, cut at the swarm's height, and, in three dimensions, from the side."""
    box, cut = np.array(world.bounds), None
    if plan is not None:
        parts = [plan.position, plan.task.places.reshape(-1, world.dim)]
        box = frame(world, np.concatenate(parts if plan.route is None else [*parts, plan.route]))
        cut = round(float(plan.position[:, 2].mean()), 2) if world.dim == 3 else None
    margin = 0.015 * float((box[1] - box[0]).max())
    page, views = panels(box + margin * np.array([[-1.0], [1.0]]), 0.72 if world.dim == 3 else 0.5, PAGE)
    height = page.get_figheight()
    page.text(0.5, 1 - 0.08 / height, title, ha="center", va="top", fontsize=10.5, fontweight="bold")
    entries: list[Artist] = [] if plan is None else [*role_legend(_role(plan), on_plan=world.floor_plan is not None)]
    for panel in views:
        entries += draw_world(panel.axes, world, panel.view, names=None if panel.view == "top" else False, cut=cut)
        draw_wind(panel, world)
        if len(views) == 1:  # where all is seen from above, that goes without saying
            panel.axes.texts[0].remove()
        if plan is not None:
            _draw_plan(panel, world, plan)
    legend(page, entries, 1 - 0.3 / height)
    return page


def _role(plan: Plan) -> Ints:
    return np.full(len(plan.position), MEMBER) if plan.role is None else plan.role


def legend(page: Figure, entries: Sequence[Artist], top: float) -> None:
    """One row in the middle of a page, each word up to a colon once.

    Args:
        page: Where.
        entries: Of words that are the same, the first is shown.
        top: Share of the page's height.
    """
    if entries:
        words: dict[str, Artist] = {}
        for entry in entries:
            words.setdefault(str(entry.get_label()).partition(":")[0], entry)
        look: dict[str, Any] = {
            "handles": list(words.values()), "loc": "upper center", "bbox_to_anchor": (0.5, top), "ncols": len(words),
            "columnspacing": 1.3, "handletextpad": 0.5, "borderaxespad": 0.0,
        }  # fmt: skip
        row = page.legend(**look)
        while (wide := row.get_window_extent().width / page.bbox.width) > FULL:  # smaller letters, whose widths are
            size = float(row.get_texts()[0].get_fontsize()) * min(FULL / wide, 0.97)  # not quite in proportion
            row.remove()
            row = page.legend(**look, fontsize=size)


def _beside(route: Floats) -> tuple[float, float]:
    """A place on a route (K, 2) m, on the longest straight piece of it."""
    legs = np.diff(route, axis=0)
    if len(legs) == 0:
        return float(route[0, 0]), float(route[0, 1])
    ahead = np.arctan2(legs[:, 1], legs[:, 0])
    bends = np.flatnonzero(np.abs(np.diff(ahead)) > 1e-6) + 1
    corners = route[[0, *bends, len(legs)]]
    pieces = np.diff(corners, axis=0)
    longest = int(np.argmax(np.hypot(*pieces.T)))
    x, y = corners[longest] + 0.4 * pieces[longest]
    return float(x), float(y)


def _draw_plan(panel: Panel, world: World, plan: Plan) -> None:
    axes, pair = panel.axes, list(VIEWS[panel.view].axes)
    draw_task(panel, plan.task)
    draw_sensing(panel, plan.task, plan.position.mean(axis=0))
    count = len(plan.position)
    if plan.route is not None and plan.task.path is None:
        dark = world.floor_plan is not None and has_goal(world.floor_plan)
        look: dict[str, Any] = {"color": "white", "linewidth": 1.6} if dark else {"color": style.GOAL, "linewidth": 1.3}
        axes.plot(*plan.route[:, pair].T, linestyle=(0, (1, 1.5)), zorder=2.6, **look)
        if panel.view == "top":
            x, y = _beside(plan.route[:, :2])
            note(panel, x, y, "route", style.GOAL)
    place = plan.position[:, pair]
    if plan.slots is not None:
        lines = formation_lines(plan.slots, slot_edges(plan.slots), plan.position, np.arange(count), plan.heading)
        add_lines(axes, place[lines], 3.5, colors=style.INK, linewidths=1.5)
    ahead = plan.direction
    if ahead is None:
        ahead = np.zeros((count, world.dim))
        ahead[:, 0], ahead[:, 1] = np.cos(plan.heading), np.sin(plan.heading)
    size = dart_size(panel, count) * role_sizes(_role(plan))
    if world.floor_plan is not None:
        colors, point = to_rgba_array(role_colors(_role(plan), on_plan=True)), 1.0 / (72.0 * panel.scale)
        shapes, fills = walkers(place, ahead[:, pair], size, colors, 0.8 * point)
        add_polygons(axes, shapes, 4.0, facecolors=fills, edgecolors="none")
    else:
        width = 0.6 if count <= 20 else 0.2
        look = {"facecolors": role_colors(_role(plan)), "edgecolors": style.INK, "linewidths": width}
        add_polygons(axes, arrows(place, ahead[:, pair], size), 4.0, **look)
    if panel.view == "top" and (count <= FEW or plan.slots is not None):
        note(panel, float(place[:, 0].mean()), float(place[:, 1].max()) + dart_size(panel, count), "start")
