"""Signed distance and outward normal of boxes, spheres, cylinders and bounding planes."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from swarm.worlds import Obstacle

BOX = Obstacle("box", (0.0, 0.0, 0.0), "box", size=(2.0, 4.0, 6.0))
BALL = Obstacle("sphere", (1.0, 2.0, 3.0), "ball", radius=0.5)
TRUNK = Obstacle("cylinder", (0.0, 0.0, 0.0), "trunk", radius=1.0, height=4.0)


@pytest.mark.parametrize(
    ("obstacle", "point", "distance", "normal"),
    [
        (BOX, (3.0, 0.0, 0.0), 2.0, (1.0, 0.0, 0.0)),
        (BOX, (4.0, 6.0, 0.0), 5.0, (0.6, 0.8, 0.0)),  # 3-4-5 from an edge
        (BOX, (2.0, 4.0, 5.0), 3.0, (1.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0)),  # 1-2-2 from a corner
        (BOX, (0.25, 0.0, 0.0), -0.75, (1.0, 0.0, 0.0)),
        (BOX, (0.0, 0.0, -2.9), -0.1, (0.0, 0.0, -1.0)),
        (BOX, (0.0, 0.0, 0.0), -1.0, (1.0, 0.0, 0.0)),  # centre: the nearest face, the upper of two
        (BOX, (1.0, 0.5, 0.5), 0.0, (1.0, 0.0, 0.0)),
        (BOX, (1.0, 2.0, 3.0), 0.0, (1.0, 0.0, 0.0)),
        (BALL, (1.0, 2.0, 5.0), 1.5, (0.0, 0.0, 1.0)),
        (BALL, (1.0, 2.0, 3.0), -0.5, (1.0, 0.0, 0.0)),
        (TRUNK, (3.0, 4.0, 0.5), 4.0, (0.6, 0.8, 0.0)),
        (TRUNK, (0.0, 0.0, 3.5), 1.5, (0.0, 0.0, 1.0)),
        (TRUNK, (4.0, 0.0, 6.0), 5.0, (0.6, 0.0, 0.8)),
        (TRUNK, (0.0, 0.0, 0.0), -1.0, (1.0, 0.0, 0.0)),  # axis
        (TRUNK, (0.0, 0.0, -1.9), -0.1, (0.0, 0.0, -1.0)),
        (TRUNK, (1.0, 0.0, 2.0), 0.0, (1.0, 0.0, 0.0)),  # rim
    ],
)
def test_distance_and_normal_from_geometry(scene, obstacle, point, distance, normal):
    found, direction = scene.world(obstacle).clearance(np.array([point]))
    np.testing.assert_allclose(found, [distance], atol=1e-12)
    np.testing.assert_allclose(direction, [normal], atol=1e-12)


def surface_points(obstacle, rng, count=200_000):
    """Points spread over an obstacle's surface, world frame."""
    if obstacle.kind == "sphere":
        points = rng.normal(size=(count, 3))
        points *= obstacle.radius / np.linalg.norm(points, axis=1, keepdims=True)
    elif obstacle.kind == "box":
        points = rng.uniform(-0.5, 0.5, (count, 3))
        axis = rng.integers(3, size=count)
        points[np.arange(count), axis] = rng.choice([-0.5, 0.5], count)
        points *= obstacle.size
    else:
        angle = rng.uniform(0.0, 2.0 * np.pi, count)
        side = rng.random(count) < 0.5
        radius = np.where(side, 1.0, np.sqrt(rng.random(count))) * obstacle.radius
        height = np.where(side, rng.uniform(-0.5, 0.5, count), rng.choice([-0.5, 0.5], count)) * obstacle.height
        points = np.stack((radius * np.cos(angle), radius * np.sin(angle), height), axis=1)
    return points @ obstacle.rotation.T + np.asarray(obstacle.center)


@pytest.mark.parametrize("kind", ["box", "sphere", "cylinder"])
def test_distance_agrees_with_points_sampled_on_the_surface(scene, kind):
    rng = np.random.default_rng(3)
    for obstacle in scene.scattered(kind, 4, rng):
        surface = surface_points(obstacle, rng)
        points = rng.uniform(scene.room[0], scene.room[1], (20, 3))
        distance, normal = scene.world(obstacle).clearance(points)
        sampled = np.array([np.linalg.norm(surface - point, axis=1).min() for point in points])
        # The nearest sample is no nearer than the surface, and never much farther.
        assert (sampled - np.abs(distance) > -1e-12).all()
        assert (sampled - np.abs(distance) < 0.02).all()
        foot = points - distance[:, None] * normal
        np.testing.assert_allclose(scene.world(obstacle).clearance(foot)[0], 0.0, atol=1e-9)


