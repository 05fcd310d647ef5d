"""Every registered metric: described, found, and sane on any recording."""

from __future__ import annotations

import inspect
import subprocess
import sys
from types import ModuleType

import numpy as np
import pytest

from swarm import metrics
from swarm.formations import slots
from swarm.metrics.registry import METRICS, Metric
from swarm.metrics.vasarhelyi import Flocking

PINNED = {
    "order", "collisions", "obstacle_collisions", "min_separation", "min_clearance", "near_misses", "formation_error",
    "compactness", "compactness_sd", "nearest_neighbour", "groups", "connectivity", "speed", "success",
    "time_to_target", "path_efficiency", "mean_heading", "control_effort", "union", "safety", "milling",
    "formation_distance_error", "phi_vel", "phi_corr", "phi_coll", "phi_wall", "phi_disc", "phi_cluster",
    "captures", "hunger", "exit_time", "throughput", "throughput_running", "throughput_corrected",
}  # fmt: skip


def arguments(plain: ModuleType, metric: Metric, count: int, dim: int, lost: int, seed: int) -> dict[str, object]:
    run = plain.record(np.random.default_rng(seed), 12, count, dim, lost)
    known = vars(run) | {
        "radius": 0.1, "near_miss_radius": 0.3, "interaction_range": 0.8, "cluster_range": 0.8, "collision_radius": 0.2,
        "formation": slots("v", count, 1.0, dim), "box": np.zeros(dim), "way": 3.0, "success": True, "reference": 0.5,
        "reached": np.arange(12) > 7, "count": count, "flocking": Flocking(1.0), "phi_vel": 0.9, "phi_corr": 0.8,
        "phi_coll": 0.0, "phi_wall": 0.1, "phi_disc": 1.0, "phi_cluster": 3.0, "arrival": np.array([2.0, np.inf, 4.0]),
        "places": run.position[-1], "group": np.arange(count) % 2, "axis": np.eye(dim)[0], "width": 0.3, "taken": None,
        "since": np.array([2.0, np.nan]), "hunger": np.arange(24.0).reshape(12, 2),
        "arrivals": np.array([0, 3, 5]),
    }  # fmt: skip
    return {name: known[name] for name in inspect.signature(metric.function).parameters}


def test_pinned_metrics_are_registered():
    assert METRICS.keys() >= PINNED


@pytest.mark.parametrize("metric", METRICS.values(), ids=list(METRICS))
def test_metric_is_described(metric):
    assert metric.unit
    assert metric.better in ("high", "low", "none")
    assert metric.kind in ("series", "extreme", "count", "outcome")
    assert metric.formula
    assert inspect.getdoc(metric.function)
    assert metric.function.__name__ == metric.name
    assert getattr(metrics, metric.name) is metric.function


@pytest.mark.parametrize("dim", [2, 3])
@pytest.mark.parametrize(("count", "lost"), [(5, 0), (5, 2), (1, 0), (1, 1)])
@pytest.mark.parametrize("metric", METRICS.values(), ids=list(METRICS))
def test_metric_has_a_value_for_any_recording(plain, metric, count, lost, dim):
    value = metric.function(**arguments(plain, metric, count, dim, lost, seed=5))
    if metric.kind in ("series", "extreme", "count"):
        assert value.shape == (12,)
        assert not np.isnan(value).any()
    else:
        assert value is None or np.isfinite(value)


@pytest.mark.parametrize("metric", METRICS.values(), ids=list(METRICS))
def test_null_values_are_numbers(metric):
    if metric.null is not None:
        for dim, box in ((2, (3.0, 4.0)), (3, (3.0, 4.0, 5.0))):
            assert np.isfinite(metric.null(10, dim, box))
        assert metric.null(10, 2, None) is None or metric.null(10, 2, None) >= 0.0


def test_one_instant_gives_what_the_recording_gives(plain):
    for metric in METRICS.values():
        given = arguments(plain, metric, 5, 3, 0, seed=6)
        if metric.kind in ("series", "extreme") and metric.name != "control_effort":
            whole = metric.function(**given)
            arrays = ("position", "velocity", "clearance", "alive", "hunger")
            instant = metric.function(**{k: v[7] if k in arrays else v for k, v in given.items()})
            assert isinstance(instant, float)
            assert instant == whole[7], metric.name


def test_importing_metrics_does_not_import_numba():
    check = "import sys, swarm.metrics; swarm.metrics.METRICS; sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", check], check=False).returncode == 0


def test_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'ordr'"):
        _ = metrics.ordr
