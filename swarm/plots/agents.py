"""Agents as direction marks with trails: one geometry for still pictures and for moving ones."""

from __future__ import annotations

import numpy as np
from matplotlib.artist import Artist
from matplotlib.colors import to_rgba, to_rgba_array

from swarm.plots import style
from swarm.plots.following import grid
from swarm.plots.marks import add_lines, add_polygons, arrows, dart_size, same_corners, scale_of
from swarm.plots.moment import Moment
from swarm.plots.raster import Pixels, fill
from swarm.plots.roles import CAUGHT, LEFT, role_colors, role_sizes
from swarm.plots.views import VIEWS, Panel
from swarm.plots.walkers import walkers
from swarm.state import Floats, Ints

GRID = "#DDE2E6"
OUTLINED = 200  # agents up to which marks have a dark outline; beyond, a white one keeps those of a cluster apart
FADING = 1.5  # s, as shown, in which the caught, and those who left, fade


class Agents:
    """The agents in one view.

    Args:
        panel: The view.
        role: (N,) MEMBER, LEADER or PREDATOR.
        pace: Simulated seconds shown in a second.
        on_plan: Whether they are on a floor plan, where they are round and yellow.
        colors: (N,) in place of those of their roles.
    """

    def __init__(
        self, panel: Panel, role: Ints, pace: float = 1.0, on_plan: bool = False, colors: list[str] | None = None
    ) -> None:
        self._panel, self._pair = panel, list(VIEWS[panel.view].axes)
        count = len(role)
        self._fading = FADING * pace
        self._larger = role_sizes(role)
        self._on_plan = on_plan
        self._colors = to_rgba_array(role_colors(role, on_plan) if colors is None else colors)
        self._outline = 0.6 if count > OUTLINED else 0.9 if count > 20 else 1.2  # points
        self._edge = to_rgba("white" if count > OUTLINED else style.INK)
        self._thick, self._deep = (2.0, 0.9) if count <= 20 else (1.3, 0.6) if count <= 300 else (1.0, 0.35)
        axes = panel.axes
        self._links = add_lines(axes, [], 3.5, colors=style.INK, linewidths=1.6)
        (self._crosses,) = axes.plot([], [], "X", color=style.FAULT, markeredgecolor="white", markersize=10, zorder=5)
        (self._hits,) = axes.plot(
            [], [], "o", color=style.FAULT, markerfacecolor="none", markersize=14, markeredgewidth=2, zorder=5
        )

    def shapes(self, moment: Moment) -> tuple[Floats, Floats]:
        """Polygons (F, K, 2) m and their colours (F, 4), in the order in which they are painted."""
        pair = self._pair
        size = dart_size(self._panel, len(moment.position)) * self._larger
        now, ahead = moment.position[:, pair], moment.direction[:, pair]
        finite = np.isfinite(now).all(axis=1)
        point = 1.0 / (72.0 * scale_of(self._panel.axes))  # m
        living = np.flatnonzero(finite & moment.alive)
        trails, shades = self._trails(np.concatenate([now[None], moment.trail[..., pair]])[:, living], living, point)
        left = np.zeros(len(now), np.bool_)
        left[moment.left] = True
        fading = ~moment.alive & (moment.since < self._fading) & (left | (len(moment.crosses) == 0))
        gone = np.flatnonzero(finite & fading)
        faded = np.where(left[gone, None], to_rgba(LEFT), to_rgba(CAUGHT))
        faded[:, 3] = 1.0 - moment.since[gone] / self._fading
        if self._on_plan:
            out, tints = walkers(now[gone], ahead[gone], size[gone], faded, 0.0)
            marks, paints = walkers(now[living], ahead[living], size[living], self._colors[living], 0.8 * point)
            return np.concatenate([same_corners(trails, 16), out, marks]), np.concatenate([shades, tints, paints])
        marks = arrows(now[living], ahead[living], size[living])
        parts = [trails, arrows(now[gone], ahead[gone], size[gone])]
        colors = [shades, faded]
        edges = arrows(now[living], ahead[living], size[living] + self._outline * point)
        # One agent after the other, its outline below it, so that it stands out from those painted before.
        both = np.stack([edges, marks], axis=1).reshape(-1, 4, 2)
        paints = np.stack([np.tile(self._edge, (len(living), 1)), self._colors[living]], axis=1).reshape(-1, 4)
        return np.concatenate([*parts, both]), np.concatenate([*colors, paints])

    def _trails(self, places: Floats, who: Ints, point: float) -> tuple[Floats, Floats]:
        """Pieces of trails, the oldest first; places (K + 1, A, 2) m, latest first."""
        ends = np.stack([places[:-1], places[1:]], axis=2)[::-1]  # (K, A, 2, 2)
        kept = len(ends)
        colors = np.tile(self._colors[who], (kept, 1, 1))
        colors[..., 3] = (self._deep * (np.arange(kept) + 1.0) / max(kept, 1))[:, None]
        return strips(ends.reshape(-1, 2, 2), self._thick * point), colors.reshape(-1, 4)

    def add(self, moment: Moment) -> None:
        """Make them part of a still picture, vectors and all."""
        corners, colors = self.shapes(moment)
        add_polygons(self._panel.axes, corners, 4.0, facecolors=colors, edgecolors="none")
        self._place(moment)

    def _place(self, moment: Moment) -> None:
        pair = self._pair
        self._links.set_segments(list(moment.position[:, pair][moment.links]))
        for marks, places in ((self._crosses, moment.crosses), (self._hits, moment.hits)):
            marks.set_data(*(places[:, pair].T if len(places) else np.empty((2, 0))))

    def animate(self) -> None:
        """Leave the still picture to everything else: from now on `draw` draws them."""
        artists: tuple[Artist, ...] = (self._links, self._crosses, self._hits)
        for artist in artists:
            artist.set_animated(True)

    def draw_grid(self, image: Pixels) -> None:
        """Draw lines at round metres, as many metres apart up as across."""
        axes = self._panel.axes
        (left, right), (low, high) = axes.get_xlim(), axes.get_ylim()
        step, across = grid(left, right)
        up = np.arange(np.ceil(low / step), np.floor(high / step) + 1) * step
        ends = [[[x, low], [x, high]] for x in across] + [[[left, y], [right, y]] for y in up]
        lines = strips(np.array(ends).reshape(-1, 2, 2), 0.9 / (72.0 * scale_of(axes)))
        paint(image, self._panel, lines, np.tile(to_rgba(GRID), (len(lines), 1)))

    def draw(self, moment: Moment, image: Pixels) -> None:
        """Draw them over what is in the image of the page, row 0 being its upper one."""
        axes = self._panel.axes
        self._place(moment)
        if len(moment.links):
            axes.draw_artist(self._links)
        corners, colors = self.shapes(moment)
        paint(image, self._panel, corners, colors)
        for marks, places in ((self._crosses, moment.crosses), (self._hits, moment.hits)):
            if len(places):
                axes.draw_artist(marks)


