"""Which quantities of a flight are drawn over time."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from swarm.plots.flown import Flown
from swarm.state import Floats

ALWAYS = ("min_separation", "min_clearance", "formation_error", "order", "speed")
MOST = 9  # charts


class Chart(NamedTuple):
    """One quantity over time."""

    name: str  # of the metric
    values: Floats  # (T,), NaN where there is none
    low: Floats | None = None  # (T,) lower end of a band
    high: Floats | None = None


def select(flight: Flown) -> list[Chart]:
    """The charts of a flight, in order; what has no finite value, or does not exist for it, is left out."""
    judged = [v.criterion.name for v in flight.result.criteria]
    charts = []
    for name in dict.fromkeys([*ALWAYS, *judged]):
        chart = _chart(name, flight)
        if chart is not None and np.isfinite(chart.values).any():
            charts.append(chart)
    return charts[:MOST]


def _chart(name: str, flight: Flown) -> Chart | None:
    flown = flight.trajectory
    living = flown.alive
    if name == "speed":
        speed = np.where(living, np.linalg.norm(flown.velocity, axis=-1), np.nan)
        some = living.any(axis=1)
        low, mean, high = np.full((3, len(living)), np.nan)
        low[some], high[some] = np.nanmin(speed[some], axis=1), np.nanmax(speed[some], axis=1)
        mean[some] = np.nanmean(speed[some], axis=1)
        return Chart(name, mean, low, high)
    if name in flight.result.series:
        return Chart(name, _finite(flight.result.series[name]))
    if name == "min_clearance":
        return Chart(name, _finite(np.where(living, flown.clearance, np.inf).min(axis=1)))
    return None


def _finite(values: Floats) -> Floats:
    values = np.asarray(values, dtype=float)
    return np.where(np.isfinite(values), values, np.nan)
