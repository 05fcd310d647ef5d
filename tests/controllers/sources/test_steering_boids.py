"""Steering boids of a tutorial in Japanese: its formulas, its flaws in numbers, and what the repaired ones keep."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import swarm
from swarm.controllers.models.steering_boids import SteeringBoids

ALONE = {"separation_weight": 0.0, "alignment_weight": 0.0, "cohesion_weight": 0.0}
places = arrays(float, (5, 3), elements=st.floats(40, 60))
speeds = arrays(float, (5, 3), elements=st.floats(-1, 1))


def force(look, variant, rule, position, velocity, **params):
    """What one rule adds to the velocities of all in a tick."""
    model = SteeringBoids(variant=variant, **{**ALONE, f"{rule}_weight": 1.0, **params})
    velocity = np.array(velocity, float)
    return model(look(position, velocity, side=1000.0)) - velocity


def test_literal_separation_is_the_mean_of_unit_vectors_over_the_squared_distance(look):
    others = [[53.0, 50.0], [50.0, 50.5]]
    given = force(look, "literal", "separation", [[50.0, 50.0], *others], np.zeros((3, 2)))
    assert given[0] == pytest.approx([-1 / 9 / 2, -1 / 1 / 2])  # within a metre the square counts as 1


@pytest.mark.parametrize("variant", ["literal", "repaired"])
def test_alignment_and_cohesion_steer_with_no_more_than_the_force(variant, look):
    position, velocity = [[50.0, 50.0], [54.0, 50.0]], [[0.0, 1.0], [0.0, 1.98]]
    along = force(look, variant, "alignment", position, velocity, max_force=0.1)
    assert along == pytest.approx(np.array([[0.0, 0.1], [0.0, 0.02]]))  # 2 - 1 is cut, 2 - 1.98 is not
    towards = force(look, variant, "cohesion", position, velocity, max_force=0.1)[0]
    assert towards == pytest.approx(0.1 * np.array([2.0, -1.0]) / np.sqrt(5))


@pytest.mark.parametrize("variant", ["literal", "repaired"])
def test_a_boid_alone_flies_on(variant, look):
    for rule in ("separation", "alignment", "cohesion"):
        assert not force(look, variant, rule, [[50.0, 50.0]], [[0.5, 0.0]]).any()


def test_separation_of_the_literal_is_hundreds_of_times_weaker_than_cohesion(look):
    position, velocity = [[50.0, 50.0], [70.0, 50.0]], [[0.0, 1.0], [0.0, 1.0]]
    size = {
        (variant, rule): np.linalg.norm(force(look, variant, rule, position, velocity)[0])
        for variant in ("literal", "repaired")
        for rule in ("separation", "cohesion")
    }
    assert size["literal", "separation"] == pytest.approx(1 / 400)
    assert size["literal", "cohesion"] == pytest.approx(0.1)
    assert size["repaired", "separation"] == pytest.approx(0.1)


def test_a_mean_velocity_of_zero_brakes_the_literal_only(look):
    position = [[50.0, 50.0], [53.0, 50.0], [47.0, 50.0]]
    velocity = [[0.0, 1.0], [1.0, 0.0], [-1.0, 0.0]]
    assert force(look, "literal", "alignment", position, velocity)[0] == pytest.approx([0.0, -0.1])
    assert not force(look, "repaired", "alignment", position, velocity)[0].any()


def test_a_centre_at_its_own_place_brakes_the_literal_only(look):
    position = [[50.0, 50.0], [53.0, 50.0], [47.0, 50.0]]
    velocity = np.tile([0.0, 1.0], (3, 1))
    assert force(look, "literal", "cohesion", position, velocity)[0] == pytest.approx([0.0, -0.1])
    assert not force(look, "repaired", "cohesion", position, velocity)[0].any()


def test_two_at_one_place_are_lost_to_the_literal_and_part_in_the_repaired(look):
    together, velocity = [[50.0, 50.0], [50.0, 50.0], [60.0, 50.0]], np.tile([0.0, 1.0], (3, 1))
    literal = SteeringBoids(variant="literal")
    command = literal(look(together, velocity, side=100.0))
    assert literal.undefined == 2
    assert not command[:2].any()
    assert command[2].any()
    apart = [[50.0, 50.0], [51.0, 50.0], [60.0, 50.0]]
    assert not literal(look(apart, velocity, side=100.0))[:2].any()  # for good
    repaired = SteeringBoids()(look(together, velocity, side=100.0, reach=5.0))
    assert repaired[0, 0] < 0.0 < repaired[1, 0]


def test_a_new_run_starts_with_nobody_lost_at_top_speed_in_any_direction(look, brief):
    model = SteeringBoids(variant="literal")
    model(look(np.full((2, 2), 50.0), side=100.0))
    far = look([[10.0, 10.0], [90.0, 90.0]], side=100.0, reach=5.0)
    model.reset(brief(far))
    assert np.linalg.norm(model(far), axis=1) == pytest.approx([2.0, 2.0])
    assert model.undefined == 0


@given(position=places, velocity=speeds, angle=st.floats(0, 6.28), shift=arrays(float, 3, elements=st.floats(-20, 20)))
def test_turning_and_shifting_the_repaired_turns_the_commands(position, velocity, angle, shift, look):
    if not plain(position, velocity):
        return
    c, s = np.cos(angle), np.sin(angle)
    turn, middle = np.array([[c, s, 0], [-s, c, 0], [0, 0, 1]]), np.full(3, 50.0)
    straight = SteeringBoids()(look(position, velocity, side=100.0))
    other = SteeringBoids()(look((position - middle) @ turn + middle + shift, velocity @ turn, side=100.0))
    assert other == pytest.approx(straight @ turn, abs=1e-6)


@given(position=places, velocity=speeds, order=st.permutations(range(5)))
def test_the_order_of_the_repaired_does_not_matter(position, velocity, order, look):
    if not plain(position, velocity):
        return
    order = list(order)
    one = SteeringBoids()(look(position, velocity, side=100.0))
    assert SteeringBoids()(look(position[order], velocity[order], side=100.0)) == pytest.approx(one[order], abs=1e-6)


def plain(position, velocity):
    """Whether nobody is at another's place and no mean cancels by accident."""
    apart = np.linalg.norm(position[:, None] - position[None], axis=-1)[np.triu_indices(len(position), 1)]
    others = [np.delete(np.arange(len(position)), i) for i in range(len(position))]
    means = [np.linalg.norm(velocity[o].mean(axis=0)) for o in others]
    means += [np.linalg.norm(position[o].mean(axis=0) - position[i]) for i, o in enumerate(others)]
    return apart.min() > 0.05 and min(means) > 0.01


def test_the_repaired_keep_ten_times_the_distance_at_the_same_order():
    found = {}
    for variant in ("literal", "repaired"):
        mission = swarm.load_mission("steering-boids").changed({"controller.params.variant": variant})
        found[variant] = swarm.run(mission, seed=0).metrics
        assert found[variant]["order"] > 0.95
    assert found["literal"]["nearest_neighbour"] < 2.0
    assert found["repaired"]["nearest_neighbour"] > 8.0
