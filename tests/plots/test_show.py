"""`swarm show`: the summary, the picture, and bad input."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image

from swarm.cli.main import main
from swarm.library import library
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
