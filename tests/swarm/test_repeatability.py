"""A flight depends on its mission and seed, and on nothing flown or worked out before."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import swarm
from swarm import mission as missions

NAMES = ("five-drone-yard", "five-drone-gates", "five-drone-indoor", "five-drone-search", "trap")
CHANGES = {"duration": 3.0, "criteria": {}}
MOVING = {
    "kind": "box",
    "center": [5.0, -3.0, 1.5],
    "size": [0.8, 0.8, 2.4],
    "motion": {"path": [[5.0, 0.0, 1.5]], "speed": 0.7, "mode": "once"},
}
HALL = {
    "dim": 3,
    "bounds": [[-3.0, -5.0, 0.0], [17.0, 5.0, 3.0]],
    "boundary": "walls",
    "obstacles": [MOVING],
}


def load(name: str) -> swarm.Mission:
    if name == "moving":
        task = {"kind": "reach", "target": [14.0, 0.0, 1.5]}
        spawn = {"shape": "v", "spacing": 0.7, "center": [0.0, 0.0, 1.5]}
        changes = {**CHANGES, "duration": 12.0, "world": HALL, "task": task, "swarm.spawn": spawn}
        return swarm.load_mission("five-drone-formation", changes)
    return swarm.load_mission(name, CHANGES)


@pytest.fixture(autouse=True)
def _forget() -> Iterator[None]:
    """Worlds are kept, and with them their routes, sweeps and plans."""
    missions._cached_world.cache_clear()
    yield
    missions._cached_world.cache_clear()


QUICK = ("five-drone-gates", "moving", "trap")
LONG = [pytest.param(name, marks=pytest.mark.slow) for name in NAMES if name not in QUICK]


@pytest.mark.parametrize("name", [*QUICK, *LONG])
def test_a_flight_is_the_same_with_and_without_what_is_kept(name: str) -> None:
    first = swarm.run(load(name), seed=1).trajectory_sha256
    kept = swarm.run(load(name), seed=1).trajectory_sha256
    missions._cached_world.cache_clear()
    assert swarm.run(load(name), seed=1).trajectory_sha256 == first
    assert kept == first


@pytest.mark.parametrize("names", [QUICK, pytest.param((*NAMES, "moving"), marks=pytest.mark.slow)])
def test_flights_in_between_change_nothing(names: tuple[str, ...]) -> None:
    first = {name: swarm.run(load(name), seed=0).trajectory_sha256 for name in names}
    for name in names:
        swarm.run(load("moving"), seed=7)
        with swarm.Simulation(load(name), 5) as sim:  # another seed in the middle of which all begins again
            for _ in range(20):
                sim.step()
            sim.reset(0)
            while not sim.done:
                sim.step()
            assert sim.trajectory.sha256() == first[name]


@pytest.mark.slow
def test_targets_on_the_way_of_another_flight_in_the_same_world_change_nothing() -> None:
    wanted = swarm.run(load("five-drone-search"), seed=2).trajectory_sha256
    missions._cached_world.cache_clear()
    for target in ([30.0, 18.0, 1.5], [2.0, 18.0, 3.0], [30.0, 2.0, 1.0]):
        changes = {**CHANGES, "duration": 1.0, "task": {"kind": "reach", "target": target}}
        swarm.run(swarm.load_mission("five-drone-search", changes), seed=0)
    assert swarm.run(load("five-drone-search"), seed=2).trajectory_sha256 == wanted
