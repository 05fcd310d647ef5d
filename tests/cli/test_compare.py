"""`swarm compare`: the same seeds on each body, intervals that cover what they should, exit codes and files."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest

from swarm.batch import Outcome
from swarm.cli.main import main
from swarm.comparison import Column, compare, mean, share

POINTS = """
name = "two"
duration = 1.0
{seeds}
[world]
bounds = [[-9.0, -9.0, 0.0], [9.0, 9.0, 5.0]]
boundary = "open"
[swarm]
count = 3
body = "point"
spawn = {{ shape = "line", spacing = 1.0, center = [0.0, 0.0, 1.5], size = [4.0, 4.0, 0.0] }}
[controller]
use = "{controller}"
[criteria]
{criteria}
"""


def write(folder: Path, controller: str = "boids", criteria: str = "", seeds: str = "") -> str:
    path = folder / "two.toml"
    path.write_text(POINTS.format(controller=controller, criteria=criteria, seeds=seeds))
    return str(path)


def late_failure(view):  # type: ignore[no-untyped-def]
    """Flies well at the start, then not at all."""
    return np.full_like(view.position, np.nan if view.time > 0.1 else 0.0)


def test_mean_and_interval_are_those_of_student() -> None:
    # For 1, 2, 3: s = 1, t(0.975, 2) = 4.30265; half width t / sqrt(3) = 2.48414.
    found = mean([1.0, 2.0, 3.0])
    assert found is not None
    assert found.interval == pytest.approx((2 - 2.484138, 2 + 2.484138), abs=1e-5)
    alone = mean([5.0])
    assert alone is not None
    assert (alone.mean, alone.interval) == (5.0, None)
    assert mean([]) is None


def test_the_interval_covers_the_truth_19_times_in_20() -> None:
    rng = np.random.default_rng(0)
    covered = 0
    for _ in range(2000):
        found = mean(rng.normal(3.0, 2.0, 6).tolist())
        assert found is not None
        assert found.interval is not None
        covered += found.interval[0] <= 3.0 <= found.interval[1]
    # 2000 tries at 0.95 have a standard deviation of 9.7; four of them are allowed.
    assert covered == pytest.approx(1900, abs=40)


def test_angles_are_averaged_the_short_way_round() -> None:
    found = mean([math.pi - 0.1, -math.pi + 0.1], circular=True)
    assert found is not None
    assert abs(math.remainder(found.mean - math.pi, math.tau)) < 1e-12


def test_a_share_has_the_interval_of_wilson() -> None:
    # Wilson for 10 of 10: 1 / (1 + z^2 / 10) = 0.72247 to 1.
    found = share([1.0] * 10)
    assert found is not None
    assert found.interval == pytest.approx((0.72247, 1.0), abs=1e-4)


def test_differences_are_taken_seed_by_seed() -> None:
    class Run:
        def __init__(self, speed: float | None) -> None:
            self.metrics = {"speed": speed, "success": True}
            self.passed = True
            self.scale = 1.0

    def column(body: str, speeds: list[float | None]) -> Column:
        return Column(body, "c", tuple(Outcome("m", k, Run(v)) for k, v in enumerate(speeds)))  # type: ignore[arg-type]

    found = compare("m", [column("point", [1.0, 5.0, 9.0, 2.0]), column("drone", [2.0, 6.0, 10.0, None])])
    speed = next(row for row in found.rows if row.metric == "speed")
    difference = speed.differences[1]
    assert difference is not None
    assert (difference.mean, difference.interval, difference.runs) == (1.0, (1.0, 1.0), 3)
    assert speed.differences[0] is None
    assert next(row for row in found.rows if row.metric == "success").differences[1] is None


def test_points_and_drones_fly_the_same_seeds_and_the_files_are_the_same_whatever_the_processes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mission, texts = write(tmp_path), []
    for jobs in ("1", "2"):
        files = ["--json", str(tmp_path / f"{jobs}.json"), "--summary", str(tmp_path / f"{jobs}.md")]
        assert main(["compare", mission, "--bodies", "point,drone", "--seeds", "3:6", "--jobs", jobs, *files]) == 0
        texts.append((tmp_path / f"{jobs}.json").read_bytes() + (tmp_path / f"{jobs}.md").read_bytes())
    assert texts[0] == texts[1]
    table = json.loads((tmp_path / "1.json").read_text())
    assert table["seeds"] == [3, 4, 5]
    assert [(c["label"], c["runs"], c["passed"], c["fine"]) for c in table["columns"]] == [
        ("point", 3, 3, True), ("drone", 3, 3, True),
    ]  # fmt: skip
    speeds = [run["metrics"]["speed"] for run in table["runs"]]
    row = next(row for row in table["metrics"] if row["name"] == "speed")
    assert row["unit"] == "m/s"
    assert [value["mean"] for value in row["values"]] == pytest.approx([np.mean(speeds[:3]), np.mean(speeds[3:])])
    assert row["difference_to_first"][1]["mean"] == pytest.approx(np.mean(np.subtract(speeds[3:], speeds[:3])))
    page = (tmp_path / "1.md").read_text()
    assert "| metric | unit | point | drone | drone - point |" in page
    assert "| passed | runs | 3 of 3 | 3 of 3 |  |" in page
    shown = capsys.readouterr()
    assert "two: boids on drone, seed 5: passed" in shown.err
    assert "Student" in shown.out


def test_a_missed_criterion_is_reported_and_no_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    mission = write(tmp_path, criteria="speed = { at_least = 2.9 }\nsuccess = { at_least = 1.0, over = 'seeds' }")
    assert main(["compare", mission, "--bodies", "point", "--seeds", "2"]) == 0
    rows = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert ["verdict", "FAILED"] in rows
    assert ["passed", "runs", "0", "of", "2"] in rows


def test_controllers_can_be_compared_as_well(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    mission = write(tmp_path)
    assert main(["compare", mission, "--bodies", "point,drone", "--controllers", "boids,weighted_sum", "--quiet"]) == 2
    assert "--bodies" not in capsys.readouterr().err
    assert main(["compare", mission, "--controllers", "boids,swarm.controllers.boids:Boids", "--seeds", "2"]) == 0
    out = capsys.readouterr().out
    assert "swarm.controllers.boids:Boids - boids" in out


def test_a_controller_that_breaks_is_a_simulator_error_beside_the_others(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    broken = f"{__name__}:late_failure"
    assert main(["compare", write(tmp_path), "--controllers", f"boids,{broken}", "--seeds", "2"]) == 3
    shown = capsys.readouterr()
    assert "finite" in shown.err
    assert "0 of 2, 2 errors" in shown.out


@pytest.mark.parametrize(
    ("words", "line"),
    [
        ([], "expected --bodies or --controllers"),
        (["--bodies", "point,dron"], '--bodies: expected drone, point, walker, got "dron" (did you mean "drone"?)'),
        (["--controllers", "boid"], 'did you mean "boids"?'),
        (["--bodies", "point", "--json", "/nowhere/at/all.json"], "--json"),
        (["--bodies", "point", "--set", "swarm.count=0"], "swarm.count"),
    ],
)
def test_bad_input_is_a_line_and_exit_code_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: list[str], line: str
) -> None:
    assert main(["compare", write(tmp_path), *words]) == 2
    (said,) = capsys.readouterr().err.splitlines()
    assert line in said


def test_a_body_named_twice_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["compare", write(tmp_path), "--bodies", "point,point"])


def test_without_seeds_the_mission_says_how_many(tmp_path: Path) -> None:
    mission = write(tmp_path, seeds="seeds = 4\nseed = 2")
    assert main(["compare", mission, "--bodies", "point", "--json", str(tmp_path / "f.json"), "--quiet"]) == 0
    assert json.loads((tmp_path / "f.json").read_text())["seeds"] == [2, 3, 4, 5]
