"""Crowds walk as people do: RiMEA's tests, the flow through doors, and the speed at a density."""

from __future__ import annotations

import numpy as np
import pytest

import swarm
from swarm.benchmarks.fundamental_diagram import DENSITIES, speed_at, weidmann
from swarm.controllers.models.crowd import TimeGap
from swarm.mission_file import load_mission
from swarm.simulation import Simulation

BOTH = {"length": 0.39, "time_gap": 0.8}  # m, s: one pair for flow and speeds
SLIT = {"kind": "box", "name": "wall", "size": [0.4, 1.0], "center": [8.2, 0.5]}


def bottleneck(width):
    """The mission with a door of another width."""
    half = (8.0 - width) / 2.0
    walls = [
        {**SLIT, "name": name, "size": [0.4, half], "center": [8.2, middle]}
        for name, middle in (("below", half / 2.0), ("above", 8.0 - half / 2.0))
    ]
    zone = {"kind": "area", "name": "outside", "center": [8.9, 4.0], "size": [1.0, width]}
    return load_mission("bottleneck").changed({"world.obstacles": walls, "world.zones": [zone], "criteria": {}})


@pytest.mark.science
@pytest.mark.parametrize("name", ["corridor", "bottleneck", "room-evacuation", "counter-flow", "corner"])
def test_the_mission_passes_on_twenty_seeds(name):
    missed = [seed for seed in range(20) if not swarm.run(name, seed=seed).passed]
    assert not missed


@pytest.mark.science
@pytest.mark.parametrize(
    "change",
    [
        {},
        {"controller": {"use": "social-force", "params": {"speed": 1.33}}},
        {"controller": {"use": "floor-field", "params": {"speed": 1.33}}, "swarm.motion.radius": 0.19},
    ],
    ids=["time-gap", "social-force", "floor-field"],
)
def test_forty_metres_take_26_to_34_seconds(change):
    """RiMEA test 1."""
    result = swarm.run(load_mission("corridor").changed(change), seed=0)
    assert 26.0 <= result.metrics["egress_time"] <= 34.0


@pytest.mark.science
@pytest.mark.parametrize(
    "change",
    [
        {},
        {"controller": {"use": "social-force"}},
        {"controller": {"use": "floor-field"}, "swarm.motion.radius": 0.19},
    ],
    ids=["time-gap", "social-force", "floor-field"],
)
def test_twenty_go_round_a_corner_and_nobody_through_its_wall(change):
    """RiMEA test 6."""
    with Simulation(load_mission("corner").changed({**change, "criteria": {}}), 0) as sim:
        while not sim.done:
            sim.step()
        inside = (sim.trajectory.position[..., 0] < 10.0) & (sim.trajectory.position[..., 1] > 2.0)
        assert not inside.any()
        assert sim.success
        assert sim.stuck == ()


@pytest.mark.science
@pytest.mark.parametrize("width", [1.0, 1.2, 1.4, 1.6, 1.8, 2.0])
def test_a_door_lets_1_6_to_2_a_second_through_for_each_metre(width):
    """Seyfried et al. 2009."""
    flows = [swarm.run(bottleneck(width), seed=seed).metrics["flow"] for seed in range(3)]
    assert 1.6 * width <= np.mean(flows) <= 2.0 * width


@pytest.mark.science
@pytest.mark.parametrize("density", DENSITIES)
@pytest.mark.parametrize("params", [{}, BOTH], ids=["as published", "as in the bottleneck"])
def test_time_gap_walkers_are_as_fast_as_weidmann_within_a_fifth(density, params):
    speeds = [speed_at(TimeGap(**params), density, seed) for seed in range(3)]
    assert np.mean(speeds) == pytest.approx(weidmann(density), rel=0.2)
