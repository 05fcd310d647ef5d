"""One wide picture of a flight in perspective: the swarm at several moments among the obstacles."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import to_rgba
from matplotlib.figure import Figure

from swarm.mission import Mission
from swarm.plots import style
from swarm.plots.camera import Canvas
from swarm.plots.flown import Flown, flown
from swarm.plots.hero_task import add_target, draw_finding, draw_gates
from swarm.plots.lookout import best_camera
from swarm.plots.paths import extent, headline
from swarm.plots.scenery import SKY, TRACE, add_obstacles, draw_ground
from swarm.plots.solids import FLAT_HEIGHT, solid
from swarm.result import Result
from swarm.state import Floats

SIZE = (1600, 700)  # pixels
SNAPSHOTS = 8
AROUND = np.array([1.8, 5.5])  # m along x and y
CROWDED = 40  # agents beyond which only start and end are shown
LARGER = 0.28  # m, from the middle of a drawn agent to its rotors: several times life size, else it could not be seen


def hero(path: Path, mission: Mission, result: Result) -> None:
    """Write the picture of a run as PNG, 1600 x 700 pixels.

    Args:
        path: The file.
        mission: What was flown.
        result: What came of it, recording included.

    Raises:
        BadInput: The file cannot be written.
    """
    flight = flown(mission, result)
    with style.styled():
        style.save(draw_hero(flight), path)


def draw_hero(flight: Flown) -> Figure:
    """Obstacles with shadows, every path, the formation every few seconds and the target."""
    page = style.figure(SIZE[0] / 100, SIZE[1] / 100, 100.0)
    axes = page.add_axes((0.0, 0.0, 1.0, 1.0), xlim=(0, SIZE[0]), ylim=(0, SIZE[1]), facecolor=SKY)
    axes.set_axis_off()
    page.set_facecolor(SKY)
    box = _stage(flight)
    room = np.array([[16.0, 36.0], [SIZE[0] - 16.0, SIZE[1] - 14.0]])
    canvas = Canvas(best_camera(flight, box, room))
    draw_ground(axes, canvas, flight.world, box)
    add_obstacles(canvas, flight.world, box)
    _flight(canvas, flight, box[0, 2], 1.0)
    add_target(canvas, flight, box[0, 2])
    canvas.paint(axes, 3)
    # Once more, faintly, over all: what is behind an obstacle shows through.
    _flight(canvas, flight, None, 0.36)
    canvas.paint(axes, 4)
    draw_gates(axes, canvas, flight)
    canvas.paint(axes, 3.5)
    draw_finding(axes, canvas, flight)
    _times(axes, canvas, flight)
    _lost(axes, canvas, flight)
    moments = flight.time[_moments(flight)]
    often = f"; shown every {moments[1] - moments[0]:.3g} s" if len(moments) > 1 else ""
    still = "; what moves stands where it starts" if flight.world.moving else ""
    axes.text(18, 14, f"{headline(flight)}{often}, agents drawn larger than life{still}", fontsize=9, alpha=0.8)
    return page


def _stage(flight: Flown) -> Floats:
    """(2, 3) m, what the picture shows: a little more than where the flight took place."""
    box = solid(extent(flight))
    if flight.world.dim == 2:
        box[:, 2] = 0.0, FLAT_HEIGHT
    flown = flight.trajectory.position.reshape(-1, flight.world.dim)
    flown = np.concatenate([flown, flight.task.places.reshape(-1, flight.world.dim)])[:, :2]
    box[0, :2] = np.maximum(box[0, :2], flown.min(axis=0) - AROUND)
    box[1, :2] = np.minimum(box[1, :2], flown.max(axis=0) + AROUND)
    return box


def _moments(flight: Flown) -> list[int]:
    return flight.snapshots(SNAPSHOTS) if flight.count <= CROWDED else [0, len(flight.time) - 1]


def _flight(canvas: Canvas, flight: Flown, ground: float | None, alpha: float) -> None:
    """Trails, the lines of the formation and the agents; with a ground, also their shadows on it."""
    count, moments = flight.count, _moments(flight)
    scale = min(1.0, 12.0 / count)
    for agent, flat in zip(*flight.paths((0, 1, 2)[: flight.world.dim], most=1_500)):
        line = solid(flat)
        color = np.array(to_rgba(style.agent_color(int(agent), count), alpha))
        if ground is not None:
            below = line * (1, 1, 0) + (0, 0, ground)
            canvas.lines(np.stack([below[:-1], below[1:]], axis=1), np.array(to_rgba(TRACE)), 0.04 * scale, lift=-1.5)
        canvas.lines(np.stack([line[:-1], line[1:]], axis=1), color, 0.075 * scale)
    for sample in moments:
        place = solid(flight.position[sample])
        canvas.lines(place[flight.links(sample)], np.array(to_rgba(style.INK, alpha)), 0.11, lift=0.15)
        for agent in np.flatnonzero(np.isfinite(place).all(axis=1)):
            ahead = flight.direction[sample, agent]
            _agent(canvas, place[agent], ahead, style.agent_color(int(agent), count), scale, alpha)


def _agent(canvas: Canvas, place: Floats, ahead: Floats, color: str, scale: float, alpha: float) -> None:
    """Four rotors on crossed arms, seen from the direction of the camera."""
    yaw = np.arctan2(ahead[1], ahead[0])
    reach = LARGER * scale
    corner = yaw + np.pi / 4 + np.pi / 2 * np.arange(4)
    hubs = place + reach * np.column_stack([np.cos(corner), np.sin(corner), np.zeros(4)])
    turn = 2 * np.pi * np.arange(18) / 18
    disc = np.column_stack([np.cos(turn), np.sin(turn), np.zeros(18)])
    dark = np.array(to_rgba(style.INK, alpha))
    canvas.faces(hubs[:, None] + 0.54 * reach * disc, np.array(to_rgba(color, alpha)), lift=0.4)
    if alpha == 1.0:
        canvas.lines(np.stack([hubs[:2], hubs[2:]], axis=1), dark, 0.22 * reach, lift=0.3)
        canvas.faces(hubs[:, None] + 0.60 * reach * disc, dark, lift=0.35)
        canvas.faces((place + 0.3 * reach * disc)[None], dark, lift=0.45)


def _lost(axes: Axes, canvas: Canvas, flight: Flown) -> None:
    """A cross where an agent was lost."""
    gone = np.flatnonzero(flight.lost >= 0)
    flat, _ = canvas.camera.project(solid(flight.trajectory.position[flight.lost[gone], gone]))
    axes.plot(flat[:, 0], flat[:, 1], "X", color=style.FAULT, markeredgecolor="white", markersize=15, zorder=5)


def _times(axes: Axes, canvas: Canvas, flight: Flown) -> None:
    for sample in _moments(flight):
        place = solid(flight.position[sample])
        place = place[np.isfinite(place).all(axis=1)]
        if len(place):
            flat, _ = canvas.camera.project(place)
            top = flat[np.argmax(flat[:, 1])]
            across = flat[:, 0].mean() * 0.3 + top[0] * 0.7
            axes.text(
                across, top[1] + 16, f"{flight.time[sample]:.3g} s", ha="center", va="bottom",
                fontsize=10, fontweight="bold", path_effects=style.halo(3), zorder=6,
            )  # fmt: skip
