"""A floor plan drawn in NetLogo's colours, and how far it is to the goal as light: the nearer, the lighter.

Where there is no goal at all, as in a hall that was made for walkers, the floor is plain and light.
"""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb
from matplotlib.patches import Patch

from swarm.state import Floats
from swarm.worlds.floor_plan.image import COLOURS
from swarm.worlds.floor_plan.plan import FREE, GOAL, OBSTACLE, SOURCE, FloorPlan

NEAR, FAR = 0.66, 0.1  # grey of free cells next to the goal and farthest from it; black is for those without a way
PLAIN = 0.93  # grey of free cells where there is no goal
MARK = "floor plan"  # what the image of a plan is called in its axes
RIM = 0.72  # of the goal's red, where it is not yet the goal itself


def draw_floor_plan(axes: Axes, plan: FloorPlan) -> list[Patch]:
    """Draw the cells of a plan; limits and labels of the axes are left alone.

    Args:
        axes: Where to draw.
        plan: What to draw.

    Returns:
        What a legend says about the colours.
    """
    (left, bottom), (right, top) = plan.bounds.tolist()
    limits = axes.get_xlim(), axes.get_ylim()
    image = axes.imshow(
        cell_colours(plan), extent=(left, right, bottom, top), origin="upper", interpolation="nearest", aspect="auto",
        zorder=1.0,
    )  # fmt: skip
    image.set_gid(MARK)
    axes.set_xlim(limits[0])
    axes.set_ylim(limits[1])
    return plan_legend(plan)


def has_goal(plan: FloorPlan) -> bool:
    """Whether there is a goal, be it under something that moves at this time."""
    return bool(((plan.ground or plan).cells == GOAL).any())


def way_lengths(plan: FloorPlan) -> str:
    """How far it is from the nearest and the farthest free cell to the goal, such as "1 to 54 m"; "" without a way."""
    walk = plan.distance[(plan.cells == FREE) & np.isfinite(plan.distance)]
    return f"{walk.min():g} to {walk.max():g} m" if len(walk) else ""


def plan_legend(plan: FloorPlan, lengths: str | None = None) -> list[Patch]:
    """What a legend says about the colours.

    Args:
        plan: Whose.
        lengths: Said of the ways to the goal; None: the plan's own, "": nothing.
    """
    free, lengths = plan.cells == FREE, way_lengths(plan) if lengths is None else lengths
    entries = [(COLOURS[SOURCE], "source")] if plan.source_cells.any() else []
    entries += [(COLOURS[GOAL], "goal, bright where one has arrived")] if (plan.cells == GOAL).any() else []
    entries += [(COLOURS[OBSTACLE], "obstacle")] if (plan.cells == OBSTACLE).any() else []
    if has_goal(plan):
        words = "free, lighter is nearer to the goal" + (f": {lengths}" if lengths else "")
        entries += [(f"{(NEAR + FAR) / 2:.2f}", words)] if (free & np.isfinite(plan.distance)).any() else []
        entries += [("black", "no way to the goal")] if (plan.unreachable & free).any() else []
    return [Patch(facecolor=face, edgecolor="none", label=label) for face, label in entries]


def repaint(axes: Axes, plan: FloorPlan) -> None:
    """Show other cells, and how far they are now, in axes in which a plan of that shape has been drawn."""
    for image in axes.images:
        if image.get_gid() == MARK:
            image.set_data(cell_colours(plan))


def cell_colours(plan: FloorPlan) -> Floats:
    """(rows, columns, 3) red, green and blue of each cell, 0 to 1."""
    colours = np.array([to_rgb(colour) for colour in COLOURS])[plan.cells]
    if not has_goal(plan):
        colours[plan.cells == FREE] = PLAIN
        return np.asarray(colours)
    free = (plan.cells == FREE) & np.isfinite(plan.distance)
    if free.any():
        distance = plan.distance[free]
        nearness = 1.0 - (distance - distance.min()) / max(float(np.ptp(distance)), 1e-9)
        colours[free] = (FAR + (NEAR - FAR) * nearness)[:, None]
    colours[(plan.cells == GOAL) & ~plan.goal_cells] *= RIM
    return np.asarray(colours)
