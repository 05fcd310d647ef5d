"""Videos: real-time length, readable by others, nothing half-written."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from swarm.errors import BadInput
from swarm.plots.animation import frames
from swarm.plots.encode import Format, moments
from swarm.plots.flown import flown
from swarm.plots.video import FORMATS, write_video

Make = Callable[..., tuple]


def test_mp4_plays_in_real_time(make_flight: Make, tmp_path: Path) -> None:
    import imageio_ffmpeg

    write_video(tmp_path / "v.mp4", *make_flight(seconds=2.0, lose=(3, 1.0)))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)
        reader = imageio_ffmpeg.read_frames(str(tmp_path / "v.mp4"))
        about = next(reader)
        pictures = [np.frombuffer(frame, np.uint8) for frame in reader]
    assert about["size"] == (1280, 720)
    assert about["fps"] == 25
    assert len(pictures) == 2 * 25 + 1  # a frame at both ends
    assert (pictures[0] != pictures[-1]).any()
    assert [p.name for p in tmp_path.iterdir()] == ["v.mp4"]


def test_gif_plays_in_real_time(make_flight: Make, tmp_path: Path) -> None:
    write_video(tmp_path / "v.gif", *make_flight(seconds=2.0))
    with Image.open(tmp_path / "v.gif") as picture:
        assert picture.size == (800, 450)
        assert picture.n_frames == 21
        lasting = []
        for k in range(picture.n_frames):
            picture.seek(k)
            lasting.append(picture.info["duration"])
    assert sum(lasting) == 2100  # ms


def test_same_flight_gives_same_gif(make_flight: Make, tmp_path: Path) -> None:
    for name in ("a.gif", "b.gif"):
        write_video(tmp_path / name, *make_flight(seconds=0.5))
    assert (tmp_path / "a.gif").read_bytes() == (tmp_path / "b.gif").read_bytes()


def test_a_single_sample_is_a_video_too(make_flight: Make, tmp_path: Path) -> None:
    write_video(tmp_path / "v.gif", *make_flight(seconds=0.0))
    with Image.open(tmp_path / "v.gif") as picture:
        picture.load()
        assert picture.size == (800, 450)


@pytest.mark.parametrize(
    "case", [{"count": 1, "formation": False}, {"count": 300, "formation": False, "series": False}]
)
def test_other_swarms_are_filmed(make_flight: Make, case: dict) -> None:
    flight = flown(*make_flight(seconds=0.5, **case))
    seen = [picture.copy() for picture in frames(flight, np.array([0.0, 0.25, 0.5]), (640, 360), 80.0)]
    assert all(picture.shape == (360, 640, 4) for picture in seen)
    assert (seen[0] != seen[2]).any()


def test_long_flights_are_played_faster() -> None:
    kind = Format(800, 450, 80.0, 10, 60.0)
    shown = moments(np.arange(0.0, 600.0, 0.1), kind)
    assert len(shown) == 601
    assert shown[0] == 0.0
    assert shown[-1] == pytest.approx(599.9)


def test_other_endings_are_bad_input(make_flight: Make, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"mp4 or \.gif"):
        write_video(tmp_path / "v.avi", *make_flight(seconds=0.0))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("ending", FORMATS)
def test_missing_folder_is_bad_input(make_flight: Make, tmp_path: Path, ending: str) -> None:
    with pytest.raises(BadInput, match="cannot be written"):
        write_video(tmp_path / "none" / f"v{ending}", *make_flight(seconds=0.1))
