"""Bullet's window: where there is none, that is said in one line and with exit code 2."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from swarm.cli.main import main
from swarm.eyes import window

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="X11 is tried on Linux only")


@pytest.fixture(autouse=True)
def _anew() -> None:
    window.check_display.cache_clear()


def test_no_display_is_one_line(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    monkeypatch.delenv("DISPLAY", raising=False)
    assert main(["run", "five-drone-boids", "--gui"]) == 2
    said = capfd.readouterr()
    assert said.err == "--gui: there is no display to open a window on ($DISPLAY is not set)\n"
    assert said.out == ""


def test_a_display_that_does_not_answer_is_one_line(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("DISPLAY", ":9876")
    assert main(["run", "five-drone-boids", "--gui"]) == 2
    assert capfd.readouterr().err == "--gui: no window can be opened on display :9876: nothing answers there\n"


@pytest.fixture
def screen(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A display without a screen."""
    server = shutil.which("Xvfb")
    if server is None:
        pytest.skip("no Xvfb")
    reading, writing = os.pipe()
    process = subprocess.Popen(
        [server, "-displayfd", str(writing), "-screen", "0", "640x480x24"],
        pass_fds=[writing],
        stderr=subprocess.DEVNULL,
    )
    os.close(writing)
    with os.fdopen(reading) as said:
        number = said.readline().strip()
    monkeypatch.setenv("DISPLAY", f":{number}")
    yield
    process.terminate()
    process.wait()


@pytest.mark.slow
@pytest.mark.usefixtures("screen")
def test_a_flight_that_is_watched_is_the_same_and_prints_only_its_report(tmp_path: Path) -> None:
    words = [sys.executable, "-m", "swarm", "run", "five-drone-boids", "--set", "duration=1.0", "--json"]
    sums, said = [], []
    for name, more in (("plain.json", []), ("watched.json", ["--gui"])):
        done = subprocess.run([*words, str(tmp_path / name), *more], capture_output=True, text=True, check=False)
        sums.append(json.loads((tmp_path / name).read_text())[0]["trajectory_sha256"])
        said.append(done.stdout + done.stderr)
    assert sums[0] == sums[1]
    assert said[0] == said[1]
