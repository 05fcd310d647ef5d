"""The live window on points: beside the flight and not in it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from matplotlib.backend_bases import CloseEvent
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

import swarm
from swarm.cli.main import main
from swarm.errors import BadInput
from swarm.plots import live, screen
from swarm.plots.floor_plan import MARK, cell_colours
from swarm.simulation import Simulation
from swarm.worlds.floor_plan import OBSTACLE


class Canvas(FigureCanvasAgg):
    """A window that nobody sees; it counts what it shows, and closes itself after a while."""

    closes_after = 10**9

    def __init__(self, figure: Figure) -> None:
        super().__init__(figure)
        self.shown: list[np.ndarray] = []

    def blit(self, box: object) -> None:
        self.shown.append(np.array(self.buffer_rgba()))

    def flush_events(self) -> None:
        if len(self.shown) >= self.closes_after:
            self.callbacks.process("close_event", CloseEvent("close_event", self))


class Manager:
    """Of such a window."""

    def __init__(self, page: Figure) -> None:
        self.canvas = Canvas(page)
        self.destroyed = 0

    def destroy(self) -> None:
        self.destroyed += 1


@pytest.fixture
def managers(monkeypatch: pytest.MonkeyPatch) -> list[Manager]:
    """Every window that is opened."""
    opened: list[Manager] = []

    def open_window(page: Figure, title: str) -> Manager:
        opened.append(Manager(page))
        return opened[-1]

    monkeypatch.setattr(live, "open_window", open_window)
    return opened


def mission(steps: int = 20, **more: object) -> swarm.Mission:
    return swarm.load_mission("vicsek").changed({"duration": float(steps), "measure.from": 0.0, **more})


def test_a_flight_that_is_watched_is_the_same_to_the_bit(managers: list[Manager]) -> None:
    plain, watched = swarm.run(mission(), 3), swarm.run(mission(), 3, gui=True)
    assert watched.trajectory_sha256 == plain.trajectory_sha256
    assert watched.metrics == plain.metrics
    (manager,) = managers
    assert manager.destroyed == 1
    assert len(manager.canvas.shown) > 5
    assert (manager.canvas.shown[0] != manager.canvas.shown[-1]).any()


def test_closing_the_window_changes_nothing(managers: list[Manager], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Canvas, "closes_after", 3)
    plain = swarm.run(mission(300), 3)
    began = time.perf_counter()
    watched = swarm.run(mission(300), 3, gui=True)
    assert time.perf_counter() - began < 12.0  # in an open window they take 15 s
    assert watched.trajectory_sha256 == plain.trajectory_sha256
    assert len(managers[0].canvas.shown) == 3
    assert managers[0].destroyed == 0  # it was closed by its user


def test_a_model_of_one_step_a_second_is_shown_twenty_steps_a_second(managers: list[Manager]) -> None:
    swarm.run(mission(2), 0, gui=True)
    began = time.perf_counter()
    swarm.run(mission(20), 0, gui=True)
    assert 0.9 < time.perf_counter() - began < 6.0


@pytest.mark.parametrize("name", ["couzin", "olfati-saber", "netlogo-boids"])
def test_points_of_any_mission_are_shown(name: str, managers: list[Manager]) -> None:
    with Simulation(swarm.load_mission(name), 0) as sim:
        window = live.LiveWindow(sim)
        for _ in range(3):
            sim.step()
            window._next = window._rested = -np.inf
            assert window.show(sim)
        window.close()
        window.close()
        assert not window.show(sim)
    assert len(managers[0].canvas.shown) == 4
    assert managers[0].destroyed == 1


def _floor(window: live.LiveWindow) -> np.ndarray:
    """The colours of the cells in sight."""
    (image,) = [i for i in window._stage._views[0].axes.images if i.get_gid() == MARK]
    return np.array(image.get_array())


def test_walkers_are_shown_on_the_floor_plan_as_it_is_now(managers: list[Manager]) -> None:
    with Simulation(swarm.load_mission("hadimassa"), 0) as sim:
        window = live.LiveWindow(sim)
        before = managers[0].canvas.shown[0]
        yellow = np.array([0xED, 0xED, 0x31, 0xFF])
        assert (before == yellow).all(axis=-1).sum() > 200
        painted = [[16, column, OBSTACLE] for column in range(33)]  # no gap is left
        sim.paint(painted)
        sim.step()
        window._next = window._rested = -np.inf
        assert window.show(sim)
        assert sim.world.floor_plan is not None
        np.testing.assert_array_equal(_floor(window), cell_colours(sim.world.floor_plan))
        assert (_floor(window)[2:8, 10:30] == 0.0).all()  # black: no way to the goal
        window.close()
    assert (managers[0].canvas.shown[1] != before).any(axis=-1).mean() > 0.1


def test_a_page_that_changes_its_size_keeps_metres_alike(managers: list[Manager]) -> None:
    with Simulation(mission(), 0) as sim:
        window = live.LiveWindow(sim)
        page = managers[0].canvas.figure
        page.set_size_inches(16.0, 5.0)
        window._stage.forget()
        sim.step()
        window._next = window._rested = -np.inf
        window.show(sim)
        box = page.axes[0].bbox
        assert box.width == pytest.approx(box.height)
        window.close()


on_linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="X11 is tried on Linux only")


@on_linux
def test_no_display_is_one_line(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    assert main(["run", "vicsek", "--gui"]) == 2
    said = capfd.readouterr()
    assert said.err == "--gui: there is no display to open a window on ($DISPLAY is not set)\n"
    assert said.out == ""


@on_linux
def test_a_display_that_does_not_answer_is_one_line(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    monkeypatch.setenv("DISPLAY", ":9876")
    assert main(["run", "vicsek", "--gui"]) == 2
    assert capfd.readouterr().err == "--gui: no window can be opened on display :9876: nothing answers there\n"


def test_no_toolkit_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.setattr(screen, "_answers", lambda: True)
    monkeypatch.setattr(screen, "BACKENDS", ("NoSuchAgg",))
    with pytest.raises(BadInput, match="no toolkit for windows here"):
        screen.check_screen()


@pytest.fixture
def display(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A display without a screen."""
    server = shutil.which("Xvfb")
    if server is None:
        pytest.skip("no Xvfb")
    pytest.importorskip("tkinter")
    reading, writing = os.pipe()
    process = subprocess.Popen(
        [server, "-displayfd", str(writing), "-screen", "0", "1400x900x24"], pass_fds=[writing],
        stderr=subprocess.DEVNULL,
    )  # fmt: skip
    os.close(writing)
    with os.fdopen(reading) as said:
        number = said.readline().strip()
    monkeypatch.setenv("DISPLAY", f":{number}")
    yield
    process.terminate()
    process.wait()


