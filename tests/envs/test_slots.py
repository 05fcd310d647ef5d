"""Slot offsets agree with the formation metric and lead exactly to the formation."""

from __future__ import annotations

import numpy as np
import pytest

import swarm
from swarm.envs.slots import slot_offsets
from swarm.formations import slots


@pytest.mark.parametrize("dim", [2, 3])
@pytest.mark.parametrize("seed", range(5))
def test_moving_by_the_offsets_makes_the_formation_perfect(dim: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    shape = slots("v", 5, 1.0, dim)
    position = rng.normal(0, 2, (5, dim))
    alive = np.ones(5, bool)
    offset, error = slot_offsets(position, shape, alive, np.zeros(dim))
    assert error == pytest.approx(swarm.metrics.formation_error(position, shape), abs=1e-9)
    assert swarm.metrics.formation_error(position + offset, shape) == pytest.approx(0.0, abs=1e-6)


def test_a_perfect_formation_turned_and_shifted_has_no_offset() -> None:
    shape = slots("v", 5, 1.0, 3)
    turn = np.array([[0.6, -0.8, 0.0], [0.8, 0.6, 0.0], [0.0, 0.0, 1.0]])
    position = (shape @ turn.T)[[3, 1, 4, 0, 2]] + [5.0, -2.0, 1.0]
    offset, error = slot_offsets(position, shape, np.ones(5, bool), np.zeros(3))
    np.testing.assert_allclose(offset, 0.0, atol=1e-9)
    assert error < 1e-9


def test_the_lost_have_no_offset() -> None:
    position = np.random.default_rng(0).normal(0, 1, (5, 3))
    alive = np.array([True, False, True, True, False])
    offset, _ = slot_offsets(position, slots("v", 5, 1.0, 3), alive, np.zeros(3))
    assert (offset[~alive] == 0).all()
    assert slot_offsets(position, slots("v", 5, 1.0, 3), np.zeros(5, bool), np.zeros(3))[1] == 0.0
