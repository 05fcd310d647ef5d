"""Which quantities of a flight are drawn over time."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from swarm.plots.flown import Flown
from swarm.state import PREDATOR, Floats

ALWAYS = ("min_separation", "min_clearance", "formation_error", "order", "speed")
CROWD = ("left", "order", "milling", "compactness", "groups", "nearest_neighbour", "captures", "hunger", "speed")
MOST = 9  # charts
STEADY = 1e-3  # of a speed: what varies less is no chart


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
    always: tuple[str, ...] = CROWD if flight.crowd else ALWAYS
    if flight.crowd and flight.world.surfaces:
        always = (*always, "min_clearance")
    if flight.crowd and flight.world.dim == 2:
        always = tuple(name for name in always if name != "milling")
    for name in dict.fromkeys([*always, *judged]):
        chart = _chart(name, flight)
        steady = name not in judged and chart is not None and name in ("speed", "captures", "hunger") and _steady(chart)
        if steady:
            continue
        if chart is not None and np.isfinite(chart.values).any():
            charts.append(chart)
    return charts[:MOST]


def _chart(name: str, flight: Flown) -> Chart | None:
    flown = flight.trajectory
    living = flown.alive
    if name == "speed":
        living = living & (flown.role != PREDATOR)
        speed = np.where(living, np.linalg.norm(flown.velocity, axis=-1), np.nan)
        some = living.any(axis=1)
        low, mean, high = np.full((3, len(living)), np.nan)
        low[some], high[some] = np.nanmin(speed[some], axis=1), np.nanmax(speed[some], axis=1)
        mean[some] = np.nanmean(speed[some], axis=1)
        return Chart(name, mean, low, high)
    if name == "left":
        gone = (flight.left & ~living).sum(axis=1).astype(float)
        return Chart(name, gone) if flight.task.leaves == "left" else None
    series = flight.result.series
    if name == "compactness" and {"compactness", "compactness_sd"} <= series.keys():
        middle, sd = _finite(series["compactness"]), _finite(series["compactness_sd"])
        return Chart(name, middle, np.maximum(middle - sd, 0.0), middle + sd)
    if name == "captures" and name not in series and (flown.role == PREDATOR).any():
        return Chart(name, (~living[:, flown.role != PREDATOR]).sum(axis=1).astype(float))
    if name in series:
        return Chart(name, _finite(series[name]))
    if name == "min_clearance":
        return Chart(name, _finite(np.where(living, flown.clearance, np.inf).min(axis=1)))
    return None


def _steady(chart: Chart) -> bool:
    shown = np.concatenate([part for part in (chart.values, chart.low, chart.high) if part is not None])
    shown = shown[np.isfinite(shown)]
    return bool(len(shown) and np.ptp(shown) <= STEADY * np.abs(shown).max())


def _finite(values: Floats) -> Floats:
    values = np.asarray(values, dtype=float)
    return np.where(np.isfinite(values), values, np.nan)
