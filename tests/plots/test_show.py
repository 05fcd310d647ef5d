"""`swarm show`: the summary, the picture, and bad input."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from swarm.cli.main import main
from swarm.cli.show import plan_of
from swarm.library import library
from swarm.mission_file import load_mission
from swarm.plots import style
from swarm.plots.overview import draw_overview
from swarm.simulation import Simulation
from swarm.worlds import world_names

WORLD = """
bounds = [[-2.0, -3.0, 0.0], [2.0, 3.0, 2.5]]
[[obstacles]]
kind = "box"
center = [0.0, 1.0, 0.5]
size = [1.0, 1.0, 1.0]
[[obstacles]]
kind = "box"
center = [0.0, -1.0, 0.5]
size = [1.0, 1.0, 1.0]
[[obstacles]]
kind = "sphere"
name = "ball"
center = [1.0, 0.0, 1.0]
radius = 0.3
"""


@pytest.mark.parametrize("name", [*world_names(), *library()])
def test_library_entries_are_described_and_drawn(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", name, "--out", str(tmp_path / "w.png")]) == 0
    printed = capsys.readouterr().out
    assert f" {name}:" in printed
    assert "bounds" in printed
    with Image.open(tmp_path / "w.png") as picture:
        picture.load()
        assert picture.width >= 800


def test_world_file_is_counted_by_kind(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "room.toml").write_text(WORLD)
    assert main(["show", str(tmp_path / "room.toml")]) == 0
    printed = capsys.readouterr().out
    assert "2 boxes, 1 sphere" in printed
    assert "x -2 to 2 m, y -3 to 3 m, z 0 to 2.5 m" in printed
    assert "surfaces    9" in printed  # three obstacles, floor, ceiling, four walls
    assert [p.name for p in tmp_path.iterdir()] == ["room.toml"]


def test_set_reaches_the_world(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", "forest", "--set", "generator.density=0.1"]) == 0
    assert "24 cylinders" in capsys.readouterr().out  # 0.1 / m2 over 20 m x 12 m


def test_mission_shows_swarm_task_and_criteria(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", "five-drone-formation", "--set", "swarm.count=3", "--seed", "4"]) == 0
    printed = capsys.readouterr().out
    for part in ("seed 4", "3 × drone", "target (32, 0, 1.5)", "route", "min_separation >= 0.3 m", "cylinders"):
        assert part in printed


TOWN = """
bounds = [[-4.0, -6.0, 0.0], [20.0, 6.0, 4.0]]
boundary = "walls"
[[obstacles]]
kind = "box"
name = "door"
center = [6.0, -3.0, 1.5]
size = [0.3, 2.0, 3.0]
motion = { path = [[6.0, 3.0, 1.5]], speed = 0.5 }
[[obstacles]]
kind = "sphere"
name = "ball"
center = [12.0, 0.0, 1.0]
radius = 0.5
motion = { path = [[15.0, 0.0, 1.0], [15.0, 4.0, 1.0]], speed = 0.8, mode = "loop" }
[[obstacles]]
kind = "mesh"
name = "sheet"
file = "sheet.obj"
center = [18.0, 0.0, 0.0]
[[obstacles]]
kind = "mesh"
name = "other sheet"
file = "sheet.obj"
center = [19.0, 0.0, 0.0]
[[zones]]
kind = "gate"
order = 1
center = [9.0, 0.0, 2.0]
radius = 1.4
[[zones]]
kind = "gate"
order = 2
center = [16.0, 1.0, 1.5]
size = [2.0, 1.5]
yaw = 30.0
name = "back door"
[[zones]]
kind = "area"
center = [0.0, 0.0, 2.0]
size = [4.0, 4.0, 4.0]
name = "square"
"""
MISSION = """
name = "town-tour"
duration = 30.0
[world]
use = "town.toml"
[swarm]
count = 2
spawn = { shape = "line", spacing = 0.8, center = [0.0, 0.0, 1.5] }
[controller]
use = "boids"
[task]
kind = "KIND"
[criteria]
success = { equals = true }
"""


@pytest.fixture
def town(tmp_path: Path) -> Path:
    """A folder with a world of everything."""
    (tmp_path / "town.toml").write_text(TOWN)
    (tmp_path / "sheet.obj").write_text("v 0 -2 0\nv 0 2 0\nv 0 2 3\nv 0 -2 3\nf 1 2 3\nf 1 3 4\n")
    return tmp_path


def test_meshes_movers_gates_and_areas_are_told(town: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", str(town / "town.toml"), "--out", str(town / "w.png")]) == 0
    printed = capsys.readouterr().out
    for part in (
        "2 × sheet.obj: 2 faces, not watertight",
        "door: 0.5 m/s along 6 m, there and back, (6, -3, 1.5) m to (6, 3, 1.5) m",
        "ball: 0.8 m/s along 12 m, round and round",  # 3 m, 4 m and 5 m back
        "gate 1: round, 2.8 m wide, at (9, 0, 2) m, crossed along +x",
        "back door: 2 × 1.5 m, at (16, 1, 1.5) m, crossed towards 30°",
        "areas       square",
    ):
        assert part in printed


def test_mission_through_gates_tells_and_draws_the_way_through_all(
    town: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (town / "tour.toml").write_text(MISSION.replace("KIND", "gates"))
    assert main(["show", str(town / "tour.toml"), "--out", str(town / "m.png")]) == 0
    printed = capsys.readouterr().out
    assert "gates: all 2 gates in their order" in printed
    mission = load_mission(str(town / "tour.toml"))
    with Simulation(mission, 0) as sim:
        plan = plan_of(sim, told=False)
        assert plan.route is not None
        for stop in sim.goal.path:  # type: ignore[union-attr]
            assert np.linalg.norm(plan.route - stop, axis=1).min() < 1e-9
        assert sim.world.clearance(plan.route[1:-1])[0].min() >= plan.margin - 0.05  # type: ignore[operator]
    length = np.linalg.norm(np.diff(plan.route, axis=0), axis=1).sum()
    assert f"route       {length:.1f} m" in printed


@pytest.mark.parametrize("told", [False, True])
def test_hidden_target_is_drawn_only_where_the_seed_was_asked_for(town: Path, told: bool) -> None:
    (town / "look.toml").write_text(MISSION.replace("KIND", "search"))
    mission = load_mission(str(town / "look.toml"), {"world.obstacles": []})
    with Simulation(mission, 0) as sim:
        plan = plan_of(sim, told)
        np.testing.assert_array_equal(plan.task.path[0], sim.state.position.mean(axis=0))  # type: ignore[index]
        with style.styled():
            axes = draw_overview(sim.world, "search", plan).axes[0]
    words = [text.get_text() for text in axes.texts]
    assert ("hidden target" in words) == told
    assert "senses 4 m" in words
    assert {"1", "2"} <= set(words)  # along the sweep


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["five-drone-fomation"], 'did you mean "five-drone-formation"'),
        (["forrest"], 'did you mean "forest"'),
        (["forest", "--out", "w.jpg"], "expected a file ending in .png"),
        (["forest", "--out", "/no/such/folder/w.png"], "cannot be written"),
        (["none.toml"], "no such file"),
        (["forest", "--set", "generator.dencity=1"], "dencity"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(words: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", *words]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert said in captured.err
    assert captured.err.count("\n") == 1
