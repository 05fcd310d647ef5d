"""Bullet's window: where there is none, that is said in one line and with exit code 2."""

from __future__ import annotations

import sys

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
