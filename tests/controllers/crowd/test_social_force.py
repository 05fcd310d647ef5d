"""Social forces are those of the papers, by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from swarm.controllers.models.crowd import SocialForce

DT = 1 / 48
PAIR = [[0.0, 0.0], [1.0, 0.0]]


def force(model, view, velocity=0.0):
    """(A, D) m/s², of one Euler step from these velocities."""
    return (model(view) - velocity) / DT


def model_of(variant="2000", **params):
    return SocialForce(**{"variant": variant, "step": 1.0, "radius": 0.3, **params})


def test_one_speeds_up_towards_the_goal_within_the_relaxation_time(make_view):
    assert force(model_of(), make_view([[0.0, 0.0]], target=[3.0, 4.0])) == pytest.approx(
        1.34 / 0.5 * np.array([[0.6, 0.8]])
    )
    moving = make_view([[0.0, 0.0]], [[1.0, 0.0]], target=[9.0, 0.0])
    assert force(model_of(), moving, [[1.0, 0.0]]) == pytest.approx(np.array([[0.34 / 0.5, 0.0]]))


def test_two_a_metre_apart_repel_by_25_over_e_to_the_5(make_view):
    push = 2000.0 / 80.0 * math.exp((0.6 - 1.0) / 0.08)  # 0.168 m/s²
    assert force(model_of(), make_view(PAIR)) == pytest.approx(np.array([[-push, 0.0], [push, 0.0]]))


def test_two_that_overlap_push_and_rub(make_view):
    model = model_of(relaxation=1e12)
    velocity = np.array([[0.0, 0.0], [0.2, 0.01]])
    found = force(model, make_view([[0.0, 0.0], [0.59, 0.0]], velocity), velocity)
    push = 25.0 * math.exp(0.01 / 0.08) + 1.2e5 / 80.0 * 0.01
    rub = 2.4e5 / 80.0 * 0.01 * 0.01
    assert found == pytest.approx(np.array([[-push, rub], [push, -rub]]))


def test_a_wall_repels_pushes_and_rubs(make_view, make_world):
    world = make_world(2, half=2.5, boundary="walls")
    found = force(model_of(), make_view([[2.0, 0.0]], world=world))[0]
    far = 25.0 * math.exp((0.3 - 4.5) / 0.08)
    assert found == pytest.approx([far - 25.0 * math.exp((0.3 - 0.5) / 0.08), 0.0])
    model, velocity = model_of(relaxation=1e12), np.array([[0.0, 0.1]])
    found = force(model, make_view([[2.21, 0.0]], velocity, world=world), velocity)[0]
    assert found == pytest.approx([-25.0 * math.exp(0.01 / 0.08) - 1500.0 * 0.01, -3000.0 * 0.01 * 0.1])


def test_in_1995_a_wall_repels_by_50_exp_of_minus_5_d(make_view, make_world):
    world = make_world(2, half=2.5, boundary="walls")
    found = force(model_of("1995"), make_view([[2.0, 0.0]], world=world))[0]
    assert found == pytest.approx([50.0 * math.exp(-4.5 / 0.2) - 50.0 * math.exp(-0.5 / 0.2), 0.0])


@given(away=arrays(float, 2, elements=st.floats(-2, 2)), velocity=arrays(float, 2, elements=st.floats(-1.5, 1.5)))
def test_in_1995_others_push_down_the_potential_of_their_next_stride(away, velocity, make_view):
    def potential(r):
        y = 2.0 * velocity
        across = (np.linalg.norm(r) + np.linalg.norm(r - y)) ** 2 - y @ y
        return 2.1 * math.exp(-0.5 * math.sqrt(max(across, 0.0)) / 0.3)

    across = (np.linalg.norm(away) + np.linalg.norm(away - 2.0 * velocity)) ** 2 - 4.0 * velocity @ velocity
    if across < 0.01 or np.linalg.norm(away) < 0.05 or np.linalg.norm(away - 2.0 * velocity) < 0.05:
        return  # where the potential has a kink
    view = make_view([[0.0, 0.0], away], [velocity, [0.0, 0.0]])
    found = force(model_of("1995", relaxation=1e12, speed=100.0), view, [velocity, [0.0, 0.0]])[1]
    steps = 1e-6 * np.eye(2)
    slope = [(potential(away + h) - potential(away - h)) / 2e-6 for h in steps]
    assert found == pytest.approx(-np.array(slope), abs=1e-4)


def test_in_1995_who_is_behind_counts_for_half(make_view):
    view = make_view([[0.0, 0.0], [-1.0, 0.0], [-2.0, 0.0]], target=[1e6, 0.0], reach=1.5)
    push = 2.1 / 0.3 * math.exp(-1.0 / 0.3)
    found = force(model_of("1995"), view)[:, 0] - 1.34 / 0.5
    assert found == pytest.approx([0.5 * push, (0.5 - 1.0) * push, -push])


def test_substeps_give_the_mean_velocity_and_remember_that_at_the_end(make_view):
    model = SocialForce(step=DT / 2)
    view = make_view([[0.0, 0.0]], target=[1e6, 0.0])
    first = 0.5 * DT * 1.34 / 0.5
    second = first + 0.5 * DT * (1.34 - first) / 0.5
    command = model(view)
    assert command[0, 0] == pytest.approx(0.5 * (first + second))
    third = second + 0.5 * DT * (1.34 - second) / 0.5
    again = model(make_view([[0.0, 0.0]], command, target=[1e6, 0.0]))
    assert again[0, 0] == pytest.approx(0.5 * (third + third + 0.5 * DT * (1.34 - third) / 0.5))


def test_what_held_a_walker_up_counts(make_view):
    model = SocialForce(step=1.0)
    model(make_view([[0.0, 0.0]], [[1.0, 0.0]], target=[1e6, 0.0]))
    assert force(model, make_view([[0.0, 0.0]], target=[1e6, 0.0]))[0, 0] == pytest.approx(1.34 / 0.5)


@pytest.mark.parametrize("variant", ["2000", "1995"])
def test_coincident_walkers_part_along_x(variant, make_view):
    command = model_of(variant)(make_view([[0.0, 0.0], [0.0, 0.0]]))
    assert command[0, 0] < 0.0 < command[1, 0]
    assert np.isfinite(command).all()


@pytest.mark.parametrize("variant", ["2000", "1995"])
@given(
    position=arrays(float, (5, 2), elements=st.floats(-2, 2)),
    velocity=arrays(float, (5, 2), elements=st.floats(-1, 1)),
    angle=st.floats(0, 6.28), order=st.permutations(range(5)),
)  # fmt: skip
def test_turning_shifting_and_renumbering_the_crowd_does_so_to_its_commands(
    variant, position, velocity, angle, order, make_view
):
    apart = np.linalg.norm(position[:, None] - position[None], axis=-1) + np.eye(5)
    if apart.min() < 1e-3:
        return
    turn, order = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]]), list(order)
    target, shift = np.array([9.0, 1.0]), np.array([3.0, -2.0])
    plain = model_of(variant)(make_view(position, velocity, target=target))
    nudge = 1e-7 * np.cos(np.arange(10)).reshape(5, 2)
    if np.abs(model_of(variant)(make_view(position + nudge, velocity, target=target)) - plain).max() > 1e-4:
        return  # rounding decides who is in sight
    there = make_view(position[order] @ turn + shift, velocity[order] @ turn, target=target @ turn + shift)
    assert model_of(variant)(there) == pytest.approx(plain[order] @ turn, abs=1e-5)
