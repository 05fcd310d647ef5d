"""A world drawn in plan, cut at a height, or in elevation: obstacles by their true outlines, zones and bounds."""

from __future__ import annotations

import dataclasses

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import to_rgba
from matplotlib.patches import Patch, Rectangle

from swarm.plots import style
from swarm.plots.below import ground_below
from swarm.plots.elevation import GLASS, draw_mesh
from swarm.plots.floor_plan import draw_floor_plan
from swarm.plots.marks import add_lines, add_polygons
from swarm.plots.movers import draw_ways, mover_legend
from swarm.plots.names import write_names
from swarm.plots.plan import cut_height, draw_plan, mix
from swarm.plots.silhouettes import extent, outline
from swarm.plots.views import VIEWS, Side
from swarm.plots.zones import draw_zones
from swarm.worlds.obstacles import Obstacle
from swarm.worlds.world import World


def draw_world(
    axes: Axes, world: World, view: str = "top", names: bool | None = None, cut: float | None = None
) -> list[Patch]:
    """Draw obstacles, zones, walls, floor and bounds; limits and labels of the axes are left alone.

    Args:
        axes: Where to draw.
        world: What to draw; two dimensions are drawn from above.
        view: "top" (x, y), "side" (x, z) or "front" (y, z). From above, a darker obstacle ends higher. From elsewhere a
            darker one is nearer to the eye.
        names: Whether to write the obstacles' names; None does for those that stand out.
        cut: m; from above, what is solid at this height is dark, what is lower light, and what is higher hatched. None
            takes 1.5 m above the lower bound, or half way up a lower world.

    Returns:
        What a legend says about the fills.
    """
    side = VIEWS[view]
    entries: list[Patch] = []
    if world.floor_plan is not None:
        entries = draw_floor_plan(axes, world.floor_plan)
        world = dataclasses.replace(world, obstacles=world.beside_plan)
    _draw_bounds(axes, world, side.axes)
    if world.dim == 3 and view == "top":
        entries += draw_plan(axes, world, cut_height(world) if cut is None else cut)
    else:
        _draw_outlines(axes, world, side)
    for ground in ground_below(world) if view == "top" else ():
        add_polygons(axes, ground.corners, 1.3, facecolors=to_rgba(ground.colour, 0.45), edgecolors="none")
        entries.append(Patch(facecolor=to_rgba(ground.colour, 0.45), edgecolor="none", label=ground.word))
    if world.moving:
        draw_ways(axes, world, view)
        entries += mover_legend(world)
    draw_zones(axes, world, view)
    if names is not False:
        write_names(axes, world, side.axes, always=names is True)
    return entries


def _draw_outlines(axes: Axes, world: World, side: Side) -> None:
    """Outlines, the nearest last."""
    ordered = sorted(world.obstacles, key=lambda o: side.nearer * float(extent(o)[:, side.depth].sum()))
    solid = [o for o in ordered if o.kind != "mesh"]
    if solid:
        shapes = [outline(o, side.axes) for o in solid]
        fills = [style.MOVER if o.motion is not None else _fill(o, world, side) for o in solid]
        edges = [style.MOVER_EDGE if o.motion is not None else style.SOLID_EDGE for o in solid]
        glass = GLASS if world.dim == 3 else 1.0
        add_polygons(axes, shapes, 1.5, facecolors=[to_rgba(fill, glass) for fill in fills], edgecolors="none")
        add_polygons(axes, shapes, 1.51, facecolors="none", edgecolors=edges, linewidths=0.7)
    for obstacle in ordered:
        if obstacle.mesh is not None and obstacle.motion is not None:
            draw_mesh(axes, obstacle, side, style.MOVER, style.MOVER_EDGE)
        elif obstacle.mesh is not None:
            draw_mesh(axes, obstacle, side, _fill(obstacle, world, side), style.SOLID_EDGE)


def _fill(obstacle: Obstacle, world: World, side: Side) -> str:
    """Darker the nearer an obstacle is to the eye."""
    if world.dim == 2:
        return mix(style.SOLID_LOW, style.SOLID_HIGH, 0.7)
    low, high = world.bounds[:, side.depth]
    middle = float(extent(obstacle)[:, side.depth].mean())
    return mix(style.SOLID_LOW, style.SOLID_HIGH, 0.7 * (high - middle) / max(high - low, 1e-9))


def _draw_bounds(axes: Axes, world: World, across_up: tuple[int, int]) -> None:
    low, high = world.bounds[0, list(across_up)], world.bounds[1, list(across_up)]
    if world.boundary == "torus":  # else the frame of the axes covers the dashes
        axes.spines[:].set_visible(False)
    line = {"walls": "-", "torus": (0, (6, 3)), "open": (0, (1, 3))}[world.boundary]
    axes.add_patch(
        Rectangle(
            (low[0], low[1]), high[0] - low[0], high[1] - low[1], fill=False, linestyle=line,
            edgecolor=style.WALL if world.boundary != "open" else style.FAINT,
            linewidth={"walls": 2.0, "torus": 1.6, "open": 1.0}[world.boundary], zorder=1.2,
        )
    )  # fmt: skip
    if world.floor and across_up[1] == 2:
        # Wider and deeper than any picture of the world, without a say in what it shows.
        depth = 10.0 * float(np.ptp(world.bounds[:, 2])) + 10.0
        left, right = low[0] - depth, high[0] + depth
        axes.add_artist(
            Rectangle((left, low[1] - depth), right - left, depth, facecolor="#D9D4C8", linewidth=0, zorder=0.5)
        )
        add_lines(axes, [np.array([[left, low[1]], [right, low[1]]])], 1.2, colors=style.WALL, linewidths=2.0)
