"""A world before anything flies in it, and where a mission starts, heads and ends."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

from swarm.plots import style
from swarm.plots.formation_lines import formation_lines, slot_edges
from swarm.plots.marks import add_darts, add_lines, dart_size, draw_task, note, places
from swarm.plots.views import VIEWS, Panel, frame, panels
from swarm.plots.world import draw_world
from swarm.state import Floats
from swarm.tasks import Task
from swarm.worlds.world import World

PAGE = (14.0, 10.0)  # inches at most


@dataclass(frozen=True, eq=False)
class Plan:
    """What a mission adds to its world."""

    position: Floats  # (N, D) m, start
    heading: float  # rad
    slots: Floats | None  # (N, D) m, formation
    task: Task
    route: Floats | None  # (K, D) m, way of the swarm's middle to the target


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
    """The view from above and, in three dimensions, from the side."""
    box = np.array(world.bounds)
    if plan is not None:
        way = np.empty((0, world.dim)) if plan.route is None else plan.route
        box = frame(world, np.concatenate([plan.position, places(plan.task, world.dim), way]))
    margin = 0.015 * float((box[1] - box[0]).max())
    page, views = panels(box + margin * np.array([[-1.0], [1.0]]), 0.5, PAGE)
    page.text(0.5, 1 - 0.08 / page.get_figheight(), title, ha="center", va="top", fontsize=10.5, fontweight="bold")
    for panel in views:
        draw_world(panel.axes, world, panel.view, names=None if panel.view == "top" else False)
        if plan is not None:
            _draw_plan(panel, world, plan)
    return page


def _draw_plan(panel: Panel, world: World, plan: Plan) -> None:
    axes, pair = panel.axes, list(VIEWS[panel.view].axes)
    draw_task(panel, plan.task, world.dim)
    count = len(plan.position)
    if plan.route is not None:
        axes.plot(*plan.route[:, pair].T, color=style.GOAL, linewidth=1.3, linestyle=(0, (1, 1.5)), zorder=2.6)
        if panel.view == "top":
            middle = plan.route[len(plan.route) // 2]
            note(panel, float(middle[0]), float(middle[1]), "route", style.GOAL)
    place = plan.position[:, pair]
    if plan.slots is not None:
        lines = formation_lines(plan.slots, slot_edges(plan.slots), plan.position, np.arange(count), plan.heading)
        add_lines(axes, place[lines], 3.5, colors=style.INK, linewidths=1.5)
    ahead = np.zeros((count, world.dim))
    ahead[:, 0], ahead[:, 1] = np.cos(plan.heading), np.sin(plan.heading)
    add_darts(panel, place, ahead[:, pair], [style.agent_color(agent, count) for agent in range(count)], count)
    if panel.view == "top":
        note(panel, float(place[:, 0].mean()), float(place[:, 1].max()) + dart_size(panel, count), "start")
