"""Lines of sight: free exactly where no point of the line is inside anything."""

from __future__ import annotations

import numpy as np
import pytest
import trimesh
from hypothesis import given
from hypothesis import strategies as st

from swarm.worlds import Obstacle

SAMPLES = np.linspace(0.0, 1.0, 401)


def least_clearance(world, a, b):
    """(M,) m, least signed distance along each line, by sampling."""
    points = a[:, None] + SAMPLES[:, None] * (b - a)[:, None]
    return world.clearance(points)[0].min(axis=1)


def agree(world, a, b):
    """How many lines of each sort; asserts that the answer is that of the samples wherever those are certain."""
    least = least_clearance(world, a, b)
    unsure = np.linalg.norm(b - a, axis=1) / len(SAMPLES)  # between two samples a line can be this much nearer
    seen = world.visible(a, b)
    assert seen.dtype == bool
    assert not seen[least < -1e-9].any()
    assert seen[least > unsure].all()
    return int(seen.sum()), int((~seen).sum())


@pytest.mark.parametrize("kind", ["box", "sphere", "cylinder"])
@pytest.mark.parametrize("boundary", ["open", "walls", "torus"])
def test_lines_past_primitives_are_free_where_sampled_points_are(scene, kind, boundary):
    rng = np.random.default_rng(1)
    world = scene.world(*scene.scattered(kind, 30, rng), boundary=boundary, floor=boundary == "walls")
    a, b = rng.uniform(scene.room[0], scene.room[1], (2, 200, 3))
    b = a + world.space.displacement(a, b)
    assert min(agree(world, a, b)) > 10


def test_lines_past_meshes_are_free_where_sampled_points_are(scene):
    rng = np.random.default_rng(2)
    ring, ball = trimesh.creation.torus(1.0, 0.3), trimesh.creation.icosphere(3, 0.8)
    world = scene.world(
        scene.mesh(ring, (0.0, 0.0, 2.0), (0.5, 1.0, 2.0)),
        scene.mesh(ball, (3.0, 3.0, 2.0)),
        scene.mesh(ball, (-3.0, 2.0, 3.0), (0.1, 0.2, 0.3)),
    )
    a, b = rng.uniform([-3.0, -3.0, 0.5], [4.0, 4.0, 4.0], (2, 200, 3))
    assert min(agree(world, a, b)) > 10


def test_a_sheet_blocks_from_both_sides_and_a_hole_does_not(scene):
    sheet = trimesh.Trimesh([[0, -1, -1], [0, 1, -1], [0, 1, 1], [0, -1, 1]], [[0, 1, 2], [0, 2, 3]], process=False)
    world = scene.world(scene.mesh(sheet, (0.0, 0.0, 2.0), closed=False))
    a = np.array([[-1.0, 0.0, 2.0], [1.0, 0.0, 2.0], [-1.0, 1.5, 2.0], [0.5, 0.0, 2.0], [-1.0, -1.0, 2.0]])
    b = np.array([[1.0, 0.0, 2.0], [-1.0, 0.0, 2.0], [1.0, 1.5, 2.0], [1.0, 0.0, 2.0], [1.0, 0.5, 2.0]])
    np.testing.assert_array_equal(world.visible(a, b), [False, False, True, True, False])


def test_nothing_is_seen_from_inside_or_through_a_wall(scene):
    cube = trimesh.creation.box((2.0, 2.0, 2.0))
    points = np.array([[0.0, 0.0, 2.0], [0.5, 0.0, 2.0]])
    for solid in (Obstacle("box", (0.0, 0.0, 2.0), "box", size=(2.0, 2.0, 2.0)), scene.mesh(cube, (0.0, 0.0, 2.0))):
        assert not scene.world(solid).visible(points[:1], points[1:]).any()
        assert not scene.world(solid).visible(points[:1], points[:1]).any()
    walled = scene.world(boundary="walls", floor=True)
    assert not walled.visible(np.array([[0.0, 0.0, 2.0]]), np.array([[6.0, 0.0, 2.0]])).any()
    assert walled.visible(np.array([[0.0, 0.0, 2.0]]), np.array([[0.0, 0.0, 2.0]])).all()


def test_sliding_along_a_face_is_free(scene):
    world = scene.world(Obstacle("box", (0.0, 0.0, 2.0), "box", size=(2.0, 2.0, 2.0)))
    assert world.visible(np.array([[-3.0, 1.0, 2.0]]), np.array([[3.0, 1.0, 2.0]])).all()


def test_the_plane_has_lines_of_sight_too(scene):
    rng = np.random.default_rng(3)
    bounds = np.array([[-5.0, -5.0], [5.0, 5.0]])
    things = [
        Obstacle("box", tuple(rng.uniform(-4, 4, 2)), f"b{k}", size=(1.0, 0.5), rpy=(0.0, 0.0, float(k)))
        for k in range(6)
    ]
    things += [Obstacle("cylinder", tuple(rng.uniform(-4, 4, 2)), f"c{k}", radius=0.4) for k in range(6)]
    world = scene.world(*things, boundary="walls", bounds=bounds)
    a, b = rng.uniform(-5.0, 5.0, (2, 200, 2))
    assert min(agree(world, a, b)) > 20


coordinate = st.floats(-4.0, 4.0)


@given(st.tuples(*[coordinate] * 3), st.tuples(*[coordinate] * 3))
def test_seeing_is_mutual(scene, a, b):
    rng = np.random.default_rng(4)
    ring = scene.mesh(trimesh.creation.torus(1.0, 0.3), (0.0, 0.0, 2.0))
    world = scene.world(*scene.scattered("box", 5, rng), *scene.scattered("cylinder", 5, rng), ring)
    one, other = np.array([a]), np.array([b])
    if abs(least_clearance(world, one, other)[0]) > 1e-6:
        assert world.visible(one, other)[0] == world.visible(other, one)[0]
