"""Speed, control effort and the path flown."""

from __future__ import annotations

import numpy as np
import pytest

from swarm import metrics
from swarm.errors import BadInput
from swarm.metrics.movement import path_flown


def test_speed_is_the_mean_of_speeds():
    assert metrics.speed(np.array([[3.0, 4.0], [0.0, 1.0]])) == pytest.approx(3.0)


def test_control_effort_is_the_mean_change_of_command(plain, rng):
    run = plain.record(rng, 30, 4, 3)
    effort = metrics.control_effort(run.command, run.dt)
    assert effort[0] == 0.0
    expected = np.linalg.norm(np.diff(run.command, axis=0), axis=2).mean(axis=1) / run.dt
    assert effort[1:] == pytest.approx(expected)


def test_path_length_adds_every_step(plain, rng):
    run = plain.record(rng, 30, 4, 3)
    expected = np.linalg.norm(np.diff(run.position, axis=0), axis=2).sum(axis=0).mean()
    assert metrics.path_length(run.position) == pytest.approx(expected)


def test_path_length_is_of_those_who_live_to_the_end():
    position = np.zeros((3, 2, 2))
    position[:, 0, 0] = [0.0, 1.0, 2.0]
    position[:, 1, 0] = [0.0, 5.0, 9.0]
    alive = np.array([[True, True], [True, True], [True, False]])
    assert metrics.path_length(position, alive) == pytest.approx(2.0)
    assert path_flown(position, alive) == pytest.approx([0.0, 3.0, 2.0])


def test_a_step_across_the_border_of_a_torus_is_short():
    position = np.array([[[9.9, 0.0]], [[0.1, 0.0]]])
    assert metrics.path_length(position, box=[10.0, 10.0]) == pytest.approx(0.2)


def test_path_efficiency_compares_the_way_with_the_path():
    around = np.array([[[0.0, 0.0]], [[0.0, 3.0]], [[4.0, 3.0]]])
    assert metrics.path_efficiency(around, 5.0) == pytest.approx(5.0 / 7.0)
    assert metrics.path_efficiency(around[:1], 5.0) is None


def test_spl_is_nothing_without_success_and_at_most_one():
    around = np.array([[[0.0, 0.0]], [[0.0, 3.0]], [[4.0, 3.0]]])
    assert metrics.spl(around, 5.0, success=True) == pytest.approx(5.0 / 7.0)
    assert metrics.spl(around, 9.0, success=True) == 1.0
    assert metrics.spl(around, 5.0, success=False) == 0.0
    assert metrics.spl(around[:1], 0.0, success=True) == 1.0


@pytest.mark.parametrize("dt", [0.0, -1.0, np.nan])
def test_a_step_of_no_time_is_refused(dt):
    with pytest.raises(BadInput, match="dt: expected more than 0 s"):
        metrics.control_effort(np.zeros((3, 2, 2)), dt)
