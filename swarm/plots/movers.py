"""The ways of moving obstacles: dashed, with an arrow, a speed, and faint outlines where they turn."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Patch, PathPatch
from matplotlib.transforms import Affine2D

from swarm.plots import style
from swarm.plots.marks import add_lines, add_polygons, add_rings, add_union, scale_of
from swarm.plots.sections import triangles_of
from swarm.plots.silhouettes import coarse, hull, outline
from swarm.plots.views import VIEWS
from swarm.state import Floats
from swarm.worlds.obstacles import Obstacle
from swarm.worlds.world import World

FEW = 12  # movers up to which each speed is written


def draw_ways(axes: Axes, world: World, view: str) -> None:
    """Draw where each moving obstacle goes."""
    pair = VIEWS[view].axes
    movers = [obstacle for obstacle in world.obstacles if obstacle.motion is not None]
    for obstacle in movers:
        assert obstacle.motion is not None
        way = np.array(obstacle.motion.corners())[:, pair]
        if obstacle.motion.mode == "back-and-forth":
            way = way[: len(way) // 2 + 1]
        dashes = (0, (4, 2))
        add_lines(axes, [way], 1.72, colors=style.MOVER_EDGE, linewidths=1.2, linestyles=[dashes])
        shape = rest_outline(obstacle, pair) - np.asarray(obstacle.center)[list(pair)]
        ghosts = [shape + corner for corner in np.unique(way, axis=0)]
        look = {"facecolors": "none", "edgecolors": style.MOVER_EDGE, "linewidths": 0.8, "linestyles": [(0, (2, 2))]}
        add_polygons(axes, ghosts, 1.71, **look)
        legs = np.diff(way, axis=0)
        longest = int(np.argmax(np.hypot(*legs.T)))
        length = float(np.hypot(*legs[longest]))
        if length * scale_of(axes) < 0.15:
            continue
        middle, ahead = way[longest] + 0.5 * legs[longest], legs[longest] / length
        reach = min(0.5 * length, 0.12 / scale_of(axes))
        axes.annotate(
            "", middle + reach * ahead, middle - reach * ahead, zorder=1.74, annotation_clip=True,
            arrowprops={"arrowstyle": "-|>", "color": style.MOVER_EDGE, "linewidth": 1.2, "shrinkA": 0, "shrinkB": 0},
        )  # fmt: skip
        if view == "top" and len(movers) <= FEW:
            beside = middle + 0.11 / scale_of(axes) * np.array([-ahead[1], ahead[0]])
            upright = abs(ahead[1]) > abs(ahead[0])
            axes.text(
                beside[0], beside[1], f"{obstacle.motion.speed:g} m/s", fontsize=6.5, color=style.MOVER_EDGE,
                zorder=1.9, ha=("right" if ahead[1] > 0 else "left") if upright else "center", clip_on=True,
                va="center" if upright else "bottom" if ahead[0] > 0 else "top", path_effects=style.halo(2.0),
            )  # fmt: skip


def mover_legend(world: World) -> list[Patch]:
    """What a legend says about obstacles that move; nothing where none does."""
    if not world.moving:
        return []
    return [Patch(facecolor=style.MOVER, edgecolor=style.MOVER_EDGE, linewidth=0.7, label="moves")]


class Traffic:
    """Moving obstacles as artists that are drawn anew in every frame.

    Args:
        axes: Where.
        world: Whose obstacles.
        view: From where they are seen.
    """

    def __init__(self, axes: Axes, world: World, view: str) -> None:
        pair = VIEWS[view].axes
        self._axes, self._pair = axes, list(pair)
        self._drawn: list[tuple[Obstacle, list[PathPatch]]] = []
        for obstacle in world.obstacles:
            if obstacle.motion is None:
                continue
            flat = triangles_of(obstacle)[:, :, self._pair] if world.dim == 3 else None
            look = {"facecolor": style.MOVER, "edgecolor": style.MOVER_EDGE, "animated": True}
            parts: list[PathPatch] = []
            if flat is None:
                parts += add_rings(axes, [outline(obstacle, pair)], 1.75, linewidth=0.8, **look)
            else:  # strokes of all triangles, then the faces over them: what is left of the strokes is the outline
                parts += add_union(axes, coarse(flat), 1.75, linewidth=1.4, **look)
                parts += add_union(axes, coarse(flat), 1.75, **(look | {"edgecolor": "none"}))
            self._drawn.append((obstacle, parts))

    def stand(self, time: float) -> None:
        """Make them part of a still picture of a time in s."""
        for _, parts in self._drawn:
            for part in parts:
                part.set_animated(False)
        self._move(time)

    def draw(self, time: float) -> None:
        """Draw them where they are at a time in s."""
        self._move(time)
        for _, parts in self._drawn:
            for part in parts:
                self._axes.draw_artist(part)

    def _move(self, time: float) -> None:
        for obstacle, parts in self._drawn:
            assert obstacle.motion is not None
            gone = (obstacle.motion.position(time) - np.asarray(obstacle.center))[self._pair]
            for part in parts:
                part.set_transform(Affine2D().translate(*gone) + self._axes.transData)


def rest_outline(obstacle: Obstacle, pair: tuple[int, int]) -> Floats:
    """(K, 2) m, convex outline of any obstacle where it is now."""
    if obstacle.kind == "mesh":
        return hull(obstacle.vertices()[:, pair])
    return outline(obstacle, pair)
