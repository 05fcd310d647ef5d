"""The fish school of a MATLAB text: its program tick by tick, its flaws in numbers, and what the repaired ones keep."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import swarm
from swarm.controllers.models.fish import FishFollowers, FishInformed, FishSchool
from swarm.controllers.models.fish.accumulated import Memory

places = arrays(float, (6, 3), elements=st.floats(3, 7))
speeds = arrays(float, (6, 3), elements=st.floats(-1, 1))


def literal_with(direction, **params):
    """A literal school whose fish have these directions."""
    school = FishSchool(variant="literal", **params)
    school._memory = Memory.begin(np.array(direction, float), 0.0)
    return school


def by_the_text(position, direction, ticks, box=10.0, v=0.1):
    """Program 8.1 of the text; every fish decides on the state at the start of the tick. Returns places (T, N, 3)."""
    number = len(position)
    d2, d3, d4 = (np.zeros_like(position) for _ in range(3))
    cons, path = np.zeros(number), []
    for _ in range(ticks):
        pos, d1 = position.copy(), direction.copy()
        for i in range(number):
            m, n, k, total = 0, 0, 0.0, np.zeros(3)
            d7, d8 = np.zeros(3), np.zeros(3)
            for j in range(number):
                if j == i:
                    continue
                for r in range(number):
                    d7 = (d7 + pos[r] - pos[i]) / (r + 1)
                    d8 = (d8 + d1[r]) / (r + 1)
                apart = np.linalg.norm(pos[i] - pos[j])
                if 0.1 <= apart <= 5:
                    m += 1
                    k += np.linalg.norm(d1[j])
                    total = total + d1[j]
                    d2[i] = (d2[i] + pos[j] - pos[i]) / m
                    d3[i] = (d3[i] + d1[j]) / m
                    cons[i] = np.linalg.norm(total) / k
                elif apart < 0.1:
                    n += 1
                    d4[i] = (d4[i] + pos[i] - pos[j]) / n
            if (pos[i] >= box).any() or (pos[i] <= 0).any():
                direction[i] = -d1[i]
            else:
                direction[i] = 0.1 * (d1[i] + d2[i] + d3[i] + d4[i]) + 0.3 * (d7 + d8)
            step = direction[i] / np.linalg.norm(direction[i])
            position[i] = pos[i] + step * v * np.exp(5 * (cons[i] - 1))
        path.append(position.copy())
    return np.array(path)


def test_literal_swims_the_text_s_program(look):
    rng = np.random.default_rng(4)
    position = rng.uniform(0, 10, (12, 3))
    position[1] = position[0] + [0.05, 0.0, 0.0]
    direction = rng.uniform(0, 10, (12, 3)) - position
    school, place, path = literal_with(direction), position.copy(), []
    for _ in range(60):
        place = place + school(look(place))
        path.append(place)
    assert np.array(path) == pytest.approx(by_the_text(position, direction.copy(), 60), abs=1e-9)


def test_the_last_of_three_neighbours_counts_a_third_and_the_first_a_sixth_in_the_literal(look):
    """(acc + x) / m from offsets 6, 0 and 0 gives 6 / 3! = 1, from 0, 0 and 6 it gives 6 / 3 = 2; the mean is 2."""
    school = FishSchool(variant="literal", vision=7.0)
    for others, expected in ((([6, 0, 0], [0, 1, 0], [0, 1, 0]), 1.0), (([0, 1, 0], [0, 1, 0], [6, 0, 0]), 2.0)):
        place = np.array([[1.0, 5.0, 5.0], *([1.0, 5.0, 5.0] + np.array(others))])
        school._memory = Memory.begin(np.ones((4, 3)), 0.0)
        school(look(place))
        assert school._memory.cohesion[0, 0] == pytest.approx(expected)


def test_the_order_of_fish_matters_to_the_literal_only(look):
    rng = np.random.default_rng(0)
    position, velocity, order = rng.uniform(3, 7, (6, 3)), rng.uniform(-1, 1, (6, 3)), [3, 0, 5, 1, 4, 2]
    one, other = literal_with(velocity), literal_with(velocity[order])
    apart = other(look(position[order])) - one(look(position))[order]
    assert np.abs(apart).max() > 1e-4
    one = FishSchool()(look(position, velocity))
    assert FishSchool()(look(position[order], velocity[order])) == pytest.approx(one[order], abs=1e-12)


def test_repulsion_stays_in_the_literal_when_nobody_is_near_any_more(look):
    near, far = np.array([[5.0, 5.0, 5.0], [5.05, 5.0, 5.0]]), np.array([[5.0, 5.0, 5.0], [9.0, 5.0, 5.0]])
    school = literal_with(np.ones((2, 3)))
    for place in (near, far, far):
        school(look(place))
        assert school._memory.repulsion[0] == pytest.approx([-0.05, 0.0, 0.0])


def test_a_fish_outside_turns_round_at_every_tick_of_the_literal_and_stays_outside(look):
    """One that has left fast and is slow there, because it sees nobody, goes to and fro beyond the wall for ever."""
    place, school = np.array([[10.5, 5.0, 5.0]]), literal_with([[1.0, 0.0, 0.0]])
    steps = []
    for _ in range(100):
        command = school(look(place))
        steps.append(np.sign(command[0, 0]))
        place = place + command
        assert place[0, 0] > 10.4
    assert steps == [-1.0, 1.0] * 50


def test_a_fish_outside_comes_back_in_the_repaired(look):
    place, velocity = np.array([[10.5, 5.0, 5.0]]), np.array([[0.1, 0.0, 0.0]])
    for _ in range(10):
        velocity = FishSchool()(look(place, velocity))
        place = place + velocity
    assert place[0, 0] < 10.0


def test_repaired_fish_never_leave_the_box_and_keep_their_speed_at_the_wall(look):
    school, place = FishSchool(centre_weight=0.0), np.array([[9.95, 9.98, 5.0]])
    command = school(look(place, [[0.06, 0.08, 0.0]]))
    assert command[0] == pytest.approx([-0.06, -0.08, 0.0])


def test_a_fish_without_direction_stays_put_in_the_literal_and_is_counted(look):
    school = literal_with(np.zeros((1, 3)))
    place = np.array([[5.0, 5.0, 5.0]])
    assert not school(look(place)).any()
    assert school.undefined == 1
    again = literal_with([[1.0, 0.0, 0.0]])
    assert again(look(place)).any()
    assert again.undefined == 0


def test_directions_that_grow_by_a_tenth_every_tick_are_cut_and_stay_finite(look):
    """Each the only neighbour of the other: A' = A + d, d' = .1 (d + A'), and so on for ever."""
    school = literal_with([[1.0, 0.1, 0.0], [1.0, 0.0, 0.1]], centre_weight=0.0, heading_weight=0.0)
    place = look(np.array([[5.0, 5.0, 5.0], [7.0, 5.0, 5.0]]))
    for _ in range(3000):
        assert np.isfinite(school(place)).all()
    assert np.abs(school._memory.alignment).max() == 1e100


@pytest.mark.parametrize(
    ("theirs", "phi"),
    [([[0, 1, 0], [0, 1, 0]], 1.0), ([[0, 1, 0], [0, -1, 0]], 0.0), ([[1, 0, 0], [0, 1, 0]], 2**-0.5)],
)
def test_speed_falls_with_the_order_of_the_neighbours(theirs, phi, look):
    place = [[5.0, 5.0, 5.0], [6.0, 5.0, 5.0], [4.0, 5.0, 5.0]]
    command = FishSchool()(look(place, [[0, 0, 1], *theirs]))[0]
    assert np.linalg.norm(command) == pytest.approx(0.1 * np.exp(5 * (phi - 1)))


def test_every_term_of_the_repaired_is_a_direction_under_its_weight(look):
    """Two fish 4 m apart: C and G point at the other, A is its heading, H that of both."""
    place, velocity = [[3.0, 5.0, 5.0], [7.0, 5.0, 5.0]], [[0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
    command = FishSchool()(look(place, velocity))[0]
    both = np.sqrt(0.5)
    wanted = np.array([0.1 + 0.3, 0.1 + 0.3 * both, 0.1 + 0.3 * both])
    assert command / np.linalg.norm(command) == pytest.approx(wanted / np.linalg.norm(wanted))


def test_offsets_below_a_metre_count_in_proportion_and_those_too_near_push(look):
    place, velocity = [[5.0, 5.0, 5.0], [5.05, 5.0, 5.0]], [[0.0, 1.0, 0.0], [0.0, 1.0, 0.0]]
    command = FishSchool()(look(place, velocity))[0]
    wanted = np.array([-0.1 * 0.05 / 0.1 + 0.3 * 0.025, 0.1 + 0.3, 0.0])
    assert command / np.linalg.norm(command) == pytest.approx(wanted / np.linalg.norm(wanted))


def test_fish_at_one_place_part(look):
    place, velocity = np.full((2, 3), 5.0), np.tile([0.0, 1.0, 0.0], (2, 1))
    command = FishSchool()(look(place, velocity))
    assert command[0, 0] < 0.0 < command[1, 0]


def test_the_lost_are_in_no_mean(look):
    place, velocity = [[3.0, 5.0, 5.0], [5.0, 5.0, 5.0], [9.0, 9.0, 9.0]], np.tile([0.0, 1.0, 0.0], (3, 1))
    three = FishSchool()(look(place, velocity, alive=[True, True, False]))
    assert np.array_equal(three[:2], FishSchool()(look(place[:2], velocity[:2])))


@pytest.mark.parametrize("variant", ["repaired", "literal"])
@pytest.mark.parametrize("kind", [FishSchool, FishInformed, FishFollowers])
def test_where_the_lost_lie_changes_nothing(kind, variant, look, brief):
    place, alive = np.array([[3.0, 5.0, 5.0], [5.0, 5.0, 5.0], [5.1, 5.0, 5.0], [9.0, 9.0, 9.0]]), [1, 1, 0, 1]
    velocity = np.tile([0.0, 0.1, 0.0], (4, 1))
    commands = []
    for lost in ([5.01, 5.0, 5.0], [8.0, 1.0, 2.0]):
        place[2] = lost
        view, fish = look(place, velocity, alive=alive), kind(variant=variant)
        fish.reset(brief(view))
        for _ in range(3):
            command = fish(view)
        commands.append(command[[0, 1, 3]])
    assert np.array_equal(*commands)


def test_schools_of_two_worlds_do_not_know_of_each_other(look):
    rng = np.random.default_rng(1)
    place, velocity = rng.uniform(3, 7, (8, 3)), rng.uniform(-1, 1, (8, 3))
    both = FishSchool()(look(place, velocity, world_index=[0] * 4 + [1] * 4))
    alone = [FishSchool()(look(place[k], velocity[k])) for k in (slice(4), slice(4, 8))]
    assert both == pytest.approx(np.concatenate(alone), abs=1e-15)


def test_on_a_torus_the_school_s_centre_is_across_the_edge(look):
    place, velocity = [[0.5, 5.0, 5.0], [9.5, 5.0, 5.0]], np.tile([0.0, 1.0, 0.0], (2, 1))
    command = FishSchool()(look(place, velocity, boundary="torus"))
    assert command[0, 0] < 0.0 < command[1, 0]


def test_half_a_tick_turns_half_the_way(look):
    place, velocity = [[5.0, 5.0, 5.0], [8.0, 5.0, 5.0]], np.tile([0.0, 1.0, 0.0], (2, 1))
    whole = FishSchool()(look(place, velocity))[0] / 0.1
    half = FishSchool()(look(place, velocity, dt=0.5))[0]
    between = 0.5 * (whole + [0.0, 1.0, 0.0])
    assert half / np.linalg.norm(half) == pytest.approx(between / np.linalg.norm(between))


@given(position=places, velocity=speeds, angle=st.floats(0, 6.28), shift=arrays(float, 3, elements=st.floats(-5, 5)))
def test_turning_and_shifting_the_repaired_turns_the_commands(position, velocity, angle, shift, look):
    if not plain(position, velocity):
        return
    c, s = np.cos(angle), np.sin(angle)
    turn = np.array([[c, s, 0], [-s, c, 0], [0, 0, 1]])
    straight = FishSchool()(look(position + 45.0, velocity, side=100.0))
    other = FishSchool()(look((position - 5.0) @ turn + 50.0 + shift, velocity @ turn, side=100.0))
    assert other == pytest.approx(straight @ turn, abs=1e-6)


def plain(position, velocity):
    """Whether nobody is at rest, at another's place, or on the rim of a zone."""
    apart = np.linalg.norm(position[:, None] - position[None], axis=-1)[np.triu_indices(len(position), 1)]
    rims = np.abs(apart[:, None] - [0.1, 5.0]).min()
    means = np.linalg.norm(velocity.sum(axis=0) - velocity, axis=1).min()
    return apart.min() > 0.01 and rims > 1e-6 and min(np.linalg.norm(velocity, axis=1).min(), means) > 0.05


def test_the_repaired_school_swims_one_way_and_the_literal_does_not():
    orders = {}
    for variant in ("repaired", "literal"):
        mission = swarm.load_mission("fish-school").changed({"controller.params.variant": variant})
        metrics = [swarm.run(mission, seed=seed).metrics for seed in range(2)]
        orders[variant] = [m["order"] for m in metrics]
    assert min(orders["repaired"]) > 0.95
    assert max(orders["literal"]) < 0.7


def test_most_literal_fish_end_outside_and_no_repaired_one_ever_does():
    outside = {}
    for variant in ("repaired", "literal"):
        mission = swarm.load_mission("fish-school").changed({"controller.params.variant": variant})
        place = swarm.run(mission, seed=0).trajectory.position
        outside[variant] = ((place > 10.0) | (place < 0.0)).any(axis=2).sum(axis=1)
    assert outside["literal"][-1] > 15
    assert outside["repaired"].max() == 0
