"""What a run is worth: every metric is a plain function of arrays, and a `Scoreboard` keeps them all during a run.

`swarm.metrics.order(velocity)` and the like load on first use. Each takes one instant (N, D) and gives a number, or a
recording (T, N, D) and gives (T,); `alive`, (N,) or (T, N), leaves out the lost. +inf marks a sample that has no value,
such as the separation of a single agent; nothing is ever NaN.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from swarm.metrics.registry import METRICS, Metric, register

if TYPE_CHECKING:
    from swarm.metrics.arrivals import throughput, throughput_corrected, throughput_running
    from swarm.metrics.extent import compactness, compactness_sd
    from swarm.metrics.formation import formation_distance_error, formation_error
    from swarm.metrics.graph import connectivity, groups, union
    from swarm.metrics.heading import mean_heading, milling, order
    from swarm.metrics.mission import exit_time, success, time_to_target
    from swarm.metrics.movement import control_effort, path_efficiency, path_length, speed, spl
    from swarm.metrics.obstacles import min_clearance, obstacle_collisions
    from swarm.metrics.results import Event
    from swarm.metrics.scoreboard import Scoreboard
    from swarm.metrics.separation import collisions, min_separation, near_misses, nearest_neighbour, safety
    from swarm.metrics.setting import Setting
    from swarm.metrics.vasarhelyi import (
        Flocking,
        phi_cluster,
        phi_coll,
        phi_corr,
        phi_disc,
        phi_vel,
        phi_wall,
        vasarhelyi_fitness,
    )  # fmt: skip

__all__ = [
    "METRICS", "Event", "Flocking", "Metric", "Scoreboard", "Setting", "collisions", "compactness",
    "compactness_sd", "connectivity", "control_effort", "exit_time", "formation_distance_error", "formation_error",
    "groups", "mean_heading", "milling", "min_clearance", "min_separation", "near_misses", "nearest_neighbour",
    "obstacle_collisions", "order", "path_efficiency", "path_length", "phi_cluster", "phi_coll", "phi_corr",
    "phi_disc", "phi_vel", "phi_wall", "register", "safety", "speed", "spl", "success", "throughput",
    "throughput_corrected", "throughput_running", "time_to_target", "union", "vasarhelyi_fitness",
]  # fmt: skip

_HOMES = {"Event": "results", "Flocking": "vasarhelyi", "Scoreboard": "scoreboard", "Setting": "setting"}


def __getattr__(name: str) -> Any:
    if name in METRICS:
        return METRICS[name].function
    if name in _HOMES:
        return getattr(importlib.import_module(f"swarm.metrics.{_HOMES[name]}"), name)
    raise AttributeError(f"module 'swarm.metrics' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
