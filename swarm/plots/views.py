"""From which side a picture looks, how much of the world it shows, and where it stands on the page."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from swarm.state import Floats
from swarm.worlds.world import World


class Side(NamedTuple):
    """A way to look at a world."""

    axes: tuple[int, int]  # world axes across and up the picture
    depth: int  # world axis looked along
    nearer: float  # +1 where a larger depth coordinate is nearer to the eye
    title: str


VIEWS = {
    "top": Side((0, 1), 2, 1.0, "from above"),
    "side": Side((0, 2), 1, -1.0, "from the side"),
    "front": Side((1, 2), 0, -1.0, "from behind"),
}


SMALL = 50.0  # m, longest edge of a world that is shown whole


class Panel(NamedTuple):
    """One view on the page."""

    axes: Axes
    view: str
    scale: float  # inches on the page for each metre across


def frame(world: World, points: Floats) -> Floats:
    """The part of a world that a picture shows.

    Args:
        world: The world.
        points: (P, D) m, what must be seen; not finite rows are left out.

    Returns:
        (2, D) m: the bounds of a world that is not large; of another about the points only, along each axis on which
        they fill less than half of the bounds; all points in any case.
    """
    bounds = np.array(world.bounds)
    points = points[np.isfinite(points).all(axis=1)]
    if len(points) == 0:
        return bounds
    low, high = points.min(axis=0), points.max(axis=0)
    margin = max(1.0, 0.06 * float((high - low).max()))
    small = world.boundary == "walls" and float((bounds[1] - bounds[0]).max()) <= SMALL
    if world.boundary == "torus" or small:
        return bounds
    low, high = low - margin, high + margin
    if world.boundary == "open":
        if world.floor:
            low[2] = bounds[0, 2]
        return np.stack([low, high])
    for axis in range(world.dim):
        if high[axis] - low[axis] >= 0.5 * (bounds[1, axis] - bounds[0, axis]):
            low[axis], high[axis] = bounds[0, axis], bounds[1, axis]
    return np.stack([np.maximum(low, bounds[0]), np.minimum(high, bounds[1])])


_LEFT, _RIGHT, UNDER, _GAP = 0.62, 0.2, 0.5, 0.42  # inches around and between the views
LARGER = 1.15  # times the scale for which two views stand side by side and not one above the other
_THINNEST = 0.75  # inches; a flatter side view is stretched in height


def panels(box: Floats, head: float, room: tuple[float, float], dpi: float | None = None) -> tuple[Figure, list[Panel]]:
    """A page with the view from above and, in three dimensions, one from the side, all metres equally long.

    Args:
        box: (2, D) m, what the views show.
        head: Inches to leave free at the top.
        room: Widest and highest page, inches.
        dpi: Given for a page of exactly that size, so many pixels an inch; else it is cut to the views.

    Returns:
        The figure and its views: above first.
    """
    from swarm.plots import style

    span = np.maximum(box[1] - box[0], 1e-6)
    names = ["top"] if len(span) == 2 else ["top", "side" if span[0] >= span[1] else "front"]
    size = [span[list(VIEWS[name].axes)] for name in names]
    wide = room[0] - _LEFT - _RIGHT
    high = room[1] - head - len(names) * UNDER - (_GAP - 0.2) * (len(names) - 1)
    scale = min(wide / max(s[0] for s in size), high / sum(s[1] for s in size))
    beside = min(
        (room[0] - len(names) * (_LEFT + _RIGHT)) / sum(s[0] for s in size),
        (room[1] - head - UNDER) / max(s[1] for s in size),
    )
    if len(names) > 1 and beside > LARGER * scale:
        return _side_by_side(box, names, beside, head, room, dpi)
    stretch = [max(1.0, _THINNEST / (scale * s[1])) if name != "top" else 1.0 for name, s in zip(names, size)]
    taken = sum(_THINNEST for k in stretch if k > 1)
    scale = min(scale, (high - taken) / sum(s[1] for s, k in zip(size, stretch) if k == 1))
    heights = [_THINNEST if k > 1 else scale * s[1] for s, k in zip(size, stretch)]
    widths = [scale * s[0] for s in size]
    gap, spare = _GAP - 0.2, 0.0
    if dpi is None:
        width = max(max(widths) + _LEFT + _RIGHT, min(room[0], 8.0))
        height = head + sum(heights) + len(names) * UNDER + gap * (len(names) - 1)
        page = style.figure(width, height)
    else:
        width, height = room
        page = style.figure(width, height, dpi)
        spare = (high - sum(heights)) / (len(names) + 1)
    made, top = [], height - head - spare
    left = _LEFT + max(0.0, (width - _LEFT - _RIGHT - max(widths)) / 2)
    for name, w, h in zip(names, widths, heights):
        axes = page.add_axes((left / width, (top - h) / height, w / width, h / height))
        made.append(label_view(axes, name, box, scale))
        top -= h + UNDER + gap + spare
    return page, made


def _side_by_side(
    box: Floats, names: list[str], scale: float, head: float, room: tuple[float, float], dpi: float | None
) -> tuple[Figure, list[Panel]]:
    from swarm.plots import style

    span = scale * (box[1] - box[0])
    size = [span[list(VIEWS[name].axes)] for name in names]
    high = max(s[1] for s in size)
    full = sum(s[0] for s in size) + len(names) * (_LEFT + _RIGHT)
    width, height = (full, head + high + UNDER) if dpi is None else room
    page = style.figure(width, height) if dpi is None else style.figure(width, height, dpi)
    bottom = UNDER + (height - head - UNDER - high) / 2
    made, left = [], _LEFT + (width - full) / (len(names) + 1)
    for name, (w, h) in zip(names, size):
        axes = page.add_axes((left / width, bottom / height, w / width, h / height))
        made.append(label_view(axes, name, box, scale))
        left += w + _LEFT + _RIGHT + (width - full) / (len(names) + 1)
    return page, made


def label_view(axes: Axes, name: str, box: Floats, scale: float, side: bool = True) -> Panel:
    """Make axes a view of a box (2, D) m at `scale` inches a metre: limits, labels and, with `side`, the side."""
    look = VIEWS[name]
    span = box[1] - box[0]
    axes.set_xlim(*box[:, look.axes[0]])
    axes.set_ylim(*box[:, look.axes[1]])
    page: Any = axes.figure
    times = axes.get_position().height * page.get_figheight() / max(float(span[look.axes[1]]), 1e-6) / scale
    axes.set_xlabel(f"{'xyz'[look.axes[0]]} (m)", labelpad=1)
    axes.set_ylabel(f"{'xyz'[look.axes[1]]} (m)" + (f", ×{times:.1f}" if times > 1.001 else ""), labelpad=2)
    if side:
        axes.text(0.0, 1.0, f" {look.title}", transform=axes.transAxes, va="bottom", ha="left", fontsize=8, alpha=0.75)
    return Panel(axes, name, scale)
