"""The boundary as displacement and wrap."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from swarm.worlds.space import make_space

BOUNDS = np.array([[-3.0, 1.0, 0.0], [5.0, 4.0, 10.0]])
PERIOD = np.array([8.0, 3.0, 10.0])
places = arrays(np.float64, (4, 3), elements=st.floats(-1e4, 1e4))


@given(places)
def test_wrapped_points_lie_inside_the_torus_and_are_whole_periods_away(points):
    wrapped = make_space("torus", BOUNDS).wrap(points)
    assert (wrapped >= BOUNDS[0]).all()
    assert (wrapped < BOUNDS[1]).all()
    turns = (points - wrapped) / PERIOD
    np.testing.assert_allclose(turns, np.rint(turns), atol=1e-9)


@given(places, places)
def test_torus_displacement_is_the_shortest_and_antisymmetric(a, b):
    space = make_space("torus", BOUNDS)
    step = space.displacement(a, b)
    assert (np.abs(step) <= PERIOD / 2.0 + 1e-9).all()
    np.testing.assert_allclose(step, -space.displacement(b, a), atol=1e-9)
    turns = (b - a - step) / PERIOD
    np.testing.assert_allclose(turns, np.rint(turns), atol=1e-9)


def test_a_tiny_step_below_the_low_side_stays_inside():
    wrapped = make_space("torus", BOUNDS).wrap(np.array([[-3.0 - 1e-18, 1.0 - 1e-17, -1e-17]]))
    assert (wrapped < BOUNDS[1]).all()


def test_walls_hold_points_back_and_open_space_lets_them_go():
    out = np.array([[-9.0, 2.0, 11.0]])
    np.testing.assert_array_equal(make_space("walls", BOUNDS).wrap(out), [[-3.0, 2.0, 10.0]])
    np.testing.assert_array_equal(make_space("open", BOUNDS).wrap(out), out)


@pytest.mark.parametrize("boundary", ["walls", "open"])
def test_without_a_torus_displacement_is_the_difference_and_no_axis_repeats(boundary):
    space = make_space(boundary, BOUNDS)
    np.testing.assert_array_equal(space.displacement(BOUNDS[0], BOUNDS[1]), PERIOD)
    np.testing.assert_array_equal(space.period, np.zeros(3))
