"""The pictures of a run: there, whole, right in size, labelled with units, the same from the same flight."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from swarm.bodies import Contact
from swarm.errors import BadInput
from swarm.plots import style
from swarm.plots.charts import select
from swarm.plots.flight import write_pictures
from swarm.plots.flown import Flown, flown
from swarm.plots.hero import SIZE, hero
from swarm.plots.paths import draw_paths
from swarm.plots.timeline import draw_timeline
from swarm.worlds import World

NAMES = ("flight.png", "paths.png", "timeline.png")
FLAT = {
    "dim": 2,
    "bounds": [[-4.0, -6.0], [36.0, 6.0]],
    "obstacles": [{"kind": "box", "center": [10.0, -3.0], "size": [4.0, 2.0], "rpy": [0.0, 0.0, 35.0]}],
}
OPEN = {"bounds": [[-50.0, -50.0, 0.0], [50.0, 50.0, 20.0]], "boundary": "open"}
Make = Callable[..., tuple]


@pytest.mark.parametrize(
    "case",
    [
        {},
        {"count": 1, "formation": False},
        {"count": 60, "formation": False},
        {"world": FLAT, "dim": 2},
        {"world": OPEN, "clearance": np.inf},
        {"lose": (3, 1.0), "contacts": (Contact(1.0, 3, -1, 2, 1.2), Contact(0.5, 0, 1, -1, 0.3))},
        {"count": 1, "formation": False, "lose": (0, 0.5)},
        {"seconds": 0.0},
        {"series": False, "target": False, "formation": False},
    ],
    ids=["formation", "one", "crowd", "flat", "open", "lost", "all-lost", "start-only", "bare"],
)
def test_every_kind_of_flight_is_drawn(make_flight: Make, tmp_path: Path, case: dict) -> None:
    mission, result = make_flight(**{"seconds": 2.0, **case})
    write_pictures(tmp_path, mission, result)
    assert sorted(p.name for p in tmp_path.iterdir()) == sorted(NAMES)
    for name in NAMES:
        with Image.open(tmp_path / name) as picture:
            picture.load()
            assert picture.width >= 800
            assert len(picture.convert("L").getcolors(256) or range(256)) > 10  # something is drawn


def test_same_flight_gives_same_bytes(make_flight: Make, tmp_path: Path) -> None:
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        write_pictures(tmp_path / folder, *make_flight())
    for name in NAMES:
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()


def test_hero_has_the_size_of_a_readme_picture(make_flight: Make, tmp_path: Path) -> None:
    hero(tmp_path / "hero.png", *make_flight())
    with Image.open(tmp_path / "hero.png") as picture:
        assert picture.size == SIZE == (1600, 700)


def test_axes_carry_units(make_flight: Make) -> None:
    flight = flown(*make_flight())
    with style.styled():
        labels = [(a.get_xlabel(), a.get_ylabel()) for a in draw_paths(flight).axes]
        charts = draw_timeline(flight).axes
        assert labels == [("x (m)", "y (m)"), ("x (m)", "z (m)")]
        assert [a.get_ylabel() for a in charts] == [
            "separation (m)", "clearance (m)", "formation error (m)", "order", "speed (m/s)",
        ]  # fmt: skip
        assert charts[-1].get_xlabel() == "time (s)"


def test_metres_are_equally_long_in_both_views(make_flight: Make) -> None:
    with style.styled():
        page = draw_paths(flown(*make_flight()))
    lengths = []
    for axes in page.axes:
        box = axes.get_window_extent()
        (left, right), (low, high) = axes.get_xlim(), axes.get_ylim()
        lengths += [box.width / (right - left), box.height / (high - low)]
    np.testing.assert_allclose(lengths, lengths[0], rtol=1e-9)


def test_criteria_are_dashed_lines_at_their_limits(make_flight: Make) -> None:
    with style.styled():
        page = draw_timeline(flown(*make_flight()))
    separation, formation_error = page.axes[0], page.axes[2]
    assert any(line.is_dashed() and line.get_ydata()[0] == 0.3 for line in separation.lines)
    assert any(line.is_dashed() and line.get_ydata()[0] == 0.35 for line in formation_error.lines)


def test_a_criterion_over_a_stretch_is_drawn_over_that_stretch(make_flight: Make) -> None:
    criteria = {"formation_error": {"at_most": 0.1, "from": 2.0, "to": 4.0, "over": "steps"}}
    with style.styled():
        page = draw_timeline(flown(*make_flight(criteria=criteria)))
    axes = page.axes[2]
    (limit,) = (line for line in axes.lines if line.is_dashed())
    assert list(limit.get_xdata()) == [2.0, 4.0]
    label = next(text.get_text() for text in axes.texts if "≤" in text.get_text())
    assert "every step ≤ 0.1 m" in label
    assert "2 to 4 s: NOT MET" in label


def test_charts_without_finite_values_are_left_out(make_flight: Make) -> None:
    names = [chart.name for chart in select(flown(*make_flight(world=OPEN, clearance=np.inf)))]
    assert "min_clearance" not in names
    bare = [chart.name for chart in select(flown(*make_flight(series=False)))]
    assert bare == ["min_clearance", "speed"]  # from the trajectory itself


def test_a_lost_agents_path_ends_where_it_was_lost(make_flight: Make) -> None:
    flight = flown(*make_flight(lose=(3, 1.0)))
    assert flight.lost.tolist() == [-1, -1, -1, 48, -1]
    assert np.isfinite(flight.position[:49, 3]).all()
    assert np.isnan(flight.position[49:, 3]).all()
    assert not (flight.links(100) == 3).any()


def test_formation_lines_join_neighbours_of_the_v(make_flight: Make) -> None:
    flight = flown(*make_flight())
    for sample in (0, 150, len(flight.time) - 1):
        assert sorted(map(tuple, np.sort(flight.links(sample)))) == [(0, 1), (0, 2), (1, 3), (2, 4)]


def test_paths_break_where_a_torus_wraps(make_flight: Make) -> None:
    mission, result = make_flight()
    result.trajectory.position[..., 0] = (result.trajectory.position[..., 0] + 4.0) % 8.0 - 4.0
    torus = World("torus", np.array([[-4.0, -6.0, 0.0], [4.0, 6.0, 4.0]]), "torus", False)
    _, lines = Flown(mission, result, result.trajectory, torus).paths((0, 1))
    for line in lines:
        assert 3 <= np.isnan(line[:, 0]).sum() <= 5  # 32 m around a circumference of 8 m
        assert np.nanmax(np.abs(np.diff(line[:, 0]))) < 1.0


def test_snapshots_are_at_round_times_and_end_with_the_last(make_flight: Make) -> None:
    flight = flown(*make_flight(seconds=21.1))
    assert flight.time[flight.snapshots(9)].round(2).tolist() == [0, 3, 6, 9, 12, 15, 18, 21.1]


def test_own_matplotlib_settings_neither_matter_nor_change(make_flight: Make, tmp_path: Path) -> None:
    import matplotlib

    before = dict(matplotlib.rcParams)
    (tmp_path / "plain").mkdir()
    (tmp_path / "odd").mkdir()
    write_pictures(tmp_path / "plain", *make_flight(seconds=1.0))
    assert dict(matplotlib.rcParams) == before
    with matplotlib.rc_context({"font.size": 25.0, "axes.facecolor": "black"}):
        write_pictures(tmp_path / "odd", *make_flight(seconds=1.0))
    for name in NAMES:
        assert (tmp_path / "plain" / name).read_bytes() == (tmp_path / "odd" / name).read_bytes()


def test_missing_folder_is_bad_input(make_flight: Make, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="cannot be written"):
        write_pictures(tmp_path / "none", *make_flight(seconds=1.0))
