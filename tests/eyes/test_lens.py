"""The pinhole camera: rays, projection and the way it is turned agree with each other."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from swarm.eyes.lens import Lens

numbers = st.floats(-20.0, 20.0)


@given(st.tuples(numbers, numbers, numbers), st.floats(0.5, 50.0), st.integers(0, 63), st.integers(0, 47))
def test_a_point_on_the_ray_of_a_pixel_is_projected_into_its_middle(eye, away, column, row) -> None:  # type: ignore[no-untyped-def]
    lens = Lens.at(np.array(eye), np.array(eye) + [1.0, 2.0, -0.5], 80.0, 0.1, 100.0)
    ray = lens.rays(64, 48)[row, column]
    flat, depth = lens.project(lens.eye + away * ray, 64, 48)
    np.testing.assert_allclose(flat, [column + 0.5, row + 0.5], atol=1e-6)
    assert depth == pytest.approx(away)


def test_edges_are_as_far_apart_as_the_field_of_view() -> None:
    lens = Lens.at(np.zeros(3), np.array([1.0, 0.0, 0.0]), 90.0, 0.1, 10.0)
    flat, _ = lens.project(np.array([[5.0, 5.0, 0.0], [5.0, -5.0, 0.0]]), 64, 48)
    np.testing.assert_allclose(flat[:, 0], [0.0, 64.0], atol=1e-9)  # left is where y grows


@given(st.tuples(*[st.floats(-1.0, 1.0)] * 4).filter(lambda q: np.linalg.norm(q) > 0.1))
def test_on_board_looks_along_the_nose_with_the_body_s_up(quaternion) -> None:  # type: ignore[no-untyped-def]
    turn = Rotation.from_quat(quaternion)
    lens = Lens.on_board(np.zeros(3), turn.as_quat(), 90.0, 0.1, 10.0)
    wanted = turn.apply([[0.0, -1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]])
    np.testing.assert_allclose(lens.axes, wanted, atol=1e-9)


def test_straight_down_is_a_direction_too() -> None:
    lens = Lens.at(np.array([0.0, 0.0, 5.0]), np.zeros(3), 60.0, 0.1, 10.0)
    np.testing.assert_allclose(lens.axes @ lens.axes.T, np.eye(3), atol=1e-12)
    np.testing.assert_allclose(lens.axes[2], [0.0, 0.0, -1.0])
