"""Where a crowd begins that leaves over a floor plan."""

from __future__ import annotations

import numpy as np
import pytest

import swarm
from swarm.errors import BadInput
from swarm.mission_file import mission_from_table

ROWS = "SS.........\nSS.........\n.........GG\n"


def leaving(rows=ROWS, count=12, **keys):
    swarm_ = {"count": count, "body": "walker", "physics_hz": 4, "command_hz": 4} | keys.pop("swarm", {})
    task = {"kind": "evacuate"} | keys
    world = {"floor_plan": {"rows": rows}}
    return mission_from_table(
        {
            "name": "out",
            "duration": 60.0,
            "world": world,
            "swarm": swarm_,
            "controller": {"use": "time-gap"},
            "task": task,
        },
        "out.toml",
    )


def begun(mission, body=None):
    with swarm.Simulation(mission, seed=3, body=body) as sim:
        plan = sim.world.ground_plan
        places = sim.state.position[:, :2] / (1.0 if mission.transfer is None else mission.transfer.factor)
        return places, plan.source_cells[plan.cell_of(places)]


@pytest.mark.parametrize("body", ["walker", "point"])
def test_everybody_begins_on_source_cells_not_all_in_one_place(body):
    places, on = begun(leaving(), body)
    assert on.all()
    assert len(np.unique(places, axis=0)) == 12


def test_bodies_with_a_hull_begin_apart():
    places, on = begun(leaving(swarm={"motion": {"radius": 0.1}}))
    assert on.all()
    gaps = np.linalg.norm(places[:, None] - places, axis=2)[~np.eye(12, dtype=bool)]
    assert gaps.min() >= 2.5 * 0.1


def test_a_spawn_that_is_named_holds_unless_the_task_asks_for_sources():
    spawn = {"shape": "grid", "spacing": 0.4, "center": [5.0, 1.0]}
    assert not begun(leaving(swarm={"spawn": spawn}))[1].any()
    assert begun(leaving(swarm={"spawn": spawn}, start="sources"))[1].all()
    assert not begun(leaving(rows=ROWS.replace("S", ".")))[1].any()


def test_those_who_begin_there_leave_by_the_goal():
    result = swarm.run(leaving(), seed=0)
    assert result.metrics["success"]
    assert result.metrics["egress_time"] > 7.0 / 1.34  # nobody is nearer to it than that


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        (
            {"rows": ROWS.replace("S", "."), "start": "sources"},
            "task.start: expected spawn where the world has no source",
        ),
        (
            {"count": 400, "swarm": {"motion": {"radius": 0.2}}, "start": "sources"},
            "task.start: expected spawn where 400 agents find no room on the source cells, which have 16 places",
        ),
        ({"start": "goal"}, "task.start: expected"),
    ],
)
def test_sources_that_cannot_be_begun_on_are_told(keys, said):
    with pytest.raises(BadInput, match=said):
        swarm.run(leaving(**keys), seed=0)
