"""Odd numbers, links and names end in one line each."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import swarm
import swarm.eyes
from swarm.cli.main import main
from swarm.errors import BadInput
from swarm.worlds import build_world

BOUNDS = [[-5.0, -5.0, 0.0], [15.0, 5.0, 5.0]]
SPAWN = {"shape": "line", "spacing": 1.0, "center": [0.0, 0.0, 1.5]}


def flown(task: dict[str, Any], **world: Any) -> swarm.Simulation:
    table = {
        "duration": 5.0, "world": {"bounds": BOUNDS, **world}, "swarm.spawn": SPAWN, "task": task, "criteria": {},
        "swarm.count": 1, "controller": {"use": "formation"},
    }  # fmt: skip
    return swarm.Simulation(swarm.load_mission("five-drone-formation", table), 0)


@pytest.mark.parametrize("scale", [10**400, [1.0, 1.0, 10**400]])
def test_a_scale_beyond_all_floats_is_a_fault(scale: object) -> None:
    entry = {"kind": "mesh", "file": "torus.glb", "center": [0.0, 0.0, 2.0], "scale": scale}
    with pytest.raises(BadInput, match="scale: expected a number from"):
        build_world({"bounds": BOUNDS, "obstacles": [entry]}, "w.toml")


def test_a_mesh_that_is_a_link_to_itself_is_a_fault(tmp_path: Path) -> None:
    (tmp_path / "loop.obj").symlink_to("loop.obj")
    entry = {"kind": "mesh", "file": "loop.obj", "center": [0.0, 0.0, 2.0]}
    with pytest.raises(BadInput, match="no such file"):
        build_world({"bounds": BOUNDS, "obstacles": [entry]}, tmp_path / "w.toml")


def test_a_way_too_short_to_have_a_direction_is_a_fault() -> None:
    motion = {"path": [[1e-200, 0.0, 1.0]], "speed": 1.0}
    entry = {"kind": "box", "center": [0.0, 0.0, 1.0], "size": [1.0, 1.0, 1.0], "motion": motion}
    with pytest.raises(BadInput, match=r"motion\.path: expected a point other than"):
        build_world({"bounds": BOUNDS, "obstacles": [entry]}, "w.toml")


@pytest.mark.parametrize("what", ["--out", "--json", "--camera"])
def test_an_output_that_is_a_link_to_itself_is_a_fault(
    what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("loop.gif").symlink_to("loop.gif")
    assert main(["run", "five-drone-formation", what, "loop.gif"]) == 2
    assert "a link that leads to itself" in capsys.readouterr().err


def test_an_optional_number_is_called_a_number() -> None:
    with pytest.raises(BadInput, match=r"task\.margin: expected a number, got"):
        swarm.load_mission("five-drone-formation", {"task.margin": "x"})


def test_a_margin_larger_than_any_world_is_a_fault() -> None:
    with pytest.raises(BadInput, match=r"task\.margin: expected a number <= 1000"):
        swarm.load_mission("five-drone-formation", {"task.margin": 1e308})


@pytest.mark.parametrize("reach", [0.01, 1e-300])
def test_a_range_from_which_an_area_cannot_be_searched_is_a_fault(reach: float) -> None:
    with pytest.raises(BadInput, match=r"task\.range: .* too short for an area of 20 x 10 x 5 m"):
        flown({"kind": "search", "range": reach})


def test_one_flight_through_a_gate_that_is_listed_twice_counts_once() -> None:
    gate = {"kind": "gate", "order": 1, "name": "hoop", "center": [5.0, 0.0, 2.0], "size": [4.0, 4.0]}
    with flown({"kind": "gates", "gates": ["hoop", "hoop"]}, zones=[gate]) as sim:
        goal: Any = sim.goal
        for x in (4.9, 5.1):
            goal.update(sim.world, replace(sim.state, position=np.array([[x, 0.0, 2.0]])))
        assert goal.crossed.tolist() == [1]


@pytest.mark.parametrize("agent", [1.0, "0", None, True])
def test_only_a_whole_number_is_an_agent_to_look_through(agent: Any) -> None:
    with flown({"kind": "reach", "target": [5.0, 0.0, 1.5]}) as sim:
        with pytest.raises(BadInput, match="agent: expected a number from 0 to 0"):
            swarm.eyes.look(sim, agent)
        assert swarm.eyes.look(sim, np.int64(0), size=(4, 4)).depth.shape == (4, 4)
