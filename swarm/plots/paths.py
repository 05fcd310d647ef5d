"""The paths of a flight among the obstacles, from above and from the side."""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from swarm.plots import style
from swarm.plots.flown import Flown
from swarm.plots.marks import add_darts, add_lines, dart_size, note
from swarm.plots.overview import legend
from swarm.plots.task_marks import draw_task
from swarm.plots.views import VIEWS, Panel, frame, panels
from swarm.plots.world import draw_world
from swarm.state import LEADER, MEMBER, PREDATOR, ROLE_NAMES, Floats

PAGE = (14.0, 10.0)  # inches at most
HEAD = 0.9  # inches for title and legends
CROWDED = 60  # agents beyond which the formation in between start and end is not drawn
SNAPSHOTS = 9


def draw_paths(flight: Flown) -> Figure:
    """Each agent's path with start and end, the formation every few seconds, target, contacts and lost agents."""
    page, views = panels(extent(flight), HEAD if flight.world.dim == 3 else HEAD - 0.18, PAGE)
    fills: list[Patch] = []
    for panel in views:
        fills += draw_world(panel.axes, flight.world, panel.view, names=False, cut=flight.height)
        draw_task(panel, flight.task, end_word(flight))
        _draw_lines(panel, flight)
        _draw_snapshots(panel, flight)
        _draw_finding(panel, flight)
        _draw_faults(panel, flight)
    _draw_head(page, flight, fills)
    return page


def extent(flight: Flown) -> Floats:
    """(2, D) m, the part of the world in which the flight took place, target included."""
    dim = flight.world.dim
    return frame(
        flight.world, np.concatenate([flight.trajectory.position.reshape(-1, dim), flight.task.places.reshape(-1, dim)])
    )


def end_word(flight: Flown) -> str | None:
    """What is written at the target of a search; None elsewhere."""
    if flight.task.sensing <= 0.0:
        return None
    return f"target, found at {flight.events[0].time:.1f} s" if flight.events else "target, not found"


def headline(flight: Flown) -> str:
    """What was flown and what came of it."""
    result = flight.result
    body = result.body + (f" ({result.engine})" if result.engine else "")
    end = "passed" if result.passed else "FAILED"
    role = flight.trajectory.role
    more = [(int((role == kind).sum()), ROLE_NAMES[kind]) for kind in (LEADER, PREDATOR)]
    others = "".join(f", {count} {name}{'s' * (count > 1)}" for count, name in more if count)
    members = int((role == MEMBER).sum())
    who = f"{result.mission}, seed {result.seed}: {members} × {body}{others}, {result.controller}"
    return f"{who}, {result.simulated_s:.1f} s: {end}"


def _draw_lines(panel: Panel, flight: Flown) -> None:
    agents, lines = flight.paths(VIEWS[panel.view].axes)
    crowd = flight.count > len(style.AGENTS)
    colors = [style.agent_color(int(agent), flight.count) for agent in agents]
    alpha = max(0.12, min(0.5, 12 / flight.count)) if crowd else 0.85
    add_lines(panel.axes, lines, 3.0, colors=colors, linewidths=0.6 if crowd else 1.3, alpha=alpha)


def _draw_snapshots(panel: Panel, flight: Flown) -> None:
    axes, pair = panel.axes, VIEWS[panel.view].axes
    count, last = flight.count, len(flight.time) - 1
    colors = [style.agent_color(agent, count) for agent in range(count)]
    size = dart_size(panel, count)
    start = flight.position[0][:, pair]
    axes.scatter(
        start[:, 0], start[:, 1], s=22 if count <= 20 else 5, facecolors="white", edgecolors=colors,
        linewidths=1.2 if count <= 20 else 0.5, zorder=4,
    )  # fmt: skip
    samples = flight.snapshots(SNAPSHOTS) if count <= CROWDED else [0, last]
    for sample in dict.fromkeys(samples):
        place, ahead = flight.position[sample][:, pair], flight.direction[sample][:, pair]
        add_lines(axes, place[flight.links(sample)], 3.5, colors=style.INK, linewidths=1.6)
        living = np.flatnonzero(np.isfinite(place).all(axis=1))
        if sample > 0 or last == 0:
            add_darts(panel, place[living], ahead[living], [colors[agent] for agent in living], count)
        if panel.view == "top" and len(living):
            edge = place[living[np.argmax(place[living, 1])]]
            note(panel, float(place[living, 0].mean()), float(edge[1]) + size, f"{flight.time[sample]:.3g} s")


def _draw_finding(panel: Panel, flight: Flown) -> None:
    """The line of sight along which a hidden target was found."""
    if flight.task.sensing <= 0.0 or not flight.events:
        return
    event, pair = flight.events[0], list(VIEWS[panel.view].axes)
    sample = int(np.searchsorted(flight.time, event.time))
    line = np.stack([flight.trajectory.position[sample, event.agent], event.place])[:, pair]
    panel.axes.plot(*line.T, color=style.GOAL, linewidth=1.4, zorder=4.5)
    panel.axes.plot(*line[0], "o", markerfacecolor="none", color=style.GOAL, markersize=10, zorder=4.6)


def _draw_faults(panel: Panel, flight: Flown) -> None:
    """Contacts as open circles, lost agents as crosses."""
    pair = list(VIEWS[panel.view].axes)
    gone = np.flatnonzero(flight.lost >= 0)
    across, up = flight.trajectory.position[flight.lost[gone], gone][:, pair].T
    panel.axes.plot(across, up, "X", color=style.FAULT, markeredgecolor="white", markersize=10, zorder=5.5)
    contacts = flight.result.contacts[:200]
    for contact in contacts:
        sample = min(int(np.searchsorted(flight.time, contact.time)), len(flight.time) - 1)
        x, y = flight.trajectory.position[sample, contact.agent, pair].tolist()
        panel.axes.plot(
            [x], [y], "o", markerfacecolor="none", color=style.FAULT, markersize=13, markeredgewidth=1.8, zorder=5.4
        )
        if panel.view == "top" and len(contacts) <= 6:
            hit = f"agent {contact.other}" if contact.other >= 0 else flight.world.surfaces[contact.surface]
            text = f"agent {contact.agent} hit {hit}, {contact.time:.1f} s"
            note(panel, x, y - 0.1 / panel.scale, text, style.FAULT, below=True)


def _draw_head(page: Figure, flight: Flown, fills: list[Patch]) -> None:
    height = page.get_figheight()
    page.text(0.5, 1 - 0.08 / height, headline(flight), ha="center", va="top", fontsize=10.5, fontweight="bold")

    def mark(marker: str, label: str, **look: object) -> Line2D:
        return Line2D([], [], linestyle="none", marker=marker, label=label, **look)  # type: ignore[arg-type]

    entries = []
    if 1 < flight.count <= len(style.AGENTS):
        entries += [Line2D([], [], color=style.AGENTS[k], linewidth=2, label=f"agent {k}") for k in range(flight.count)]
    entries.append(mark("o", "start", markerfacecolor="white", color=style.INK, markersize=5))
    entries.append(mark(">", "agent", color=style.INK, markersize=5))
    if len(flight.links(0)):
        entries.append(Line2D([], [], color=style.INK, linewidth=1.6, label="formation"))
    if flight.result.contacts:
        entries.append(
            mark("o", "contact", markerfacecolor="none", color=style.FAULT, markersize=7, markeredgewidth=1.6)
        )
    if (flight.lost >= 0).any():
        entries.append(mark("X", "lost", color=style.FAULT, markersize=7))
    legend(page, entries, 1 - 0.26 / height)
    legend(page, fills, 1 - 0.46 / height)
