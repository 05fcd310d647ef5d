"""The direction that mean_heading counts from may change in time: an angle a sample, or a function of time."""

from __future__ import annotations

import numpy as np
import pytest

from swarm import metrics
from swarm.errors import BadInput
from swarm.metrics import Scoreboard, Setting

TIME = 0.5 * np.arange(40)


def turning(time):
    return 0.3 * time


def board_of(reference, parts=(40,), measure_from=0.0):
    """A swarm that always flies 0.4 rad to the left of the turning direction, digested in parts."""
    angle = turning(TIME) + 0.4
    velocity = np.repeat(np.stack([np.cos(angle), np.sin(angle)], axis=1)[:, None], 3, axis=1)
    position = np.zeros((40, 3, 2)) + np.arange(3)[:, None]
    board = Scoreboard(Setting(count=3, dim=2, dt=0.5, radius=0.0, reference=reference, measure_from=measure_from))
    first = 0
    for count in parts:
        board.update(TIME[first : first + count], position[first : first + count], velocity[first : first + count])
        first += count
    return board


@pytest.mark.parametrize("reference", [turning, turning(TIME)], ids=["function", "array"])
@pytest.mark.parametrize("parts", [(40,), (7, 30, 3)])
def test_a_reference_that_turns_is_counted_from_sample_by_sample(reference, parts):
    board = board_of(reference, parts)
    assert board.latest["mean_heading"] == pytest.approx(0.4)
    assert board.series["mean_heading"] == pytest.approx(np.full(40, 0.4))
    assert board.result()["mean_heading"] == pytest.approx(0.4)
    assert board.value("mean_heading", 5.0, 9.0) == pytest.approx(0.4)


def test_a_reference_that_stands_still_is_one_angle():
    board = board_of(1.0, measure_from=19.5)
    assert board.series["mean_heading"][-1] == pytest.approx(np.angle(np.exp(1j * (turning(19.5) + 0.4 - 1.0))))
    assert board.result()["mean_heading"] == pytest.approx(board.series["mean_heading"][-1])


def test_too_short_a_reference_is_named():
    board = board_of(turning(TIME)[:30])
    with pytest.raises(BadInput, match="reference: expected one for each of 40 samples, got 30"):
        board.result()


def test_the_plain_function_takes_an_angle_a_sample():
    velocity = np.array([[[0.0, 1.0]], [[1.0, 0.0]]])
    assert metrics.mean_heading(velocity, reference=[np.pi / 2, -np.pi / 2]) == pytest.approx([0.0, np.pi / 2])
