"""The three neighbour rules of a large swarm, without lists, ask for what they ask for with lists."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from swarm.controllers.rules import flocking as module
from swarm.controllers.rules.flocking import flock, flock_sorted, flocking
from swarm.neighbours import ALL_PAIRS, Cells, Graph
from swarm.neighbours.all_pairs import edges
from swarm.neighbours.chunks import LARGE

WEIGHTS = (1.0, 1.0, 1.0, 3.0, 0.5, 3.0, 1.0)  # every rule with a radius up to the perception range


def all_pairs(*given):
    """The graph by comparing all pairs: of position ... box, range and field of view."""
    *swarm, reach, field_of_view = given
    return Graph(*edges(*swarm, float(reach), 0.5 * field_of_view))


@st.composite
def swarms(draw):
    dim, agents = draw(st.sampled_from([2, 3])), draw(st.integers(1, 80))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    position = rng.uniform(-10, 10, (agents, dim))
    box = [draw(st.sampled_from([0.0, 2.0, 8.0, 11.0, 25.0])) for _ in range(dim)]
    if draw(st.booleans()):
        position = np.round(position)  # many at one place, many exactly at the edge of a radius
    else:
        position *= draw(st.sampled_from([1.0, 0.2]))
    return (
        position, rng.normal(size=(agents, dim)), rng.random(agents) < 0.9, rng.integers(0, 2, agents), np.array(box)
    )  # fmt: skip


def without_lists(swarm, reach, field_of_view, weights, threads=1):
    cells, total = Cells(threads), np.zeros_like(swarm[0])
    cells.sort(*swarm, reach)
    flock_sorted(cells, reach, field_of_view, *weights, total)
    return total


@settings(max_examples=300, deadline=None)
@given(
    swarms(),
    st.sampled_from([1.0, 3.0, 4.0, 9.0, np.inf]),
    st.sampled_from([2 * np.pi, 3.7]),
    st.tuples(*[st.sampled_from([0.0, 0.7, 1.0, 2.0, 3.0])] * 7),
)
def test_without_lists_the_rules_ask_for_the_same(swarm, reach, field_of_view, weights):
    expected = flock(*all_pairs(*swarm, reach, field_of_view), swarm[1], *weights)
    found = without_lists(swarm, reach, field_of_view, weights)
    assert found == pytest.approx(expected, rel=1e-9, abs=1e-9)


def large_swarm(agents, dim, seed=0):
    rng = np.random.default_rng(seed)
    return (
        rng.uniform(0, 40 if dim == 2 else 15, (agents, dim)), rng.normal(size=(agents, dim)),
        np.ones(agents, bool), np.zeros(agents, np.int64), np.full(dim, 40.0 if dim == 2 else 15.0),
    )  # fmt: skip


@settings(max_examples=300, deadline=None)
@given(
    st.integers(0, 2**32), st.integers(1, 300), st.sampled_from([0.5, 3.0, 10.0]), st.booleans(), st.integers(1, 3),
    st.tuples(*[st.sampled_from([0.0, 4.0, 9.0, 30.0])] * 2), st.sampled_from([0.3, 1.0, np.inf]),
    st.sampled_from([0.0, 0.4, 5.0]),
)  # fmt: skip
def test_looking_at_each_pair_once_the_rules_ask_for_the_same(
    seed, agents, spread, lattice, worlds, box, reach, separation_radius
):
    rng = np.random.default_rng(seed)
    position = rng.uniform(-spread, spread, (agents, 2))
    if lattice:
        position = np.round(4 * position) / 4
    position[agents // 2] = position[0]
    swarm = (
        position, rng.normal(size=(agents, 2)), rng.random(agents) < 0.9, rng.integers(0, worlds, agents), np.array(box)
    )  # fmt: skip
    weights = (0.8, separation_radius, 0.7, np.inf, 0.5, reach, 0.6)
    expected = flock(*all_pairs(*swarm, reach, 2 * np.pi), swarm[1], *weights)
    assert without_lists(swarm, reach, 2 * np.pi, weights) == pytest.approx(expected, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize(
    ("agents", "dim", "field_of_view", "radius", "side", "once"),
    [
        (300, 2, 2 * np.pi, 3.0, 40.0, True),
        (LARGE - 1, 2, 2 * np.pi, 3.0, 40.0, True),
        (LARGE, 2, 2 * np.pi, 3.0, 40.0, False),  # threads share them
        (300, 3, 2 * np.pi, 3.0, 40.0, False),
        (300, 2, 4.0, 3.0, 40.0, False),  # one sees the other, not the other the one
        (300, 2, 2 * np.pi, 2.0, 40.0, False),  # some in range do not count
        (300, 2, 2 * np.pi, 3.0, 8.0, False),  # either side of half a period is as near
    ],
)
def test_each_pair_is_looked_at_once_where_both_see_the_same_and_one_thread_works(
    monkeypatch, agents, dim, field_of_view, radius, side, once
):
    asked = []
    pairs = module.flock_pairs
    monkeypatch.setattr(module, "flock_pairs", lambda *given: asked.append(pairs(*given)))
    position, velocity, alive, world, _ = large_swarm(agents, dim)
    for threads in (1, 2):
        swarm = (position, velocity, alive, world, np.full(dim, side))
        without_lists(swarm, 3.0, field_of_view, (1.0, 1.0, 1.0, radius, 0.5, 3.0, 1.0), threads)
    assert len(asked) == 2 * once


def test_pushes_of_a_small_swarm_cancel_out():
    asked = without_lists(large_swarm(1000, 2), 3.0, 2 * np.pi, (1.0, 2.0, 0.0, 3.0, 0.0, 3.0, 1.0))
    assert np.abs(asked).max() > 0.1
    assert asked.sum(axis=0) == pytest.approx([0.0, 0.0], abs=1e-10)


@pytest.mark.parametrize(("agents", "dim"), [(5000, 2), (5000, 3), (1000, 2), (LARGE - 1, 2), (LARGE, 2)])
def test_threads_do_not_change_a_bit(agents, dim):
    swarm = large_swarm(agents, dim)
    alone = without_lists(swarm, 1.5, 2 * np.pi, WEIGHTS)
    for threads in (2, 3):
        assert without_lists(swarm, 1.5, 2 * np.pi, WEIGHTS, threads).tobytes() == alone.tobytes()


def test_the_dead_are_asked_for_nothing_and_their_place_does_not_matter():
    swarm = large_swarm(300, 3)
    swarm[2][:100] = False
    swarm[0][:100] = np.nan
    found = without_lists(swarm, 3.0, 2 * np.pi, WEIGHTS)
    assert np.isfinite(found).all()
    assert not found[:100].any()


def test_a_flock_that_flies_as_one_is_not_turned():
    swarm = large_swarm(500, 2)
    swarm[1][:] = [0.3, -0.7]
    assert not without_lists(swarm, 3.0, 2 * np.pi, (0.0, 1.0, 1.0, 3.0, 0.0, 3.0, 1.0)).any()


def test_a_view_of_many_agents_and_one_of_few_go_different_ways_to_the_same_result(make_view):
    swarm = large_swarm(ALL_PAIRS + 1, 3)
    view = make_view(swarm[0], swarm[1], reach=2.5)
    found = flocking(view, *WEIGHTS)
    assert "neighbours" not in vars(view)
    assert found == pytest.approx(flock(*view.neighbours, view.velocity, *WEIGHTS), abs=1e-9)
    few = make_view(swarm[0][:9], swarm[1][:9], reach=9.0)
    assert flocking(few, *WEIGHTS).tobytes() == flock(*few.neighbours, few.velocity, *WEIGHTS).tobytes()
    assert not flocking(view, *[0.0] * 7).any()
