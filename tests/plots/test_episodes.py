"""Arrivals of each episode: in the result, and as a chart."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.colors import to_rgba
from matplotlib.figure import Figure
from matplotlib.patches import StepPatch

import swarm
from swarm.plots import style
from swarm.plots.episodes import CORRECTED, RUNNING, episode_length
from swarm.plots.flown import flown
from swarm.plots.timeline import draw_timeline
from swarm.result import Result

EPISODE = 30.0  # s


@pytest.fixture(scope="module")
def walked() -> tuple[swarm.Mission, Result]:
    """Three and a half short episodes, with a short way."""
    mission = swarm.load_mission("hadimassa").changed(
        {
            "duration": 3.5 * EPISODE, "task.episode": EPISODE, "swarm.count": 20, "criteria": {},
            "world": {"floor_plan": {"rows": ["SS......GGG", "SS......GGG", "SS......GGG"]}},
        }
    )  # fmt: skip
    return mission, swarm.run(mission, 1)


def _page(mission: swarm.Mission, result: Result) -> Figure:
    with style.styled():
        return draw_timeline(flown(mission, result))


def _line(axes: Axes, color: str) -> np.ndarray:
    (line,) = [line for line in axes.lines if to_rgba(line.get_color()) == to_rgba(color) and len(line.get_xdata()) > 2]
    return np.array(line.get_xydata())


def test_a_result_holds_the_arrivals_of_each_whole_episode(walked: tuple[swarm.Mission, Result]) -> None:
    _, result = walked
    assert len(result.arrivals) == 3
    assert sum(result.arrivals) > 0
    assert result.metrics["throughput"] == pytest.approx(np.mean(result.arrivals))
    assert result.table()["arrivals"] == list(result.arrivals)


def test_a_task_without_episodes_has_none() -> None:
    result = swarm.run(swarm.load_mission("vicsek").changed({"duration": 2.0, "measure.from": 0.0}), 0)
    assert result.arrivals == ()
    assert result.table()["arrivals"] == []


def test_the_timeline_begins_with_arrivals_and_both_means(walked: tuple[swarm.Mission, Result]) -> None:
    mission, result = walked
    axes = _page(mission, result).axes[0]
    steps = [patch for patch in axes.patches if isinstance(patch, StepPatch)]
    for patch in steps:
        np.testing.assert_allclose(patch.get_data().values, result.arrivals)
        np.testing.assert_allclose(patch.get_data().edges, EPISODE * np.arange(4.0))
    assert len(steps) == 2  # the area and its rim
    running, mean = [0.0], 0.0
    for arrived in result.arrivals:
        mean = 0.95 * mean + 0.05 * arrived
        running.append(mean)
    np.testing.assert_allclose(_line(axes, RUNNING), np.stack([EPISODE * np.arange(4.0), running], axis=1))
    corrected = [mean / (1.0 - 0.95**k) for k, mean in enumerate(running) if k]
    np.testing.assert_allclose(_line(axes, CORRECTED), np.stack([EPISODE * np.arange(1.0, 4.0), corrected], axis=1))
    assert "arrivals an episode of 30 s" in [text.get_text() for text in axes.texts]
    assert axes.get_ylabel() == "arrivals\n(1/episode)"


def test_constant_arrivals_are_their_own_corrected_mean(walked: tuple[swarm.Mission, Result]) -> None:
    mission, result = walked
    kept = result.arrivals
    try:
        result.arrivals = (7, 7, 7)
        np.testing.assert_allclose(_line(_page(mission, result).axes[0], CORRECTED)[:, 1], 7.0)
    finally:
        result.arrivals = kept


def test_before_the_first_episode_is_over_there_is_no_such_chart(walked: tuple[swarm.Mission, Result]) -> None:
    mission, result = walked
    kept = result.arrivals
    try:
        result.arrivals = ()
        assert "arrivals" not in _page(mission, result).axes[0].get_ylabel()
    finally:
        result.arrivals = kept


def test_an_episode_is_whole_steps_long(walked: tuple[swarm.Mission, Result]) -> None:
    mission, result = walked
    assert episode_length(flown(mission.changed({"task.episode": 30.4}), result)) == 30.0
