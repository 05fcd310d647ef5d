"""`swarm run`: exit codes, files, and one line for every fault."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from swarm.cli.main import main

SHORT = ["--set", "duration=0.5", "--set", "criteria={collisions={at_most=0}}"]

MISSION = """
duration = 0.5
[world]
{world}
[swarm]
count = 3
spawn = {{ shape = "line", spacing = 1.0, center = [0.0, 0.0, 1.5] }}
[controller]
use = "{controller}"
[criteria]
collisions = {{ at_most = 0 }}
"""
OPEN = 'bounds = [[-9.0, -9.0, 0.0], [9.0, 9.0, 5.0]]\nboundary = "open"'


def write(folder: Path, world: str = OPEN, controller: str = "boids", more: str = "") -> str:
    path = folder / "own.toml"
    path.write_text(MISSION.format(world=world, controller=controller) + more)
    return str(path)


def nan_controller(view):  # type: ignore[no-untyped-def]
    """Flies well for five steps."""
    command = np.zeros_like(view.position)
    if view.time > 0.1:
        command[2, 1] = np.nan
    return command


def wide_controller(view):  # type: ignore[no-untyped-def]
    """Commands for one dimension too many."""
    return np.zeros((len(view.position), 4))


def raising_controller(view):  # type: ignore[no-untyped-def]
    """A mistake of the user's."""
    return view.positions


@pytest.fixture
def controllers_here(monkeypatch: pytest.MonkeyPatch) -> str:
    """This module under a name that `package.module:Name` can import."""
    import sys

    monkeypatch.setitem(sys.modules, "own_controllers", sys.modules[__name__])
    return "own_controllers"


def test_passing_and_failing_runs_have_exit_codes_0_and_1(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "five-drone-formation", *SHORT]) == 0
    assert "passed" in capsys.readouterr().out
    assert main(["run", "five-drone-formation", *SHORT, "--set", "criteria.success.equals=true"]) == 1
    out = capsys.readouterr().out
    assert "FAILED" in out
    assert "success" in out