def paint(image: Pixels, panel: Panel, corners: Floats, colors: Floats) -> None:
    """Paint polygons (F, K, 2) m of colours (F, 4) into a view in the image of its page, row 0 being the upper one."""
    axes = panel.axes
    box = axes.bbox
    (left, right), (low, high) = axes.get_xlim(), axes.get_ylim()
    flat = np.empty_like(corners)
    flat[..., 0] = box.x0 + (corners[..., 0] - left) * (box.width / (right - left))
    flat[..., 1] = len(image) - box.y0 - (corners[..., 1] - low) * (box.height / (high - low))
    clip = np.rint([box.x0, len(image) - box.y1, box.x1, len(image) - box.y0]).astype(np.int64)
    fill(image, flat, colors, clip)


def strips(ends: Floats, width: float) -> Floats:
    """Straight lines (L, 2, 2) m as polygons (L, 4, 2) of a width in m; one without length is nothing."""
    along = ends[:, 1] - ends[:, 0]
    length = np.hypot(along[:, 0], along[:, 1])[:, None]
    across = 0.5 * width * np.stack([-along[:, 1], along[:, 0]], axis=1) / np.maximum(length, 1e-12)
    return np.stack([ends[:, 0] + across, ends[:, 1] + across, ends[:, 1] - across, ends[:, 0] - across], axis=1)
