"""Walkers with a trolley in their way."""

from __future__ import annotations

import numpy as np
import pytest

import swarm


@pytest.mark.parametrize("center", [(-8.0, 5.5), (-8.0, 5.0)])
def test_nobody_is_ever_inside_the_trolley(center):
    """On the edges of cells and off them; it comes upon walkers all the way."""
    mission = swarm.load_mission("hadimassa-trolley")
    trolley = {
        "kind": "box", "name": "trolley", "center": list(center), "size": [3.0, 2.0],
        "motion": {"path": [[10.0, center[1]]], "speed": 0.05},
    }  # fmt: skip
    mission = mission.changed({"duration": 600.0, "world.obstacles": [trolley]})
    result = swarm.run(mission, seed=0)
    assert result.metrics["min_clearance"] >= -1e-6
    world = mission.build_world(0, "walker")
    flown = result.trajectory
    came, before = 0, None
    for sample, time in enumerate(flown.time.tolist()):
        away = np.abs(flown.position[sample] - world.at(time).obstacles[-1].center) - [1.5, 1.0]
        assert (away.max(axis=1) > -1e-6).all()
        if before is not None:
            came += (~world.at(time).floor_plan.walkable[world.floor_plan.cell_of(before)]).sum()
        before = flown.position[sample]
    assert came > 0  # somebody stood where it came


def test_walkers_keep_off_a_trolley_that_stands():
    """What touches it is what it comes upon: standing it is a wall that they see, and walk round."""
    trolley = {"kind": "box", "name": "trolley", "center": [-2.0, 5.5], "size": [3.0, 2.0]}
    mission = swarm.load_mission("hadimassa").changed({"duration": 600.0, "world.obstacles": [trolley]})
    result = swarm.run(mission, seed=0)
    assert result.metrics["obstacle_collisions"] == 0
