"""What agents see agrees with the geometry of the world, and looking changes nothing."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import swarm
from swarm.errors import BadInput
from swarm.eyes.lens import Lens
from swarm.eyes.props import Cast
from swarm.eyes.stage import Stage
from swarm.worlds import World, build_world

from .conftest import ROOM, make_mission

CENTRE = (23, 31)  # of 48 x 64 pixels


def traced(world: World, lens: Lens, width: int, height: int) -> tuple[Any, Any]:
    """Depth and surface in each pixel by sphere tracing (Hart 1996) through `world.nearest`."""
    rays = lens.rays(width, height)
    long = np.linalg.norm(rays, axis=-1)
    unit = rays / long[..., None]
    gone = np.zeros(long.shape)
    for _ in range(400):
        gone = gone + np.maximum(world.clearance(lens.eye + gone[..., None] * unit)[0], 0.0)
    return gone / long, world.nearest(lens.eye + gone[..., None] * unit)[2]


@pytest.mark.parametrize("distance", [0.1, 0.5, 2.0, 9.5])
def test_a_wall_is_as_far_away_as_it_is(distance: float) -> None:
    world = build_world({"name": "box", "bounds": [[0, -20, 0], [20, 20, 20]], "boundary": "walls"}, "box.toml", 0)
    stage = Stage(world, Cast(1, 0.06))
    eye = np.array([20.0 - distance, 0.0, 10.0])
    picture = stage.picture(Lens.at(eye, eye + [1.0, 0.0, 0.0], 90.0, 0.02, 12.0), 64, 48)
    stage.close()
    wall = picture.segmentation == world.surfaces.index("wall x+")
    assert wall[CENTRE]
    # Depth is along the optical axis, so a wall across it is equally deep everywhere.
    np.testing.assert_allclose(picture.depth[wall], distance, rtol=0.01)


def test_every_pixel_agrees_with_sphere_tracing(pyramid: Path) -> None:
    stack = {"kind": "mesh", "name": "pyramid", "center": [7.0, 1.0, 1.2], "file": pyramid.name}
    world = build_world({**ROOM, "obstacles": [*ROOM["obstacles"], stack]}, pyramid.parent / "room.toml", 0)
    lens = Lens.at(np.array([0.0, 0.2, 1.6]), np.array([6.0, 0.0, 1.3]), 80.0, 0.02, 30.0)
    stage = Stage(world, Cast(1, 0.06))
    picture = stage.picture(lens, 64, 48)
    stage.close()
    depth, surface = traced(world, lens, 64, 48)
    same = picture.segmentation == surface
    assert same.mean() > 0.985  # but for pixels on an outline
    assert {"crate", "ball", "pyramid", "floor"} <= {world.surfaces[k] for k in np.unique(surface)}
    flat = same & (surface != world.surfaces.index("ball"))
    np.testing.assert_allclose(picture.depth[flat], depth[flat], rtol=0.01)
    ball = same & (surface == world.surfaces.index("ball"))  # made of flat faces
    np.testing.assert_allclose(picture.depth[ball], depth[ball], atol=0.05)


def test_agents_see_each_other_and_not_themselves() -> None:
    mission = make_mission(swarm={"count": 2, "spawn": {"shape": "line", "spacing": 0.5, "center": [0.0, 0.0, 1.5]}})
    with swarm.Simulation(mission, 0) as sim:
        first = len(sim.world.surfaces)
        seen = [swarm.eyes.look(sim, agent, size=(64, 48), field_of_view=150.0) for agent in range(2)]
        assert (seen[0].segmentation != first).all()
        assert (seen[1].segmentation != first + 1).all()
        # Side by side and headed along x: neither has the other in front. One step back, it has.
        ahead = sim.state.position[1] - sim.state.position[0]
        sim.state.position[0] = sim.state.position[1] - [0.4, 0.0, 0.0] + 0.0 * ahead
        behind = swarm.eyes.look(sim, 0, size=(64, 48), field_of_view=60.0)
        assert (behind.segmentation == first + 1).any()
        depth = behind.depth[behind.segmentation == first + 1]
        assert 0.34 < depth.min() <= depth.max() < 0.46  # 0.4 m and a hull of 0.06 m about it


def test_where_there_is_nothing_depth_is_far() -> None:
    world = build_world({"name": "sky", "bounds": [[-9, -9, 0], [9, 9, 9]], "boundary": "open"}, "sky.toml", 0)
    stage = Stage(world, Cast(1, 0.06))
    picture = stage.picture(Lens.at(np.array([0.0, 0.0, 5.0]), np.array([1.0, 0.0, 5.0]), 90.0, 0.02, 10.0), 8, 6)
    stage.close()
    assert (picture.segmentation == -1).all()
    assert (picture.depth == np.float32(10.0)).all()


def test_what_is_beyond_far_is_not_seen() -> None:
    with swarm.Simulation(make_mission(), 0) as sim:
        picture = swarm.eyes.look(sim, 1, size=(64, 48), far=3.0)
        assert picture.depth.max() == np.float32(3.0)
        assert picture.segmentation[CENTRE] == -1  # the wall is 12 m away
        assert swarm.eyes.look(sim, 1, size=(64, 48), far=30.0).depth[CENTRE] == pytest.approx(12.0, rel=0.01)


def test_an_obstacle_that_moves_is_seen_where_it_is() -> None:
    mover = {
        "kind": "box", "name": "door", "center": [4.0, 0.0, 1.5], "size": [0.2, 3.0, 3.0],
        "motion": {"path": [[8.0, 0.0, 1.5]], "speed": 1.0, "mode": "once"},
    }  # fmt: skip
    world = build_world({**ROOM, "obstacles": [mover]}, "room.toml", 0)
    stage = Stage(world, Cast(1, 0.06))
    lens = Lens.at(np.array([0.0, 0.0, 1.5]), np.array([1.0, 0.0, 1.5]), 40.0, 0.02, 30.0)
    for time in (0.0, 2.5):
        stage.show(time, np.full((1, 3), -1.0), np.zeros((1, 3)), None, np.ones(1, bool))
        assert stage.picture(lens, 64, 48).depth[CENTRE] == pytest.approx(3.9 + time, rel=0.01)
    stage.close()


def test_a_flight_with_cameras_is_the_same_to_the_last_bit() -> None:
    mission = make_mission(duration=1.0)
    digests = []
    for looking in (False, True):
        with swarm.Simulation(mission, 3) as sim:
            while not sim.done:
                sim.step()
                if looking and sim.steps % 6 == 0:
                    swarm.eyes.look(sim, sim.steps % 3, size=(16, 12))
            digests.append(sim.trajectory.sha256())
    assert digests[0] == digests[1]


def test_the_lost_see_zeros() -> None:
    with swarm.Simulation(make_mission(), 0) as sim:
        sim.state.alive[1] = False
        picture = swarm.eyes.look(sim, 1, size=(16, 12))
        assert not any(part.any() for part in picture)
        assert swarm.eyes.look(sim, 0, size=(16, 12)).rgb.any()


def test_bad_agents_and_settings_are_named() -> None:
    with swarm.Simulation(make_mission(), 0) as sim:
        with pytest.raises(BadInput, match="agent: expected a number from 0 to 2, got 3"):
            swarm.eyes.look(sim, 3)
        with pytest.raises(BadInput, match=r"look\.?:? ?size|size"):
            swarm.eyes.look(sim, 0, size=(0, 12))
        with pytest.raises(BadInput, match="far"):
            swarm.eyes.look(sim, 0, far=float("nan"))


def test_closing_lets_go_of_the_client() -> None:
    from swarm.worlds.engine import pybullet

    world = build_world(ROOM, "room.toml", 0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        stage = Stage(world, Cast(2, 0.06))
        client = stage._client
        stage.close()
        stage.close()
    assert not pybullet.isConnected(client)
