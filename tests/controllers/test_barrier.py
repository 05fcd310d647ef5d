"""The barrier never lets a closing speed exceed what can still be braked."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from swarm.controllers.safety.barrier import Barrier, closing_limit

BRAKING, DELAY = 6.0, 0.4


def told(briefing, **params):
    barrier = Barrier(**params)
    barrier.reset(briefing)
    return barrier


@pytest.fixture(scope="module")
def briefing(make_briefing):
    return make_briefing([[0.0, 0.0, 0.0]], reaction_time=DELAY)


def v_b(h):
    return -BRAKING * DELAY + math.sqrt((BRAKING * DELAY) ** 2 + 2 * BRAKING * h)


@given(h=st.floats(1e-6, 50))
def test_the_limit_is_the_speed_that_reaction_and_braking_use_up_the_room_with(h):
    v = closing_limit(h, BRAKING, DELAY, 0.5)
    assert v * DELAY + v * v / (2 * BRAKING) == pytest.approx(h)
    assert v == pytest.approx(v_b(h), rel=1e-6, abs=1e-9)


def test_unlimited_brakes_leave_the_reaction_time():
    assert closing_limit(0.8, math.inf, 0.4, 0.5) == pytest.approx(0.8 / 0.4)


def test_inside_the_margin_agents_back_out(briefing, make_view, make_world):
    world = make_world(3, [{"kind": "sphere", "center": [1.0, 0, 0], "radius": 0.9}])
    barrier = told(briefing, surface_margin=0.1, retreat=0.3)
    # hull clearance 1 - 0.9 - 0.06 = 0.04, 0.06 inside the margin: 0.06 / 0.4 s
    assert barrier(make_view([[0.0, 0, 0]], world=world), np.zeros((1, 3)))[0] == pytest.approx([-0.06 / DELAY, 0, 0])


def test_a_wall_takes_only_what_goes_into_it(briefing, make_view, make_world):
    view = make_view([[2.44, 0.0]], world=make_world(2, half=3.0, boundary="walls"))  # clearance 0.5
    allowed = told(briefing, surface_margin=0.1)(view, np.array([[2.0, 1.0]]))
    assert allowed[0] == pytest.approx([v_b(0.4), 1.0])


@given(
    position=arrays(float, (4, 3), elements=st.floats(-2.8, 2.8)),
    wanted=arrays(float, (4, 3), elements=st.floats(-9, 9)),
)
def test_no_surface_is_approached_too_fast(position, wanted, briefing, make_view, make_world):
    posts = [{"kind": "sphere", "center": [x, 0.3, 0.1], "radius": 0.5} for x in (-1.0, 1.2)]
    view = make_view(position, world=make_world(3, posts, half=3.0, boundary="walls"))
    velocity = told(briefing, surface_margin=0.1)(view, wanted)
    near = view.near
    for i in range(4):
        for edge in range(near.indptr[i], near.indptr[i + 1]):
            h = near.distance[edge] - 0.1
            assert -velocity[i] @ near.normal[edge] <= (v_b(h) if h > 0 else 0.0) + 1e-9
    assert (np.linalg.norm(velocity, axis=1) <= 3.0 + 1e-9).all()


@given(apart=st.floats(0.0, 3.0), wanted=arrays(float, (2, 2), elements=st.floats(-3, 3)))
def test_no_pair_closes_too_fast(apart, wanted, briefing, make_view):
    view = make_view([[0.0, 0.0], [apart, 0.0]])
    velocity = told(briefing, pair_margin=0.2)(view, wanted)
    h = apart - 2 * 0.06 - 0.2
    # Slowing one down to its speed limit afterwards may take from its retreat, so only the braking part is promised.
    assert velocity[0, 0] - velocity[1, 0] <= max(v_b(h) if h > 0 else 0.0, 0.0) + 1e-6


def test_of_a_pair_the_faster_one_yields_three_quarters(briefing, make_view):
    view = make_view([[0.0, 0.0], [1.0, 0.0]])
    velocity = told(briefing, pair_margin=0.2)(view, np.array([[2.0, 0.0], [0.0, 0.0]]))
    excess = 2.0 - v_b(1.0 - 0.12 - 0.2)
    assert velocity[:, 0] == pytest.approx([2.0 - 0.75 * excess, 0.25 * excess])


def test_two_equals_share_the_excess(briefing, make_view):
    view = make_view([[0.0, 0.0], [1.0, 0.0]])
    velocity = told(briefing)(view, np.array([[2.0, 0.0], [-2.0, 0.0]]))
    assert velocity[0, 0] == pytest.approx(-velocity[1, 0])


def test_what_breaks_no_limit_passes_unchanged(briefing, make_view):
    wanted = np.array([[0.5, -0.25, 1.0], [0.5, -0.25, 1.0]])
    assert np.array_equal(told(briefing)(make_view([[0, 0, 0], [2, 0, 0]]), wanted), wanted)


def test_foresight_shortens_the_reaction_time(briefing):
    assert told(briefing, foresight=0.1).delay(0.02) == pytest.approx(0.3)
    assert told(briefing, foresight=9.0).delay(0.02) == pytest.approx(0.02)


@given(
    position=arrays(float, (2, 3, 2), elements=st.floats(-1, 1)),
    wanted=arrays(float, (2, 3, 2), elements=st.floats(-3, 3)),
)
def test_a_batch_of_worlds_is_the_worlds_one_by_one(position, wanted, briefing, make_view):
    barrier = told(briefing)
    batch = barrier(make_view(position.reshape(6, 2), world_index=[0] * 3 + [1] * 3), wanted.reshape(6, 2))
    alone = np.concatenate([barrier(make_view(p), w) for p, w in zip(position, wanted)])
    assert np.array_equal(batch, alone)
