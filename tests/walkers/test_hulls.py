"""Walkers with a hull: what overlaps is a contact, and rules that push have something to push with."""

from __future__ import annotations

import numpy as np
import pytest

import swarm
from swarm.errors import BadInput
from swarm.mission_file import mission_from_table

HALL = {
    "name": "hall", "duration": 4.0,
    "world": {"dim": 2, "floor_plan": {"rows": "........\n........\n.......G\n"}},
    "swarm": {
        "count": 2, "body": "walker", "physics_hz": 10, "command_hz": 10,
        "spawn": {"shape": "points", "points": [[-2.0, 0.0], [2.0, 0.0]], "center": [3.5, 1.0]},
    },
    "controller": {"use": "boids"}, "task": {"kind": "flock"},
}  # fmt: skip


def met(radius):
    """Two walkers at 4 m that walk at each other at 1 m/s each, and on."""
    table = HALL | {"swarm": HALL["swarm"] | ({} if radius is None else {"motion": {"radius": radius}})}
    mission = mission_from_table(table, "hall.toml")
    return swarm.run(mission, 0, controller=lambda view: np.array([[1.0, 0.0], [-1.0, 0.0]]))


@pytest.mark.parametrize("radius", [0.25, 0.4])
def test_an_overlap_of_hulls_is_one_contact_at_the_time_when_they_meet(radius):
    result = met(radius)
    (contact,) = [c for c in result.contacts if c.other >= 0]
    assert (contact.agent, contact.other) == (0, 1)
    assert contact.time == pytest.approx((4.0 - 2 * radius) / 2.0, abs=0.1 + 1e-9)
    assert contact.speed == pytest.approx(2.0)
    assert result.metrics["collisions"] == 1


def test_without_a_hull_there_is_nothing_to_touch():
    result = met(None)
    assert result.metrics["collisions"] == 0
    assert result.metrics["min_separation"] == pytest.approx(0.0, abs=0.1)


def test_a_hundred_who_push_need_as_long_for_a_door_on_cells_as_in_the_open():
    time = {
        body: swarm.run("room-evacuation", seed=0, body=body).metrics["egress_time"] for body in ("point", "walker")
    }
    assert 0.7 < time["walker"] / time["point"] < 1.5


def test_other_keys_of_motion_are_for_points():
    with pytest.raises(BadInput, match=r"swarm.motion.turn_rate: a walker has only radius; it is for a point"):
        swarm.load_mission("hadimassa", {"swarm.motion.turn_rate": 5.0})
