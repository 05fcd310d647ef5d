"""Gates that stand free: the whole formation goes through the opening, not beside it."""

from __future__ import annotations

import numpy as np
import pytest

import swarm
from swarm.controllers.planning.openings import all_through, kept_within
from swarm.worlds.zones import Zone

SQUARE = Zone("gate", "square", (5.0, 0.0, 2.0), size=(2.0, 2.0), order=1)
ROUND = Zone("gate", "round", (5.0, 0.0, 2.0), radius=0.8, order=1)
LINE = np.column_stack([np.arange(0.0, 10.0, 0.1) + 0.05, np.zeros(100), np.full(100, 2.0)])


@pytest.mark.parametrize(("gate", "half"), [(SQUARE, 1.0), (ROUND, 0.8)])
def test_a_slot_is_drawn_in_until_the_rim_has_room(gate, half):
    across = np.tile([0.0, 1.6, 0.0], (100, 1))
    share = kept_within([gate], LINE, across, 0.3, 0.1)
    assert share[np.abs(LINE[:, 0] - 5.0) < 0.2].max() == pytest.approx((half - 0.3) / 1.6, abs=1 / 24)
    assert (share[np.abs(LINE[:, 0] - 5.0) > 0.5] == 1.0).all()


def test_without_gates_all_of_the_place_is_taken():
    assert (kept_within([], LINE, np.tile([0.0, 1.6, 0.0], (100, 1)), 0.3, 0.1) == 1.0).all()


def test_a_lane_beside_the_opening_is_not_through():
    inside, beside = LINE + [0.0, 0.9, 0.0], LINE + [0.0, 1.1, 0.0]
    assert all_through([SQUARE], LINE, np.stack([LINE, inside], axis=1))
    assert not all_through([SQUARE], LINE, np.stack([LINE, beside], axis=1))


def test_a_gate_that_the_centre_does_not_cross_asks_nothing():
    assert all_through([SQUARE], LINE[::-1], np.stack([LINE[::-1] + [0.0, 3.0, 0.0]], axis=1))


@pytest.mark.parametrize("controller", ["formation", "boids"])
def test_five_drones_go_through_gates_that_stand_in_the_open(controller):
    zones = [
        {"kind": "gate", "order": 1, "center": [5.0, 1.0, 2.0], "size": [2.0, 2.0]},
        {"kind": "gate", "order": 2, "center": [10.0, -1.0, 2.5], "radius": 0.9},
    ]
    mission = swarm.load_mission(
        "five-drone-gates",
        {
            "world": {"bounds": [[-3.0, -5.0, 0.0], [17.0, 5.0, 5.0]], "zones": zones},
            "swarm.spawn": {"shape": "v", "spacing": 0.8, "center": [0.0, 0.0, 1.5]},
            "formation.spacing": 0.8,
            "controller": {"use": controller},
            "task.target": [14.0, 0.0, 1.5],
        },
    )
    result = swarm.run(mission, 0)
    assert result.metrics["success"]
    assert not result.contacts
