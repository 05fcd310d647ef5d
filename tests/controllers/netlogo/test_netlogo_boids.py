"""The three rules of NetLogo's boids: what the text says, and what it means."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from swarm.controllers import TurnCaps
from swarm.controllers.models.netlogo.boids import NetLogoBoids
from swarm.controllers.models.netlogo.flockmates import wishes
from swarm.controllers.models.netlogo.literal import literal_wishes
from swarm.state import LEADER

SUMS = (5.0, 1.5, 2.0)  # vision, minimum separation, leader weight
SHARP = {"max_separate_turn": 0.0, "max_align_turn": 0.0, "max_cohere_turn": 0.0}


def random_flock(seed, turtles, count=20, half=8.0):
    rng = np.random.default_rng(seed)
    return rng.uniform(-half, half, (count, 2)), turtles.pointing(rng.uniform(0, 360, count))


def wanted(turtles, position, heading, role=None):
    """Wishes of the first turtle, as headings: repaired and literal, for separate, align and cohere."""
    view = turtles.view(position, turtles.pointing(heading), role=role)
    graph, direction = view.neighbours, view.velocity
    repaired = wishes(*graph, direction, view.role, *SUMS)
    literal = literal_wishes(*graph, view.position, direction, view.role, view.space.period, *SUMS)
    return [[float(turtles.heading_of(wish[:1])[0]) for wish in three] for three in (repaired, literal)]


def test_the_text_takes_350_and_10_degrees_for_a_mean_of_south(turtles):
    repaired, literal = wanted(turtles, [[0, 0], [2, 0], [0, 2]], [90, 350, 10])
    assert min(repaired[1], 360 - repaired[1]) == pytest.approx(0.0, abs=1e-9)
    assert literal[1] == pytest.approx((350 + 10) / 2)


def test_the_text_looks_for_the_centre_of_mates_across_the_edge_on_the_far_side(turtles):
    # From x = 15 the mates at 16 and -15 (18 the short way) have their middle at 17; the text's is at 0.5, to the west.
    repaired, literal = wanted(turtles, [[15, 0], [16, 0], [-15, 0]], [0, 0, 0])
    assert repaired[2] == pytest.approx(90.0)
    assert literal[2] == pytest.approx(270.0)


def test_the_text_takes_a_difference_of_headings_for_a_heading(turtles):
    # Two mates straight east, heading 120 and 60; from them the turtle is at 270, which is where it should go.
    repaired, literal = wanted(turtles, [[0, 0], [1.0, 0], [1.4, 0]], [0, 120, 60])
    assert repaired[0] == pytest.approx(270.0)
    # 120 - 270 is -150, 60 - 270 is -210 or 150 the short way: the mean difference is 0, taken as north.
    assert literal[0] == pytest.approx(0.0, abs=1e-9)


def test_only_those_nearer_than_the_minimum_separation_are_parted_from(turtles):
    view = turtles.view([[0, 0], [1.5, 0]], turtles.pointing([0, 0]))
    assert not wishes(*view.neighbours, view.velocity, view.role, *SUMS)[0].any()
    assert not literal_wishes(
        *view.neighbours, view.position, view.velocity, view.role, view.space.period, *SUMS
    )[0].any()  # fmt: skip


def test_a_leader_s_heading_counts_twice(turtles):
    role = [0, LEADER, 0]
    repaired, literal = wanted(turtles, [[0, 0], [2, 0], [0, 2]], [0, 90, 0], role)
    assert repaired[1] == pytest.approx(np.degrees(np.arctan2(2.0, 1.0)))
    assert literal[1] == pytest.approx((2 * 90 + 0) / 3)


def test_each_rule_turns_the_heading_by_its_own_cap_in_turn(turtles):
    # A mate 1 to the east heading east: separate wants west (-1.5), align east (+5), cohere east (+3).
    view = turtles.view([[0, 0], [1, 0]], turtles.pointing([0, 90]))
    command = NetLogoBoids()(view)
    assert turtles.heading_of(command)[0] == pytest.approx(-1.5 + 5.0 + 3.0)
    assert np.linalg.norm(command, axis=1) == pytest.approx(1.0)


def test_caps_are_by_the_second_so_half_a_tick_turns_half_as_far(turtles):
    view = turtles.view([[0, 0], [1, 0]], turtles.pointing([0, 90]), dt=0.5)
    assert turtles.heading_of(NetLogoBoids()(view))[0] == pytest.approx((-1.5 + 5.0 + 3.0) / 2)


def test_a_boid_without_flockmates_flies_straight_on(turtles):
    view = turtles.view([[0, 0], [9, 9]], turtles.pointing([37, 200]))
    for variant in ("repaired", "literal"):
        assert turtles.heading_of(NetLogoBoids(variant=variant)(view)) == pytest.approx([37, 200])


@pytest.mark.parametrize("seed", range(5))
def test_the_controller_is_its_three_rules_under_turn_caps(seed, turtles):
    position, velocity = random_flock(seed, turtles)
    view = turtles.view(position, velocity)
    rules = [
        {"use": lambda v, k=k: wishes(*v.neighbours, v.velocity, v.role, *SUMS)[k], "max_turn": cap}
        for k, cap in enumerate((1.5, 5.0, 3.0))
    ]
    assert NetLogoBoids()(view) == pytest.approx(TurnCaps(rules, speed=1.0)(view), abs=1e-12)


@pytest.mark.parametrize("seed", range(5))
def test_a_quarter_turn_of_the_torus_turns_the_commands(seed, turtles):
    position, velocity = random_flock(seed, turtles, half=16.4)
    quarter = np.array([[0.0, 1.0], [-1.0, 0.0]])
    one = NetLogoBoids()(turtles.view(position, velocity))
    other = NetLogoBoids()(turtles.view(position @ quarter, velocity @ quarter))
    assert other == pytest.approx(one @ quarter, abs=1e-9)


@given(seed=st.integers(0, 1000), x=st.floats(-40, 40), y=st.floats(-40, 40))
def test_a_shift_round_the_torus_changes_nothing(seed, x, y, turtles):
    position, velocity = random_flock(seed, turtles, half=16.4)
    one = NetLogoBoids()(turtles.view(position, velocity))
    shifted = (position + [x, y] + 16.5) % 33.0 - 16.5
    assert NetLogoBoids()(turtles.view(shifted, velocity)) == pytest.approx(one, abs=1e-6)


@given(seed=st.integers(0, 1000), order=st.permutations(range(20)))
def test_the_order_of_agents_does_not_matter(seed, order, turtles):
    position, velocity = random_flock(seed, turtles)
    one = NetLogoBoids()(turtles.view(position, velocity))
    other = NetLogoBoids()(turtles.view(position[order], velocity[order]))
    assert other == pytest.approx(one[list(order)], abs=1e-9)


def test_the_text_depends_on_where_north_is(turtles):
    """What the repaired one does not: the equivariance tests above fail for the text's formulas."""
    position, velocity = random_flock(0, turtles)
    half_turn = -np.eye(2)
    one = NetLogoBoids(variant="literal")(turtles.view(position, velocity))
    other = NetLogoBoids(variant="literal")(turtles.view(position @ half_turn, velocity @ half_turn))
    off = np.degrees(np.arccos(np.clip((other * (one @ half_turn)).sum(axis=1), -1, 1)))
    assert off.max() > 5.0


