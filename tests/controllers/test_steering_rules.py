"""Reynolds's steering behaviours give what their formulas give, worked out by hand, and do what they are for."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from swarm.controllers import make_rule
from swarm.controllers.rules.arrive import Arrive
from swarm.controllers.rules.evade import Evade
from swarm.controllers.rules.flee import Flee
from swarm.controllers.rules.flow_following import FlowFollowing
from swarm.controllers.rules.offset_pursuit import OffsetPursuit
from swarm.controllers.rules.path_following import PathFollowing
from swarm.controllers.rules.pursue import Pursue
from swarm.controllers.rules.quarry import meeting_time
from swarm.controllers.rules.seek import Seek
from swarm.controllers.rules.wall_following import WallFollowing
from swarm.controllers.rules.wander import Wander
from swarm.errors import BadInput

DT = 0.1  # s


def fly(rule, view_of, position, seconds, velocity=None, **more):
    """Positions (T, A, D) and last velocity of points that fly as the rule says; `more` may depend on the time."""
    position = np.array(position, float)
    velocity = np.zeros_like(position) if velocity is None else np.array(velocity, float)
    path = [position]
    for step in range(round(seconds / DT)):
        given = {key: value(step * DT) if callable(value) else value for key, value in more.items()}
        velocity = rule(view_of(position, velocity, dt=DT, reach=50.0, **given))
        position = position + DT * velocity
        path.append(position)
    return np.array(path), velocity


def spiral(points):
    """A flow once round the origin, to the left, at half speed."""
    return 0.5 * np.column_stack([-points[:, 1], points[:, 0]]) / np.linalg.norm(points, axis=1)[:, None]


def test_flee_is_seek_the_other_way(make_view):
    view = make_view([[0, 0, 0], [7, 4, 0]], target=[3, 4, 0])
    assert Flee(speed=2.0)(view) == pytest.approx(-Seek(speed=2.0, slowing=0.0, route=False)(view))
    assert Flee(speed=2.0, radius=4.5)(view) == pytest.approx(np.array([[0, 0, 0], [2.0, 0, 0]]))


def test_flee_from_the_very_place_goes_on_as_it_flies(make_view):
    view = make_view([[1, 1], [1, 1]], [[0, 0.5], [0, 0]], target=[1, 1])
    assert Flee(speed=2.0)(view) == pytest.approx(np.array([[0, 2.0], [2.0, 0]]))


def test_a_place_may_be_named_in_the_file(make_view):
    faults = []
    rule = make_rule("arrive", {"whom": [3.0, 4.0], "speed": 2.0}, "m.toml: rules[0]", faults)
    assert not faults
    assert rule(make_view([[0, 0]]))[0] == pytest.approx([1.2, 1.6])
    with pytest.raises(BadInput, match="whom: expected 3 numbers, got 2"):
        rule(make_view([[0, 0, 0]]))
    assert make_rule("arrive", {"whom": "friend"}, "m.toml: rules[0]", faults) is None
    assert make_rule("arrive", {"whom": [3.0]}, "m.toml: rules[0]", faults) is None
    assert faults[1] == "m.toml: rules[0].whom: expected 2 or 3 numbers, got 1"


def test_arrive_slows_down_in_proportion(make_view):
    view = make_view([[0, 0], [3, 0], [4, 0]], target=[4, 0])
    assert Arrive(speed=1.5, slowing=2.0)(view) == pytest.approx(np.array([[1.5, 0], [0.75, 0], [0, 0]]))


def test_arrive_ends_at_speed_zero_at_the_place(make_view):
    path, velocity = fly(Arrive(speed=1.5, slowing=1.0), make_view, [[-5.0, 2.0]], 20.0, target=[1.0, -1.0])
    assert path[-1, 0] == pytest.approx([1.0, -1.0], abs=1e-6)
    assert np.linalg.norm(velocity) < 1e-6
    along = (path[:, 0] - path[0, 0]) @ (path[-1, 0] - path[0, 0])
    assert (np.diff(along) > -1e-12).all()  # never past it


def test_pursue_aims_where_the_quarry_is_met(make_view):
    # after 1 s the prey is at (4, 3), which is 5 m away, at 5 m/s
    view = make_view([[0, 0]], prey=([[4, 0]], [[0, 3]]))
    assert Pursue(speed=5.0)(view)[0] == pytest.approx([4.0, 3.0])
    # and believed for half a second only, at (4, 1.5)
    assert Pursue(speed=5.0, horizon=0.5)(view)[0] == pytest.approx(5.0 * np.array([4, 1.5]) / np.hypot(4, 1.5))


def test_pursue_chooses_the_nearest_living_prey(make_view):
    view = make_view([[0, 0]], prey=([[1, 0], [0, 2], [0, -3]], [[0, 0]] * 3, [False, True, True]))
    assert Pursue(speed=1.0)(view)[0] == pytest.approx([0, 1.0])


@given(
    d=st.tuples(st.floats(-9, 9), st.floats(-9, 9)), v=st.tuples(st.floats(-2, 2), st.floats(-2, 2)),
    speed=st.floats(0.1, 3),
)  # fmt: skip
def test_the_meeting_time_is_the_least_at_which_the_distances_agree(d, v, speed):
    d, v = np.array([d]), np.array([v])
    time = meeting_time(d, v, speed, 50.0)[0]
    assert 0.0 <= time <= 50.0

    def gap(t):
        return np.hypot(*(d[0] + v[0] * t)) - speed * t

    if time < 50.0:
        assert gap(time) == pytest.approx(0.0, abs=1e-5 * (1 + np.hypot(*d[0])))
    before = np.linspace(0.0, time, 50)[:-1]
    assert all(gap(t) > -1e-5 for t in before)


def test_pursue_hits_a_quarry_of_constant_velocity_earlier_than_seek(make_view):
    def hit(rule):
        path, _ = fly(
            rule, make_view, [[0.0, 0.0]], 20.0, prey=lambda t: ([[4.0, 1.2 * t]], [[0.0, 1.2]]),
            target=lambda t: [4.0, 1.2 * t],
        )  # fmt: skip
        quarry = np.column_stack([np.full(len(path), 4.0), 1.2 * DT * np.arange(len(path))])
        near = np.linalg.norm(path[:, 0] - quarry, axis=1) < 0.1
        return DT * np.flatnonzero(near)[0]

    straight = 4.0 / np.sqrt(1.5**2 - 1.2**2)  # s: 16 + (1.2 t)^2 = (1.5 t)^2
    assert hit(Pursue(speed=1.5, horizon=20.0)) == pytest.approx(straight, abs=2 * DT)
    # the curve of pursuit: 4 * 1.5 / (1.5^2 - 1.2^2) s (Bouguer)
    assert hit(Seek(speed=1.5, slowing=0.0)) == pytest.approx(4.0 * 1.5 / (1.5**2 - 1.2**2), abs=4 * DT)


def test_evade_flees_from_where_the_pursuer_will_be(make_view):
    view = make_view([[0, 0]], predators=([[4, 0]], [[0, 3]]))
    assert Evade(speed=5.0)(view)[0] == pytest.approx([-4.0, -3.0])
    assert not Evade(speed=5.0, radius=3.9)(view).any()
    assert not Evade()(make_view([[0, 0]])).any()


def test_offset_pursuit_comes_beside_and_stays(make_view):
    where = {"prey": lambda t: ([[3.0 + 0.5 * t, 1.0]], [[0.5, 0.0]])}
    path, velocity = fly(OffsetPursuit(offset=(-1.0, 2.0), speed=1.5), make_view, [[-4.0, -3.0]], 30.0, **where)
    assert path[-1, 0] - [3.0 + 0.5 * 30.0, 1.0] == pytest.approx([-1.0, 2.0], abs=1e-3)
    assert velocity[0] == pytest.approx([0.5, 0.0], abs=1e-3)


def test_offset_pursuit_is_arrival_where_the_quarry_rests(make_view):
    view = make_view([[0, 0, 0]], prey=([[1.5, 0, 0]], [[0, 0, 0]]))
    assert OffsetPursuit(offset=(-1.0, 0.0, 0.3), speed=2.0, slowing=2.0)(view)[0] == pytest.approx([0.5, 0, 0.3])


def test_wander_keeps_its_speed_and_turns_a_little_at_a_time(make_view, make_briefing):
    rule = Wander(speed=1.2)
    rule.reset(make_briefing(np.zeros((40, 2))))
    path, _ = fly(rule, make_view, np.zeros((40, 2)), 60.0)
    steps = np.diff(path, axis=0) / DT
    assert np.linalg.norm(steps, axis=2) == pytest.approx(np.full(steps.shape[:2], 1.2))
    turns = (steps[1:] * steps[:-1]).sum(axis=2) / 1.2**2
    # The furthest that a circle of radius 1 at 1.4 reaches to the side: asin(1 / 1.4).
    assert turns.min() >= np.cos(np.arcsin(1 / 1.4)) - 1e-9
    headings = np.arctan2(steps[-1, :, 1], steps[-1, :, 0])
    assert np.abs(np.exp(1j * headings).mean()) < 0.5  # in the end they go anywhere


@pytest.mark.parametrize("dim", [2, 3])
def test_wander_starts_anywhere_and_is_the_same_for_the_same_seed(dim, make_view, make_briefing):
    flights = []
    for _ in range(2):
        rule = Wander()
        rule.reset(make_briefing(np.zeros((30, dim))))
        flights.append(fly(rule, make_view, np.zeros((30, dim)), 2.0)[0])
    assert np.array_equal(*flights)
    assert np.linalg.norm(flights[0][-1].mean(axis=0)) < 1.0
    assert (np.abs(flights[0][-1]).max(axis=0) > 0.5).all()


def test_wander_without_jitter_flies_straight(make_view, make_briefing):
    rule = Wander(speed=2.0, jitter=0.0)
    rule.reset(make_briefing(np.zeros((1, 3))))
    assert rule(make_view([[0, 0, 0]], [[0, 0.1, 0]]))[0] == pytest.approx([0, 2.0, 0])


def test_wander_strolls_as_far_in_a_time_at_any_command_rate(make_briefing, make_view):
    spread = []
    for dt in (0.1, 0.4):
        rule = Wander(distance=10.0, radius=1.0, jitter=0.3)
        rule.reset(make_briefing(np.zeros((4000, 2))))
        for _ in range(round(2.0 / dt)):
            rule(make_view(np.zeros((4000, 2)), np.tile([1.0, 0.0], (4000, 1)), dt=dt))
        spread.append(np.arctan2(rule._memory["point"][:, 1], rule._memory["point"][:, 0]).std())
    assert spread[0] == pytest.approx(0.3 * np.sqrt(2.0), rel=0.1)
    assert spread[1] == pytest.approx(spread[0], rel=0.1)


WALL = {"kind": "box", "center": [0.0, -1.0], "size": [60.0, 2.0]}  # its face is y = 0


def test_wall_following_goes_along_at_the_distance(make_view, make_world):
    view = make_view([[0, 0.56]], [[0.5, 0]], world=make_world(2, [WALL]))
    assert WallFollowing(distance=0.5, speed=2.0)(view)[0] == pytest.approx([2.0, 0])


def test_wall_following_mends_the_predicted_distance(make_view, make_world):
    # hull clearance 1.0; predicted after 0.5 s of 0.4 m/s away 1.2, wanted 0.5: off by -0.7, against 0.5 m along
    view = make_view([[0, 1.06]], [[-0.3, 0.4]], world=make_world(2, [WALL]))
    wanted = 1.0 * np.array([-0.5, -0.7]) / np.hypot(0.5, 0.7)
    assert WallFollowing(distance=0.5, speed=1.0, horizon=0.5)(view)[0] == pytest.approx(wanted)


@pytest.mark.parametrize(("side", "x"), [("any", 1.0), ("right", 1.0), ("left", -1.0)])
def test_at_rest_the_wall_is_taken_on_the_side_asked_for(side, x, make_view, make_world):
    view = make_view([[0, 0.56]], world=make_world(2, [WALL]))
    assert WallFollowing(side=side)(view)[0] == pytest.approx([x, 0])


def test_far_from_every_wall_there_is_none_to_follow(make_view, make_world):
    assert not WallFollowing(range=2.0)(make_view([[0, 2.2]], [[1, 0]], world=make_world(2, [WALL]))).any()
    assert not WallFollowing()(make_view([[0, 2.2]], [[1, 0]])).any()


def test_wall_following_goes_round_a_block(make_view, make_world):
    block = {"kind": "box", "center": [0.0, 0.0], "size": [4.0, 4.0]}
    world = make_world(2, [block])
    path, _ = fly(WallFollowing(distance=0.5, side="right"), make_view, [[0.0, 2.5]], 40.0, world=world)
    gaps = world.clearance(path[:, 0])[0] - 0.06
    assert gaps.min() > 0.2
    assert gaps.max() < 0.8
    around = np.unwrap(np.arctan2(path[:, 0, 1], path[:, 0, 0]))
    assert around[-1] - around[0] < -2 * np.pi  # clockwise: the block is on the right


PATH = ((0.0, 0.0), (4.0, 0.0), (4.0, 3.0))


def test_path_following_goes_along_while_near(make_view):
    rule = PathFollowing(PATH, speed=2.0, radius=0.5, horizon=0.5)
    view = make_view([[1.0, 0.4], [3.9, 1.0]], [[1.0, 0.0], [0.0, 1.0]])
    assert rule(view) == pytest.approx(np.array([[2.0, 0.0], [0.0, 2.0]]))


def test_path_following_heads_for_a_place_ahead_when_off_it(make_view):
    # nearest to (1, 2) is (1, 0), a metre further (2, 0)
    view = make_view([[1.0, 2.0]])
    wanted = 1.5 * np.array([1.0, -2.0]) / np.sqrt(5)
    assert PathFollowing(PATH, radius=0.5, lookahead=1.0)(view)[0] == pytest.approx(wanted)


def test_a_place_ahead_may_be_round_the_corner(make_view):
    view = make_view([[3.5, 2.0 - 3.0]], [[0, 0]])  # nearest (3.5, 0); a metre further is (4, 0.5)
    wanted = 1.5 * np.array([0.5, 1.5]) / np.hypot(0.5, 1.5)
    assert PathFollowing(PATH, radius=0.5, lookahead=1.0)(view)[0] == pytest.approx(wanted)


def test_path_following_ends_at_speed_zero_at_the_end(make_view):
    path, velocity = fly(PathFollowing(PATH), make_view, [[-1.0, 1.0]], 20.0)
    assert path[-1, 0] == pytest.approx([4.0, 3.0], abs=1e-3)
    assert np.linalg.norm(velocity) < 1e-2


def test_a_closed_path_is_gone_round_and_round(make_view):
    square = ((0.0, 0.0), (4.0, 0.0), (4.0, 4.0), (0.0, 4.0))
    path, _ = fly(PathFollowing(square, closed=True), make_view, [[1.0, 0.0]], 40.0)
    around = np.unwrap(np.arctan2(path[:, 0, 1] - 2.0, path[:, 0, 0] - 2.0))
    assert around[-1] > 3 * 2 * np.pi  # 60 m of way, 16 m a round


def test_a_path_may_cross_the_seam_of_a_torus(make_view, make_world):
    world = make_world(2, half=5.0, boundary="torus")
    view = make_view([[4.9, 0.0]], [[1.0, 0.0]], world=world, path=[[4.0, 0.0], [-4.0, 0.0]])
    assert PathFollowing(slowing=0.0)(view)[0] == pytest.approx([1.5, 0.0])


def test_without_a_path_there_is_none_to_follow(make_view):
    assert not PathFollowing()(make_view([[1.0, 0.4]])).any()
    with pytest.raises(BadInput, match="path: expected places of 3 numbers, got 2"):
        PathFollowing(PATH)(make_view([[1.0, 0.4, 0.0]]))


def test_flow_following_reads_the_flow_where_it_will_be(make_view):
    view = make_view([[1.0, 0.0]], [[1.0, 4.0]])  # in 0.25 s at (1.25, 1)
    expected = 2.0 * spiral(np.array([[1.25, 1.0]]))
    assert FlowFollowing(spiral, speed=2.0, horizon=0.25)(view) == pytest.approx(expected)


def test_flow_following_takes_the_route_or_a_function_by_name(make_view):
    assert FlowFollowing(speed=2.0)(make_view([[0, 0]], target=[0, 3]))[0] == pytest.approx([0, 2.0])
    faults = []
    rule = make_rule("flow_following", {"field": f"{__name__}:spiral"}, "m.toml: rules[0]", faults)
    assert not faults
    assert rule(make_view([[2.0, 0.0]]))[0] == pytest.approx([0, 0.75])
    assert make_rule("flow_following", {"field": "no_such_module:flow"}, "m.toml: rules[0]", faults) is None
    assert faults[0].startswith('m.toml: rules[0].field: expected "route" or package.module:function')


def test_a_flow_faster_than_one_is_flown_at_full_speed_and_a_wrong_shape_is_named(make_view):
    assert FlowFollowing(lambda p: 3.0 * np.ones_like(p), speed=2.0)(make_view([[0, 0]]))[0] == pytest.approx(
        np.sqrt([2.0, 2.0])
    )
    with pytest.raises(BadInput, match=r"field: expected a flow of shape \(1, 2\), got \(2,\)"):
        FlowFollowing(lambda p: p[0])(make_view([[0, 0]]))