@pytest.mark.slow
@pytest.mark.usefixtures("display")
def test_on_a_display_the_report_is_the_same(tmp_path: Path) -> None:
    words = [sys.executable, "-m", "swarm", "run", "netlogo-boids", "--set", "duration=30", "--set", "measure.from=0"]
    sums, said = [], []
    for name, more in (("plain.json", []), ("watched.json", ["--gui"])):
        done = subprocess.run(
            [*words, "--json", str(tmp_path / name), *more], capture_output=True, text=True, check=False
        )
        sums.append(json.loads((tmp_path / name).read_text())[0]["trajectory_sha256"])
        said.append(done.stdout + done.stderr)
    assert sums[0] == sums[1]
    assert said[0] == said[1]


def test_those_who_join_are_shown(managers: list[Manager]) -> None:
    crowd = swarm.load_mission("hadimassa", {"duration": 60.0, "task.episode": 20.0, "swarm.count": 5, "criteria": {}})
    with Simulation(crowd, 0) as sim:
        window = live.LiveWindow(sim)
        sim.step()
        sim.change({"swarm.count": 25})  # from 20 s on
        yellow = []
        for _ in range(59):
            sim.step()
            window._next = window._rested = -np.inf
            assert window.show(sim)
            image = managers[0].canvas.shown[-1][..., :3].astype(int)
            yellow.append(int(((image[..., 0] > 200) & (image[..., 1] > 200) & (image[..., 2] < 90)).sum()))
        assert len(sim.state.position) == 25
        assert np.mean(yellow[45:]) > 2.5 * np.mean(yellow[5:15])
        window.close()
