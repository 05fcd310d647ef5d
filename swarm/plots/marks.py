"""Marks that pictures and videos share: polygons and lines, agents as darts, words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection, PolyCollection
from matplotlib.patches import PathPatch
from matplotlib.path import Path

from swarm.plots import style
from swarm.plots.views import Panel
from swarm.state import Floats


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


AT_ONCE = 200_000  # triangles that the renderer is given as one shape


def add_union(axes: Axes, triangles: Floats, zorder: float, **look: Any) -> list[PathPatch]:
    """Fill what triangles (F, 3, 2) cover together, without seams; limits of the axes stay."""
    first, second = triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0]
    clockwise = first[:, 0] * second[:, 1] < first[:, 1] * second[:, 0]
    # All turn one way, so that what two of them cover counts as covered and not as a hole.
    triangles = np.where(clockwise[:, None, None], triangles[:, ::-1], triangles)
    made: list[PathPatch] = []
    for begin in range(0, len(triangles), AT_ONCE):
        some = triangles[begin : begin + AT_ONCE]
        codes = np.tile(np.array([Path.MOVETO, Path.LINETO, Path.LINETO, Path.CLOSEPOLY], Path.code_type), len(some))
        made.append(_filled(axes, some[:, [0, 1, 2, 0]].reshape(-1, 2), codes, zorder, look))
    return made


def add_rings(axes: Axes, rings: Sequence[Floats], zorder: float, **look: Any) -> list[PathPatch]:
    """Fill closed lines (K, 2) as one shape, clockwise ones inside others being holes; limits of the axes stay."""
    if len(rings) == 0:
        return []
    points = np.concatenate([np.concatenate([ring, ring[:1]]) for ring in rings])
    codes = np.full(len(points), Path.LINETO, Path.code_type)
    last = np.cumsum([len(ring) + 1 for ring in rings]) - 1
    codes[last] = Path.CLOSEPOLY
    codes[np.concatenate([[0], last[:-1] + 1])] = Path.MOVETO
    return [_filled(axes, points, codes, zorder, look)]


def _filled(axes: Axes, points: Floats, codes: Any, zorder: float, look: dict[str, Any]) -> PathPatch:
    made = PathPatch(Path(points, codes), zorder=zorder, joinstyle="round", **look)
    axes.add_artist(made)
    return made


SHORTEST = 0.4  # of a dart's length, where it points at the eye
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


def arrows(position: Floats, ahead: Floats, size: Floats) -> Floats:
    """Darts of unit vectors that are seen from one side: the more one points at the eye, the shorter it is.

    Args:
        position: (A, 2) m.
        ahead: (A, 2), what is seen of (A, D) unit vectors.
        size: (A,) m from the middle to the tip of one that is seen in full length.

    Returns:
        (A, 4, 2) m, corners; the tip first.
    """
    seen = np.hypot(ahead[:, 0], ahead[:, 1])[:, None]
    along = np.where(seen > 1e-9, ahead / np.maximum(seen, 1e-9), (1.0, 0.0))
    across = np.stack([-along[:, 1], along[:, 0]], axis=1)
    long = (SHORTEST + (1.0 - SHORTEST) * np.minimum(seen, 1.0)) * along
    turn = np.stack([long, across], axis=1)
    return np.asarray(position[:, None] + size[:, None, None] * (_DART @ turn))


_CIRCLE = np.linspace(0.0, 2.0 * np.pi, 17)[:-1]
_ROUND = np.stack([np.cos(_CIRCLE), np.sin(_CIRCLE)], axis=1)
_NOSE = np.array([[0.0, -1.0], [1.0, -1.0], [1.0, 1.0], [0.0, 1.0]])


def discs(position: Floats, size: Floats) -> Floats:
    """Discs about (A, 2) m with radii (A,) m, as (A, 16, 2) m corners."""
    return np.asarray(position[:, None] + size[:, None, None] * _ROUND)


def noses(position: Floats, ahead: Floats, reach: Floats, width: Floats) -> Floats:
    """Short bars that tell where round marks head.

    Args:
        position: (A, 2) m, where they begin.
        ahead: (A, 2), of any length; zero points to the right.
        reach: (A,) m, how long they are.
        width: (A,) m.

    Returns:
        (A, 4, 2) m, corners.
    """
    length = np.hypot(ahead[:, 0], ahead[:, 1])[:, None]
    along = np.where(length > 1e-9, ahead / np.maximum(length, 1e-9), (1.0, 0.0))
    across = np.stack([-along[:, 1], along[:, 0]], axis=1)
    turn = np.stack([reach[:, None] * along, 0.5 * width[:, None] * across], axis=1)
    return np.asarray(position[:, None] + _NOSE @ turn)


def same_corners(shapes: Floats, corners: int) -> Floats:
    """Polygons (F, K, 2) with their last corner repeated, (F, corners, 2): the same areas."""
    return np.concatenate([shapes, np.repeat(shapes[:, -1:], corners - shapes.shape[1], axis=1)], axis=1)


def add_darts(panel: Panel, position: Floats, direction: Floats, colors: list[str], count: int) -> None:
    """Draw agents of a swarm of `count` as darts: (A, 2) positions and directions, A colours."""
    shapes = darts(position, direction, dart_size(panel, count))
    width = 0.6 if count <= 20 else 0.2
    add_polygons(panel.axes, shapes, 4.0, facecolors=colors, edgecolors=style.INK, linewidths=width)


def dart_size(panel: Panel, count: int) -> float:
    """Size of a dart in m that looks alike at any scale, smaller in a crowd so that a full view still has gaps."""
    (left, right), (bottom, top) = panel.axes.get_xlim(), panel.axes.get_ylim()
    scale = scale_of(panel.axes)
    if count <= 20:
        return 0.085 / scale
    apart = float(np.sqrt((right - left) * (top - bottom) / count))  # m between agents spread over the whole view
    return float(min(0.065 / scale, max(0.3 * apart, 0.02 / scale)))


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


def scale_of(axes: Axes) -> float:
    """Inches on the page for each metre across."""
    page: Any = axes.figure
    left, right = axes.get_xlim()
    return float(axes.get_position().width * page.get_figwidth() / (right - left))
