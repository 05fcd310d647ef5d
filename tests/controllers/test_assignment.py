"""Slots go to agents at least cost, and change hands only for a good reason."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from swarm.controllers.assignment import assign, reassign, squared_distances


@given(places=arrays(float, (2, 5, 2), elements=st.floats(-3, 3)))
def test_the_assignment_is_the_best_of_all(places):
    cost = squared_distances(*places)
    best = min(sum(cost[i, p] for i, p in enumerate(order)) for order in permutations(range(5)))
    seat = assign(*places)
    assert sorted(seat) == list(range(5))
    assert cost[np.arange(5), seat].sum() == pytest.approx(best)


def test_fewer_agents_than_slots_take_the_near_ones():
    assert assign(np.array([[2.1, 0], [0.1, 0]]), np.array([[0.0, 0], [1, 0], [2, 0]])).tolist() == [2, 0]


def test_agents_without_a_slot_are_marked():
    seat = assign(np.array([[0.0, 0], [0.1, 0], [5, 0]]), np.array([[0.0, 0], [5, 0]]))
    assert sorted(seat.tolist()) == [-1, 0, 1]


def test_a_small_gain_does_not_change_seats():
    slots = np.array([[0.0, 0], [1, 0]])
    seat = np.array([0, 1])
    barely, clearly = np.array([[0.52, 1.0], [0.48, 1.0]]), np.array([[0.9, 0], [0.1, 0]])
    assert reassign(seat, barely, slots, 0.2).tolist() == [0, 1]
    assert reassign(seat, clearly, slots, 0.2).tolist() == [1, 0]


def test_a_lost_seat_is_filled_anew():
    assert reassign(np.array([-1, 1]), np.array([[0.0, 0], [1, 0]]), np.array([[0.0, 0], [1, 0]]), 0.2).tolist() == [
        0,
        1,
    ]
