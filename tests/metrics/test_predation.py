"""Captures and hunger."""

from __future__ import annotations

import numpy as np

from swarm.metrics import captures, hunger


def test_captures_count_where_somebody_stops_living():
    alive = np.array([[1, 1, 1, 0], [1, 0, 1, 0], [1, 0, 1, 0], [0, 0, 0, 0]], bool)
    assert captures(alive).tolist() == [0.0, 1.0, 0.0, 2.0]
    assert captures(alive[3]) == 0.0


def test_hunger_is_the_mean_over_predators():
    assert hunger(np.array([[100.0, 50.0], [0.0, 10.0]])).tolist() == [75.0, 5.0]
    assert hunger(np.array([100.0, 50.0])) == 75.0
