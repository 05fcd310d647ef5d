"""Nothing is lost: kills, Ctrl-C, run-away controllers, and going on afterwards."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

CONTROLLERS = """
import os, signal, time
import numpy as np

def still(view):
    return np.zeros_like(view.position)

def slow(view):
    time.sleep(0.02)
    return np.zeros_like(view.position)

def hangs_in_seed_1(view):
    return _special(view, lambda: time.sleep(3600))

def dies_in_seed_1(view):
    return _special(view, lambda: os.kill(os.getpid(), signal.SIGKILL))

def raises_in_seed_1(view):
    return _special(view, lambda: 1 / 0)

class Seeded:
    def reset(self, briefing):
        # the first draw tells which seed this is
        self.draw = briefing.rng.random()

def _special(view, deed):
    if abs(view.position[0, 0] - FIRST_X) < 1e-3:
        deed()
    return np.zeros_like(view.position)
"""
MISSION = """
name = "still"
duration = 0.5
[world]
bounds = [[-9.0, -9.0, 0.0], [9.0, 9.0, 5.0]]
boundary = "open"
[swarm]
count = 2
[controller]
use = "{controller}"
[criteria]
collisions = {{ at_most = 0 }}
"""


def command(folder: Path, controller: str, *words: str) -> list[str]:
    """The words of a `swarm run` of two drones that start at places drawn from the seed."""
    import swarm

    (folder / "still.toml").write_text(MISSION.format(controller="boids"))
    with swarm.Simulation(swarm.load_mission(folder / "still.toml"), 1) as sim:
        first_x = float(sim.state.position[0, 0])
    (folder / "flyers.py").write_text(CONTROLLERS + f"\nFIRST_X = {first_x!r}\n")
    (folder / "still.toml").write_text(MISSION.format(controller=controller))
    return [sys.executable, "-m", "swarm", "run", "still.toml", *words]


def start(words: list[str], folder: Path) -> subprocess.Popen[str]:
    def heed() -> None:
        """Tests may have been started in the background, where Ctrl-C is ignored and stays so in what is started."""
        signal.signal(signal.SIGINT, signal.default_int_handler)

    return subprocess.Popen(
        words, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
        preexec_fn=heed,
    )  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(
    ("controller", "said", "more"),
    [
        ("flyers:dies_in_seed_1", "killed by SIGKILL", []),
        ("flyers:hangs_in_seed_1", "stopped after 8 s of wall time", ["--timeout", "8"]),
        ("flyers:raises_in_seed_1", "ZeroDivisionError", []),
    ],
)
def test_a_run_that_dies_hangs_or_raises_is_an_error_and_takes_no_other_with_it(
    controller: str, said: str, more: list[str], tmp_path: Path
) -> None:
    words = command(tmp_path, controller, "--seeds", "4", "--jobs", "2", "--json", "all.json", "--out", "out", *more)
    process = start(words, tmp_path)
    _, error = process.communicate(timeout=120)
    assert process.returncode == 3, error
    assert said in error
    runs = json.loads((tmp_path / "all.json").read_text())
    assert [run["seed"] for run in runs] == [0, 1, 2, 3]
    assert [("error" in run) for run in runs] == [False, True, False, False]
    done = {path.parent.name for path in tmp_path.glob("out/still/*/result.json")}
    assert done >= {"seed-0", "seed-2", "seed-3"}


@pytest.mark.slow
@pytest.mark.parametrize(("jobs", "number"), [("1", signal.SIGINT), ("2", signal.SIGINT), ("2", signal.SIGTERM)])
def test_ctrl_c_or_a_cancelled_job_writes_what_is_done_and_the_next_call_goes_on(
    jobs: str, number: int, tmp_path: Path
) -> None:
    words = command(
        tmp_path,
        "flyers:slow",
        "--seeds",
        "8",
        "--jobs",
        jobs,
        "--out",
        "out",
        "--json",
        "all.json",
        "--junit",
        "r.xml",
    )
    process = start(words, tmp_path)
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and len(list(tmp_path.glob(".out.*/still/*/result.json"))) < 2:
        time.sleep(0.05)
    # Ctrl-C on a terminal reaches every process; a job that is cancelled sends SIGTERM to the command alone.
    os.killpg(process.pid, number) if number == signal.SIGINT else process.send_signal(number)
    _, error = process.communicate(timeout=60)
    assert process.returncode == 130, error
    assert "to go on: swarm run still.toml" in error
    done = sorted(path.parent.name for path in tmp_path.glob("out/still/*/result.json"))
    assert 2 <= len(done) < 8
    assert sorted(p.name for p in tmp_path.glob("out/still/*")) == done
    assert len(json.loads((tmp_path / "all.json").read_text())) <= len(done)
    assert (tmp_path / "r.xml").exists()
    assert not list(tmp_path.glob(".out*"))

    before = {path: path.stat().st_mtime_ns for path in tmp_path.glob("out/still/*/trajectory.npz")}
    process = start([*words, "--resume"], tmp_path)
    _, error = process.communicate(timeout=120)
    assert process.returncode == 0, error
    assert [run["seed"] for run in json.loads((tmp_path / "all.json").read_text())] == list(range(8))
    kept = [path for path, stamp in before.items() if path.stat().st_mtime_ns == stamp]
    assert len(kept) == len(before)


REWRITES = """
import itertools, json, sys
from pathlib import Path
from swarm.output import whole_folder, write_text

for k in itertools.count():
    with whole_folder(Path("out")) as staging:
        for name in ("a", "b", "c"):
            write_text(staging / name, json.dumps([k] * 2000))
    write_text(Path("all.json"), json.dumps([k] * 2000))
    if k == 1:
        print("ready", flush=True)
"""


@pytest.mark.slow
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux exchanges two folders in one step")
def test_fifty_kills_leave_the_old_output_or_the_new_one_never_half(tmp_path: Path) -> None:
    rng = random.Random(0)
    for _ in range(50):
        process = start([sys.executable, "-c", REWRITES], tmp_path)
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        time.sleep(rng.uniform(0.0, 0.05))
        process.kill()
        process.communicate()
        assert len(set(json.loads((tmp_path / "all.json").read_text()))) == 1
        assert sorted(p.name for p in (tmp_path / "out").iterdir()) == ["a", "b", "c"]
        assert len({n for name in "abc" for n in json.loads((tmp_path / "out" / name).read_text())}) == 1


@pytest.mark.slow
def test_kills_of_the_real_command_leave_whole_results(tmp_path: Path) -> None:
    words = command(tmp_path, "flyers:still", "--seeds", "2", "--out", "out", "--json", "all.json", "--quiet")
    began = time.monotonic()
    assert subprocess.run(words, cwd=tmp_path, check=False, timeout=120).returncode == 0
    span = time.monotonic() - began
    names = sorted(p.name for p in (tmp_path / "out" / "still" / "seed-0").iterdir())
    rng = random.Random(0)
    for _ in range(4):
        process = start(words, tmp_path)
        time.sleep(span * rng.uniform(0.5, 1.0))
        process.kill()
        process.communicate()
        assert [run["seed"] for run in json.loads((tmp_path / "all.json").read_text())] == [0, 1]
        for seed in (0, 1):
            folder = tmp_path / "out" / "still" / f"seed-{seed}"
            assert json.loads((folder / "result.json").read_text())["seed"] == seed
            assert sorted(p.name for p in folder.iterdir()) == names