def test_out_receives_result_recording_and_pictures(tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert main(["run", "five-drone-formation", *SHORT, "--quiet", "--out", str(out)]) == 0
    result = json.loads((out / "result.json").read_text())
    for key in (
        "mission", "seed", "controller", "body", "engine", "passed", "criteria", "metrics", "simulated_s", "steps",
        "trajectory_sha256", "versions",
    ):  # fmt: skip
        assert key in result
    assert result["criteria"] == [
        {"name": "collisions", "bound": "at_most", "limit": 0, "value": 0, "unit": "count", "passed": True}
    ]
    assert result["steps"] == 24
    with np.load(out / "trajectory.npz", allow_pickle=False) as recording:
        assert recording["time"].shape == (25,)
        for name in ("position", "velocity", "command"):
            assert recording[name].shape == (25, 5, 3)
        assert recording["alive"].shape == (25, 5)
        assert recording["role"].shape == (5,)
        assert recording["metric_formation_error"].shape == (25,)
    assert sorted(p.name for p in out.iterdir()) == [
        "flight.png", "paths.png", "result.json", "timeline.png", "trajectory.npz",
    ]  # fmt: skip
    assert [p.name for p in tmp_path.iterdir()] == ["out"]


def test_several_runs_have_a_folder_each_and_the_same_bytes_for_any_number_of_jobs(tmp_path: Path) -> None:
    lists = []
    for jobs in ("1", "2"):
        out, listing = tmp_path / f"out{jobs}", tmp_path / f"{jobs}.json"
        words = ["--seeds", "3:6", "--jobs", jobs, "--quiet", "--out", str(out), "--json", str(listing)]
        assert main(["run", "five-drone-formation", *SHORT, *words]) == 0
        lists.append(listing.read_bytes())
        folders = sorted(p.relative_to(out).as_posix() for p in out.glob("*/*"))
        assert folders == [f"five-drone-formation/seed-{n}" for n in (3, 4, 5)]
    assert lists[0] == lists[1]
    files = [sorted(p for p in (tmp_path / f"out{j}").rglob("*") if p.is_file()) for j in (1, 2)]
    for one, two in zip(*files, strict=True):
        assert one.read_bytes() == two.read_bytes(), one


def test_reports_are_valid_and_whole(tmp_path: Path) -> None:
    junit, summary = tmp_path / "r.xml", tmp_path / "s.md"
    words = ["--seeds", "2", "--junit", str(junit), "--summary", str(summary), "--set", "criteria.success.equals=true"]
    assert main(["run", "five-drone-formation", *SHORT, *words]) == 1
    root = ElementTree.parse(junit).getroot()
    assert [(s.get("tests"), s.get("failures")) for s in root] == [("2", "1"), ("2", "1")]
    messages = [str(failure.get("message")) for failure in root.iter("failure")]
    assert len(messages) == 2
    assert all(m.startswith("success: acceptable true, measured false, 31.") for m in messages)
    assert "### Failures" in summary.read_text()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("swarm.count=0", "swarm.count: expected a whole number >= 1, got 0"),
        ("swarm.count=-1", "swarm.count: expected a whole number >= 1, got -1"),
        ("swarm.cuont=3", 'swarm.cuont: unknown key (did you mean "count"?)'),
        ("controler.use='x'", 'controler: unknown key (did you mean "controller"?)'),
        ("controller.use='formaton'", 'did you mean "formation"'),
        ("controller.params.criuse=1.0", 'did you mean "cruise"'),
        ("swarm.command_hz=50", "expected a divisor of physics_hz 240, got 50"),
        ("world.bounds=[[0,0,0],[-1,6,4]]", "bounds"),
        ("world.bounds=[[0,0,0],[nan,6,4]]", "bounds"),
        ("world.use='forrest'", 'did you mean "forest"'),
        ("task.target=[0.0,0.0]", "task.target: expected 3 numbers, got 2"),
        ("task.target=[10.0,0.0,9.0]", "task.target: expected a place in the world"),
        ("task.kind='reech'", 'did you mean "reach"'),
        ("swarm.body='drome'", 'did you mean "drone"'),
        ("swarm.model='cf3x'", "cf2x"),
        ("swarm.spawn.spacing=0.05", "start inside each other"),
        ("swarm.spawn.center=[0.0,0.0,0.01]", "is inside floor"),
        ("swarm.spawn.center=[0.0,0.0,-1.0]", "outside the world"),
        ("criteria.ordr.at_most=1", 'did you mean "order"'),
        ("measure.from=90.0", "measure.from"),
        ("duration=0", "duration"),
        ("duration=nan", "duration"),
        ("seed=-1", "seed"),
        ("formation.shape='w'", "formation.shape"),
    ],
)
def test_bad_input_is_one_line_exit_2_and_nothing_written(
    change: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    assert main(["run", "five-drone-formation", "--set", change, "--out", str(out)]) == 2
    captured = capsys.readouterr()
    assert said in captured.err
    # A bad start has a line for every agent it concerns: all five, or all but the first.
    expected = {"swarm.spawn.center": 5, "swarm.spawn.spacing": 4}.get(change.split("=")[0], 1)
    assert len(captured.err.strip().splitlines()) == expected
    assert captured.out == ""
    assert list(tmp_path.iterdir()) == []


def test_start_and_target_inside_an_obstacle(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tower = OPEN + '\nobstacles = [{ kind = "box", name = "tower", center = [0.0, 0.0, 1.5], size = [1.0, 1.0, 3.0] }]'
    assert main(["run", write(tmp_path, tower)]) == 2
    assert "swarm.spawn: agent 1 at [0.0, 0.0, 1.5] is inside tower" in capsys.readouterr().err
    task = '[task]\nkind = "reach"\ntarget = [5.0, 0.0, 1.0]\n'
    there = tower.replace("center = [0.0", "center = [5.0")
    assert main(["run", write(tmp_path, there, more=task)]) == 2
    assert "task.target: [5.0, 0.0, 1.0] is inside tower" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (None, "no such file"),
        (b"not a mesh", "tower.obj"),
        (b"", "tower.obj"),
        (b"v 0 0 0\nv 1 0 0\nv 0 1 0\n", "tower.obj"),
        (b"v 0 0 nan\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", "tower.obj"),
    ],
)
def test_bad_meshes(content: bytes | None, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    if content is not None:
        (tmp_path / "tower.obj").write_bytes(content)
    world = OPEN + '\nobstacles = [{ kind = "mesh", file = "tower.obj", center = [5.0, 0.0, 0.0] }]'
    assert main(["run", write(tmp_path, world)]) == 2
    error = capsys.readouterr().err
    assert said in error
    assert len(error.strip().splitlines()) == 1


def test_bad_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    broken, large = tmp_path / "broken.toml", tmp_path / "large.toml"
    broken.write_text("[world\n")
    large.write_bytes(b"# " + b"x" * 1_000_000)
    for path, said in ((broken, "not a TOML file"), (large, "at most 1,000,000 bytes"), (tmp_path, "directory")):
        assert main(["run", str(path)]) == 2
        error = capsys.readouterr().err
        assert said in error
        assert len(error.strip().splitlines()) == 1
    assert main(["run", "five-drone-formatoin"]) == 2
    assert 'did you mean "five-drone-formation"' in capsys.readouterr().err
    assert main(["run", str(tmp_path / "none.toml")]) == 2
    assert "no such file" in capsys.readouterr().err


def test_unwritable_places_are_refused_before_anything_runs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("kept")
    film, file = str(tmp_path / "film.avi"), str(tmp_path / "file")
    for words in (["--out", file], ["--out", f"{file}/x"], ["--json", "/no/where.json"], ["--video", film]):
        assert main(["run", "five-drone-formation", *words]) == 2
        assert words[0] in capsys.readouterr().err
    assert (tmp_path / "file").read_text() == "kept"


@pytest.mark.parametrize(
    ("name", "said", "samples"),
    [
        ("nan_controller", "agent 2: expected a finite command", 6),
        ("wide_controller", "expected commands of shape (agents, dimensions) (3, 3)", 1),
        ("raising_controller", "AttributeError", 1),
    ],
)
def test_nonsense_from_a_controller_is_exit_3_with_the_recording_kept(
    name: str, said: str, samples: int, controllers_here: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    assert main(["run", write(tmp_path, controller=f"{controllers_here}:{name}"), "--out", str(out)]) == 3
    error = capsys.readouterr().err
    assert said in error
    assert "step " in error
    assert len(error.strip().splitlines()) == 1
    result = json.loads((out / "result.json").read_text())
    assert result["passed"] is False
    assert said in result["error"]
    with np.load(out / "trajectory.npz") as recording:
        assert len(recording["time"]) == samples


def test_seed_zero_is_a_seed(tmp_path: Path) -> None:
    listing = tmp_path / "r.json"
    assert (
        main(
            ["run", "five-drone-formation", *SHORT, "--quiet", "--set", "seed=5", "--seed", "0", "--json", str(listing)]
        )
        == 0
    )
    assert json.loads(listing.read_text())[0]["seed"] == 0


@pytest.mark.parametrize("words", ["--seeds 0", "--seeds 9:3", "--seeds x", "--seed -1", "--jobs 0"])
def test_bad_numbers_on_the_command_line(words: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["run", "five-drone-formation", *words.split()])
    assert caught.value.code == 2
    assert len(capsys.readouterr().err.strip().splitlines()) == 1