@pytest.mark.parametrize("variant", ["repaired", "literal"])
@pytest.mark.parametrize("dim", [2, 3])
def test_those_at_one_place_get_finite_commands(variant, dim, turtles):
    places = np.zeros((4, dim))
    for velocity in (np.zeros((4, dim)), np.tile(np.eye(dim)[dim - 1], (4, 1))):
        command = NetLogoBoids(variant=variant)(turtles.view(places, velocity, predators=places[:1]))
        assert np.linalg.norm(command, axis=1) == pytest.approx(1.5)  # they flee from where they are
        command = NetLogoBoids(variant=variant)(turtles.view(places, velocity))
        assert np.linalg.norm(command, axis=1) == pytest.approx(1.0)


def test_in_three_dimensions_a_cap_holds_for_heading_and_for_pitch(turtles):
    position = [[0, 0, 0], [2, 0, 1]]
    view = turtles.view(position, turtles.pointing([0, 90], [0, 60]))
    model = NetLogoBoids(max_separate_turn=0, max_cohere_turn=0, preferred_altitude=None)
    command = model(view)[0]
    assert turtles.heading_of(command[None])[0] == pytest.approx(5.0)
    assert np.degrees(np.arcsin(command[2])) == pytest.approx(5.0)


def test_the_preferred_altitude_turns_the_pitch_by_its_cap_and_no_further_than_needed(turtles):
    world = turtles.world(3, half=60.0)
    view = turtles.view([[0, 0, 20], [9, 9, 49.9], [-9, 9, 50]], turtles.pointing([0, 90, 180], 0.0), world=world)
    command = NetLogoBoids(preferred_altitude=50.0, max_altitude_turn=2.0, vision=5.0)(view)
    pitch = np.degrees(np.arcsin(command[:, 2]))
    assert pitch == pytest.approx([2.0, np.degrees(np.arctan(0.1 / 5.0)), 0.0], abs=1e-9)
    assert turtles.heading_of(command) == pytest.approx([0.0, 90.0, 180.0], abs=1e-9)
