"""What was measured over the time of a flight, with the criteria it is held against."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from swarm.metrics import METRICS
from swarm.plots import style
from swarm.plots.charts import Chart, select
from swarm.plots.episodes import draw_episodes, draws_episodes
from swarm.plots.flown import Flown
from swarm.plots.limits import draw_limits, edges
from swarm.plots.paths import headline
from swarm.state import PREDATOR

WORDS = {
    "min_separation": "separation",
    "min_clearance": "clearance",
    "formation_error": "formation error",
    "nearest_neighbour": "nearest neighbour",
    "order": "order",
}
WHOLE = ("captures", "groups", "left")  # whole numbers
DONE = {"evacuate": "evacuated", "circulate": "all have arrived"}
OFTEN, MOST = 20, 200  # contacts from which on they are no more than a shade, and lines at most
PAINTED = "#7A5195"  # of the moments at which cells were painted
MEANING = {
    "min_separation": "between the two nearest agents, centre to centre",
    "min_clearance": "from the nearest hull to the nearest surface",
    "formation_error": "root mean square distance from the slots",
    "order": "1 when all head the same way",
    "speed": "mean, and slowest to fastest",
    "compactness": "mean distance from the middle, give or take one standard deviation",
    "groups": "that hang together within the perception range",
    "nearest_neighbour": "mean distance to the nearest one",
    "milling": "1 when all circle the middle the same way",
    "captures": "caught so far",
    "left": "by an exit so far",
    "hunger": "mean over the predators",
}


def draw_timeline(flight: Flown) -> Figure:
    """One chart under the other on a common time axis: those always of interest, then those with a criterion."""
    charts: list[Chart | None] = [*select(flight)]
    if draws_episodes(flight):
        charts.insert(0, None)
    rows = max(1, len(charts))
    head, foot, high, gap = 0.5, 0.5, 1.15, 0.3
    height = head + foot + rows * high + (rows - 1) * gap
    page = style.figure(9.5, height)
    page.text(0.5, 1 - 0.08 / height, headline(flight), ha="center", va="top", fontsize=9.5, fontweight="bold")
    begin, end = float(flight.time[0]), max(float(flight.time[-1]), float(flight.time[0]) + 1e-3)
    for row, chart in enumerate(charts):
        bottom = height - head - (row + 1) * high - row * gap
        axes = page.add_axes((0.085, bottom / height, 0.765, high / height))
        axes.set_xlim(begin, end)
        if chart is None:
            draw_episodes(axes, flight)
        else:
            _draw(axes, chart, flight)
        if row < rows - 1:
            axes.tick_params(labelbottom=False)
        else:
            axes.set_xlabel("time (s)", labelpad=2)
        _draw_events(axes, flight, labelled=row == 0)
    if not charts:
        page.text(0.5, 0.5, "nothing varied in time", ha="center")
    return page


def _draw(axes: Axes, chart: Chart, flight: Flown) -> None:
    style.tidy(axes)
    unit = _unit(chart.name)
    word = WORDS.get(chart.name, chart.name.replace("_", " "))
    axes.set_ylabel(f"{word} ({unit.strip()})" if unit else word, fontsize=8)
    axes.yaxis.set_label_coords(-0.068, 0.5)
    axes.text(0.0, 1.04, MEANING.get(chart.name, ""), transform=axes.transAxes, fontsize=7.5, alpha=0.75, va="bottom")
    if chart.low is not None and chart.high is not None:
        axes.fill_between(flight.time, chart.low, chart.high, color=style.CROWD, alpha=0.18, linewidth=0)
    dot = "o" if len(flight.time) == 1 else "None"
    steps = "steps-post" if chart.name in WHOLE else "default"
    axes.plot(
        flight.time, chart.values, color=style.CROWD, linewidth=1.3, marker=dot, markersize=4, drawstyle=steps
    )  # fmt: skip
    shown = [chart.values, *(v for v in (chart.low, chart.high) if v is not None)]
    lowest = min(float(np.nanmin(v)) for v in shown)
    highest = max(float(np.nanmax(v)) for v in shown)
    verdicts = [v for v in flight.result.criteria if v.criterion.name == chart.name]
    for verdict in verdicts:
        lowest, highest = min([lowest, *edges(verdict.criterion)]), max([highest, *edges(verdict.criterion)])
    if lowest >= 0.0 and unit != " rad":
        lowest = 0.0
    if chart.name in WHOLE:
        axes.yaxis.set_major_locator(MaxNLocator(4, integer=True))
    room = max(highest - lowest, 0.05)
    axes.set_ylim(lowest if lowest == 0.0 else lowest - 0.08 * room, lowest + 1.12 * room)
    draw_limits(axes, verdicts, unit, mean=_kind(chart.name) == "series")
    _draw_value(axes, chart, flight)


def _kind(name: str) -> str:
    return METRICS[name].kind if name in METRICS else "series"


def _unit(name: str) -> str:
    """The unit as it stands behind a number, with a space before it; counts and shares have none."""
    unit = METRICS[name].unit if name in METRICS else "1"  # a quantity of the picture's own
    return "" if unit in ("1", "count", "bool") else f" {unit}"


def _draw_value(axes: Axes, chart: Chart, flight: Flown) -> None:
    """The number that the result holds, and for an extreme the moment it happened."""
    value = flight.result.metrics.get(chart.name)
    if value is None or not np.isfinite(value):
        return
    unit, kind = _unit(chart.name), _kind(chart.name)
    if kind == "extreme":
        lowest = METRICS[chart.name].better == "high"
        finite = np.where(np.isnan(chart.values), np.inf if lowest else -np.inf, chart.values)
        k = int(np.argmin(finite) if lowest else np.argmax(finite))
        axes.plot(flight.time[k], chart.values[k], "o", color=style.CROWD, markersize=4.5, zorder=4)
        text = f"{'lowest' if lowest else 'highest'} {value:.2f}{unit} at {flight.time[k]:.1f} s"
    elif kind == "series":
        text = f"mean {value:.2f}{unit}"
    else:
        text = f"{value:g}{unit} in all"
    axes.text(1.0, 1.04, text, transform=axes.transAxes, fontsize=7.5, ha="right", va="bottom", color=style.CROWD)


def _draw_events(axes: Axes, flight: Flown, labelled: bool) -> None:
    """When the task was done and its parts, and every contact."""
    reached = flight.result.metrics.get("time_to_target")
    begin = flight.mission.measure.from_
    if begin > 0:
        axes.axvspan(flight.time[0], begin, color=style.FAINT, alpha=0.15, linewidth=0)
    moments = np.sort([contact.time for contact in flight.result.contacts])
    look = {"linewidth": 1.0, "alpha": 0.8} if len(moments) <= OFTEN else {"linewidth": 0.5, "alpha": 0.3}
    for moment in moments[:: 1 + len(moments) // MOST]:
        axes.axvline(moment, color=style.FAULT, **look)
    preyed = bool((flight.trajectory.role == PREDATOR).any())  # the caught have a chart of their own
    for sample in flight.lost[flight.lost >= 0] if not preyed else ():
        axes.axvline(flight.time[sample], color=style.FAULT, linewidth=1.6)
    if labelled and len(moments):
        _note(axes, moments[0], "contact" if len(moments) <= OFTEN else f"{len(moments):,} contacts", style.FAULT)
    for time in flight.painting:
        axes.axvline(time, color=PAINTED, linewidth=1.2, linestyle=(0, (1, 1)))
        if labelled:
            _note(axes, time, "painted", PAINTED)
    for event in flight.events:
        axes.axvline(event.time, color=style.GOAL, linewidth=1.0, linestyle=(0, (2, 2)))
        if labelled:
            _note(axes, event.time, event.short, style.GOAL)
    if reached is None or not np.isfinite(reached) or flight.mission.task.kind == "flock":
        return
    axes.axvline(reached, color=style.GOAL, linewidth=1.4)
    if labelled:
        _note(axes, reached, f"{DONE.get(flight.mission.task.kind, 'target reached')}\n{reached:.1f} s", style.GOAL)


def _note(axes: Axes, moment: float, text: str, color: str) -> None:
    """A word at a vertical line: beside the chart where the line is at its end, else inside."""
    begin, end = axes.get_xlim()
    late = moment > end - 0.02 * (end - begin)
    axes.annotate(
        text, (end if late else moment, 1.0), xycoords=("data", "axes fraction"), xytext=(5, 2 if late else -3),
        textcoords="offset points", fontsize=7.5, color=color, va="bottom" if late else "top", ha="left",
        annotation_clip=False, path_effects=style.halo(),
    )  # fmt: skip
