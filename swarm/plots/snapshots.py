"""A crowd's flight as a few pictures of it: start, middle and end, with direction marks."""

from __future__ import annotations

from itertools import groupby
from textwrap import fill

import numpy as np
from matplotlib.artist import Artist
from matplotlib.figure import Figure

from swarm.plots import style
from swarm.plots.agents import Agents
from swarm.plots.bound import exit_colors
from swarm.plots.flock import LONG, LONG_PAGE, caption, mark_legend, pace_of
from swarm.plots.floor_plan import plan_legend, repaint, way_lengths
from swarm.plots.flown import Flown
from swarm.plots.following import start_window, window_on
from swarm.plots.moment import Moments
from swarm.plots.movers import Traffic, mover_legend
from swarm.plots.overview import legend
from swarm.plots.paths import end_word, extent, headline
from swarm.plots.task_marks import draw_task
from swarm.plots.views import VIEWS, label_view
from swarm.plots.wind import draw_wind
from swarm.plots.world import draw_world
from swarm.state import Floats

COLUMNS = 3
WIDE = 4.6  # inches of a view
TALLEST = 8.0  # inches of all views above each other
LEFT, GAP, UNDER, HEAD = 0.6, 0.5, 0.5, 0.85  # inches
LINE, LETTERS = 0.16, 14  # inches of a line of a title, and its letters an inch


def draw_snapshots(flight: Flown) -> Figure:
    """The swarm at the start, in the middle and at the end; in three dimensions from above and from the side."""
    samples = moments_of(flight)
    windows = _windows(flight, samples)
    span = windows[0][1] - windows[0][0]
    if len(span) == 2 and span[0] > LONG * span[1]:
        return _draw(flight, samples, windows, wide=LONG_PAGE[0], columns=1)
    return _draw(flight, samples, windows, wide=WIDE, columns=len(samples))


def _draw(flight: Flown, samples: list[int], windows: list[Floats], wide: float, columns: int) -> Figure:
    """Pictures in so many columns, each `wide` inches at most."""
    span = windows[0][1] - windows[0][0]
    names = ["top"] if flight.world.dim == 2 else ["top", "side" if span[0] >= span[1] else "front"]
    size = [span[list(VIEWS[name].axes)] for name in names]
    scale = min(wide / max(s[0] for s in size), TALLEST / sum(s[1] for s in size))
    heights = [max(scale * s[1], 0.75 if columns > 1 else 0.0) for s in size]
    widest = max(scale * s[0] for s in size)
    each = max(widest, 2.6)
    width = max(LEFT + columns * (each + GAP), 8.2)
    titles = [fill(caption(flight, sample), int(LETTERS * each)) for sample in samples]
    head = HEAD + LINE * max(title.count("\n") for title in titles)
    row = sum(heights) + len(names) * UNDER + 0.25 * (len(names) - 1)
    height = head + (1 if columns > 1 else len(samples)) * (row + 0.3) - 0.3
    page = style.figure(width, height)
    page.text(0.5, 1 - 0.08 / height, headline(flight), ha="center", va="top", fontsize=10.5, fontweight="bold")
    times = pace_of(flight)
    shown = Moments(flight, times)
    entries: list[Artist] = mark_legend(flight, any(len(shown[sample].hits) for sample in samples))
    colors = exit_colors(flight)
    plans = [world.floor_plan for world in map(flight.world_at, samples) if world.floor_plan is not None]
    lengths = [each for each, _ in groupby(map(way_lengths, plans)) if each]
    entries += [patch for plan in plans for patch in plan_legend(plan, ", then ".join(lengths))]
    start = (width - columns * (each + GAP) - LEFT + GAP) / 2 + LEFT
    for number, (sample, box, title) in enumerate(zip(samples, windows, titles)):
        column, above = number % columns, number // columns
        top = height - head - above * (row + 0.3)
        for name, s, high in zip(names, size, heights):
            left = start + column * (each + GAP) + (each - scale * s[0]) / 2
            axes = page.add_axes((left / width, (top - high) / height, scale * s[0] / width, high / height))
            panel = label_view(axes, name, box, scale, side=len(names) > 1)
            world = flight.world_at(sample)
            entries += draw_world(axes, world.still, name, names=False, cut=flight.height)
            if world.floor_plan is not None:
                repaint(axes, world.floor_plan)
            Traffic(axes, flight.world, name).stand(float(flight.time[sample]))
            draw_task(panel, flight.task, end_word(flight))
            draw_wind(panel, world, float(flight.time[sample]))
            Agents(panel, flight.trajectory.role, times, flight.on_plan, colors).add(shown[sample])
            if column > 0:
                axes.set_ylabel("")
            if name == "top":
                axes.set_title(title, fontsize=9.0, pad=6 if len(names) == 1 else 14)
            top -= high + UNDER + 0.25
    legend(page, [*entries, *mover_legend(flight.world)], 1 - 0.3 / height)
    return page


def moments_of(flight: Flown) -> list[int]:
    """Samples at the start, in the middle and at the end; one where there is only one.

    Where all have left, the end is the last moment at which somebody was still there.
    """
    last = len(flight.time) - 1
    there = np.flatnonzero(flight.trajectory.alive.any(axis=1))
    if flight.left.any() and len(there) > 0:
        last = int(there[-1])
    return sorted({round(k * last / (COLUMNS - 1)) for k in range(COLUMNS)})


def _windows(flight: Flown, samples: list[int]) -> list[Floats]:
    """(2, D) m for each sample, all of one size."""
    flown = flight.trajectory
    whole = extent(flight)
    if not window_on(flight.world, flown.position, flown.alive, whole, len(flight.task.places) > 0).follows:
        return [whole] * len(samples)
    made = [start_window(flown.position[k][flown.alive[k]]) for k in samples]
    half = 0.5 * max(float((box[1] - box[0]).max()) for box in made)
    return [box.mean(axis=0) + np.array([[-half], [half]]) for box in made]
