"""Starts of many agents: the same places as one after the other would take, at a speed that serves a million."""

from __future__ import annotations

import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from swarm import packing
from swarm.errors import BadInput
from swarm.mission import Spawn
from swarm.spawn import place
from swarm.worlds import World


def world(dim, boundary, edge=10.0):
    return World("box", np.array([[0.0] * dim, [edge] * dim]), boundary, False)


def one_by_one(points, apart, period, skip):
    """What `clashes` means, by comparing every place with every earlier one."""
    found = []
    for i, point in enumerate(points):
        first = -1
        for j in range(i):
            step = point - points[j]
            step -= np.where(period > 0, period * np.rint(step / np.where(period > 0, period, 1.0)), 0.0)
            if (step**2).sum() < apart**2 and not (skip and found[j] >= 0):
                first = j
                break
        found.append(first)
    return found


@settings(max_examples=80, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1), dim=st.sampled_from([2, 3]), apart=st.floats(0.05, 6.0), skip=st.booleans(),
    wraps=st.booleans(), few=st.booleans(), most=st.integers(1, 80),
)  # fmt: skip
def test_clashes_are_those_of_all_pairs(seed, dim, apart, skip, wraps, few, most):
    points = np.random.default_rng(seed).uniform(0, 10, (60, dim))
    period = np.full(dim, 10.0 * wraps)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(packing, "FEW", 100 if few else 0)
        found = packing.clashes(points, apart, np.zeros(dim), period, skip, most)
    expected = one_by_one(points, apart, period, skip)
    free = np.flatnonzero(np.array(expected) < 0)
    stop = len(points) if len(free) < most else int(free[most - 1]) + 1
    assert found[:stop].tolist() == expected[:stop]
    assert (found < 0).sum() == min(most, len(free))


def test_no_distance_is_no_clash_even_at_one_place():
    assert packing.clashes(np.zeros((3, 2)), 0.0, np.zeros(2), np.zeros(2), True).tolist() == [-1] * 3


@pytest.mark.parametrize("boundary", ["torus", "walls", "open"])
@pytest.mark.parametrize("dim", [2, 3])
def test_uniform_starts_are_apart_and_inside(dim, boundary):
    box = world(dim, boundary)
    position, _ = place(Spawn(spacing=0.5), box, 150, 0.1, None, np.random.default_rng(0), "w")
    assert position.shape == (150, dim)
    offset = box.space.displacement(position[:, None], position[None])
    apart = np.sqrt((offset**2).sum(axis=-1)) + np.eye(150) * 9
    assert apart.min() >= 0.5
    assert (box.clearance(position)[0] > 0.1).all()


def test_a_hundred_thousand_with_hulls_and_a_million_points_start_within_seconds():
    place(Spawn(), world(3, "torus"), 10, 0.1, None, np.random.default_rng(0), "w")  # compile
    for count, radius in ((100_000, 0.1), (1_000_000, 0.0)):
        began = time.perf_counter()
        place(Spawn(), world(3, "torus", 60.0), count, radius, None, np.random.default_rng(0), "w")
        assert time.perf_counter() - began < 20.0


def test_headings_are_random_or_given_and_do_not_move_anybody():
    box = world(2, "torus")
    plain, ahead = place(Spawn(), box, 500, 0.0, None, np.random.default_rng(0), "w")
    same, headings = place(Spawn(heading="random"), box, 500, 0.0, None, np.random.default_rng(0), "w")
    assert np.array_equal(plain, same)
    assert (ahead == 0.0).all()
    # The mean of 500 random unit vectors is longer than 0.15 with probability exp(-500 * 0.15^2) = 1e-5 (Rayleigh).
    assert abs(np.exp(1j * headings).mean()) < 0.15
    assert place(Spawn(heading=90.0), box, 2, 0.0, None, np.random.default_rng(0), "w")[1] == pytest.approx(np.pi / 2)


def test_agents_that_start_inside_each_other_are_named_once_each_and_not_all():
    with pytest.raises(BadInput) as refused:
        place(Spawn(shape="line", spacing=0.1), world(2, "open"), 20, 0.2, None, np.random.default_rng(0), "w")
    assert refused.value.faults[0] == "w: agents 0 and 1 start inside each other; give them more spacing"
    assert len(refused.value.faults) == 6
    assert refused.value.faults[5] == "w: ... and 14 more agents"
