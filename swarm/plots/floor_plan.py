"""A floor plan drawn in NetLogo's colours, and how far it is to the goal as light: the nearer, the lighter."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb
from matplotlib.patches import Patch

from swarm.state import Floats
from swarm.worlds.floor_plan.image import COLOURS
from swarm.worlds.floor_plan.plan import FREE, GOAL, OBSTACLE, SOURCE, FloorPlan

NEAR, FAR = 0.66, 0.1  # grey of free cells next to the goal and farthest from it; black is for those without a way
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
    walk = plan.distance[(plan.cells == FREE) & np.isfinite(plan.distance)]
    grey = f"{(NEAR + FAR) / 2:.2f}"
    entries = [(COLOURS[SOURCE], "source"), (COLOURS[GOAL], "goal, bright where one has arrived")]
    entries += [(COLOURS[OBSTACLE], "obstacle")] if (plan.cells == OBSTACLE).any() else []
    entries += [(grey, f"free, lighter is nearer to the goal: {walk.min():g} to {walk.max():g} m")] if len(walk) else []
    entries += [("black", "no way to the goal")] if (plan.unreachable & (plan.cells == FREE)).any() else []
    here = {SOURCE: plan.source_cells.any(), GOAL: (plan.cells == GOAL).any()}
    kept = [entry for kind, entry in zip((SOURCE, GOAL), entries) if here[kind]] + entries[2:]
    return [Patch(facecolor=face, edgecolor="none", label=label) for face, label in kept]


def repaint(axes: Axes, plan: FloorPlan) -> None:
    """Show other cells, and how far they are now, in axes in which a plan of that shape has been drawn."""
    for image in axes.images:
        if image.get_gid() == MARK:
            image.set_data(cell_colours(plan))


def cell_colours(plan: FloorPlan) -> Floats:
    """(rows, columns, 3) red, green and blue of each cell, 0 to 1."""
    colours = np.array([to_rgb(colour) for colour in COLOURS])[plan.cells]
    free = (plan.cells == FREE) & np.isfinite(plan.distance)
    if free.any():
        distance = plan.distance[free]
        nearness = 1.0 - (distance - distance.min()) / max(float(np.ptp(distance)), 1e-9)
        colours[free] = (FAR + (NEAR - FAR) * nearness)[:, None]
    colours[(plan.cells == GOAL) & ~plan.goal_cells] *= RIM
    return np.asarray(colours)
