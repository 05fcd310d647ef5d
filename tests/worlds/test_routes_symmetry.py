"""Worlds that are moved, mirrored or wrapped have ways that are moved, mirrored or wrapped."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from swarm.errors import BadInput
from swarm.worlds import Obstacle, World
from tests.worlds.test_routes import box, length, walk

ROOM = np.array([[-4.0, -3.0, 0.0], [4.0, 3.0, 2.5]])


def worlds(dim, boundary, seed):
    """A world of boxes and balls, a target with room around it, and points that are free."""
    rng = np.random.default_rng(seed)
    low, high = ROOM[:, :dim]
    parts = [
        Obstacle(
            ("box", "sphere")[k % 2], tuple(rng.uniform(low, high)), f"part {k}",
            size=tuple(rng.uniform(0.4, 1.5, dim)), radius=float(rng.uniform(0.2, 0.7)),
        )
        for k in range(6)
    ]  # fmt: skip
    world = World("parts", ROOM[:, :dim], boundary, boundary == "walls" and dim == 3, tuple(parts))
    points = rng.uniform(low, high, (60, dim))
    points = points[world.clearance(points)[0] > 0.4]
    return world, points[0], points[1:]


def moved(world, change):
    """With every centre changed."""
    parts = tuple(dataclasses.replace(o, center=tuple(change(np.array(o.center)).tolist())) for o in world.obstacles)
    bounds = np.sort(change(world.bounds), axis=0)
    return dataclasses.replace(world, bounds=bounds, obstacles=parts)


@pytest.mark.parametrize("boundary", ["walls", "torus", "open"])
@pytest.mark.parametrize("dim", [2, 3])
@given(seed=st.integers(0, 1000), shift=st.tuples(*[st.integers(-64, 64)] * 3))
@settings(max_examples=5, deadline=None)
def test_moving_the_world_moves_its_ways(dim, boundary, seed, shift):
    world, target, points = worlds(dim, boundary, seed)
    by = np.array(shift)[:dim] / 4.0
    here, there = world.route(target, 0.2), moved(world, lambda p: p + by).route(target + by, 0.2)
    np.testing.assert_array_equal(here.reachable(points), there.reachable(points + by))
    # Rounding decides between equal ways, and so which node is reached first.
    np.testing.assert_allclose(here.distance(points), there.distance(points + by), rtol=0.01)


@pytest.mark.parametrize("boundary", ["walls", "torus", "open"])
@pytest.mark.parametrize("dim", [2, 3])
@given(seed=st.integers(0, 1000), axis=st.integers(0, 1))
@settings(max_examples=5, deadline=None)
def test_in_the_mirror_ways_are_as_long(dim, boundary, seed, axis):
    world, target, points = worlds(dim, boundary, seed)
    sign = np.ones(dim)
    sign[axis] = -1.0
    here, there = world.route(target, 0.2), moved(world, lambda p: p * sign).route(target * sign, 0.2)
    np.testing.assert_array_equal(here.reachable(points), there.reachable(points * sign))
    np.testing.assert_allclose(here.distance(points), there.distance(points * sign), rtol=0.01)


@pytest.mark.parametrize("dim", [2, 3])
@given(seed=st.integers(0, 1000), shift=st.tuples(*[st.floats(-8.0, 8.0)] * 3))
@settings(max_examples=5, deadline=None)
def test_in_a_torus_it_does_not_matter_where_the_bounds_are(dim, seed, shift):
    world, target, points = worlds(dim, "torus", seed)
    by = np.array(shift)[:dim]
    rolled = dataclasses.replace(moved(world, lambda p: p + by), bounds=world.bounds)
    try:
        here, there = world.route(target, 0.2), rolled.route(rolled.space.wrap(target + by), 0.2)
    except BadInput:
        return
    both = here.reachable(points) & there.reachable(points + by)
    assert both.any()
    # Other nodes: ways differ by what the grid can resolve.
    ratio = there.distance(points + by)[both] / here.distance(points)[both]
    assert np.median(np.abs(ratio - 1.0)) < 0.02


@pytest.mark.parametrize("dim", [2, 3])
def test_in_a_torus_the_way_around_leads_across_the_seam_where_the_straight_one_is_walled_off(dim):
    wall = box(*(-1.0, 0.0, 1.25)[:dim], *(0.2, 6.0, 2.5)[:dim])  # from bound to bound
    world = World("wall", ROOM[:, :dim], "torus", False, (wall,))
    target = np.array([0.0, 0.5, 1.0][:dim])
    start = np.array([-2.0, 0.5, 1.0][:dim])
    route = world.route(target, 0.2)
    assert route.reachable(start)
    assert route.distance(start) == pytest.approx(6.0, rel=1e-6)  # 8 m around, less the 2 m through the wall
    assert route.direction(start)[0] == pytest.approx(-1.0)
    path = route.path(start)
    assert length(path) == pytest.approx(6.0, rel=1e-6)
    np.testing.assert_array_equal(path[-1], target)
    np.testing.assert_allclose(path[0], start + np.array([8.0, 0.0, 0.0][:dim]), atol=1e-9)
    assert length(walk(world, route, start)) == pytest.approx(6.0, abs=0.05)


@pytest.mark.parametrize("dim", [2, 3])
def test_in_an_empty_torus_the_way_is_the_shortest_displacement(dim):
    world = World("empty", ROOM[:, :dim], "torus", False)
    target = np.array([3.5, -2.5, 2.4][:dim])
    route = world.route(target)
    points = np.random.default_rng(0).uniform(3.0 * ROOM[0, :dim], 3.0 * ROOM[1, :dim], (200, dim))
    straight = world.space.displacement(points, np.broadcast_to(target, points.shape))
    away = np.linalg.norm(straight, axis=1)
    np.testing.assert_allclose(route.distance(points), away, rtol=1e-9)
    np.testing.assert_allclose(route.direction(points), straight / away[:, None], atol=1e-9)
    assert route.reachable(points).all()
