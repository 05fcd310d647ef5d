"""Ways around obstacles."""

from __future__ import annotations

import dataclasses
import itertools

import numpy as np
import pytest
from scipy.sparse import coo_array
from scipy.sparse.csgraph import dijkstra

from swarm.errors import BadInput
from swarm.worlds import Obstacle, build_world, load_world

PLANE = [[-5.0, -5.0], [5.0, 5.0]]


def box(*numbers, name="box"):
    """A box from its centre and size."""
    half = len(numbers) // 2
    return Obstacle("box", tuple(numbers[:half]), name, size=tuple(numbers[half:]))


def walk(world, route, start, step=0.02, limit=4000):
    """Follow the direction in short steps; returns where one went, (K, D)."""
    places = [np.array(start, dtype=np.float64)]
    for _ in range(limit):
        distance, direction = route.toward(places[-1][None])
        if distance[0] <= step:
            break
        places.append(places[-1] + step * direction[0])
    return np.array(places)


def length(corners):
    """Of a polyline, m."""
    return np.linalg.norm(np.diff(corners, axis=0), axis=1).sum()


@pytest.mark.parametrize("margin", [0.0, 0.3])
@pytest.mark.parametrize("dim", [2, 3])
def test_the_way_around_a_pillar_is_two_tangents_and_an_arc(scene, dim, margin):
    if dim == 2:
        world = scene.world(Obstacle("sphere", (0.0, 0.0), "disc", radius=1.0), boundary="walls", bounds=PLANE)
    else:
        pillar = Obstacle("cylinder", (0.0, 0.0, 2.5), "pillar", radius=1.0, height=5.0)
        world = scene.world(pillar, boundary="walls", floor=True)
    target, start = np.array([4.0, 0.0, 2.5][:dim]), np.array([-4.0, 0.0, 2.5][:dim])
    route = world.route(target, margin)
    radius = 1.0 + margin
    wanted = 2.0 * np.sqrt(16.0 - radius**2) + 2.0 * radius * np.arcsin(radius / 4.0)
    assert route.distance(start[None])[0] == pytest.approx(wanted, rel=0.02)
    path = route.path(start)
    assert length(path) == pytest.approx(route.distance(start[None])[0], rel=1e-9)
    np.testing.assert_array_equal(path[[0, -1]], [start, target])
    along = np.concatenate([np.linspace(a, b, 50) for a, b in itertools.pairwise(path)])
    assert world.clearance(along)[0].min() > margin - 0.02


def test_the_way_around_a_corner_turns_at_the_corner(scene):
    world = scene.world(box(0.0, -2.0, 1.0, 6.0), boundary="walls", bounds=PLANE)  # x -0.5...0.5, y -5...1
    start, target = np.array([-3.0, -2.0]), np.array([3.0, -2.0])
    wanted = 2.0 * np.hypot(2.5, 3.0) + 1.0
    assert world.route(target).distance(start) == pytest.approx(wanted, rel=0.03)


def test_over_a_wall_in_space(scene):
    world = scene.world(box(0.0, 0.0, 1.5, 1.0, 10.0, 3.0), boundary="walls", floor=True)
    start, target = np.array([-3.0, 1.0, 1.0]), np.array([3.0, 1.0, 1.0])
    wanted = 2.0 * np.hypot(2.5, 2.0) + 1.0
    assert world.route(target).distance(start) == pytest.approx(wanted, rel=0.05)


