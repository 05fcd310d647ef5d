"""A world drawn in plan, cut at a height, or in elevation: obstacles by their true outlines, walls, floor and bounds."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb
from matplotlib.patches import Patch, Rectangle

from swarm.plots import style
from swarm.plots.elevation import draw_elevation
from swarm.plots.marks import add_lines, add_rings, add_union
from swarm.plots.movers import draw_ways
from swarm.plots.names import write_names
from swarm.plots.sections import Section, beyond, section
from swarm.plots.silhouettes import coarse, extent, outline
from swarm.plots.views import VIEWS, Side
from swarm.plots.zones import draw_zones
from swarm.state import Floats
from swarm.worlds.obstacles import Obstacle
from swarm.worlds.world import World

CUT = 1.5  # m above the ground: where a plan is cut unless a swarm flies at another height


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
    _draw_bounds(axes, world, side.axes)
    if world.dim == 3 and view == "top":
        entries = _draw_plan(axes, world, cut_height(world) if cut is None else cut)
    else:
        entries = []
        _draw_outlines(axes, world, side)
    if world.moving:
        draw_ways(axes, world, view)
        entries.append(Patch(facecolor=style.MOVER, edgecolor=style.MOVER_EDGE, linewidth=0.7, label="moves"))
    draw_zones(axes, world, view)
    if names is not False:
        write_names(axes, world, side.axes, always=names is True)
    return entries


def cut_height(world: World) -> float:
    """m, where a plan of a world is cut."""
    low, high = world.bounds[:, 2].tolist()
    return float(low + min(CUT, (high - low) / 2))


def _draw_plan(axes: Axes, world: World, cut: float) -> list[Patch]:
    """Overhanging parts first, then low ones, then what is cut: nothing that one could fly into is covered."""
    lowest_first = sorted(world.obstacles, key=lambda o: float(extent(o)[1, 2]))
    tops = [float(extent(o)[1, 2]) for o in lowest_first]
    sections = [section(o, cut) for o in lowest_first]
    high = max([*tops, cut + 1e-9])
    for obstacle, part in zip(lowest_first, sections):
        face, edge = _overhead(obstacle)
        add_union(axes, coarse(part.upper), 1.3, facecolor=face, edgecolor=edge, linewidth=1.2)
        add_union(axes, coarse(part.upper), 1.31, facecolor=face, edgecolor=edge, linewidth=0.0, hatch="/////")
    for obstacle, part, top in zip(lowest_first, sections, tops):
        low = world.bounds[0, 2]
        fill = _mix(style.SOLID_LOW, style.SOLID_HIGH, (min(top, cut) - low) / max(cut - low, 1e-9))
        fill = style.MOVER_LIGHT if obstacle.motion is not None else fill
        _filled(axes, coarse(part.lower), 1.4, fill, _edge(obstacle))
    for obstacle, part, top in zip(lowest_first, sections, tops):
        fill = _mix(style.CUT_LOW, style.CUT_HIGH, (top - cut) / (high - cut))
        fill = style.MOVER if obstacle.motion is not None else fill
        add_rings(axes, part.rings, 1.6, facecolor=fill, edgecolor=_edge(obstacle), linewidth=0.8)
        add_lines(axes, part.lines, 1.61, colors=[_edge(obstacle)], linewidths=1.8)
    return _entries([s for o, s in zip(lowest_first, sections) if o.motion is None], tops, cut)


def _entries(sections: Sequence[Section], tops: Sequence[float], cut: float) -> list[Patch]:
    look = {"edgecolor": style.SOLID_EDGE, "linewidth": 0.7}
    entries = []
    if any(part.rings or part.lines for part in sections):
        above = [top for top in tops if top > cut]
        ends = f"up to {max(above):.3g} m" if max(above) - min(above) < 0.1 else (
            f"up to {min(above):.3g} … {max(above):.3g} m, darker is higher"
        )  # fmt: skip
        entries.append(Patch(facecolor=style.CUT_HIGH, label=f"solid at {cut:.3g} m ({ends})", **look))
    if any(beyond(part.lower, part.rings) for part in sections):
        entries.append(Patch(facecolor=style.SOLID_LOW, label="lower", **look))
    if any(beyond(part.upper, part.rings) for part in sections):
        entries.append(
            Patch(facecolor=style.OVERHEAD, edgecolor=style.HATCH, linewidth=0.7, hatch="/////", label="only higher")
        )
    return entries


def _draw_outlines(axes: Axes, world: World, side: Side) -> None:
    """Outlines, the nearest last."""
    for obstacle in sorted(world.obstacles, key=lambda o: side.nearer * float(extent(o)[:, side.depth].sum())):
        fill = style.MOVER if obstacle.motion is not None else _fill(obstacle, world, side)
        if world.dim == 3:
            draw_elevation(axes, obstacle, side, fill, _edge(obstacle))
        else:
            look = {"facecolor": fill, "edgecolor": _edge(obstacle), "linewidth": 0.7}
            add_rings(axes, [outline(obstacle, side.axes)], 1.5, **look)


def _filled(axes: Axes, shape: Floats, zorder: float, fill: str | Floats, edge: str) -> None:
    """Triangles as one shape: strokes of all, then the faces over them; what is left of the strokes is the outline."""
    add_union(axes, shape, zorder, facecolor=fill, edgecolor=edge, linewidth=1.4)
    add_union(axes, shape, zorder, facecolor=fill, edgecolor="none")


def _overhead(obstacle: Obstacle) -> tuple[str, str]:
    return (style.MOVER_LIGHT, style.MOVER) if obstacle.motion is not None else (style.OVERHEAD, style.HATCH)


def _edge(obstacle: Obstacle) -> str:
    return style.MOVER_EDGE if obstacle.motion is not None else style.SOLID_EDGE


def _mix(light: str, dark: str, share: float) -> Floats:
    a, b = np.array(to_rgb(light)), np.array(to_rgb(dark))
    return np.asarray(a + min(max(share, 0.0), 1.0) * (b - a))


def _fill(obstacle: Obstacle, world: World, side: Side) -> Floats:
    """(3,) colour: darker the nearer an obstacle is to the eye."""
    if world.dim == 2:
        return _mix(style.SOLID_LOW, style.SOLID_HIGH, 0.7)
    low, high = world.bounds[:, side.depth]
    middle = float(extent(obstacle)[:, side.depth].mean())
    return _mix(style.SOLID_LOW, style.SOLID_HIGH, 0.7 * (high - middle) / max(high - low, 1e-9))


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
        # Wider and deeper than any picture of the world, without a say in what it shows.
        depth = 10.0 * float(np.ptp(world.bounds[:, 2])) + 10.0
        left, right = low[0] - depth, high[0] + depth
        axes.add_artist(
            Rectangle((left, low[1] - depth), right - left, depth, facecolor="#D9D4C8", linewidth=0, zorder=0.5)
        )
        add_lines(axes, [np.array([[left, low[1]], [right, low[1]]])], 1.2, colors=style.WALL, linewidths=2.0)
