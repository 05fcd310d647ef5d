"""A world drawn in plan or elevation: obstacles by their true outlines, walls, floor and bounds."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb
from matplotlib.patches import Rectangle

from swarm.plots import style
from swarm.plots.marks import add_polygons
from swarm.plots.silhouettes import outline, place, triangles
from swarm.plots.views import VIEWS, Side
from swarm.state import Floats
from swarm.worlds.obstacles import Obstacle
from swarm.worlds.world import World

FEW = 24  # obstacles up to which each is named


def draw_world(axes: Axes, world: World, view: str = "top", names: bool | None = None) -> None:
    """Draw obstacles, walls, floor and bounds; limits and labels of the axes are left alone.

    Args:
        axes: Where to draw.
        world: What to draw; two dimensions are drawn from above.
        view: "top" (x, y), "side" (x, z) or "front" (y, z). From above, a darker obstacle ends
            higher; from elsewhere, a darker one is nearer to the eye.
        names: Whether to write the obstacles' names; None does where there are few.
    """
    side = VIEWS[view]
    _draw_bounds(axes, world, side.axes)
    nearest_last = sorted(world.obstacles, key=lambda o: side.nearer * _towards(o, side.depth, side.nearer))
    solid = [o for o in nearest_last if o.kind != "mesh"]
    if solid:
        shapes, fills = [outline(o, side.axes) for o in solid], _fills(solid, world, side)
        add_polygons(axes, shapes, 1.5, facecolors=fills, edgecolors=style.SOLID_EDGE, linewidths=0.7)
    for obstacle in nearest_last:
        if obstacle.kind == "mesh":
            shape, (fill,) = triangles(obstacle, side.axes), _fills([obstacle], world, side)
            # Strokes of all triangles, then the faces over them: what is left of the strokes is the outline.
            for color, width in ((style.SOLID_EDGE, 1.4), (tuple(fill), 0.2)):
                add_polygons(axes, shape, 1.6, facecolors=[color], edgecolors=[color], linewidths=width)
    if names if names is not None else len(world.obstacles) <= FEW:
        for obstacle in world.obstacles:
            across, up = _middle(obstacle)[list(side.axes)]
            axes.text(
                across, up, obstacle.name, fontsize=6.5, ha="center", va="center", zorder=1.8, clip_on=True,
                path_effects=style.halo(1.8),
            )  # fmt: skip


def _draw_bounds(axes: Axes, world: World, across_up: tuple[int, int]) -> None:
    low, high = world.bounds[0, list(across_up)], world.bounds[1, list(across_up)]
    line = {"walls": "-", "torus": (0, (6, 3)), "open": (0, (1, 3))}[world.boundary]
    axes.add_patch(
        Rectangle(
            (low[0], low[1]), high[0] - low[0], high[1] - low[1], fill=False, linestyle=line,
            edgecolor=style.WALL if world.boundary != "open" else style.FAINT,
            linewidth=2.0 if world.boundary == "walls" else 1.0, zorder=1.2,
        )
    )  # fmt: skip
    if world.floor and across_up[1] == 2:
        axes.axhline(low[1], color=style.WALL, linewidth=2.0, zorder=1.2)
        axes.axhspan(low[1] - 1e3, low[1], color="#D9D4C8", zorder=0.5, linewidth=0)


def _fills(obstacles: Sequence[Obstacle], world: World, side: Side) -> Floats:
    """(K, 3) colours: darker the nearer an obstacle reaches to the eye."""
    if world.dim == 2:
        share = np.full(len(obstacles), 0.7)
    else:
        low, high = world.bounds[:, side.depth]
        reach = np.array([_towards(o, side.depth, side.nearer) for o in obstacles])
        share = ((reach - low) / max(high - low, 1e-9)).clip(0.0, 1.0)
        if side.nearer < 0:
            share = 0.6 * (1.0 - share)  # lighter as a whole: seen from the side, obstacles overlap
    light, dark = np.array(to_rgb(style.SOLID_LOW)), np.array(to_rgb(style.SOLID_HIGH))
    return np.asarray(light + share[:, None] * (dark - light))


def _towards(obstacle: Obstacle, axis: int, sign: float) -> float:
    """How far an obstacle reaches along an axis on its low (-1) or high (+1) side, m."""
    if len(obstacle.center) == 2 and axis == 2:
        return 0.0
    if obstacle.kind == "mesh":
        reach = obstacle.vertices()[:, axis]
    else:
        reach = outline(obstacle, (axis, (axis + 1) % 3))[:, 0]
    return float(reach.max() if sign > 0 else reach.min())


def _middle(obstacle: Obstacle) -> Floats:
    """(3,) m, where the name goes."""
    if obstacle.kind != "mesh":
        return place(obstacle)
    vertices = obstacle.vertices()
    return np.asarray((vertices.min(axis=0) + vertices.max(axis=0)) / 2)
