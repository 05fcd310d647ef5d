"""`swarm run --camera`: checked before anything flies, written whole."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image

from swarm.cli.main import main
from swarm.eyes import filming as films
from swarm.plots.encode import Format

MISSION = """
name = "short"
duration = 0.5
world = { bounds = [[-5, -5, 0], [15, 5, 4]], boundary = "walls" }
swarm = { count = 2, spawn = { center = [0, 0, 1.5], spacing = 1.0, shape = "line" } }
controller = { use = "boids" }
"""


@pytest.fixture
def mission(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    small = Format(96, 54, 100.0, 10, 60.0)
    monkeypatch.setattr(films, "FORMATS", {".gif": small, ".mp4": small})
    file = tmp_path / "short.toml"
    file.write_text(MISSION)
    return str(file)


def test_the_first_of_several_runs_is_filmed(mission: str, tmp_path: Path) -> None:
    out = tmp_path / "out"
    words = ["run", mission, "--seeds", "2", "--quiet", "--out", str(out), "--camera", str(out / "f.gif")]
    assert main([*words, "--view", "onboard:1"]) == 0
    with Image.open(out / "f.gif") as picture:
        assert picture.n_frames == 6
    assert (
        main(["run", mission, "--seed", "0", "--quiet", "--camera", str(tmp_path / "g.gif"), "--view", "onboard:1"])
        == 0
    )
    assert (tmp_path / "g.gif").read_bytes() == (out / "f.gif").read_bytes()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--camera", "f.avi"], "--camera: expected a file ending in .mp4 or .gif, got f.avi"),
        (["--camera", "none/f.gif"], "--camera: "),
        (["--camera", "f.gif", "--view", "chasse"], 'did you mean "chase"?'),
        (["--camera", "f.gif", "--view", "onboard:2"], "--view: expected an agent from 0 to 1, got 2"),
        (["--view", "top"], "--view: expected --camera F beside it"),
        (["--camera", "f.gif", "--video", "f.gif"], "named for two outputs"),
    ],
)
def test_faults_are_told_before_the_run(
    mission: str, words: list[str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    assert main(["run", mission, *words]) == 2
    assert said in capsys.readouterr().err
    assert [file.name for file in tmp_path.iterdir()] == ["short.toml"]
