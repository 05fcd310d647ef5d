"""What is measured: one entry a metric, with unit, direction, formula, source and null value."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from swarm.metrics import null_values

Better = Literal["high", "low", "none"]
Kind = Literal["series", "extreme", "count", "outcome"]
Null = Callable[[int, int, "tuple[float, ...] | None"], "float | None"]


@dataclass(frozen=True)
class Metric:
    """A metric and how it is read.

    A `series` stands in a result as its mean over the samples at times >= measure.from at which a member lives; an
    `extreme` as the worst value and a `count` as the number of onsets over the whole run; an `outcome` is one value.
    """

    name: str
    unit: str
    better: Better
    kind: Kind
    home: str  # module that holds the function of the same name
    formula: str
    source: str = ""
    null: Null | None = None  # (count, dim, box lengths in m or None) -> what a swarm without any order scores

    @property
    def function(self) -> Callable[..., Any]:
        """The plain function of arrays, imported when asked for."""
        function: Callable[..., Any] = getattr(importlib.import_module(self.home), self.name)
        return function


METRICS: dict[str, Metric] = {}


def register(metric: Metric) -> Metric:
    """Add a metric; a scoreboard built afterwards keeps every registered series.

    The parameters of the metric's function are found by name: `position`, `velocity`, `command`, `clearance`, `alive`
    of the recording, and the fields of `scoreboard.Setting`. It takes (T, N, D) and gives (T,), sample by sample.
    """
    METRICS[metric.name] = metric
    return metric


def _add(home: str, *rows: tuple[Any, ...]) -> None:
    for row in rows:
        name, unit, better, kind, formula, source, *null = row
        register(Metric(name, unit, better, kind, f"swarm.metrics.{home}", formula, source, null[0] if null else None))


_add(
    "heading",
    ("order", "1", "high", "series", "‖(1/N) Σ v̂_i‖", "Vicsek et al. 1995", null_values.order),
    ("mean_heading", "rad", "none", "series", "direction of Σ v̂_i, level, against a reference", ""),
    ("milling", "1", "none", "series", "‖(1/N) Σ r̂_ic × v̂_i‖", "Couzin et al. 2002", null_values.milling),
)
_add(
    "movement",
    ("speed", "m/s", "none", "series", "(1/N) Σ ‖v_i‖", ""),
    ("control_effort", "m/s²", "low", "series", "(1/N) Σ ‖u_i(t) − u_i(t − dt)‖ / dt", ""),
    ("path_length", "m", "low", "outcome", "(1/N) Σ_i Σ_t ‖Δp_i‖", ""),
    ("path_efficiency", "1", "high", "outcome", "distance to the goal / mean path flown until it held", ""),
    ("spl", "1", "high", "outcome", "success · distance / max(distance, mean path flown)", "Anderson et al. 2018"),
)
_add(
    "extent",
    ("compactness", "m", "none", "series", "(1/N) Σ ‖p_i − centroid‖", "", null_values.compactness),
    ("compactness_sd", "m", "none", "series", "population SD of ‖p_i − centroid‖", "", null_values.compactness_sd),
)
_add(
    "separation",
    ("min_separation", "m", "high", "extreme", "min over time and pairs of d_ij", ""),
    ("nearest_neighbour", "m", "none", "series", "(1/N) Σ min_j d_ij", "", null_values.nearest_neighbour),
    ("near_misses", "count", "low", "count", "onsets of r_i + r_j ≤ d_ij < near-miss radius", ""),
    ("collisions", "count", "low", "count", "onsets of contact between agents: d_ij < r_i + r_j, or the engine's", ""),
    ("safety", "1", "high", "series", "1 − #{pairs closer than 2 r_coll} / C(N, 2)", "Soria et al. 2020 (SwarmLab)"),
)
_add(
    "obstacles",
    ("min_clearance", "m", "high", "extreme", "min over time and agents of hull distance to the nearest surface", ""),
    (
        "obstacle_collisions",
        "count",
        "low",
        "count",
        "onsets of contact with a surface: clearance < 0, or the engine's",
        "",
    ),
)
_add(
    "graph",
    ("groups", "count", "low", "series", "connected components of the interaction graph", ""),
    ("union", "1", "high", "series", "(N − components) / (N − 1)", "Soria et al. 2020 (SwarmLab)"),
    ("connectivity", "1", "high", "series", "λ₂(L) / N, L the Laplacian of the interaction graph", "Fiedler 1973"),
)
_add(
    "formation",
    (
        "formation_error",
        "m",
        "low",
        "series",
        "min over yaw, shift and assignment of √((1/N) Σ ‖p_i − (R s_π(i) + t)‖²)",
        "",
    ),
    ("formation_distance_error", "m", "low", "series", "√(2 Σ_{i<j} (d_ij − d*_ij)² / (N (N − 1)))", ""),
)
_add(
    "predation",
    ("captures", "count", "none", "count", "caught by predators", ""),
    (
        "hunger",
        "1",
        "none",
        "series",
        "predators' mean hunger: + gain for each caught, − loss · t, at least 0",
        "",
    ),
)
_add(
    "mission",
    ("success", "bool", "high", "outcome", "the task's goal was met, nobody lost, within the duration", ""),
    ("time_to_target", "s", "low", "outcome", "first time the task's goal holds", ""),
    ("exit_time", "s", "low", "outcome", "mean over agents of the first arrival at the exit, of those who arrived", ""),
)
_add(
    "arrivals",
    ("throughput", "1/episode", "high", "outcome", "mean arrivals g of a whole episode", ""),
    ("throughput_running", "1/episode", "high", "outcome", "lg ← 0.95 lg + 0.05 g each episode, from 0", ""),
    ("throughput_corrected", "1/episode", "high", "outcome", "lg / (1 − 0.95^k) after k episodes",
     "Kingma, Ba 2015"),
)  # fmt: skip
_add(
    "crowd",
    ("egress_time", "s", "low", "outcome", "when the last left", ""),
    ("flow", "1/s", "high", "outcome", "(n − 1) / (t_n − t_1) of the n who left", ""),
    (
        "lane_order",
        "1",
        "high",
        "outcome",
        "(φ − φ0) / (1 − φ0), φ = (1/N) Σ ((n_same − n_other) / n)², φ0 = (1/N) Σ 1 / n, n in a stripe along the walk",
        "Nowak & Schadschneider 2012",
    ),
    ("stuck", "count", "low", "outcome", "agents stuck at the end of the run", ""),
)
_add(
    "vasarhelyi",
    ("phi_vel", "m/s", "high", "series", "(1/N) Σ ‖v_i‖", "Vásárhelyi et al. 2018"),
    ("phi_corr", "1", "high", "series", "mean v̂_i·v̂_j over pairs of one cluster", "Vásárhelyi et al. 2018",
     null_values.zero),
    ("phi_coll", "1", "low", "series", "2 #{i < j: d_ij < r_coll} / (N (N − 1))", "Vásárhelyi et al. 2018"),
    ("phi_wall", "m", "low", "series", "mean distance outside, over agents outside", "Vásárhelyi et al. 2018"),
    ("phi_disc", "count", "low", "series", "number of agents without a neighbour", "Vásárhelyi et al. 2018"),
    ("phi_cluster", "count", "high", "series", "size of the smallest cluster", "Vásárhelyi et al. 2018"),
    ("vasarhelyi_fitness", "1", "high", "outcome", "F1(φ_vel) F3(φ_coll) F3(φ_disc) F2(φ_wall) φ_corr F1(φ_cluster)",
     "Vásárhelyi et al. 2018"),
)  # fmt: skip
