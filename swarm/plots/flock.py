"""One large picture of a crowd at the end of its flight: in plan, or in perspective over its shadows."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.colors import to_rgba, to_rgba_array
from matplotlib.figure import Figure

from swarm.mission import Mission
from swarm.plots import style
from swarm.plots.agents import Agents
from swarm.plots.bound import exit_colors, exit_legend
from swarm.plots.camera import Camera, Canvas
from swarm.plots.floor_plan import plan_legend, repaint
from swarm.plots.flown import Flown, flown
from swarm.plots.following import extent_of
from swarm.plots.moment import Moments
from swarm.plots.movers import Traffic, mover_legend
from swarm.plots.numbers import recorded_numbers
from swarm.plots.overview import legend
from swarm.plots.pace import pace
from swarm.plots.paths import end_word, extent, headline
from swarm.plots.roles import contact_legend, heading_legend, role_colors, role_legend, role_sizes
from swarm.plots.scenery import SKY, TRACE, add_obstacles, draw_ground
from swarm.plots.task_marks import draw_task
from swarm.plots.views import panels
from swarm.plots.wind import draw_wind
from swarm.plots.world import draw_world
from swarm.result import Result
from swarm.state import MEMBER, Floats

PAGE = (9.0, 8.2)  # inches at most, of a plan
LONG, LONG_PAGE = 5.0, (12.0, 8.2)  # times as wide as high, from which on it is at most so large
SIZE = (1600, 900)  # pixels, in perspective
MARK = 0.011  # of the picture's height, from the middle to the tip of a member
ROOM = np.array([[16.0, 46.0], [SIZE[0] - 16.0, SIZE[1] - 24.0]])  # pixels
LOW = 26.0  # degrees that the camera looks down: the ground lies under a swarm and not behind it
HEAD = 0.5  # inches
NEVER_BROKEN = "\N{NO-BREAK SPACE}"  # between a number and its unit


def flock(path: Path, mission: Mission, result: Result) -> None:
    """Write the picture of the end of a run as PNG.

    Args:
        path: The file.
        mission: What was flown.
        result: What came of it, recording included.

    Raises:
        BadInput: The file cannot be written.
    """
    flight = flown(mission, result)
    with style.styled():
        style.save(draw_flock(flight), path)


def draw_flock(flight: Flown) -> Figure:
    """Direction marks with short trails, obstacles, target, and the numbers of that moment."""
    return _plan(flight) if flight.world.dim == 2 else _perspective(flight)


def caption(flight: Flown, sample: int) -> str:
    """Time and numbers of a sample."""
    numbers = [f"{n.word} {n.text}{NEVER_BROKEN + n.unit if n.unit else ''}" for n in recorded_numbers(flight, sample)]
    when = f"{flight.time[sample]:.1f}".removesuffix(".0") + " s"
    return f"{when}: {', '.join(numbers)}" if numbers else when


def mark_legend(flight: Flown, touching: bool) -> list[Any]:
    """What a legend says about agents and, with `touching`, about circles around those who touch something."""
    role, bound = flight.trajectory.role, exit_legend(flight)
    entries = [*role_legend(role, True, flight.on_plan, flight.task.leaves)]
    if bound:
        entries = [*bound, *(entry for entry in entries if str(entry.get_label()).startswith("just"))]
    elif flight.of_people and not flight.on_plan and (role == MEMBER).all():
        entries = [heading_legend(), *entries]
    return [*entries, contact_legend()] if touching else entries


def pace_of(flight: Flown) -> float:
    """Simulated seconds of a flight that are shown in a second."""
    return pace(float(flight.time[1] - flight.time[0])) if len(flight.time) > 1 else 1.0


def shown_end(flight: Flown) -> int:
    """The last sample; where everybody has left by then, the last in which half of all were still there."""
    there = flight.trajectory.alive.sum(axis=1)
    last = len(there) - 1
    if there[-1] or not flight.left.any():
        return last
    return int(np.flatnonzero(2 * there >= flight.count)[-1])


def _plan(flight: Flown) -> Figure:
    last = shown_end(flight)
    box = extent(flight)
    span = box[1] - box[0]
    page, (panel,) = panels(box, HEAD + 0.22, LONG_PAGE if span[0] > LONG * span[1] else PAGE)
    height = page.get_figheight()
    page.text(0.5, 1 - 0.08 / height, headline(flight), ha="center", va="top", fontsize=10.5, fontweight="bold")
    moment = Moments(flight, pace_of(flight))[last]
    entries = mark_legend(flight, len(moment.hits) > 0)
    world = flight.world_at(last)
    patches = draw_world(panel.axes, world.still, panel.view, names=False)
    if world.floor_plan is not None:
        repaint(panel.axes, world.floor_plan)
        patches = plan_legend(world.floor_plan)
    entries += patches
    entries += mover_legend(flight.world)
    Traffic(panel.axes, flight.world, panel.view).stand(float(flight.time[last]))
    draw_task(panel, flight.task, end_word(flight))
    draw_wind(panel, flight.world, float(flight.time[last]))
    Agents(panel, flight.trajectory.role, pace_of(flight), flight.on_plan, exit_colors(flight)).add(moment)
    panel.axes.texts[0].set_text(f" {caption(flight, last)}")
    legend(page, entries, 1 - 0.3 / height)
    return page


def _perspective(flight: Flown) -> Figure:
    last = len(flight.time) - 1
    page = style.figure(SIZE[0] / 100, SIZE[1] / 100, 100.0)
    axes = page.add_axes((0.0, 0.0, 1.0, 1.0), xlim=(0, SIZE[0]), ylim=(0, SIZE[1]), facecolor=SKY)
    axes.set_axis_off()
    page.set_facecolor(SKY)
    moment = Moments(flight, pace_of(flight))[last]
    living = np.flatnonzero(moment.alive)
    box = _box(flight, moment.position[living])
    canvas = Canvas(Camera.around(box, np.radians(100.0), np.radians(LOW), ROOM))
    draw_ground(axes, canvas, flight.world, box)
    add_obstacles(canvas, flight.world, box)
    role = flight.trajectory.role
    colors = to_rgba_array(role_colors(role))[living]
    at, ahead = moment.position[living], moment.direction[living]
    size = MARK * SIZE[1] * role_sizes(role)[living] / np.median(canvas.camera.pixels(at))
    size *= min(1.0, (300 / len(role)) ** 0.33)
    trail = np.concatenate([at[None], moment.trail[:, living]])
    if flight.world.boundary == "torus":  # what was beyond its edge is seen on the other side
        outside = (trail < flight.world.bounds[0]) | (trail > flight.world.bounds[1])
        trail = np.where(outside.any(axis=-1, keepdims=True), np.nan, trail)
    ends = np.stack([trail[:-1], trail[1:]], axis=2)
    for k, pieces in enumerate(ends):
        faint = colors.copy()
        faint[:, 3] = 0.5 * (1.0 - k / len(ends))
        canvas.lines(pieces, faint, 0.25 * float(size.min()))
    floor = at * (1, 1, 0) + (0, 0, box[0, 2])
    flat = ahead * (1, 1, 0)
    inside = ((floor[:, :2] >= box[0, :2]) & (floor[:, :2] <= box[1, :2])).all(axis=1)
    canvas.faces(bodies(floor[inside], flat[inside], size[inside]), np.array(to_rgba(TRACE)), lift=-1.0)
    for wing in (_WINGS, _FIN):
        shade = colors * ((1, 1, 1, 1) if wing is _WINGS else (0.72, 0.72, 0.72, 1))
        canvas.faces(bodies(at, ahead, size, wing), shade)
    canvas.paint(axes, 3)
    words = f"{headline(flight)}    at {caption(flight, last)}"
    axes.text(18, 14, words, fontsize=9.5, alpha=0.9)
    entries = role_legend(role, caught=True)
    if entries:
        page.legend(handles=entries, loc="upper right", bbox_to_anchor=(0.99, 0.98))
    return page


def _box(flight: Flown, places: Floats) -> Floats:
    """(2, 3) m: the bounds of a world with an end, else about the swarm with the ground below it."""
    if flight.world.boundary != "open":
        return extent(flight)
    seen = extent_of(places)
    half = np.full(3, 0.62 * max(float((seen[1] - seen[0]).max()), 1.0))
    half[2] = max(0.6 * float(seen[1, 2] - seen[0, 2]), 0.4 * float(half[0]))
    middle = seen.mean(axis=0)
    return np.stack([middle - half, middle + half])


_WINGS = np.array([[1.0, 0.0, 0.0], [-0.75, 0.62, 0.0], [-0.35, 0.0, 0.0], [-0.75, -0.62, 0.0]])
_FIN = np.array([[1.0, 0.0, 0.0], [-0.75, 0.0, 0.45], [-0.35, 0.0, 0.0], [-0.75, 0.0, -0.1]])


def bodies(position: Floats, ahead: Floats, size: Floats, shape: Floats = _WINGS) -> Floats:
    """Flat darts in space, level from wing to wing.

    Args:
        position: (A, 3) m.
        ahead: (A, 3), of any length; zero points along +x.
        size: (A,) m from the middle to the tip.
        shape: (K, 3), ahead, to the left and up.

    Returns:
        (A, K, 3) m, corners; the tip first.
    """
    length = np.linalg.norm(ahead, axis=1, keepdims=True)
    front = np.where(length > 1e-9, ahead / np.maximum(length, 1e-9), (1.0, 0.0, 0.0))
    left = np.stack([-front[:, 1], front[:, 0], np.zeros(len(front))], axis=1)
    level = np.linalg.norm(left, axis=1, keepdims=True)
    left = np.where(level > 1e-6, left / np.maximum(level, 1e-6), (0.0, 1.0, 0.0))
    turn = np.stack([front, left, np.cross(front, left)], axis=1)
    return np.asarray(position[:, None] + size[:, None, None] * (shape @ turn))
