"""The pytest plugin: missions are items, marks fly missions, failures say what was missed."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as Xml

import numpy as np
import pytest

import swarm

Write = Callable[..., Path]

TESTS = """
import pytest

pytestmark = pytest.mark.filterwarnings("error")


@pytest.mark.mission("missed.mission.toml", seeds=[3, 5])
def test_missed(swarm_mission):
    assert swarm_mission.metrics["collisions"] == 1


@pytest.mark.mission("two.mission.toml", collisions=0, set={"duration": 0.125}, controller="flyers:meet")
def test_changed(swarm_mission):
    assert swarm_mission.passed
    assert [str(v.criterion.limit) for v in swarm_mission.criteria] == ["0", "0"]
    assert (swarm_mission.simulated_s, swarm_mission.controller) == (0.125, "flyers:meet")
    assert swarm_mission.trajectory.position.shape == (7, 2, 3)


def test_without_mark(swarm_mission):
    pass


@pytest.mark.mission("broken.mission.toml")
def test_broken(swarm_mission):
    pass
"""


@dataclass
class Run:
    """A finished pytest run."""

    code: int
    out: str  # all that was printed
    cases: dict[str, Xml.Element]  # "seed-0 of two.mission.toml" to its JUnit case

    def verdict(self, name: str) -> str:
        """passed, failure or error."""
        return next((part.tag for part in self.cases[name] if part.tag in ("failure", "error")), "passed")

    def text(self, name: str) -> str:
        """What the report of a failed case says."""
        return next(str(part.text) for part in self.cases[name] if part.tag in ("failure", "error"))


def run_pytest(folder: Path, *words: str, cwd: Path | None = None) -> Run:
    report = folder / "junit.xml"
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "--junitxml", str(report), *words]
    done = subprocess.run(
        command, cwd=cwd or folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    cases = {}
    if report.exists():
        for case in Xml.parse(report).iter("testcase"):
            cases[f"{case.get('name')} of {case.get('classname')}".removesuffix(" of ")] = case
    return Run(done.returncode, done.stdout, cases)


def flights(folder: Path) -> int:
    return len((folder / "flights.log").read_text().splitlines())


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory, write: Write) -> Run:
    """A folder of missions and tests of all kinds, run once."""
    folder = tmp_path_factory.mktemp("project")
    write(folder, seeds=2)
    bounds = "min_separation = { at_least = 0.39 }\nspeed = { at_most = 9.0 }\nmin_clearance = { at_least = 0.8 }"
    write(folder, bounds, "missed.mission.toml", controller="flyers:meet")
    write(folder, "order = { at_most = -1.0, optional = true }", "optional.mission.toml")
    write(folder, name="broken.mission.toml", controller="flyers:broken")
    write(folder, "ordr = { at_most = 1 }\nspeed = { at_mst = 1 }", "wrong.mission.toml")
    (folder / "test_marks.py").write_text(TESTS)
    return run_pytest(folder, "--continue-on-collection-errors")


def test_a_mission_file_is_an_item_for_each_of_its_seeds(project: Run) -> None:
    found = [name for name in project.cases if name.endswith("two.mission.toml")]
    assert found == ["seed-0 of two.mission.toml", "seed-1 of two.mission.toml"]
    assert [project.verdict(name) for name in found] == ["passed", "passed"]


def test_metrics_are_properties_of_the_case(project: Run) -> None:
    properties = {p.get("name"): p.get("value") for p in project.cases["seed-0 of two.mission.toml"].iter("property")}
    assert properties["collisions"] == "0"
    assert float(str(properties["min_separation"])) == pytest.approx(0.4, abs=0.01)
    assert "None" not in properties.values()


def test_a_missed_criterion_is_shown_as_a_table_without_python(project: Run) -> None:
    text = project.text("seed-0 of missed.mission.toml")
    first, *table = text.splitlines()
    assert first.startswith("min_separation: acceptable >= 0.39 m, measured 0.3")
    rows = [re.split(r"\s{2,}", line) for line in table]
    assert ["criterion", "bound", "measured", "verdict"] in rows
    assert [row[::3] for row in rows if "FAILED" in row[1:]] == [
        ["min_separation", "FAILED"], ["min_clearance", "FAILED"],
    ]  # fmt: skip
    assert [row[1] for row in rows if row[0] == "speed" and row[3] == "ok"] == ["<= 9 m/s"]
    assert re.search(r"min_separation missed, at t = 0\.\d\d s, agents 0 and 1", text)
    assert re.search(r"min_clearance missed, at t = 0\.\d\d s, agent [01], near tower", text)
    assert ".py" not in text
    assert text in project.out


def test_a_missed_optional_criterion_passes_with_a_warning(project: Run) -> None:
    assert project.verdict("seed-0 of optional.mission.toml") == "passed"
    assert "MissionWarning: optional: order: acceptable <= -1, measured" in project.out


def test_a_controller_that_returns_nonsense_fails_in_one_line(project: Run) -> None:
    text = project.text("seed-0 of broken.mission.toml")
    assert text == "step 0, t = 0.000 s: agent 0: expected a finite command, got [nan, nan, nan]"


def test_a_wrong_file_is_a_collection_error_with_a_line_for_each_fault(project: Run) -> None:
    name = next(name for name in project.cases if "wrong" in name)
    assert project.verdict(name) == "error"
    lines = project.text(name).splitlines()
    assert len(lines) == 2
    assert lines[0].startswith('wrong.mission.toml: criteria.ordr: unknown metric (did you mean "order"?)')
    assert lines[1].startswith("wrong.mission.toml: criteria.speed: expected equals")


def test_a_marked_test_is_run_for_each_seed_and_shows_the_criteria_when_it_fails(project: Run) -> None:
    names = [name for name in project.cases if name.startswith("test_missed")]
    assert names == ["test_missed[seed-3] of test_marks", "test_missed[seed-5] of test_marks"]
    assert [project.verdict(name) for name in names] == ["failure", "failure"]
    for seed in (3, 5):
        after = project.out.split(f" test_missed[seed-{seed}] ")[1].split("- criteria of swarm_mission -")[1]
        assert f"seed {seed}: min_separation missed" in after[:1000]


def test_a_mark_changes_keys_controller_and_criteria(project: Run) -> None:
    names = [name for name in project.cases if name.startswith("test_changed")]
    assert names == ["test_changed[seed-0] of test_marks", "test_changed[seed-1] of test_marks"]
    assert [project.verdict(name) for name in names] == ["passed", "passed"]


def test_the_fixture_without_a_mark_is_one_line(project: Run) -> None:
    text = project.text("test_without_mark of test_marks")
    assert text == 'swarm_mission: name the mission with @pytest.mark.mission("name") on the test'


def test_a_marked_mission_that_cannot_be_flown_is_one_line(project: Run) -> None:
    text = project.text("test_broken[seed-0] of test_marks")
    assert text == "step 0, t = 0.000 s: agent 0: expected a finite command, got [nan, nan, nan]"


@pytest.mark.parametrize(
    ("mark", "argument", "said"),
    [
        ('"two.mission.tml"', "swarm_mission", "two.mission.tml: no such mission or file"),
        ('"two.mission.toml", seeds=0', "swarm_mission", "seeds: expected 1 or more"),
        ('"two.mission.toml", sucess=True', "swarm_mission", 'criteria.sucess: unknown metric (did you mean "success"'),
        (
            "seeds=2",
            "swarm_mission",
            "@pytest.mark.mission missing 1 required positional argument: 'name'; missi",
        ),
        ('"two.mission.toml"', "", "marked with a mission but does not ask for it: add the argument swarm_mission"),
    ],
)
def test_a_wrong_mark_is_a_collection_error_in_one_line(
    mark: str, argument: str, said: str, tmp_path: Path, write: Write
) -> None:
    write(tmp_path)
    (tmp_path / "test_it.py").write_text(
        f"import pytest\n@pytest.mark.mission({mark})\ndef test_it({argument}):\n    pass\n"
    )
    run = run_pytest(tmp_path, "test_it.py")
    text = run.text("test_it")
    assert text.startswith("test_it.py::test_it: ")
    assert said in text
    assert len(text.splitlines()) == 1


def test_seeds_of_the_command_line_come_before_the_mark_before_the_ini_before_the_file(
    tmp_path: Path, write: Write
) -> None:
    write(tmp_path, seeds=2)
    (tmp_path / "test_it.py").write_text(
        "import pytest\n"
        "@pytest.mark.mission('two.mission.toml', seeds=1)\ndef test_own(swarm_mission): pass\n"
        "@pytest.mark.mission('two.mission.toml')\ndef test_of_file(swarm_mission): pass\n"
    )

    def collected(*words: str) -> list[str]:
        out = run_pytest(tmp_path, "--collect-only", "-q", *words).out
        return [line for line in out.splitlines() if "::" in line]

    def expected(own: range, of_file: range) -> list[str]:
        return [
            *(f"test_it.py::test_own[seed-{n}]" for n in own),
            *(f"test_it.py::test_of_file[seed-{n}]" for n in of_file),
            *(f"two.mission.toml::seed-{n}" for n in of_file),
        ]

    assert collected() == expected(range(1), range(2))
    assert collected("-o", "swarm_seeds=3") == expected(range(1), range(3))
    assert collected("-o", "swarm_seeds=3", "--swarm-seeds", "7:9") == expected(range(7, 9), range(7, 9))


@pytest.mark.parametrize(
    ("words", "said"), [("--swarm-seeds 9:3", "--swarm-seeds"), ("-o swarm_seeds=x", "swarm_seeds")]
)
def test_seeds_that_are_none_end_the_run_in_one_line(words: str, said: str, tmp_path: Path) -> None:
    run = run_pytest(tmp_path, *words.split())
    assert run.code == pytest.ExitCode.USAGE_ERROR
    assert run.out.strip().startswith(f"ERROR: {said}: expected ")
    assert len(run.out.strip().splitlines()) == 1


def still(view: Any) -> Any:
    return np.zeros_like(view.position)


OVER_SEEDS = 'success = { at_least = 0.9, over = "seeds" }'


def test_criteria_over_seeds_are_judged_once_and_fly_nothing_twice(tmp_path: Path, write: Write) -> None:
    path = write(tmp_path, OVER_SEEDS, controller="flyers:Counted", drawn=True, seeds=4)
    mission = swarm.load_mission(path, {"controller.use": "boids"})
    missed = [seed for seed in range(4) if not swarm.run(mission, seed, controller=still).metrics["success"]]
    assert 0 < len(missed) < 4, "the seeds differ in success, or this test shows nothing"
    run = run_pytest(tmp_path)
    assert [run.verdict(f"seed-{seed} of two.mission.toml") for seed in range(4)] == ["passed"] * 4
    text = run.text("over-seeds of two.mission.toml")
    share = (4 - len(missed)) / 4
    assert text.startswith(f"success (over seeds): acceptable >= 0.9, measured {share:.3g} over 4 runs (95 %: ")
    assert f"not in seeds {', '.join(map(str, missed))}" in text
    assert flights(tmp_path) == 4
    alone = run_pytest(tmp_path, "two.mission.toml::over-seeds")
    assert alone.text("over-seeds of two.mission.toml") == text
    assert flights(tmp_path) == 8


@pytest.mark.slow
def test_criteria_over_seeds_are_the_same_in_several_processes_which_share_what_they_flew(
    tmp_path: Path, write: Write
) -> None:
    write(tmp_path, OVER_SEEDS, controller="flyers:Counted", drawn=True, seeds=12)
    together = run_pytest(tmp_path)
    assert flights(tmp_path) == 12
    apart = run_pytest(tmp_path, "-n", "2")
    assert [apart.verdict(name) for name in sorted(apart.cases)] == [
        together.verdict(n) for n in sorted(together.cases)
    ]
    name = "over-seeds of two.mission.toml"
    assert together.text(name) in apart.text(name)
    assert 24 <= flights(tmp_path) <= 26  # what the other process is just flying cannot be taken from it


def test_a_met_criterion_over_seeds_passes(tmp_path: Path, write: Write) -> None:
    write(tmp_path, 'speed = { at_most = 1.0, over = "seeds" }', seeds=2)
    run = run_pytest(tmp_path)
    assert run.code == 0
    assert list(run.cases)[-1] == "over-seeds of two.mission.toml"


@pytest.mark.slow
def test_missions_and_marks_pass_in_several_processes(tmp_path: Path, write: Write) -> None:
    write(tmp_path, seeds=3)
    (tmp_path / "test_it.py").write_text(
        "import pytest\n"
        "@pytest.mark.mission('two.mission.toml')\n"
        "def test_it(swarm_mission): assert swarm_mission.passed\n"
    )
    run = run_pytest(tmp_path, "-n", "2", "--strict-markers", "-W", "error")
    assert run.code == 0, run.out
    assert len(run.cases) == 6


def test_missions_are_selected_by_their_marker(tmp_path: Path, write: Write) -> None:
    write(tmp_path)
    (tmp_path / "test_it.py").write_text("def test_it(): pass\n")
    out = run_pytest(tmp_path, "--collect-only", "-q", "-m", "mission").out
    assert [line for line in out.splitlines() if "::" in line] == ["two.mission.toml::seed-0"]


def test_controllers_stand_beside_their_mission_wherever_pytest_is_called(tmp_path: Path, write: Write) -> None:
    (tmp_path / "here").mkdir()
    write(tmp_path / "here")
    run = run_pytest(tmp_path, str(tmp_path / "here"), cwd=Path(tmp_path.anchor))
    assert run.code == 0, run.out


def test_two_controllers_of_one_name_are_not_mistaken_for_each_other(tmp_path: Path, write: Write) -> None:
    for name in ("one", "other"):
        (tmp_path / name).mkdir()
        write(tmp_path / name)
    run = run_pytest(tmp_path)
    assert "other/flyers.py needs another name, one/flyers.py has it already" in run.out
    assert run.code != 0


def test_a_run_without_missions_does_not_load_the_simulator(tmp_path: Path) -> None:
    (tmp_path / "test_it.py").write_text(
        "import sys\n"
        "def test_it():\n"
        "    assert 'swarm.pytest_plugin' in sys.modules\n"
        "    loaded = {'numba', 'pybullet', 'scipy', 'rich', 'msgspec', 'swarm.mission'} & sys.modules.keys()\n"
        "    assert not loaded\n"
    )
    run = run_pytest(tmp_path, "-p", "no:hypothesispytest")
    assert run.code == 0, run.out
