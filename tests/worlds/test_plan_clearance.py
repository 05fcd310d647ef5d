"""Clearance on floor plans by what can be nearest in each cell."""

from __future__ import annotations

import numpy as np
import pytest

import swarm
from swarm.worlds.file import build_world
from swarm.worlds.floor_plan.clearance import clearance


def plan_of(rng):
    cells = rng.choice(list("....#S"), (12, 17))
    cells[6, 8], cells[0, 0] = "G", "S"
    return {"dim": 2, "floor_plan": {"cell": 0.7, "rows": "\n".join("".join(row) for row in cells)}}


@pytest.mark.parametrize("seed", [None, 0, 1, 2])
def test_it_is_that_of_the_whole_world_and_to_the_bit_off_the_walls(seed):
    rng = np.random.default_rng(7)
    if seed is None:
        world = swarm.load_world("hadimassa")
    else:
        world = build_world(plan_of(np.random.default_rng(seed)), "plan.toml")
    shelves = world.shelves
    low, high = world.floor_plan.bounds
    places = rng.uniform(low - 1.0, high + 1.0, (20_000, 2))  # some beyond the plan
    places[:2000] = np.round(places[:2000] / 0.35) * 0.35  # some on edges of cells
    here, there = clearance(places, shelves), world.nearest(places)[0]
    outside = there > 1e-9
    assert outside.sum() > 5000
    assert np.array_equal(here[outside], there[outside])
    assert np.allclose(here, there, rtol=0.0, atol=1e-12)
    assert len(shelves.near) < len(shelves.items) * world.floor_plan.cells.size / 2


def test_a_world_in_which_something_moves_has_none():
    trolley = {
        "kind": "box", "name": "trolley", "center": [-12.0, 5.0], "size": [3.0, 2.0],
        "motion": {"path": [[-12.0, 5.0], [12.0, 5.0]], "speed": 0.1},
    }  # fmt: skip
    mission = swarm.load_mission("hadimassa").changed({"world.obstacles": [trolley]})
    assert mission.build_world(0, "walker").shelves is None
