"""What a flight was for, in perspective: target, gates, and where a hidden target was found."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import to_rgba

from swarm.plots import style
from swarm.plots.camera import Canvas
from swarm.plots.flown import Flown
from swarm.plots.paths import end_word
from swarm.plots.solids import FLAT_HEIGHT, solid
from swarm.plots.zones import gate_rim


def add_target(canvas: Canvas, flight: Flown, ground: float) -> None:
    """The target as a ring on a post, a prescribed path as a line; `ground` is a z in m."""
    task = flight.task
    green = np.array(to_rgba(style.GOAL))
    if task.path is not None:
        way = solid(task.path)
        canvas.lines(np.stack([way[:-1], way[1:]], axis=1), green * (1, 1, 1, 0.5), 0.05, lift=-1.0)
    if task.end is None:
        return
    middle, radius = solid(task.end), task.radius or 0.5
    turn = np.linspace(0, 2 * np.pi, 33)
    ring = middle + radius * np.column_stack([np.cos(turn), np.sin(turn), 0 * turn])
    canvas.faces(ring[None], green * (1, 1, 1, 0.16), lift=-2.0)
    canvas.lines(np.stack([ring[:-1], ring[1:]], axis=1), green, 0.07, lift=-1.0)
    below = middle * (1, 1, 0) + (0, 0, ground)
    canvas.lines(np.stack([below, middle])[None], green, 0.05, lift=-2.0)


def draw_gates(axes: Axes, canvas: Canvas, flight: Flown) -> None:
    """The edges of the openings, and their numbers above them."""
    green = np.array(to_rgba(style.GOAL))
    for gate in flight.world.gates:
        rim = solid(gate_rim(gate))
        if len(rim) == 2:
            rim = np.concatenate([rim - (0, 0, FLAT_HEIGHT / 2), rim[::-1] + (0, 0, FLAT_HEIGHT / 2)])
        again = np.roll(rim, -1, axis=0)
        canvas.lines(np.stack([rim, again], axis=1), green, 0.09, lift=0.3)
        flat, _ = canvas.camera.project(rim)
        across, up = flat[np.argmax(flat[:, 1])]
        axes.text(
            across, up + 13, str(gate.order), fontsize=9, fontweight="bold", color="white", ha="center", va="center",
            zorder=5.5, bbox={"boxstyle": "circle,pad=0.22", "facecolor": style.GOAL, "edgecolor": "white"},
        )  # fmt: skip


def draw_finding(axes: Axes, canvas: Canvas, flight: Flown) -> None:
    """A star where a search's target hid, and the line of sight along which it was found."""
    if flight.task.sensing <= 0.0 or flight.task.end is None:
        return
    (across, up), _ = canvas.camera.project(solid(flight.task.end))
    axes.plot([across], [up], "*", color=style.GOAL, markeredgecolor="white", markersize=17, zorder=5.2)
    word = end_word(flight) or ""
    axes.text(
        across, up - 14, word, fontsize=10, color=style.GOAL, fontweight="bold", ha="center", va="top",
        path_effects=style.halo(3), zorder=6,
    )  # fmt: skip
    for event in flight.events[:1]:
        sample = int(np.searchsorted(flight.time, event.time))
        ends = np.stack([flight.trajectory.position[sample, event.agent], event.place])
        flat, _ = canvas.camera.project(solid(ends))
        axes.plot(*flat.T, color=style.GOAL, linewidth=1.6, linestyle=(0, (4, 2)), zorder=5.1)