def reference(world, target, margin, cell=0.05):
    """Dijkstra over the plane in sixteen directions (longest by 2.8 %): nodes and their distances, margin kept."""
    axes = [np.arange(low + cell / 2.0, high, cell) for low, high in world.bounds[:, :2].T]
    nodes = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1)
    level = np.full((*nodes.shape[:2], 1), 2.0)
    free = world.clearance(np.concatenate((nodes, level), axis=2))[0] >= margin
    numbers = np.arange(free.size).reshape(free.shape)
    rows, columns, weights = [], [], []
    for di, dj in [(1, 0), (0, 1), (1, 1), (1, -1), (1, 2), (2, 1), (1, -2), (2, -1)]:
        here = (slice(0, -di or None), slice(max(0, -dj), -dj if dj > 0 else None))
        there = (slice(di, None), slice(max(0, dj), dj if dj < 0 else None))
        both = free[here] & free[there]
        rows.append(numbers[here][both])
        columns.append(numbers[there][both])
        weights.append(np.full(both.sum(), cell * np.hypot(di, dj)))
    graph = coo_array(
        (np.concatenate(weights), (np.concatenate(rows), np.concatenate(columns))), shape=(free.size, free.size)
    )
    goal = np.linalg.norm(nodes - target[:2], axis=2).argmin()
    return nodes.reshape(-1, 2), dijkstra(graph.tocsr(), directed=False, indices=goal)


@pytest.mark.parametrize("seed", [0, 1])
@pytest.mark.parametrize("margin", [0.1, 0.25])
def test_ways_through_a_forest_are_the_shortest_within_five_percent(seed, margin):
    forest, target = load_world("forest", seed=seed), np.array([32.0, 0.0, 2.0])
    nodes, wanted = reference(forest, target, margin)
    route = forest.route(target, margin)
    far = np.isfinite(wanted) & (wanted > 5.0)
    points = np.concatenate((nodes[far], np.full((far.sum(), 1), 2.0)), axis=1)
    ratio = route.distance(points) / wanted[far]
    assert ratio.max() < 1.05
    assert ratio.min() > 0.95
    assert ratio.mean() < 1.01


def test_a_world_that_is_not_upright_gives_the_same_ways_as_its_plan():
    forest, target = load_world("forest", seed=3), np.array([32.0, 0.0, 2.0])
    pebble = Obstacle("sphere", (36.0, 5.0, 1.0), "pebble", radius=0.1)
    spatial = dataclasses.replace(forest, obstacles=(*forest.obstacles, pebble))
    plan, space = forest.route(target, 0.2), spatial.route(target, 0.2)
    assert plan.grid.shape[2] == 1
    assert space.grid.shape[2] > 1
    points = np.random.default_rng(0).uniform([-5, -5, 0.5], [25, 5, 3.5], (300, 3))
    points = points[forest.clearance(points)[0] > 0.3]
    ratio = space.distance(points) / plan.distance(points)
    assert np.abs(ratio - 1.0).max() < 0.03


def test_where_the_target_is_in_sight_the_way_is_the_straight_line():
    forest, target = load_world("forest", seed=5), np.array([32.0, 0.0, 1.5])
    route = forest.route(target, 0.2)
    points = np.random.default_rng(1).uniform([4, -5, 0.5], [31, 5, 3.5], (2000, 3))
    share = np.linspace(0.0, 1.0, 400)[:, None, None]
    least = forest.clearance(target + share * (points - target))[0].min(axis=0)
    points = points[least > 0.35]
    assert len(points) > 100
    straight = target - points
    away = np.linalg.norm(straight, axis=1)
    np.testing.assert_allclose(route.distance(points), away, rtol=1e-9)
    np.testing.assert_allclose(route.direction(points), straight / away[:, None], atol=1e-9)


@pytest.mark.parametrize("dim", [2, 3])
def test_following_the_direction_leads_out_of_a_trap(scene, dim):
    if dim == 2:
        parts = [box(1.0, 0.0, 0.2, 4.0), box(-0.5, 2.0, 3.2, 0.2), box(-0.5, -2.0, 3.2, 0.2)]
        world = scene.world(*parts, boundary="walls", bounds=PLANE)
    else:
        parts = [box(1.0, 0.0, 1.5, 0.2, 4.0, 3.0), box(-0.5, 2.0, 1.5, 3.2, 0.2, 3.0)]
        parts += [box(-0.5, -2.0, 1.5, 3.2, 0.2, 3.0), box(-0.5, 0.0, 3.0, 3.2, 4.2, 0.2)]
        world = scene.world(*parts, boundary="walls", floor=True)
    target, start = np.array([4.0, 0.0, 1.0][:dim]), np.array([0.7, 0.0, 1.0][:dim])
    route = world.route(target, 0.2)
    places = walk(world, route, start)
    assert np.linalg.norm(places[-1] - target) < 0.03
    assert world.clearance(places[20:])[0].min() > 0.2 - route.grid.cell
    assert places[:, 0].min() < -2.0  # back out of the open side first
    assert length(places) < 1.03 * route.distance(start) + 0.05


