"""No controller, pipe or path makes a verdict false or takes away what is not ours."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from swarm.cli.main import main
from swarm.errors import BadInput
from swarm.output import check_writable, whole_file

CONTROLLERS = """
import numpy as np
def still(view): return np.zeros_like(view.position)
def leaves(view): raise SystemExit(0)
def ragged(view): return [[1, 2], [3]]
def turns(view): return 1j * np.zeros_like(view.position)
def cheats(view):
    view.target[:] = view.position.mean(axis=0)
    view.alive[:] = False
    view.position[:] = view.target
    view.state.attitude[:] = 0.0
    return np.zeros_like(view.velocity)
class Strange:
    def reset(self): pass
    def __call__(self, view): return np.zeros_like(view.position)
"""
MISSION = """
duration = 0.25
[world]
bounds = [[-9.0, -9.0, 0.0], [9.0, 9.0, 5.0]]
boundary = "open"
[swarm]
count = 2
spawn = { shape = "line", center = [0.0, 0.0, 1.5] }
[controller]
use = "hostile_flyers:still"
[criteria]
collisions = { at_most = 0 }
"""


@pytest.fixture
def mission(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A mission with its controllers beside it, seen from another folder."""
    home = tmp_path / "home"
    (home / "mine").mkdir(parents=True)
    (home / "mine" / "own.toml").write_text(MISSION)
    (home / "mine" / "hostile_flyers.py").write_text(CONTROLLERS)
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.delitem(sys.modules, "hostile_flyers", raising=False)
    monkeypatch.chdir(home)
    return "mine/own.toml"


@pytest.mark.parametrize(
    ("controller", "code", "said"),
    [
        ("leaves", 3, "SystemExit"),
        ("ragged", 3, "as numbers"),
        ("turns", 3, "complex"),
        ("Strange", 2, "reset(briefing)"),
    ],
)
def test_nonsense_is_never_a_pass(
    mission: str, controller: str, code: int, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["run", mission, "--controller", f"hostile_flyers:{controller}", "--json", "all.json"]) == code
    assert said in capsys.readouterr().err
    assert Path("all.json").exists() == (code == 3)


def test_a_controller_that_writes_into_its_view_moves_nothing_and_reaches_nothing(mission: str) -> None:
    words = ["--set", 'task={kind="reach",target=[5.0,0.0,1.5]}', "--set", "criteria={success={equals=true}}"]
    words += ["--controller", "hostile_flyers:cheats", "--json", "all.json", "--quiet"]
    assert main(["run", mission, *words]) == 1
    (run,) = json.loads(Path("all.json").read_text())
    assert run["metrics"]["success"] is False
    assert run["metrics"]["path_length"] < 0.01


@pytest.mark.parametrize(("limit", "code"), [("0", 0), ("-1", 1)])
def test_a_reader_that_has_gone_does_not_change_the_exit_code(mission: str, limit: str, code: int) -> None:
    words = [sys.executable, "-m", "swarm", "run", mission, "--set", f"criteria.collisions.at_most={limit}"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        assert process.stdout is not None
        process.stdout.close()
        assert process.wait(timeout=120) == code


@pytest.mark.parametrize("out", [".", "../home", "..", "mine", "mine/../mine"])
def test_out_never_replaces_the_working_folder_or_the_missions_own(
    mission: str, out: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["run", mission, "--out", out]) == 2
    assert "would be replaced whole" in capsys.readouterr().err
    assert Path(mission).exists()


def test_outputs_may_stand_in_out_and_out_may_be_a_link(mission: str, tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    Path("link").symlink_to(tmp_path / "real")
    for _ in range(2):
        assert (
            main(["run", mission, "--quiet", "--out", "link", "--video", "link/film.gif", "--json", "link/all.json"])
            == 0
        )
        names = {p.name for p in (tmp_path / "real").iterdir()}
        assert {"film.gif", "all.json", "result.json"} <= names
    assert Path("link").is_symlink()


def test_resume_flies_again_when_the_controller_has_changed(mission: str) -> None:
    words = ["run", mission, "--seeds", "2", "--quiet", "--out", "out"]
    assert main(words) == 0
    code = Path("mine/hostile_flyers.py")
    code.write_text(
        CONTROLLERS.replace("return np.zeros_like(view.position)", "return np.full_like(view.position, np.nan)", 1)
    )
    sys.modules.pop("hostile_flyers", None)
    assert main([*words, "--resume"]) == 3


def test_one_seed_that_cannot_start_leaves_the_others_their_results(mission: str) -> None:
    text = Path(mission).read_text().replace('spawn = { shape = "line", center = [0.0, 0.0, 1.5] }', "")
    Path(mission).write_text(text.replace("[swarm]", "[swarm]\nspawn = { shape = 'v', center = [12.0, 2.0, 1.5] }"))
    words = ["--set", "world={use='forest'}", "--seeds", "12", "--json", "all.json", "--quiet"]
    assert main(["run", mission, *words]) == 2
    runs = json.loads(Path("all.json").read_text())
    assert len(runs) == 12
    assert 0 < sum("error" in run for run in runs) < 12


def test_devices_are_written_to_and_not_replaced(tmp_path: Path) -> None:
    with whole_file(Path(os.devnull)) as file:
        file.write(b"x")
    assert not Path(os.devnull).is_file()


def test_long_names_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput):
        check_writable(tmp_path / ("x" * 300), "--json")
