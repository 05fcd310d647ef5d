"""What the library's worlds promise: five drones get through them, and nobody touches anything."""

from __future__ import annotations

import pytest

import swarm

SEEDS = range(20)


@pytest.mark.science
@pytest.mark.parametrize("name", ["five-drone-yard", "five-drone-gates", "five-drone-indoor", "five-drone-search"])
def test_five_drones_get_through_and_touch_nothing(name: str) -> None:
    mission = swarm.load_mission(name)
    results = [swarm.run(mission, seed=seed) for seed in SEEDS]
    assert [(r.seed, len(r.contacts)) for r in results if r.contacts] == []
    assert sum(bool(r.metrics["success"]) for r in results) >= 19
    assert sum(r.passed for r in results) >= 19


@pytest.mark.science
@pytest.mark.parametrize("seed", SEEDS)
def test_the_trap_is_left_with_the_route_only(seed: int) -> None:
    assert swarm.run("trap", seed=seed).passed
    assert not swarm.run(swarm.load_mission("trap", {"task.route": False}), seed=seed).passed


def test_the_trap_is_left_with_the_route_only_at_first_sight() -> None:
    assert swarm.run("trap", seed=0).passed
    assert not swarm.run(swarm.load_mission("trap", {"task.route": False}), seed=0).passed
