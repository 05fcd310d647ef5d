"""Rules about others: passing by, queuing, following leaders, and the hunt; worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest

from swarm.controllers.rules.alignment import Alignment
from swarm.controllers.rules.chase import Chase, isolation
from swarm.controllers.rules.flee_predators import FleePredators
from swarm.controllers.rules.leader_following import LeaderFollowing
from swarm.controllers.rules.leadership import Leadership
from swarm.controllers.rules.queuing import Queuing
from swarm.controllers.rules.unaligned_avoidance import UnalignedAvoidance

MEMBER, LEADER = 0, 1


def test_unaligned_avoidance_makes_room_where_the_other_will_pass(make_view):
    # dp = (4, 1), dv = (-2, 0): t* = 2 s, m = (0, 1); room for 1.5 m takes 0.25 m/s down
    view = make_view([[0, 0], [4, 1]], [[1, 0], [-1, 0]])
    push = UnalignedAvoidance(radius=1.5, horizon=3.0)(view)
    assert push == pytest.approx(np.array([[0, -0.25], [0, 0.25]]))


@pytest.mark.parametrize(
    ("place", "flight", "why"),
    [
        ([4, 2], [-1, 0], "passes at more than the radius"),
        ([9, 1], [-1, 0], "comes later than the horizon"),
        ([4, 1], [1.5, 0], "flies away"),
        ([4, 1], [1, 0], "keeps its distance"),
    ],
)
def test_unaligned_avoidance_leaves_alone_who(place, flight, why, make_view):
    view = make_view([[0, 0], place], [[1, 0], flight], reach=50)
    assert not UnalignedAvoidance(radius=1.5, horizon=3.0)(view).any(), why


def test_the_first_of_several_is_heeded(make_view):
    view = make_view([[0, 0], [4, 1], [2, -1]], [[1, 0], [-1, 0], [-1, 0]])  # in 2 s and in 1 s
    assert UnalignedAvoidance(radius=1.5)(view)[0] == pytest.approx([0, 0.5])


def test_of_two_head_on_each_keeps_to_its_left(make_view):
    view = make_view([[0, 0], [4, 0]], [[1, 0], [-1, 0]])
    assert UnalignedAvoidance(radius=1.0)(view) == pytest.approx(np.array([[0, 0.5], [0, -0.5]]))


@pytest.mark.parametrize(("start", "velocity"), [
    ([[-3.0, 0.0], [0.0, -3.0]], [[1.0, 0.0], [0.0, 1.0]]),
    ([[-3.0, 0.1], [3.0, 0.0]], [[1.0, 0.0], [-1.0, 0.0]]),
    ([[-3.0, 0.0, 1.0], [3.0, 0.0, 1.0]], [[1.0, 0.0, 0.0], [-1.0, 0.0, 0.0]]),
])  # fmt: skip
def test_two_that_would_touch_pass_by(start, velocity, make_view):
    rule, hull = UnalignedAvoidance(radius=0.6), 0.2

    def least(heed):
        position, cruise = np.array(start), np.array(velocity)
        flown, gaps = cruise, []
        for _ in range(120):
            push = rule(make_view(position, flown, reach=20)) if heed else 0.0
            flown = cruise + push
            position = position + 0.05 * flown
            gaps.append(np.linalg.norm(position[0] - position[1]))
        return min(gaps), position

    assert least(heed=False)[0] < 2 * hull
    apart, end = least(heed=True)
    assert apart >= 2 * hull
    assert ((end - np.array(start)) * np.array(velocity) > 0).any(axis=1).all()  # and both got through


def test_queuing_brakes_for_who_is_ahead_and_no_faster(make_view):
    # 0.5 m ahead and 0.3 m aside, of a queue of 2 m: three quarters of the speed are taken off
    view = make_view([[0, 0], [0.5, 0.3]], [[1, 0], [0.2, 0]])
    assert Queuing(distance=2.0, width=0.4)(view) == pytest.approx(np.array([[-0.75, 0], [0, 0]]))
    assert Queuing(distance=2.0, width=0.4, braking=0.5)(view)[0] == pytest.approx([-0.375, 0])


@pytest.mark.parametrize(
    ("place", "flight"), [([-0.5, 0], [1, 0]), ([0.5, 0.5], [1, 0]), ([0.5, 0], [1.1, 0]), ([2.1, 0], [0, 0])]
)
def test_queuing_does_not_brake_for_who_is_behind_aside_faster_or_far(place, flight, make_view):
    assert not Queuing(distance=2.0, width=0.4)(make_view([[0, 0], place], [[1, 0], flight]))[0].any()


def test_leadership_counts_leaders_more_often(make_view):
    view = make_view(
        [[0, 0], [1, 0], [0, 1]], [[1, 0], [0, 1], [0, -2]], role=[MEMBER, LEADER, MEMBER]
    )  # ((0, 1) - (1, 0)) * 2 + ((0, -2) - (1, 0)), over 3
    assert Leadership(weight=2.0)(view)[0] == pytest.approx([-1.0, 0.0])
    assert Leadership(weight=1.0)(view) == pytest.approx(Alignment()(view))
    assert Leadership(weight=0.0)(view)[0] == pytest.approx([-1.0, -2.0])


def test_followers_arrive_behind_their_leader(make_view):
    # a metre behind (3, 0) is (2, 0); the leader flies at 0.5
    view = make_view([[0, 0], [1.5, 0], [3, 0]], [[0, 0], [0, 0], [0.5, 0]], role=[MEMBER, MEMBER, LEADER])
    expected = np.array([[1.5, 0], [1.0, 0], [0, 0]])
    assert LeaderFollowing(behind=1.0, speed=1.0, slowing=1.0)(view) == pytest.approx(expected)


def test_followers_in_the_way_step_aside(make_view):
    view = make_view([[1, 0.2], [0.5, 0], [1, 0.6], [0, 0]], [[0, 0]] * 3 + [[0.5, 0]], role=[MEMBER] * 3 + [LEADER])
    push = LeaderFollowing(speed=1.0, ahead=1.5, aside=0.5)(view)
    assert push[:2] == pytest.approx(np.array([[0, 1.0], [0, 1.0]]))
    assert push[2, 0] < 0  # out of the way already: it goes round to the back


def test_followers_follow_the_nearest_leader_in_sight_and_leaders_nobody(make_view):
    view = make_view([[0, 0], [9, 0], [0, -3], [0, 2]], role=[MEMBER, LEADER, LEADER, LEADER], reach=5.0)
    push = LeaderFollowing(behind=0.0, speed=1.0, slowing=1.0)(view)
    assert push == pytest.approx(np.array([[0, 1.0], [0, 0], [0, 0], [0, 0]]))


def test_a_follower_ends_up_behind_a_leader_that_flies(make_view):
    position, velocity = np.array([[2.0, 0.3], [0.0, 0.0]]), np.array([[0.0, 0.0], [0.5, 0.0]])
    rule, nearest = LeaderFollowing(), []
    for _ in range(300):
        push = rule(make_view(position, velocity, role=[MEMBER, LEADER], reach=20))
        velocity = np.array([push[0], [0.5, 0.0]])
        position = position + 0.05 * velocity
        nearest.append(np.linalg.norm(position[0] - position[1]))
    assert position[0] - position[1] == pytest.approx([-1.0, 0.0], abs=0.01)
    assert min(nearest) > 0.4


def test_chase_goes_for_the_nearest(make_view):
    view = make_view([[0, 0]], prey=([[3, 0], [0, 2], [1, 0]], [[0, 0]] * 3, [True, True, False]))
    assert Chase(speed=2.0)(view)[0] == pytest.approx([0, 2.0])
    assert not Chase(range=1.9)(view).any()


def test_chase_leads_its_target_if_asked_to(make_view):
    view = make_view([[0, 0]], prey=([[4, 0]], [[0, 3]]))
    assert Chase(speed=5.0)(view)[0] == pytest.approx([5.0, 0])
    assert Chase(speed=5.0, horizon=9.0)(view)[0] == pytest.approx([4.0, 3.0])


def test_chase_goes_for_the_straggler(make_view):
    prey = [[2, 0], [2.5, 0], [3, 0], [0, 6]]  # to their nearest: 0.5, 0.5, 0.5, sqrt(40)
    view = make_view([[0, 0]], prey=(prey, np.zeros((4, 2))))
    assert isolation(np.array(prey, float), np.ones(4, bool), np.zeros(2)) == pytest.approx([0.5] * 3 + [40**0.5])
    assert Chase("isolated", speed=1.0)(view)[0] == pytest.approx([0, 1.0])
    assert Chase("isolated", speed=1.0, range=5.0)(view)[0] == pytest.approx([1.0, 0])  # of equals the nearest


def test_isolation_knows_the_seam_and_the_dead():
    place = np.array([[-4.9, 0.0], [4.9, 0.0], [4.8, 0.0], [0.0, 3.0]])
    living = np.array([True, True, False, True])
    assert isolation(place, living, np.array([10.0, 10.0])) == pytest.approx([0.2, 0.2, np.inf, np.hypot(4.9, 3.0)])


def test_chase_dives_from_above(make_view):
    prey = ([[10, 0, 0], [0, 50, 0]], np.zeros((2, 3)))
    rule = Chase(speed=2.0, dive=5.0, stoop=2.0)
    wanted = 2.0 * np.array([10, 0, 5]) / np.hypot(10, 5)
    assert rule(make_view([[0, 0, 0]], prey=prey))[0] == pytest.approx(wanted)
    assert rule(make_view([[9, 0, 5]], prey=prey))[0] == pytest.approx(2.0 * np.array([1, 0, -5]) / np.sqrt(26))


def test_flight_from_predators_adds_up(make_view):
    # 1 m and 2 m away of 4 m: pushes of 0.75 to the left and 0.5 down
    view = make_view([[0, 0]], predators=([[1, 0], [0, 2], [0, -1]], np.zeros((3, 2)), [True, True, False]))
    assert FleePredators(radius=4.0, speed=1.0)(view)[0] == pytest.approx([-0.75, -0.5])
    assert FleePredators(radius=4.0, speed=1.0, falloff=0.0)(view)[0] == pytest.approx(-np.sqrt([0.5, 0.5]))


def test_flight_from_predators_is_at_most_at_full_speed_and_has_a_side_at_distance_zero(make_view):
    view = make_view([[0, 0]], predators=([[0, 0]] * 3, np.zeros((3, 2))))
    assert FleePredators(speed=2.0)(view)[0] == pytest.approx([2.0, 0])
    assert not FleePredators(radius=4.0)(make_view([[0, 0]], predators=([[4, 0]], [[0, 0]]))).any()


@pytest.mark.parametrize("rule", [Chase("isolated"), FleePredators(), UnalignedAvoidance(), Leadership()])
def test_a_thousand_agents_take_less_than_a_few_milliseconds(rule, make_view):
    from time import perf_counter

    rng = np.random.default_rng(0)
    others = (rng.uniform(-40, 40, (1000, 2)), rng.normal(0, 1, (1000, 2)))
    view = make_view(
        rng.uniform(-40, 40, (1000, 2)), rng.normal(0, 1, (1000, 2)), reach=4.0, prey=others,
        predators=(others[0][:5], others[1][:5]),
    )  # fmt: skip
    rule(view)
    took = []
    for _ in range(5):
        begun = perf_counter()
        rule(view)
        took.append(perf_counter() - begun)
    assert min(took) < 0.02
