"""All surfaces within reach."""

from __future__ import annotations

import numpy as np
import pytest
import trimesh


def crowded(scene):
    rng = np.random.default_rng(8)
    return [o for kind in ("box", "sphere", "cylinder") for o in scene.scattered(kind, 20, rng)]


@pytest.mark.parametrize("reach", [0.0, 0.7, 4.0, 1e6])
def test_near_lists_each_surface_within_reach_once_nearest_first(scene, reach):
    obstacles = crowded(scene)
    here = scene.world(*obstacles, boundary="walls", floor=True)
    points = np.random.default_rng(9).uniform(scene.room[0], scene.room[1], (40, 3))
    near = here.near(points, reach)
    alone = [scene.world(o) for o in obstacles] + [None] * 6
    assert near.indptr[0] == 0
    assert near.indptr[-1] == len(near.surface) == len(near.distance) == len(near.normal)
    walls = np.concatenate((points - scene.room[0], scene.room[1] - points), axis=1)[:, [2, 5, 0, 3, 1, 4]]
    for i, point in enumerate(points):
        rows = slice(near.indptr[i], near.indptr[i + 1])
        each = np.array([w.clearance(point)[0] if w else walls[i, k - 60] for k, w in enumerate(alone)])
        assert sorted(near.surface[rows]) == np.flatnonzero(each <= reach).tolist()
        np.testing.assert_allclose(near.distance[rows], each[near.surface[rows]], atol=1e-12)
        assert (np.diff(near.distance[rows]) >= 0.0).all()


def test_one_pass_answers_as_the_separate_questions_do(scene):
    here = scene.world(*crowded(scene), boundary="walls", floor=True)
    points = np.random.default_rng(9).uniform(scene.room[0], scene.room[1], (40, 3))
    distance, normal, surface, near = here.sense(points, 1.0)
    for one, other in zip((distance, normal, surface), here.nearest(points)):
        np.testing.assert_array_equal(one, other)
    for one, other in zip(near, here.near(points, 1.0)):
        np.testing.assert_array_equal(one, other)


def test_the_inside_of_a_mesh_room_has_one_witness_for_each_wall(scene):
    room = trimesh.creation.box((4.0, 6.0, 8.0)).subdivide().subdivide()
    room.invert()  # an open shell seen from inside
    near = scene.world(scene.mesh(room, closed=False)).near(np.array([[0.5, 0.0, 0.0]]), 10.0)
    walls = [[1.5, -1, 0, 0], [2.5, 1, 0, 0], [3, 0, 1, 0], [3, 0, -1, 0], [4, 0, 0, 1], [4, 0, 0, -1]]
    ours = np.column_stack((near.distance, near.normal))
    assert len(ours) == 6
    for wall in walls:
        assert np.abs(ours - wall).max(axis=1).min() < 1e-9
    assert (near.surface == 0).all()


def test_a_convex_mesh_has_one_witness_as_a_primitive_has(scene):
    ball = scene.world(scene.mesh(trimesh.creation.icosphere(3, 1.0)))
    near = ball.near(np.array([[1.5, 0.3, 0.2], [0.0, 0.0, 3.0], [9.0, 0.0, 0.0]]), 4.0)
    np.testing.assert_array_equal(near.indptr, [0, 1, 2, 2])


def test_every_triangle_within_reach_is_spoken_for(scene):
    rng = np.random.default_rng(4)
    rock = trimesh.creation.torus(1.0, 0.3)
    rock.vertices += rng.normal(0.0, 0.02, rock.vertices.shape)
    here = scene.world(scene.mesh(rock))
    points = rng.uniform(-1.6, 1.6, (40, 3))
    points = points[here.clearance(points)[0] > 0.0]
    near = here.near(points, 2.0)
    for i, point in enumerate(points):
        rows = slice(near.indptr[i], near.indptr[i + 1])
        distance, normal = near.distance[rows], near.normal[rows]
        feet = trimesh.triangles.closest_point(rock.triangles, np.tile(point, (len(rock.faces), 1)))
        away = np.linalg.norm(point - feet, axis=1)
        direction = (point - feet) / away[:, None]
        along = direction @ normal.T
        spoken = (along > np.cos(np.radians(25.0)) - 1e-9) | (along * away[:, None] >= distance - 2e-6)
        assert len(distance) == 16 or spoken[away < 2.0].any(axis=1).all()
        assert distance[0] == pytest.approx(away.min())


def test_a_point_inside_a_mesh_gets_one_witness_that_leads_out(scene):
    near = scene.world(scene.mesh(trimesh.creation.box((2.0, 4.0, 6.0)))).near(np.array([[0.5, 0.0, 0.0]]), 1.0)
    np.testing.assert_allclose(near.distance, [-0.5])
    np.testing.assert_allclose(near.normal, [[1.0, 0.0, 0.0]], atol=1e-12)