def test_following_the_direction_through_forests_arrives_and_touches_nothing():
    for seed in range(5):
        forest, target = load_world("forest", seed=seed), np.array([32.0, 0.0, 1.5])
        route = forest.route(target, 0.2)
        for y in (-5.0, 0.0, 5.0):
            start = np.array([0.0, y, 2.5])
            places = walk(forest, route, start)
            assert np.linalg.norm(places[-1] - target) < 0.03
            assert forest.clearance(places)[0].min() > 0.2 - route.grid.cell
            assert length(places) < 1.02 * route.distance(start)


@pytest.mark.parametrize("yaw", [0.0, 0.3, np.pi / 4.0])
@pytest.mark.parametrize("dim", [2, 3])
def test_no_way_leads_through_a_wall_thinner_than_a_cell(scene, dim, yaw):
    size, center = (0.01, 40.0, 40.0)[:dim], (0.03, 0.0, 2.5)[:dim]
    sheet = Obstacle("box", center, "sheet", size=size, rpy=(0.0, 0.0, yaw))
    pebble = Obstacle("sphere", (4.0, 4.0, 0.5)[:dim], "pebble", radius=0.1)
    bounds = PLANE if dim == 2 else None
    world = scene.world(sheet, pebble, boundary="walls", floor=dim == 3, bounds=bounds)
    route = world.route(np.array([3.0, 0.0, 2.0][:dim]))
    points = np.random.default_rng(2).uniform(world.bounds[0] + 0.3, world.bounds[1] - 0.3, (400, dim))
    side = (points[:, 0] - 0.03) * np.cos(yaw) + points[:, 1] * np.sin(yaw)
    clearly = (np.abs(side) > 0.6) & (world.clearance(points)[0] > 0.3)
    np.testing.assert_array_equal(route.reachable(points)[clearly], side[clearly] > 0.0)


def test_inside_an_obstacle_the_direction_leads_out_of_it(scene):
    world = scene.world(box(0.0, 0.0, 2.0, 2.0), boundary="walls", bounds=PLANE)
    route = world.route(np.array([3.0, 0.0]), 0.2)
    inside = np.array([[-0.8, 0.0], [0.0, 0.85], [0.0, -0.85], [0.8, 0.1]])
    direction = route.direction(inside)
    outward = world.clearance(inside)[1]
    assert (np.einsum("ij,ij->i", direction, outward) > 0.7).all()
    assert not route.reachable(inside).any()


@pytest.mark.parametrize("name", ["forest", "city", "open-field"])
def test_everywhere_distance_is_finite_and_direction_a_unit_vector(name):
    world = load_world(name, seed=2)
    target = np.array([28.0, 0.0, 3.0])
    route = world.route(target, 0.2)
    beyond = 2.0 if world.boundary == "walls" else 50.0
    points = np.random.default_rng(3).uniform(world.bounds[0] - beyond, world.bounds[1] + beyond, (3000, 3))
    distance, direction = route.toward(points)
    assert np.isfinite(distance).all()
    assert (distance >= np.linalg.norm(points - target, axis=1) - 1e-9).all()
    np.testing.assert_allclose(np.linalg.norm(direction, axis=1), 1.0, atol=1e-12)
    np.testing.assert_array_equal(route.direction(target[None]), 0.0)
    np.testing.assert_array_equal(route.distance(target[None]), 0.0)


