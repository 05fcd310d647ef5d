"""`swarm init`: files that run as they are, and nothing of the user's overwritten."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from swarm.cli.init import FILES
from swarm.cli.main import main, parser

SCRIPTS = Path(sys.executable).parent


def written(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


def jobs(folder: Path) -> list[str]:
    return [(folder / name).read_text() for name in (".github/workflows/missions.yml", ".gitlab-ci.yml")]


@pytest.fixture
def folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """A folder just written."""
    assert main(["init", str(tmp_path / "mine")]) == 0
    capsys.readouterr()
    return tmp_path / "mine"


def test_files_are_written_and_the_next_command_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "new" / "my swarm"
    assert main(["init", str(folder)]) == 0
    assert written(folder) == sorted(FILES)
    assert capsys.readouterr().out.splitlines() == [
        *(f"wrote {folder / name}" for name in FILES), f"next: cd '{folder}' && swarm run my.mission.toml",
    ]  # fmt: skip


def test_without_a_folder_files_are_written_here(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["init"]) == 0
    assert written(tmp_path) == sorted(FILES)
    assert capsys.readouterr().out.splitlines()[-1] == "next: swarm run my.mission.toml"


def test_existing_files_are_named_kept_and_nothing_is_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "my_controller.py").write_text("mine")
    (tmp_path / ".gitlab-ci.yml").symlink_to("nowhere")
    assert main(["init", str(tmp_path)]) == 2
    captured = capsys.readouterr()
    assert captured.err.splitlines() == [
        f"{tmp_path / name}: exists already, nothing was written" for name in ("my_controller.py", ".gitlab-ci.yml")
    ]
    assert captured.out == ""
    assert sorted(path.name for path in tmp_path.iterdir()) == [".gitlab-ci.yml", "my_controller.py"]
    assert (tmp_path / "my_controller.py").read_text() == "mine"


@pytest.mark.parametrize("in_the_way", [".github", "."])
def test_what_cannot_be_written_whole_is_not_written_at_all(
    in_the_way: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "mine"
    (tmp_path / "mine" / in_the_way).parent.mkdir(exist_ok=True)
    (tmp_path / "mine" / in_the_way).write_text("a file, no folder") if in_the_way != "." else folder.write_text("")
    before = sorted(tmp_path.rglob("*"))
    assert main(["init", str(folder)]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(str(folder))
    assert line.endswith("; nothing was written")
    assert sorted(tmp_path.rglob("*")) == before


def test_inside_a_project_it_says_where_the_jobs_belong(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / ".git").mkdir()
    assert main(["init", str(tmp_path / "missions")]) == 0
    assert f"look for their jobs in {tmp_path}" in capsys.readouterr().out
    assert main(["init", str(tmp_path)]) == 0
    assert "look for" not in capsys.readouterr().out


def test_jobs_install_fly_and_keep_the_results_of_failures_too(folder: Path) -> None:
    github, gitlab = jobs(folder)
    for job in (github, gitlab):
        assert 'pip install "${SWARM:?' in job
        (line,) = re.findall(r"swarm run .*", job)
        options = parser().parse_args(shlex.split(line)[1:])
        assert options.missions == ["*.mission.toml"]
        for path in (options.out, options.junit, options.summary):
            assert re.search(rf"^\s+(- )?{re.escape(str(path))}$", job, re.MULTILINE), f"{path} is not kept"
    assert re.search(r'if: always\(\)\n\s+run: .*summary\.md >> "\$GITHUB_STEP_SUMMARY"', github)
    assert re.search(r"if: always\(\)\n\s+uses: actions/upload-artifact@v\d", github)
    assert re.search(r"artifacts:\n\s+when: always\n", gitlab)
    assert re.search(r"reports:\n\s+junit: missions\.xml\n", gitlab)


def test_jobs_have_the_outline_of_yaml(folder: Path) -> None:
    for job in jobs(folder):
        assert "\t" not in job
        depth = 0
        for line in job.splitlines():
            if not line.strip() or line.lstrip().startswith("#"):
                continue
            assert (
                re.match(r"^ *(- )?([\w-]+:( .+)?|[^:]+)$", line)
                or "run: " in line
                or "- swarm " in line
                or "- pip " in line
            ), line
            indent = len(line) - len(line.lstrip())
            assert indent % 2 == 0
            assert indent <= depth + 4
            depth = indent


@pytest.mark.slow
def test_what_was_written_flies_and_passes_as_it_is(folder: Path) -> None:
    job = jobs(folder)[1]
    (line,) = re.findall(r"swarm run .*", job)
    done = subprocess.run(f"{SCRIPTS}/{line}", shell=True, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "passed: 3 of 3 runs passed" in done.stdout
    assert (folder / "missions.xml").exists()
    assert "3 of 3 runs passed" in (folder / "summary.md").read_text()
    assert (folder / "results" / "my-mission" / "seed-2" / "result.json").exists()


@pytest.mark.slow
def test_what_was_written_passes_under_pytest(folder: Path) -> None:
    words = [str(SCRIPTS / "pytest"), "-q", "-n", "2"]
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    assert "3 passed" in done.stdout
