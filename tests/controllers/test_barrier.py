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


def before_a_sphere(make_view, make_world, speed, gap=0.8):
    """One agent at rest, a sphere before it that comes along -x at a speed; hull to surface is the gap."""
    motion = {"path": [[-40.0, 0.0, 0.0]], "speed": abs(speed)}
    if speed < 0.0:
        motion["path"] = [[40.0, 0.0, 0.0]]
    sphere = {"kind": "sphere", "center": [gap + 0.06 + 0.5, 0.0, 0.0], "radius": 0.5, "motion": motion}
    return make_view([[0.0, 0.0, 0.0]], world=make_world(3, [sphere]))


@given(gap=st.floats(0.05, 3.0), speed=st.floats(0.05, 2.0), wanted=st.floats(-3.0, 3.0))
def test_a_surface_that_comes_counts_with_its_speed(gap, speed, wanted, briefing, make_view, make_world):
    view = before_a_sphere(make_view, make_world, speed, gap)
    assert view.approach == pytest.approx([speed])
    allowed = told(briefing, surface_margin=0.1)(view, np.array([[wanted, 0.0, 0.0]]))
    room = gap - 0.1 - speed * DELAY  # what the reaction time takes is gone
    limit = closing_limit(room, BRAKING, DELAY, 0.5) - speed
    assert allowed[0, 0] == pytest.approx(np.clip(min(wanted, limit), -3.0, 3.0), abs=1e-9)


def test_an_agent_with_no_room_left_backs_away_as_fast_as_the_surface_comes(briefing, make_view, make_world):
    speed = 0.6
    view = before_a_sphere(make_view, make_world, speed, gap=0.1 + speed * DELAY)
    assert told(briefing, surface_margin=0.1)(view, np.zeros((1, 3)))[0] == pytest.approx([-speed, 0, 0])


def test_foresight_is_no_reason_to_back_away_later(briefing, make_view, make_world):
    # room for noticing and getting going: delay + foresight is the body's whole reaction time
    view = before_a_sphere(make_view, make_world, 0.6, gap=0.1 + 0.6 * DELAY)
    allowed = told(briefing, surface_margin=0.1, foresight=0.22)(view, np.zeros((1, 3)))
    assert allowed[0] == pytest.approx([-0.6, 0, 0])


def test_one_may_follow_what_goes_away(briefing, make_view, make_world):
    view = before_a_sphere(make_view, make_world, -0.5, gap=0.1)
    assert told(briefing, surface_margin=0.1)(view, np.array([[2.0, 0, 0]]))[0] == pytest.approx([0.5, 0, 0])


@given(
    position=arrays(float, (3, 3), elements=st.floats(-2.8, 2.8)),
    wanted=arrays(float, (3, 3), elements=st.floats(-4, 4)),
)
def test_what_could_move_but_is_not_near_changes_nothing(position, wanted, briefing, make_view, make_world):
    post = {"kind": "sphere", "center": [0.5, 0.3, 0.1], "radius": 0.5}
    motion = {"path": [[45.0, 45.0, 46.0]], "speed": 1.0}
    far = {"kind": "sphere", "center": [45.0, 45.0, 45.0], "radius": 0.5, "motion": motion}
    barrier = told(briefing, surface_margin=0.1)
    still = barrier(make_view(position, world=make_world(3, [post])), wanted)
    assert make_view(position, world=make_world(3, [post])).approach is None
    assert np.array_equal(barrier(make_view(position, world=make_world(3, [post, far])), wanted), still)
