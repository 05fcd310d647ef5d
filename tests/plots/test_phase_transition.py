"""The figure of order against noise: the model's two ends, and what is written in it."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from swarm.plots import phase_transition as figure
from swarm.plots import style


def test_without_noise_all_come_to_fly_alike() -> None:
    assert figure.mean_order(0.0, 40, 3.1, 0, 400, 420) > 0.999


def test_full_noise_leaves_the_order_of_directions_at_random() -> None:
    assert figure.mean_order(2 * math.pi, 40, 3.1, 1, 10, 1500) == pytest.approx(figure.floor(40), rel=0.1)


def test_the_floor_is_the_mean_length_of_a_mean_of_unit_vectors() -> None:
    angle = np.random.default_rng(0).uniform(0, 2 * np.pi, (20_000, 100))
    order = np.hypot(np.cos(angle).mean(axis=1), np.sin(angle).mean(axis=1))
    assert figure.floor(100) == pytest.approx(0.0886, abs=1e-4)
    assert order.mean() == pytest.approx(figure.floor(100), rel=0.01)


def test_published_values_stand_at_their_noise() -> None:
    found = {swarm: np.linspace(1.0, 0.1, len(figure.NOISE)) for swarm in figure.PUBLISHED}
    with style.styled():
        (axes,) = figure.draw_transition(figure.NOISE, found).axes
    assert axes.get_xlabel() == "noise η (rad)"
    lines = {line.get_label(): line.get_xydata().tolist() for line in axes.lines}
    assert lines["published, N = 40"] == [[1.0, 0.958], [3.0, 0.652], [5.0, 0.206]]
    assert lines["published, N = 100"] == [[1.0, 0.953], [3.0, 0.619], [5.0, 0.131]]


def test_the_command_writes_the_picture(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(figure, "curves", lambda: {s: np.full(len(figure.NOISE), 0.5) for s in figure.PUBLISHED})
    assert figure.main([str(tmp_path / "p.png")]) == 0
    assert (tmp_path / "p.png").stat().st_size < 150_000
    assert "N  100, box 5 m, noise 3 rad: order 0.500, published 0.619" in capsys.readouterr().out


@pytest.mark.parametrize("name", ["p.jpg", "none/p.png"])
def test_bad_input_is_one_line(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert figure.main([str(tmp_path / name)]) == 2
    assert capsys.readouterr().err.count("\n") == 1
