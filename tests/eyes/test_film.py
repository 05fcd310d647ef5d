"""Films: at the speed it was flown, from every place, the same bytes, nothing half-written."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import swarm
from swarm.errors import BadInput
from swarm.eyes import filming as films
from swarm.eyes import takes
from swarm.eyes.cameras import check_view, make_camera
from swarm.eyes.lens import Lens
from swarm.plots.encode import Format

from .conftest import ROOM, make_mission, make_recording

SMALL = {".gif": Format(96, 54, 100.0, 10, 60.0), ".mp4": Format(96, 54, 100.0, 10, 60.0)}


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(films, "FORMATS", SMALL)


def read_gif(path: Path) -> list[np.ndarray]:
    """All frames, (H, W, 3)."""
    frames = []
    with Image.open(path) as picture:
        for k in range(picture.n_frames):
            picture.seek(k)
            frames.append(np.asarray(picture.convert("RGB")).astype(int))
    return frames


@pytest.mark.parametrize("view", ["chase", "top", "fixed", "onboard", "onboard:2"])
def test_every_view_shows_something_that_moves(view: str, tmp_path: Path) -> None:
    swarm.eyes.film(make_recording(), make_mission(), tmp_path / "f.gif", view)
    frames = read_gif(tmp_path / "f.gif")
    assert len(frames) == 11  # 1 s at 10 frames a second, one at both ends
    assert all(frame.shape == (54, 96, 3) for frame in frames)
    assert len(np.unique(frames[0].reshape(-1, 3), axis=0)) > 20
    changed = np.abs(frames[0] - frames[-1]).sum(axis=2)[12:] > 30  # below the clock
    assert changed.mean() > (0.0005 if view in ("top", "fixed") else 0.05)
    assert [file.name for file in tmp_path.iterdir()] == ["f.gif"]


@pytest.mark.parametrize("view", ["chase", "top"])
def test_same_flight_gives_same_bytes(view: str, tmp_path: Path) -> None:
    for name in ("a.gif", "b.gif", "a.mp4", "b.mp4"):
        swarm.eyes.film(make_recording(0.3), make_mission(), tmp_path / name, view)
    assert (tmp_path / "a.gif").read_bytes() == (tmp_path / "b.gif").read_bytes()
    assert (tmp_path / "a.mp4").read_bytes() == (tmp_path / "b.mp4").read_bytes()


def test_a_result_is_filmed_as_its_recording(tmp_path: Path) -> None:
    mission = make_mission(duration=0.5)
    result = swarm.run(mission, 4)
    swarm.eyes.film(result, mission, tmp_path / "a.gif", "fixed")
    swarm.eyes.film(result.trajectory, mission, tmp_path / "b.gif", "fixed", seed=4)
    assert (tmp_path / "a.gif").read_bytes() == (tmp_path / "b.gif").read_bytes()


def test_bodies_without_attitude_are_darts(tmp_path: Path) -> None:
    swarm.eyes.film(make_recording(0.3, attitude=False), make_mission(), tmp_path / "f.gif", "chase")
    assert len(read_gif(tmp_path / "f.gif")) == 4


FLAT = {
    "dim": 2, "bounds": [[-2.0, -4.0], [12.0, 4.0]], "boundary": "walls",
    "obstacles": [{"kind": "box", "center": [6.0, 2.0], "size": [1.0, 1.0]},
                  {"kind": "cylinder", "center": [6.0, -2.0], "radius": 0.5}],
}  # fmt: skip
OPEN = {"bounds": [[-50.0, -50.0, 0.0], [50.0, 50.0, 20.0]], "boundary": "open"}


@pytest.mark.parametrize("view", ["chase", "top", "fixed", "onboard"])
@pytest.mark.parametrize(
    ("world", "recording"),
    [
        (FLAT, {"dim": 2, "attitude": False}),
        ({**OPEN, "floor": True}, {}),
        (OPEN, {"count": 1}),
        (ROOM, {"seconds": 0.0}),
        (ROOM, {"count": 60}),
    ],
    ids=["flat", "open", "one-in-empty-space", "start-only", "crowd"],
)
def test_every_kind_of_flight_is_filmed(view: str, world: dict, recording: dict, tmp_path: Path) -> None:
    flown = make_recording(**{"seconds": 0.2, **recording})
    mission = make_mission(world, count=flown.position.shape[1])
    swarm.eyes.film(flown, mission, tmp_path / "f.gif", view)
    assert len(read_gif(tmp_path / "f.gif")) >= 1


@pytest.mark.parametrize("view", ["chase", "top", "onboard"])
def test_the_lost_are_filmed_too(view: str, tmp_path: Path) -> None:
    flown = make_recording(0.5)
    flown.alive[6:, 1] = False
    flown.alive[12:] = False
    swarm.eyes.film(flown, make_mission(), tmp_path / "f.gif", view)
    assert len(read_gif(tmp_path / "f.gif")) == 6


def test_zones_and_movers_are_drawn(tmp_path: Path) -> None:
    gate = {"kind": "gate", "order": 1, "center": [4.0, 0.0, 1.5], "size": [1.5, 1.0], "yaw": 0.0}
    mover = {
        "kind": "sphere", "center": [8.0, 0.0, 1.5], "radius": 0.5,
        "motion": {"path": [[8.0, 3.0, 1.5]], "speed": 2.0},
    }  # fmt: skip
    plain, full = ROOM, {**ROOM, "zones": [gate], "obstacles": [*ROOM["obstacles"], mover]}
    lens = Lens.at(np.array([-1.5, 0.0, 1.8]), np.array([6.0, 0.0, 1.5]), 70.0, 0.05, 50.0)
    shots = []
    for world in (plain, full):
        swarm.eyes.film(make_recording(0.5), make_mission(world), tmp_path / "f.gif", lens)
        shots.append(read_gif(tmp_path / "f.gif"))
    assert (shots[0][0] != shots[1][0]).any()
    unlike = [np.abs(shot[0] - shot[-1]).sum(axis=2) > 60 for shot in shots]
    assert unlike[1].sum() > unlike[0].sum()  # the ball rolls on


def test_agents_come_before_what_is_behind_them_and_behind_what_is_before_them(tmp_path: Path) -> None:
    world = {**ROOM, "obstacles": [{"kind": "box", "center": [2.0, 0.0, 1.5], "size": [0.5, 1.0, 3.0]}]}
    lens = Lens.at(np.array([-1.9, 0.0, 1.5]), np.array([1.0, 0.0, 1.5]), 30.0, 0.05, 50.0)
    recording = make_recording(1.0, count=1)  # flies along x into the picture, through the box
    mission = make_mission(world, count=1)
    kind = SMALL[".gif"]
    scene = films.scene_of(recording, mission, kind)
    frames = [picture.astype(int) for picture in takes.shoot(scene, make_camera(lens, scene, 0.5), mission, kind)]
    middle = [frame[20:34, 40:56] for frame in frames]
    before, behind = 2, len(frames) - 1  # at 0.6 m and at 3 m
    empty = np.median(np.stack(middle), axis=0)
    assert (np.abs(middle[before] - empty).sum(axis=2) > 40).any()
    assert not (np.abs(middle[behind] - empty).sum(axis=2) > 40)[5:9, 6:10].all()


def test_longer_films_are_no_longer_than_their_format_allows() -> None:
    scene = films.scene_of(make_recording(90.0), make_mission(), SMALL[".gif"])
    assert len(scene.time) == 601


def test_flights_between_samples_are_even() -> None:
    scene = films.scene_of(make_recording(1.0), make_mission(), Format(96, 54, 100.0, 25, 60.0))
    np.testing.assert_allclose(scene.position[:, 0, 0], 3.0 * scene.time, atol=1e-9)


def test_agents_are_drawn_larger_only_as_far_as_they_stay_apart() -> None:
    mission = make_mission()
    scene = films.scene_of(make_recording(1.0), mission, SMALL[".gif"])
    camera = make_camera("top", scene, 9 / 16)
    assert 1.0 < takes.magnified(scene, camera) <= 0.5 * 0.8 / (2 * scene.radius)
    near = dataclasses.replace(scene, position=scene.position * [1.0, 0.15, 1.0])  # 0.12 m apart: hulls that touch
    assert takes.magnified(near, camera) == 1.0


@pytest.mark.parametrize("view", ["side", "chase:1", "onboard:", "onboard:x", "onboard:-1", ""])
def test_unknown_views_are_named(view: str) -> None:
    if view == "onboard:":
        with pytest.raises(BadInput, match="number K"):
            check_view(view)
    else:
        with pytest.raises(BadInput, match="--view: expected"):
            check_view(view)


def test_the_agent_of_a_view_must_exist(tmp_path: Path) -> None:
    assert check_view("onboard:2", 3) == ("onboard", 2)
    with pytest.raises(BadInput, match="from 0 to 2, got 3"):
        swarm.eyes.film(make_recording(0.1), make_mission(), tmp_path / "f.gif", "onboard:3")
    assert list(tmp_path.iterdir()) == []


def test_other_endings_and_missing_folders_are_bad_input(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"mp4 or \.gif"):
        swarm.eyes.film(make_recording(0.1), make_mission(), tmp_path / "f.avi")
    with pytest.raises(BadInput, match="cannot be written"):
        swarm.eyes.film(make_recording(0.1), make_mission(), tmp_path / "none" / "f.gif", "top")
    assert list(tmp_path.iterdir()) == []