def test_distance_of_many_is_the_least_of_each_alone(scene):
    rng = np.random.default_rng(5)
    obstacles = [o for kind in ("box", "sphere", "cylinder") for o in scene.scattered(kind, 25, rng)]
    points = rng.uniform(scene.room[0] - 2.0, scene.room[1] + 2.0, (500, 3))
    distance, normal, surface = scene.world(*obstacles, boundary="walls", floor=True).nearest(points)
    sides = np.concatenate((points - scene.room[0], scene.room[1] - points), axis=1)[:, [2, 5, 0, 3, 1, 4]]
    each = np.concatenate((np.stack([scene.world(o).clearance(points)[0] for o in obstacles], axis=1), sides), axis=1)
    np.testing.assert_allclose(distance, each.min(axis=1), atol=1e-12)
    np.testing.assert_array_equal(surface, each.argmin(axis=1))
    np.testing.assert_allclose(np.linalg.norm(normal, axis=1), 1.0, atol=1e-12)


coordinate = st.floats(-20.0, 20.0)
angle = st.floats(-np.pi, np.pi)


@given(st.sampled_from(["box", "sphere", "cylinder"]), st.tuples(*[coordinate] * 6), st.tuples(angle, angle, angle))
def test_distance_is_the_same_in_every_frame(scene, kind, places, rpy):
    point, center = np.array(places[:3]), places[3:]
    shape = {"size": (1.0, 2.0, 0.5), "radius": 0.7, "height": 1.5}
    turned = Obstacle(kind, center, "turned", rpy=rpy, **shape)
    still = Obstacle(kind, (0.0, 0.0, 0.0), "still", **shape)
    distance, normal = scene.world(turned).clearance(point[None])
    own = (point - np.array(center)) @ turned.rotation
    wanted, direction = scene.world(still).clearance(own[None])
    np.testing.assert_allclose(distance, wanted, atol=1e-9)
    if abs(wanted[0]) > 1e-6 and wanted[0] > 0.0:
        np.testing.assert_allclose(normal, direction @ turned.rotation.T, atol=1e-6)


@given(st.tuples(*[coordinate] * 3), st.tuples(*[st.floats(-0.5, 0.5)] * 3))
def test_distance_never_changes_faster_than_one_moves(scene, point, step):
    obstacles = scene.scattered("box", 3, np.random.default_rng(1)) + scene.scattered(
        "cylinder", 3, np.random.default_rng(2)
    )
    both = np.array([point, np.add(point, step)])
    distance, _ = scene.world(*obstacles, boundary="walls", floor=True).clearance(both)
    assert abs(distance[1] - distance[0]) <= np.linalg.norm(step) + 1e-9


@given(st.lists(st.sampled_from([-2.0, -1.0, -0.5, 0.0, 0.5, 1.0, 2.0]), min_size=3, max_size=3))
def test_special_places_have_finite_unit_normals(scene, point):
    for obstacle in (BOX, TRUNK, Obstacle("sphere", (0.0, 0.0, 0.0), "ball", radius=0.5)):
        distance, normal = scene.world(obstacle).clearance(np.array([point]))
        assert np.isfinite(distance).all()
        np.testing.assert_allclose(np.linalg.norm(normal, axis=1), 1.0, atol=1e-12)


def test_obstacles_of_the_plane_are_discs_and_rectangles(scene):
    bounds = np.array([[-9.0, -9.0], [9.0, 9.0]])
    turned = Obstacle("box", (0.0, 0.0), "box", size=(2.0, 2.0), rpy=(0.0, 0.0, np.pi / 4.0))
    flat = scene.world(turned, Obstacle("cylinder", (5.0, 0.0), "disc", radius=1.0), boundary="walls", bounds=bounds)
    distance, normal, surface = flat.nearest(np.array([[2.0, 0.0], [5.0, 2.0], [0.0, -8.5], [5.0, 0.0]]))
    np.testing.assert_allclose(distance, [2.0 - np.sqrt(2.0), 1.0, 0.5, -1.0])
    np.testing.assert_allclose(normal, [[1.0, 0.0], [0.0, 1.0], [0.0, 1.0], [1.0, 0.0]], atol=1e-12)
    assert [flat.surfaces[s] for s in surface] == ["box", "disc", "wall y-", "disc"]


def test_a_world_without_surfaces_is_endlessly_clear(scene):
    distance, normal, surface = scene.world().nearest(np.zeros((2, 3)))
    assert np.isposinf(distance).all()
    np.testing.assert_array_equal(normal, 0.0)
    np.testing.assert_array_equal(surface, -1)


def test_points_of_any_shape_are_answered_in_that_shape(scene):
    points = np.random.default_rng(0).uniform(-2.0, 2.0, (2, 3, 4, 3))
    points.setflags(write=False)
    distance, normal = scene.world(BALL, BOX).clearance(points)
    assert distance.shape == (2, 3, 4)
    assert normal.shape == points.shape
    one, direction = scene.world(BALL, BOX).clearance(points[1, 2, 3])
    assert one == distance[1, 2, 3]
    np.testing.assert_array_equal(direction, normal[1, 2, 3])


def test_in_a_torus_an_obstacle_is_near_across_the_seam(scene):
    ball = Obstacle("sphere", (4.5, 0.0, 2.5), "ball", radius=0.25)
    distance, normal = scene.world(ball, boundary="torus").clearance(np.array([[-4.5, 0.0, 2.5], [4.5, 0.0, 4.9]]))
    np.testing.assert_allclose(distance, [0.75, 2.15])
    np.testing.assert_allclose(normal, [[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]], atol=1e-12)
