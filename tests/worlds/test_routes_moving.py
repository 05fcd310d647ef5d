"""Routes where obstacles move, and what is kept from one search for the next."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from swarm.worlds import Obstacle
from swarm.worlds.motion import Motion
from tests.worlds.test_routes import PLANE, box, length, walk
from tests.worlds.test_routes_shortest import finely


def gateway(scene, dim):
    """A wall across most of the room with a gap that a sliding door closes at 0 s and has left open at 2 s."""
    deep = (5.0,) if dim == 3 else ()
    middle = (2.5,) if dim == 3 else ()
    low = box(0.0, -3.25, *middle, 0.4, 3.5, *deep, name="low")
    high = box(0.0, 2.25, *middle, 0.4, 2.5, *deep, name="high")  # open again beyond y = 3.5
    shut, ajar = (0.0, -0.25, *middle), (0.0, 2.25, *middle)
    door = Obstacle("box", shut, "door", size=(0.3, 2.6, *deep), motion=Motion(shut, (ajar,), 1.25, "once"))
    return scene.world(low, door, high, boundary="walls", floor=dim == 3, bounds=PLANE if dim == 2 else None)


@pytest.mark.parametrize("dim", [2, 3])
def test_the_way_goes_round_a_closed_door_and_through_it_when_it_is_open(scene, dim):
    world = gateway(scene, dim)
    start, target = np.array([-3.0, 0.0, 2.0][:dim]), np.array([3.0, -0.5, 2.0][:dim])
    shut, ajar = world.at(0.0).route(target, 0.2), world.at(2.0).route(target, 0.2)
    assert shut.path(start)[:, 1].max() > 3.5
    assert np.abs(ajar.path(start)[:, 1]).max() < 1.0
    assert shut.distance(start) > ajar.distance(start) + 2.0
    for world_then, route in ((world.at(0.0), shut), (world.at(2.0), ajar)):
        assert world_then.clearance(finely(route.path(start)))[0].min() > 0.2 - 0.3 * route.grid.cell
        places = walk(world_then, route, start)
        assert length(places) < 1.02 * route.distance(start)
    assert world.at(2.0).route(target, 0.2).distance(start) == ajar.distance(start)


@pytest.mark.parametrize("boundary", ["walls", "open", "torus"])
@pytest.mark.parametrize("dim", [2, 3])
def test_a_route_that_uses_what_was_kept_is_the_route_of_a_new_world_byte_for_byte(scene, dim, boundary):
    world = gateway(scene, dim)
    world = dataclasses.replace(world, boundary=boundary, floor=dim == 3 and boundary != "torus")
    if dim == 3:
        ball = Obstacle("sphere", (2.0, -3.0, 2.0), "ball", radius=0.4)
        world = dataclasses.replace(world, obstacles=(ball, *world.obstacles))
    for time, y, margin in ((0.0, 1.0, 0.2), (0.0, -1.0, 0.2), (1.3, -1.0, 0.1), (1.3, -1.0, 0.4), (0.7, 2.0, 0.3)):
        target = np.array([3.0, y, 2.0][:dim])
        kept = world.at(time).route(target, margin)
        fresh = dataclasses.replace(world).at(time).route(target, margin)
        for name in ("field", "ahead", "turn"):
            assert getattr(kept, name).tobytes() == getattr(fresh, name).tobytes()
    assert len(world.still.fields) == 1  # of the same grid, whatever the time, the target and the margin


def test_a_moved_obstacle_is_seen_where_it_is_as_if_it_stood_there(scene):
    world = gateway(scene, 3)
    target, points = np.array([3.0, -0.5, 2.0]), np.random.default_rng(0).uniform([-4, -4, 1], [4, 4, 4], (200, 3))
    for time in (0.4, 1.1):
        then = world.at(time)
        standing = dataclasses.replace(
            world, obstacles=tuple(dataclasses.replace(o, motion=None) for o in then.obstacles)
        )
        np.testing.assert_allclose(
            then.route(target, 0.2).distance(points), standing.route(target, 0.2).distance(points), rtol=1e-6
        )