def test_without_obstacles_every_place_is_reachable_straight():
    field, target = load_world("open-field"), np.array([10.0, 0.0, 5.0])
    points = np.array([[0.0, 0.0, 1.0], [-400.0, 300.0, 9.0], [10.0, 0.0, 0.5]])
    route = field.route(target, 0.3)
    assert route.reachable(points).all()
    np.testing.assert_allclose(route.distance(points), np.linalg.norm(points - target, axis=1))
    np.testing.assert_array_equal(route.path(points[1]), [points[1], target])


def test_a_long_line_close_to_a_wall_is_free():
    world = build_world({"dim": 2, "bounds": [[0.0, 0.0], [60.0, 4.0]], "boundary": "walls"}, "hall")
    start = np.array([[x, y] for x in (1e-6, 1.0, 30.0) for y in (1e-9, 0.01, 0.5, 2.0, 3.99)])
    for across in (1e-9, 0.01, 2.0):
        assert world.route(np.array([59.0, across])).reachable(start).all()
    assert not world.route(np.array([59.0, 2.0])).reachable(np.array([[30.0, 0.0], [30.0, -1.0], [61.0, 2.0]])).any()


def test_far_outside_the_bounds_of_an_open_world_there_are_ways(scene):
    world = scene.world(box(0.0, 0.0, 2.0, 2.0), boundary="open", bounds=PLANE)
    route = world.route(np.array([3.0, 0.0]), 0.1)
    start = np.array([-40.0, 0.0])
    assert route.reachable(start)
    assert 43.0 < route.distance(start) < 44.0
    assert length(walk(world, route, start, step=0.05)) == pytest.approx(route.distance(start), rel=0.01)


def test_across_the_seam_of_a_torus_is_the_short_way(scene):
    world = scene.world(box(0.0, 0.0, 1.0, 9.0), boundary="torus", bounds=PLANE)
    route = world.route(np.array([4.5, 0.0]))
    start = np.array([[-4.0, 1.0]])
    np.testing.assert_allclose(route.distance(start), [np.hypot(1.5, 1.0)])
    np.testing.assert_allclose(route.direction(start), [np.array([-1.5, -1.0]) / np.hypot(1.5, 1.0)])


def test_answers_have_the_shape_of_the_points_and_a_route_is_remembered():
    forest, target = load_world("forest", seed=0), np.array([32.0, 0.0, 1.5])
    route = forest.route(target, 0.2)
    assert forest.route(target.copy(), 0.2) is route
    assert forest.route(target, 0.1) is not route
    points = np.zeros((2, 3, 3))
    points.setflags(write=False)
    assert route.distance(points).shape == (2, 3)
    assert route.direction(points).shape == (2, 3, 3)
    assert route.reachable(points).shape == (2, 3)


@pytest.mark.parametrize(
    ("target", "margin", "said"),
    [
        (
            (0.0, 0.0),
            0.0,
            "target: expected a place outside everything solid, got [0.0, 0.0], -1 m from box",
        ),
        ((3.0, 0.0), 2.5, "target: expected a place with 2.5 m of room around it nearby, got [3.0, 0.0]"),
        ((3.0, 0.0), np.nan, "margin: expected a finite number of metres, 0 or more, got nan"),
        ((7.0, 0.0), 0.0, "target: expected a place in the bounds"),
        ((np.nan, 0.0), 0.0, "target: expected 2 finite numbers"),
        ((1.0, 2.0, 3.0), 0.0, "target: expected 2 finite numbers"),
    ],
)
def test_a_target_that_cannot_be_reached_is_refused(scene, target, margin, said):
    world = scene.world(box(0.0, 0.0, 2.0, 2.0), boundary="walls", bounds=PLANE)
    with pytest.raises(BadInput) as caught:
        world.route(np.array(target), margin)
    assert len(caught.value.faults) == 1
    assert said in caught.value.faults[0]
