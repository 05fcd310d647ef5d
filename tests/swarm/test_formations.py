"""Formation shapes have the geometry their names promise."""

from __future__ import annotations

import numpy as np
import pytest

from swarm.errors import BadInput
from swarm.formations import SHAPES, slots


@pytest.mark.parametrize("shape", [s for s in SHAPES if s != "points"])
@pytest.mark.parametrize("count", [1, 2, 5, 6, 13])
@pytest.mark.parametrize("dim", [2, 3])
def test_centroid_is_the_origin_and_neighbours_stand_at_the_spacing(shape: str, count: int, dim: int) -> None:
    places = slots(shape, count, 0.7, dim)
    assert places.shape == (count, dim)
    np.testing.assert_allclose(places.mean(axis=0), 0.0, atol=1e-12)
    if count > 1:
        distance = np.linalg.norm(places[:, None] - places[None], axis=-1) + 10 * np.eye(count)
        np.testing.assert_allclose(distance.min(axis=1), 0.7, atol=1e-9)


def test_v_has_half_angle_45_degrees_tip_first_and_spacing_along_the_arms() -> None:
    v = slots("v", 5, 1.0)
    arms = v[1:] - v[0]
    assert (arms[:, 0] < 0).all()
    np.testing.assert_allclose(np.abs(np.degrees(np.arctan2(arms[:, 1], -arms[:, 0]))), 45.0)
    np.testing.assert_allclose(np.linalg.norm(arms, axis=1), [1, 1, 2, 2])


def test_points_are_taken_as_given_about_their_centroid() -> None:
    given = [[0.0, 0.0, 1.0], [2.0, 0.0, 3.0]]
    np.testing.assert_allclose(slots("points", 2, 1.0, 3, given), [[-1, 0, -1], [1, 0, 1]])


@pytest.mark.parametrize("points", [None, [[0.0, 0.0]], [[0.0, 0.0]] * 3])
def test_points_must_match_the_count(points: list[list[float]] | None) -> None:
    with pytest.raises(BadInput, match="expected 2, one for each agent"):
        slots("points", 2, 1.0, 3, points)


def test_points_of_two_and_of_three_numbers_do_not_go_together() -> None:
    with pytest.raises(BadInput, match="points: expected all of 2 numbers, or all of 3"):
        slots("points", 2, 1.0, 3, [[0.0, 0.0], [1.0, 1.0, 1.0]])
