"""Pictures of crowds: marks head where agents head, roles have colours, nothing is drawn across a torus."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.colors import to_rgba
from numpy.testing import assert_allclose
from PIL import Image

from swarm.plots import style
from swarm.plots.agents import Agents, strips
from swarm.plots.animation import frames
from swarm.plots.charts import select
from swarm.plots.encode import moments
from swarm.plots.flight import write_pictures
from swarm.plots.flown import flown
from swarm.plots.following import Window, start_window, window_on
from swarm.plots.marks import arrows
from swarm.plots.moment import Moments, Watched, backwards
from swarm.plots.pace import pace
from swarm.plots.raster import fill
from swarm.plots.roles import CAUGHT, COLORS
from swarm.plots.snapshots import draw_snapshots, moments_of
from swarm.plots.timeline import draw_timeline
from swarm.plots.video import FORMATS, write_video
from swarm.plots.views import panels
from swarm.state import LEADER, MEMBER, PREDATOR, State
from swarm.worlds import World
from swarm.worlds.space import Torus
from tests.plots.flocks import SIDE, flock


def drawn(mission, result, sample: int):
    """Polygons and colours of a flock in a view from above."""
    flight = flown(mission, result)
    with style.styled():
        _, (panel, *_) = panels(np.array(flight.world.bounds), 0.5, (6.0, 6.0))
        return Agents(panel, flight.trajectory.role, 20.0).shapes(Moments(flight, 20.0)[sample])


def marks(mission, result, sample: int):
    """The direction marks alone: they are painted last, one for each living agent over its outline."""
    corners, colors = drawn(mission, result, sample)
    living = int(result.trajectory.alive[sample].sum())
    return corners[-2 * living :][1::2], colors[-2 * living :][1::2]


@pytest.mark.parametrize("speed", [0.03, 0.3, 5.0])
def test_marks_point_where_agents_fly(speed: float) -> None:
    mission, result = flock(speed=speed, steps=3)
    corners, _ = marks(mission, result, 3)
    place, velocity = result.trajectory.position[3], result.trajectory.velocity[3]
    tip = corners[:, 0] - place
    assert_allclose(tip / np.linalg.norm(tip, axis=1, keepdims=True), velocity / speed, atol=1e-9)


def test_marks_in_space_point_where_agents_fly_as_seen_from_above() -> None:
    mission, result = flock(dim=3)
    corners, _ = marks(mission, result, 5)
    tip, seen = corners[:, 0] - result.trajectory.position[5][:, :2], result.trajectory.velocity[5][:, :2]
    assert_allclose(tip[:, 0] * seen[:, 1], tip[:, 1] * seen[:, 0], atol=1e-9)
    assert ((tip * seen).sum(axis=1) > 0.0).all()


def test_a_mark_that_points_at_the_eye_is_shorter_and_as_wide() -> None:
    side_on, end_on = arrows(np.zeros((2, 2)), np.array([[1.0, 0.0], [1e-6, 0.0]]), np.ones(2))
    assert side_on[0, 0] == pytest.approx(1.0)
    assert end_on[0, 0] == pytest.approx(0.4, abs=1e-3)
    assert np.ptp(end_on[:, 1]) == pytest.approx(np.ptp(side_on[:, 1]))


@pytest.mark.parametrize("dim", [2, 3])
def test_no_trail_crosses_a_torus(dim: int) -> None:
    mission, result = flock(dim=dim, steps=60)
    for sample in (1, 30, 60):
        corners, _ = drawn(mission, result, sample)
        assert np.ptp(corners, axis=1).max() < 0.2 * SIDE


@given(st.integers(0, 2**32 - 1), st.floats(0.0, 0.45))
def test_a_trail_on_a_torus_is_the_way_that_was_flown(seed: int, longest: float) -> None:
    rng = np.random.default_rng(seed)
    steps = rng.uniform(-longest, longest, (6, 3, 2))
    way = rng.uniform(0.0, 1.0, (3, 2)) - np.concatenate([np.zeros((1, 3, 2)), np.cumsum(steps, axis=0)])
    space = Torus(np.zeros(2), np.ones(2))
    found = backwards(space.wrap(way), space)
    assert_allclose(found - space.wrap(way)[0], way[1:] - way[0], atol=1e-9)


def test_colours_tell_the_roles() -> None:
    mission, result = flock(30, leaders=3, predators=2)
    _, colors = marks(mission, result, 4)
    for kind, count in ((MEMBER, 30), (LEADER, 3), (PREDATOR, 2)):
        assert (np.abs(colors - to_rgba(COLORS[kind])).max(axis=1) < 1e-9).sum() == count


def test_predators_are_drawn_larger() -> None:
    corners, _ = marks(*flock(30, predators=2), 4)
    size = np.linalg.norm(corners[:, 0] - corners[:, 2], axis=1)
    assert size[30:].min() > 1.5 * size[:30].max()


def test_the_caught_fade_and_are_then_gone() -> None:
    mission, result = flock(30, steps=60, predators=1, caught={4: 10})
    opaque = []
    for sample in (9, 10, 20, 30, 45):
        _, colors = drawn(mission, result, sample)
        grey = colors[np.abs(colors[:, :3] - to_rgba(CAUGHT)[:3]).max(axis=1) < 1e-9]
        opaque.append(float(grey[0, 3]) if len(grey) else 0.0)
    assert opaque == pytest.approx([0.0, 1.0, 2 / 3, 1 / 3, 0.0])  # 1.5 s as shown are 30 steps


def test_lines_become_strips_of_their_width() -> None:
    (strip,) = strips(np.array([[[0.0, 0.0], [3.0, 4.0]]]), 0.5)
    assert np.linalg.norm(strip[0] - strip[3]) == pytest.approx(0.5)
    assert np.linalg.norm(strip[0] - strip[1]) == pytest.approx(5.0)


def white(high: int = 40, wide: int = 60):
    return np.full((high, wide, 4), 255, np.uint8)


def test_a_filled_polygon_covers_its_area() -> None:
    image = white()
    triangle = np.array([[[10.3, 5.2], [50.1, 12.7], [20.4, 33.9]]])
    fill(image, triangle, np.array([[0.0, 0.0, 0.0, 1.0]]), np.array([0, 0, 60, 40]))
    (a, b, c) = triangle[0]
    area = 0.5 * abs((b - a)[0] * (c - a)[1] - (b - a)[1] * (c - a)[0])
    assert (255.0 - image[..., 0]).sum() / 255.0 == pytest.approx(area, rel=0.005)


def test_whole_pixels_take_the_colour_and_mix_by_opacity() -> None:
    image = white()
    square = np.array([[[10.0, 10.0], [14.0, 10.0], [14.0, 14.0], [10.0, 14.0]]])
    fill(image, square, np.array([[1.0, 0.0, 0.2, 0.5]]), np.array([0, 0, 60, 40]))
    assert (image[10:14, 10:14, :3] == [255, 128, 153]).all()
    assert (image[..., :3] != 255).any(axis=2).sum() == 16


def test_nothing_is_painted_outside_the_view() -> None:
    image = white()
    corners = np.array([[[-5.0, -5.0], [100.0, -5.0], [100.0, 100.0], [-5.0, 100.0]], [[np.nan, 0.0]] * 4])
    fill(image, corners, np.tile([0.0, 0.0, 0.0, 1.0], (2, 1)), np.array([20, 10, 30, 15]))
    inside = np.zeros(image.shape[:2], bool)
    inside[10:15, 20:30] = True
    assert (image[inside][:, :3] == 0).all()
    assert (image[~inside] == 255).all()


@given(st.integers(0, 2**32 - 1))
def test_any_polygons_leave_a_picture(seed: int) -> None:
    rng = np.random.default_rng(seed)
    image = white()
    corners = rng.choice([-1e300, -3.0, 0.0, 7.5, 20.0, 59.9, 1e9, np.inf, np.nan], (20, 4, 2))
    fill(image, corners, rng.uniform(0, 1, (20, 4)), np.array([-10, -10, 1000, 1000]))
    assert (image[..., 3] == 255).all()


@pytest.mark.parametrize("dim", [2, 3])
def test_frames_show_where_the_flock_is(dim: int) -> None:
    flight = flown(*flock(30, 6, dim=dim, predators=1, caught={2: 3}))
    with style.styled():
        seen = [picture.copy() for picture in frames(flight, flight.time, (640, 360), 60.0, 20.0)]
    assert len(seen) == 7
    blue = np.array([0x00, 0x72, 0xB2])
    for picture in seen:
        assert (np.abs(picture[..., :3].astype(int) - blue).max(axis=2) < 20).sum() > 30
    assert all((a != b).any() for a, b in pairwise(seen))


def test_models_of_long_steps_are_filmed_a_frame_a_step(tmp_path: Path) -> None:
    import imageio_ffmpeg

    write_video(tmp_path / "v.mp4", *flock(20, 45))
    count, seconds = imageio_ffmpeg.count_frames_and_secs(str(tmp_path / "v.mp4"))
    assert count == 46
    assert seconds == pytest.approx(46 / 20, abs=0.06)
    write_video(tmp_path / "v.gif", *flock(20, 45))
    with Image.open(tmp_path / "v.gif") as picture:
        assert picture.n_frames == 23 or picture.n_frames == 24  # ten a second, two steps each


@pytest.mark.parametrize(("step", "times"), [(1.0, 20.0), (0.5, 10.0), (0.1, 1.0), (1 / 48, 1.0)])
def test_the_pace_is_the_clock_s_but_for_long_steps(step: float, times: float) -> None:
    assert pace(step) == times


def test_frames_of_a_faster_pace_are_further_apart() -> None:
    assert_allclose(moments(np.arange(41.0), FORMATS[".mp4"]._replace(fps=20), 20.0), np.arange(41.0))


def test_a_swarm_that_leaves_is_followed() -> None:
    window = Window(np.array([[0.0, 0.0], [10.0, 10.0]]), True)
    for shift in np.arange(0.0, 100.0, 0.5):
        places = np.array([[4.0, 4.0], [6.0, 6.0]]) + (shift, 0.0)
        window.see(places)
        assert (window.box[0] < places).all()
        assert (places < window.box[1]).all()
        assert_allclose(window.box[1] - window.box[0], 10.0)
    assert not window.see(places)  # and stands still once the swarm does


def test_a_swarm_that_spreads_makes_the_window_larger_in_shape() -> None:
    window = Window(np.array([[0.0, 0.0], [10.0, 5.0]]), True)
    places = np.array([[-20.0, 1.0], [30.0, 2.0]])
    assert window.see(places)
    assert (window.box[0] < places).all()
    assert (places < window.box[1]).all()
    across, up = window.box[1] - window.box[0]
    assert across / up == pytest.approx(2.0)


def test_only_an_open_empty_world_is_followed() -> None:
    for boundary, straight, follows in (("torus", True, False), ("open", True, True), ("open", False, False)):
        mission, result = flock(steps=200, boundary=boundary, straight=straight, speed=0.3 if straight else 0.01)
        flown_ = result.trajectory
        world = mission.build_world(0)
        low, high = flown_.position.min(axis=(0, 1)), flown_.position.max(axis=(0, 1))
        assert window_on(world, flown_.position, flown_.alive, np.stack([low, high]), False).follows == follows


def test_the_first_window_holds_the_swarm() -> None:
    places = np.random.default_rng(0).uniform(0, 7, (30, 3))
    low, high = start_window(places)
    assert (low < places).all()
    assert (places < high).all()
    assert np.ptp(high - low) == pytest.approx(0.0)


def test_a_flight_that_is_watched_shows_what_its_recording_shows() -> None:
    _, result = flock(30, 20, predators=1, caught={2: 5})
    trajectory = result.trajectory
    count = trajectory.position.shape[1]
    world = World("torus", np.array([[0.0, 0.0], [SIDE, SIDE]]), "torus", False)
    watched, recorded = Watched(world, count, 8), Moments(flown(*flock(30, 20, predators=1, caught={2: 5})), 20.0)
    for sample in range(21):
        state = State(
            float(sample), trajectory.position[sample], trajectory.velocity[sample], np.zeros((count, 4)),
            np.zeros((count, 3)), trajectory.alive[sample], trajectory.role, np.zeros(count, np.int64),
        )  # fmt: skip
        live, known = watched.add(state), recorded[sample]
    assert_allclose(live.trail, known.trail, atol=1e-9)
    assert_allclose(live.since, known.since)
    assert_allclose(live.direction[live.alive], known.direction[live.alive], atol=1e-9)


@pytest.mark.parametrize(
    "case", [{}, {"dim": 3}, {"predators": 2, "caught": {1: 3}}, {"boundary": "open"}, {"steps": 0}]
)
def test_every_kind_of_flock_is_drawn(case: dict, tmp_path: Path) -> None:
    write_pictures(tmp_path, *flock(**{"steps": 12, **case}))
    for name in ("flight.png", "paths.png", "timeline.png"):
        with Image.open(tmp_path / name) as picture:
            picture.load()
            assert picture.width >= 800


@pytest.mark.parametrize(("dim", "views"), [(2, 1), (3, 2)])
def test_snapshots_are_start_middle_and_end(dim: int, views: int) -> None:
    flight = flown(*flock(steps=20, dim=dim))
    assert moments_of(flight) == [0, 10, 20]
    with style.styled():
        page = draw_snapshots(flight)
    assert len(page.axes) == 3 * views
    titles = [axes.get_title() for axes in page.axes if axes.get_title()]
    assert [title.split(":")[0] for title in titles] == ["0 s", "10 s", "20 s"]


def test_charts_of_a_flock_are_those_of_flocks() -> None:
    mission, result = flock(30, predators=1, caught={1: 5, 2: 9})
    charts = {chart.name: chart for chart in select(flown(mission, result))}
    assert list(charts) == ["order", "compactness", "groups", "nearest_neighbour", "captures"]  # constant speed
    assert charts["captures"].values[[0, 5, 8, 9, 30]].tolist() == [0, 1, 1, 2, 2]
    assert_allclose(charts["compactness"].high - charts["compactness"].values, result.series["compactness_sd"])


def test_charts_of_a_flock_carry_units() -> None:
    with style.styled():
        page = draw_timeline(flown(*flock(30, predators=1, caught={1: 5})))
    labels = [axes.get_ylabel() for axes in page.axes]
    assert labels == ["order", "compactness (m)", "groups", "nearest neighbour (m)", "captures"]
    assert page.axes[-1].get_xlabel() == "time (s)"
