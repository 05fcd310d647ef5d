"""Turning back at the bounds of a world."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from swarm.controllers.models.turning_back import turned_back
from swarm.view import View


@given(
    position=arrays(float, (4, 2), elements=st.floats(0, 10)), command=arrays(float, (4, 2), elements=st.floats(-2, 2))
)
def test_nobody_inside_steps_out_and_speeds_stay(position, command, look):
    view = look(position, boundary="walls")
    given = turned_back(view, command)
    after = position + given
    assert (after >= 0).all()
    assert (after <= 10).all()
    assert np.linalg.norm(given, axis=1) == pytest.approx(np.linalg.norm(command, axis=1))


def test_only_the_part_across_the_bound_turns_and_only_where_there_is_one(look):
    view = {b: look([[9.5, 5.0]], boundary=b) for b in ("open", "walls", "torus")}
    command = np.array([[1.0, 0.3]])
    assert turned_back(view["open"], command)[0] == pytest.approx([-1.0, 0.3])
    assert turned_back(view["walls"], command)[0] == pytest.approx([-1.0, 0.3])
    assert turned_back(view["torus"], command)[0] == pytest.approx([1.0, 0.3])


def test_who_is_outside_comes_in(look):
    view = look([[-3.0, 5.0], [13.0, 5.0]])
    assert turned_back(view, np.array([[-1.0, 0.0], [1.0, 0.0]])) == pytest.approx(np.array([[1.0, 0.0], [-1.0, 0.0]]))


def test_a_body_that_brakes_slowly_turns_back_as_much_sooner(look):
    """2 m/s and 2 m/s²: it needs 1 m to stop, keeps twice that, and flies 0.2 m in a command."""
    for x, turns in ((7.7, False), (7.9, True)):
        plain = look([[x, 5.0]], [[2.0, 0.0]], dt=0.1, boundary="walls")
        view = View(dataclasses.replace(plain._senses, acceleration_limit=2.0), plain.state)
        assert (turned_back(view, np.array([[2.0, 0.0]]))[0, 0] < 0) == turns
        assert turned_back(plain, np.array([[2.0, 0.0]]))[0, 0] == 2.0
