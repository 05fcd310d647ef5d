"""The criteria of a metric as dashed lines in its chart, each with what it asks and whether it was met."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from matplotlib.axes import Axes

from swarm.criteria import Criterion
from swarm.plots import style
from swarm.verdicts import Verdict

APART = 0.29  # of the chart's height, between two labels


def edges(criterion: Criterion) -> Sequence[float]:
    """The values that a criterion bounds its metric with: one, or the two of a range."""
    return criterion.limit if isinstance(criterion.limit, tuple) else (float(criterion.limit),)


def draw_limits(axes: Axes, verdicts: Sequence[Verdict], unit: str, mean: bool) -> None:
    """Draw each bound over the time in which it holds, and a label beside the chart.

    Args:
        axes: A chart whose limits are set.
        verdicts: Of the metric that it shows.
        unit: As it stands behind a number.
        mean: Whether the metric counts as its mean over time where a criterion does not ask for every step.
    """
    begin, end = axes.get_xlim()
    low, high = axes.get_ylim()
    labels = []
    for verdict in verdicts:
        criterion = verdict.criterion
        color = style.GOAL if verdict.passed else style.FAULT
        start = end - criterion.last if criterion.last is not None else criterion.start
        across = (begin if start is None else start, end if criterion.stop is None else min(criterion.stop, end))
        for edge in edges(criterion):
            axes.plot(across, (edge, edge), color=color, linestyle=(0, (5, 3)), linewidth=1.2)
        if not verdict.passed and verdict.time is not None and verdict.value is not None:
            axes.plot([verdict.time], [verdict.value], "o", color=style.FAULT, markersize=5, zorder=4.5)
        middle = sum(edges(criterion)) / len(edges(criterion))
        labels.append(((middle - low) / (high - low), _label(verdict, unit, mean), color))
    labels.sort(key=lambda label: label[0])
    lowest = -1.0
    top = 1.0 - APART * (len(labels) - 1)
    for k, (height, text, color) in enumerate(labels):
        lowest = max(lowest, min(height, max(top, 0.0) + APART * k))
        axes.text(
            1.0, lowest, f" {text}", transform=axes.transAxes, fontsize=7, color=color, va="center", linespacing=1.1
        )
        lowest += APART


def _label(verdict: Verdict, unit: str, mean: bool) -> str:
    criterion = verdict.criterion
    bound = criterion.acceptable().replace(">=", "≥").replace("<=", "≤")
    what = "every step " if criterion.over == "steps" else "mean " if mean else ""
    word = "met" if verdict.passed else "missed (optional)" if criterion.optional else "NOT MET"
    stretch = replace(criterion, over="run").span()
    return f"{what}{bound}{unit}\n {stretch}{': ' if stretch else ''}{word}"
