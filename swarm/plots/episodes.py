"""Arrivals of each episode over time, and what they come to on average."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.offsetbox import AnchoredOffsetbox, HPacker, TextArea
from matplotlib.ticker import MaxNLocator

from swarm.metrics.arrivals import KEPT, corrected_means, running_means
from swarm.plots import style
from swarm.plots.flown import Flown
from swarm.plots.limits import draw_limits, edges

CRITERIA = ("throughput", "throughput_running", "throughput_corrected")
RUNNING, RUNNING_TEXT, CORRECTED = "#E69F00", "#A66F00", "#7A5195"


def draws_episodes(flight: Flown) -> bool:
    """Whether a flight has whole episodes in which arrivals were counted."""
    return flight.mission.task.kind == "circulate" and len(flight.result.arrivals) > 0


def draw_episodes(axes: Axes, flight: Flown) -> None:
    """Draw arrivals as steps as long as their episodes, and both means where each episode ends.

    Args:
        axes: A chart over time whose limits across are set.
        flight: Of a task that counts arrivals in episodes.
    """
    arrivals = np.asarray(flight.result.arrivals, np.float64)
    length = episode_length(flight)
    borders = length * np.arange(len(arrivals) + 1.0)
    running, corrected = running_means(arrivals), corrected_means(arrivals)
    style.tidy(axes)
    axes.stairs(arrivals, borders, fill=True, color=style.CROWD, alpha=0.18)
    axes.stairs(arrivals, borders, color=style.CROWD, linewidth=1.3, baseline=None)
    small: dict[str, Any] = {"marker": "o", "markersize": 2.5 if len(arrivals) <= 60 else 0.0, "linewidth": 1.3}
    axes.plot(borders, [0.0, *running], color=RUNNING, **small)
    axes.plot(borders[1:], corrected, color=CORRECTED, **small)
    verdicts = [v for v in flight.result.criteria if v.criterion.name in CRITERIA]
    highest = max([arrivals.max(), *(edge for v in verdicts for edge in edges(v.criterion)), 1.0])
    axes.set_ylim(0.0, 1.4 * highest)
    axes.yaxis.set_major_locator(MaxNLocator(4, integer=True))
    axes.set_ylabel("arrivals\n(1/episode)", fontsize=8)
    axes.yaxis.set_label_coords(-0.055, 0.5)
    axes.text(
        0.0, 1.04, f"arrivals an episode of {length:g} s", transform=axes.transAxes, fontsize=7.5, alpha=0.75,
        va="bottom",
    )  # fmt: skip
    words = (
        (f"each episode: {arrivals.mean():.1f} on average", style.CROWD),
        (f"running mean, {KEPT:g} kept, from 0: {running[-1]:.1f}", RUNNING_TEXT),
        (f"corrected for its start: {corrected[-1]:.1f}", CORRECTED),
    )
    _tell(axes, words)
    draw_limits(axes, verdicts, "", mean=True)


def _tell(axes: Axes, words: Sequence[tuple[str, str]]) -> None:
    """Write what each colour is, and what it came to, in a row above the chart."""
    parts: list[Artist] = [TextArea(text, textprops={"color": color, "fontsize": 7.5}) for text, color in words]
    row = HPacker(children=parts, pad=0.0, sep=12.0, align="baseline")
    axes.add_artist(
        AnchoredOffsetbox(
            "lower right", child=row, pad=0.0, borderpad=0.0, frameon=False, bbox_to_anchor=(1.0, 1.04),
            bbox_transform=axes.transAxes,
        )
    )  # fmt: skip


def episode_length(flight: Flown) -> float:
    """s, of an episode: whole command steps, as the task counts them."""
    step = 1.0 / flight.mission.swarm.command_hz
    episode = float(getattr(flight.mission.task, "episode", step))
    return max(1, round(episode / step)) * step
