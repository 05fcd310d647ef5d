"""What leaps are made of gives the bytes of what steps are made of, and they are only made where they pay."""

from __future__ import annotations

import math

import numpy as np
import pytest

import swarm
from swarm.compiled import kernel, ready
from swarm.controllers.models.crowd.exponential import exponential
from swarm.controllers.models.crowd.time_gap import walk
from swarm.controllers.models.crowd.time_gap_pairs import walk_in_pairs
from swarm.leaping import pays
from swarm.leaping.nearby import neighbours, no_rows
from swarm.neighbours import graph

REACH = 1.7


def crowd(agents=200, side=10.0):
    """Some at one place, some at the very reach, some gone."""
    rng = np.random.default_rng(agents)
    position = rng.uniform(0.0, side, (agents, 2))
    position[1], position[agents - 1] = position[0], position[agents // 2]
    position[3] = position[2] + [REACH, 0.0]
    alive = rng.random(agents) < 0.9
    alive[:4] = True
    whole = graph(position, np.zeros((agents, 2)), alive, np.zeros(agents, np.int64), np.zeros(2), REACH)
    return position, alive, whole


@pytest.mark.parametrize("agents", [4, 200, 700])
def test_each_pair_stands_once_with_the_bytes_of_the_graph(agents):
    position, alive, whole = crowd(agents)
    half = neighbours(position, alive, REACH, no_rows())
    here = np.repeat(np.arange(agents), np.diff(whole.indptr))
    upper = here < whole.indices
    pairs = half.indptr[-1]
    assert pairs == upper.sum() > 0
    assert np.array_equal(np.repeat(np.arange(agents), np.diff(half.indptr)), here[upper])
    assert np.array_equal(half.indices[:pairs], whole.indices[upper])
    assert half.away[:pairs].tobytes() == whole.displacement[upper].tobytes()
    assert half.distance[:pairs].tobytes() == whole.distance[upper].tobytes()


def test_a_rule_in_pairs_gives_the_bytes_of_the_rule():
    position, alive, whole = crowd()
    half = neighbours(position, alive, REACH, no_rows())
    angle = np.random.default_rng(1).uniform(0.0, 2.0 * np.pi, len(position))
    wanted = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    wanted[5:50] = 0.0
    walls = np.arange(len(position) + 1), np.full(len(position), 0.21), np.tile([0.6, 0.8], (len(position), 1))
    numbers = 1.2, 1.0, 0.4, 5.0, 0.1, 5.0, 0.02
    before = walk(
        whole.indptr, whole.indices, whole.displacement, whole.distance, *walls, wanted, *numbers
    )  # fmt: skip
    after = np.empty_like(wanted)
    walk_in_pairs(half.indptr, half.indices, half.away, half.distance, *walls, wanted, *numbers, after)
    assert after.tobytes() == before.tobytes()
    assert 0 < np.count_nonzero(after[50:]) < 2 * len(after[50:])  # some walk, some stand before others


def test_the_exponential_is_that_of_the_library_to_two_units_in_the_last_place():
    for x in np.random.default_rng(0).uniform(-699.0, 699.0, 3000).tolist():
        assert abs(exponential(x) / math.exp(x) - 1.0) <= 2.0 * np.finfo(float).eps
    assert exponential(0.0) == 1.0
    assert exponential(-math.inf) == exponential(-700.0) > 0.0
    assert exponential(math.inf) == exponential(700.0) < math.inf


def test_a_kernel_is_ready_once_it_has_been_called_with_such_arguments():
    @kernel
    def twice(x):
        return x + x

    if not hasattr(twice, "overloads"):
        pytest.skip("nothing is compiled here")
    twice(1.5)
    assert ready(twice, 2.5)
    assert not ready(twice, np.zeros((3, 3, 3), np.float32))


def test_a_short_run_does_not_wait_for_a_leap_to_be_compiled(monkeypatch):
    mission = swarm.load_mission("hadimassa").changed({"duration": 20.0})
    known = []
    monkeypatch.setattr("swarm.compiled.ready", lambda *given: known[-1])
    for ready_, duration, expected in ((False, 20.0, False), (True, 20.0, True), (False, 1e5, True)):
        known.append(ready_)
        with swarm.Simulation(mission.changed({"duration": duration}), seed=0) as sim:
            assert pays(sim) is expected
