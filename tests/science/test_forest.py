"""What the README promises of five drones in a hundred forests, and of turns in the open."""

from __future__ import annotations

import pytest

import swarm
from swarm.benchmarks.forest import MODELS, fly_all, mission

pytestmark = pytest.mark.science


@pytest.mark.parametrize("model", MODELS)
def test_formation_arrives_in_every_forest_untouched_and_in_shape(model: str) -> None:
    flights = fly_all(mission(model, "formation"), range(100), jobs=2)
    assert [f.seed for f in flights if not f.held()] == []


@pytest.mark.parametrize("model", MODELS)
def test_plain_boids_arrive_in_95_of_100_forests_and_touch_nothing(model: str) -> None:
    flights = fly_all(mission(model, "boids"), range(100), jobs=2)
    assert sum(f.contacts for f in flights) == 0
    assert all(f.inside for f in flights)
    assert sum(f.success for f in flights) >= 95


@pytest.mark.parametrize("model", MODELS)
def test_turns_and_speed_changes_in_the_open_keep_the_formation_at_every_instant(model: str) -> None:
    result = swarm.run(swarm.load_mission("five-drone-open", {"swarm.model": model}), seed=0)
    assert result.passed
    assert result.series["formation_error"].max() <= 0.15
