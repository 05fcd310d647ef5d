"""Arrivals of each episode over time, and what they come to on average."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from swarm.metrics.arrivals import KEPT, corrected_means, running_means
from swarm.plots import style
from swarm.plots.flown import Flown
from swarm.plots.limits import draw_limits, edges

CRITERIA = ("throughput", "throughput_running", "throughput_corrected")
RUNNING, CORRECTED = "#E69F00", "#7A5195"


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
    axes.stairs(arrivals, borders, color=style.CROWD, linewidth=1.3, baseline=None, label="each episode")
    small: dict[str, Any] = {"marker": "o", "markersize": 2.5 if len(arrivals) <= 60 else 0.0, "linewidth": 1.3}
    axes.plot(borders, [0.0, *running], color=RUNNING, label=f"running mean, {KEPT:g} kept, from 0", **small)
    axes.plot(borders[1:], corrected, color=CORRECTED, label="running mean, corrected for its start from 0", **small)
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
    text = f"mean {arrivals.mean():.1f}, running {running[-1]:.1f}, corrected {corrected[-1]:.1f} an episode"
    axes.text(1.0, 1.04, text, transform=axes.transAxes, fontsize=7.5, ha="right", va="bottom", color=style.CROWD)
    frame: dict[str, Any] = {"frameon": True, "framealpha": 0.85, "edgecolor": "none", "borderpad": 0.2}
    axes.legend(loc="lower right", fontsize=7, ncols=3, borderaxespad=0.3, columnspacing=1.2, **frame)
    draw_limits(axes, verdicts, "", mean=True)


def episode_length(flight: Flown) -> float:
    """s, of an episode: whole command steps, as the task counts them."""
    step = 1.0 / flight.mission.swarm.command_hz
    episode = float(getattr(flight.mission.task, "episode", step))
    return max(1, round(episode / step)) * step
