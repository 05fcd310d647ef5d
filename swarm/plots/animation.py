"""A flight as moving pictures: the still world is drawn once, only what moves is drawn in every frame."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.colors import to_rgba_array
from matplotlib.text import Text
from numpy.typing import NDArray

from swarm.plots import style
from swarm.plots.flown import Flown
from swarm.plots.marks import add_lines, add_polygons, dart_size, darts
from swarm.plots.movers import Traffic, draw_ways
from swarm.plots.paths import extent, headline
from swarm.plots.task_marks import draw_task
from swarm.plots.views import VIEWS, Panel, panels
from swarm.plots.world import draw_world
from swarm.state import Floats

Pixels = NDArray[np.uint8]
HEAD = 0.78  # inches for title and numbers
TRAIL = 3.0  # s
TOLD = 3.0  # s for which it is said what happened to the task
PIECES = 2_000  # line pieces of all trails together
NUMBERS = (("min_separation", "separation"), ("min_clearance", "clearance"), ("formation_error", "formation error"))


def frames(flight: Flown, moments: Floats, size: tuple[int, int], dpi: float) -> Iterator[Pixels]:
    """The pictures of a flight at given times.

    Args:
        flight: What to show.
        moments: (F,) s; the sample at or before each is shown.
        size: Width and height, pixels.
        dpi: Pixels an inch.

    Yields:
        (height, width, 4) RGBA; the array is only good until the next one.
    """
    page, views = panels(extent(flight), HEAD, (size[0] / dpi, size[1] / dpi), dpi)
    for panel in views:
        draw_world(panel.axes, flight.world.still, panel.view, names=False, cut=flight.height)
        if flight.world.moving:
            draw_ways(panel.axes, flight.world, panel.view)
        draw_task(panel, flight.task)
    inches = size[1] / dpi
    page.text(0.5, 1 - 0.1 / inches, headline(flight), ha="center", va="top", fontsize=10.5, fontweight="bold")
    clock = page.text(
        views[0].axes.get_position().x0,
        1 - 0.36 / inches,
        "",
        va="top",
        fontsize=11,
        animated=True,
        family="DejaVu Sans Mono",
    )
    movers = [Mover(panel, flight) for panel in views]
    traffic = [Traffic(panel.axes, flight.world, panel.view) for panel in views]
    canvas: Any = page.canvas  # Agg; its stubs lack the types of what follows
    canvas.draw()
    still = canvas.copy_from_bbox(page.bbox)
    for moment in moments:
        sample = max(0, int(np.searchsorted(flight.time, moment + 1e-9)) - 1)
        canvas.restore_region(still)
        for others, mover in zip(traffic, movers):
            others.draw(float(flight.time[sample]))
            mover.draw(sample)
        _tell(clock, flight, sample)
        page.draw_artist(clock)
        yield np.asarray(canvas.buffer_rgba())


def _tell(clock: Text, flight: Flown, sample: int) -> None:
    parts = [f"t = {flight.time[sample]:6.2f} s"]
    for name, word in NUMBERS:
        series = flight.result.series.get(name)
        if series is not None and np.isfinite(series[sample]):
            parts.append(f"{word} {series[sample]:5.2f} m")
    parts.extend(event.text for event in flight.events if 0.0 <= flight.time[sample] - event.time < TOLD)
    if flight.count > 1 and (flight.lost >= 0).any():
        parts.append(f"{int(flight.trajectory.alive[sample].sum())} of {flight.count} alive")
    clock.set_text("    ".join(parts))


class Mover:
    """What moves in one view: trails, formation lines, agents, and crosses for the lost."""

    def __init__(self, panel: Panel, flight: Flown) -> None:
        self._flight = flight
        self._axes: Axes = panel.axes
        self._pair = list(VIEWS[panel.view].axes)
        count = flight.count
        self._size = 1.15 * dart_size(panel, count)
        self._colors = to_rgba_array([style.agent_color(agent, count) for agent in range(count)])
        step = float(np.median(np.diff(flight.time))) if len(flight.time) > 1 else 1.0
        pieces = int(np.clip(PIECES // count, 0, 24))
        stride = max(1, round(TRAIL / step / max(pieces, 1)))
        self._back = np.arange(pieces, -1, -1) * stride  # samples ago, oldest first
        fade = np.linspace(0.0, 0.9, pieces + 1)[1:]
        trail = np.repeat(self._colors[:, None], pieces, axis=1)
        trail[..., 3] = fade
        axes = panel.axes
        self._trails = add_lines(axes, [], 3.0, colors=trail.reshape(-1, 4), linewidths=1.0 if count > 20 else 2.0)
        self._links = add_lines(axes, [], 3.5, colors=style.INK, linewidths=1.6)
        self._agents = add_polygons(axes, [], 4.0, edgecolors=style.INK, linewidths=0.7 if count <= 20 else 0.2)
        (self._crosses,) = axes.plot([], [], "X", color=style.FAULT, markeredgecolor="white", markersize=10)
        (self._hits,) = axes.plot(
            [], [], "o", color=style.FAULT, markerfacecolor="none", markersize=14, markeredgewidth=2
        )
        self._artists: tuple[Artist, ...] = (self._trails, self._links, self._agents, self._crosses, self._hits)
        for artist in self._artists:
            artist.set_animated(True)

    def draw(self, sample: int) -> None:
        """Move everything to one sample of the recording and draw it."""
        flight, pair = self._flight, self._pair
        now = flight.position[sample][:, pair]
        living = np.flatnonzero(np.isfinite(now).all(axis=1) & flight.trajectory.alive[sample])
        at = np.maximum(sample - self._back, 0)
        past = flight.position[at][:, :, pair]
        pieces: Any = np.stack([past[:-1], past[1:]], axis=2).swapaxes(0, 1)  # (N, pieces, 2, 2)
        if flight.breaks.any():
            wrapped = np.array([flight.breaks[a:b].any(axis=0) for a, b in pairwise(at.tolist())])
            pieces = np.where(wrapped.T[..., None, None], np.nan, pieces)
        self._trails.set_segments(list(pieces.reshape(-1, 2, 2)))
        self._links.set_segments(list(now[flight.links(sample)]))
        self._agents.set_verts(list(darts(now[living], flight.direction[sample, living][:, pair], self._size)))
        self._agents.set(facecolor=self._colors[living])
        gone = np.flatnonzero((flight.lost >= 0) & (flight.lost <= sample))
        self._crosses.set_data(*flight.position[flight.lost[gone], gone][:, pair].T)
        recent = [c.agent for c in flight.result.contacts if 0.0 <= flight.time[sample] - c.time < 1.0]
        self._hits.set_data(*flight.trajectory.position[sample, recent][:, pair].reshape(-1, 2).T)
        for artist in self._artists:
            self._axes.draw_artist(artist)
