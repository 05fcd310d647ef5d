"""Distances to triangle meshes, and reading them from files."""

from __future__ import annotations

import numpy as np
import pytest
import trimesh

from swarm.errors import BadInput
from swarm.worlds import Obstacle, build_world


def table(scene, file, **keys):
    """A world of one mesh."""
    entry = {"kind": "mesh", "file": str(file), "center": [0.0, 0.0, 2.0], **keys}
    return {"bounds": scene.room.tolist(), "boundary": "open", "obstacles": [entry]}


def test_a_mesh_of_a_box_is_as_far_as_the_box(scene):
    rng = np.random.default_rng(0)
    size, center, rpy = (1.0, 2.0, 0.5), (0.5, -1.0, 2.0), (0.3, -0.4, 2.0)
    solid = trimesh.creation.box(size).subdivide().subdivide()
    points = rng.uniform(scene.room[0], scene.room[1], (400, 3))
    points[:100] = np.array(center) + rng.uniform(-0.6, 0.6, (100, 3))
    distance, normal = scene.world(scene.mesh(solid, center, rpy)).clearance(points)
    wanted, direction = scene.world(Obstacle("box", center, "box", size=size, rpy=rpy)).clearance(points)
    np.testing.assert_allclose(distance, wanted, atol=1e-12)
    assert (wanted < 0.0).sum() > 20
    np.testing.assert_allclose(normal, direction, atol=1e-6)


def test_distance_to_a_fine_mesh_agrees_with_every_triangle_looked_at(scene):
    solid = trimesh.creation.torus(1.0, 0.4)
    points = np.random.default_rng(1).uniform(-2.0, 2.0, (200, 3))
    distance, _ = scene.world(scene.mesh(solid)).clearance(points)
    for point, found in zip(points, distance):
        everywhere = np.tile(point, (len(solid.faces), 1))
        feet = trimesh.triangles.closest_point(solid.triangles, everywhere)
        assert abs(found) == pytest.approx(np.linalg.norm(feet - point, axis=1).min(), abs=1e-12)
    ring = np.hypot(np.hypot(points[:, 0], points[:, 1]) - 1.0, points[:, 2]) - 0.4
    clearly = np.abs(ring) > 0.02  # the triangles cut the round form's corners
    np.testing.assert_array_equal(distance[clearly] < 0.0, ring[clearly] < 0.0)


def test_overlapping_parts_of_one_mesh_are_inside_together(scene):
    parts = [trimesh.creation.box((2.0, 2.0, 2.0)), trimesh.creation.box((2.0, 2.0, 2.0))]
    parts[1].apply_translation((1.5, 0.25, 0.25))
    both = scene.world(scene.mesh(trimesh.util.concatenate(parts)))
    points = np.array([[0.75, 0.3, 0.3], [-0.5, 0.0, 0.0], [2.0, 0.0, 0.0], [0.0, 1.2, 0.0]])
    np.testing.assert_array_equal(both.clearance(points)[0] < 0.0, [True, True, True, False])


def test_a_cavity_is_outside(scene):
    shell, hole = trimesh.creation.box((4.0, 4.0, 4.0)), trimesh.creation.box((2.0, 2.0, 2.0))
    hole.invert()
    hollow = scene.world(scene.mesh(trimesh.util.concatenate([shell, hole])))
    np.testing.assert_allclose(hollow.clearance(np.array([[0.0, 0.0, 0.5], [1.4, 0.0, 0.0]]))[0], [0.5, -0.4])


def test_points_on_corners_edges_and_faces_have_outward_normals(scene):
    cube = scene.world(scene.mesh(trimesh.creation.box((2.0, 2.0, 2.0))))
    grid = np.stack(np.meshgrid(*[[-1.0, 0.0, 1.0]] * 3), axis=-1).reshape(-1, 3)
    grid = grid[np.abs(grid).max(axis=1) == 1.0]
    distance, normal = cube.clearance(grid)
    np.testing.assert_allclose(distance, 0.0, atol=1e-12)
    assert (np.einsum("ij,ij->i", grid, normal) > 0.99).all()


@pytest.mark.parametrize("suffix", ["obj", "stl"])
def test_files_are_scaled_and_placed_by_their_origin(scene, tmp_path, suffix):
    solid = trimesh.creation.box((100.0, 200.0, 300.0))
    solid.apply_translation((50.0, 0.0, 0.0))
    solid.export(tmp_path / f"block.{suffix}")
    here = build_world(table(scene, f"block.{suffix}", scale=0.01, rpy=[0.0, 0.0, 90.0]), tmp_path / "world.toml", 0)
    # x 0...1, y -1...1, z -1.5...1.5 turned by 90 degrees about z, raised by 2 m.
    points = np.array([[0.0, 0.5, 2.0], [0.0, 2.0, 2.0], [0.0, -1.0, 2.0], [2.0, 0.5, 2.0]])
    np.testing.assert_allclose(here.clearance(points)[0], [-0.5, 1.0, 1.0, 1.0], atol=1e-6)
    assert here.notices == ()


def test_a_mesh_that_is_not_watertight_has_no_inside_and_a_notice(scene, tmp_path):
    solid = trimesh.creation.box((2.0, 2.0, 2.0))
    solid.update_faces(np.arange(len(solid.faces)) > 0)
    solid.export(tmp_path / "leaky.obj")
    here = build_world(table(scene, "leaky.obj"), tmp_path / "world.toml", 0)
    assert len(here.notices) == 1
    assert "leaky.obj is not watertight" in here.notices[0]
    assert (here.clearance(np.array([[0.0, 0.0, 2.0], [0.0, 0.0, 2.5]]))[0] > 0.0).all()


def test_a_mesh_wound_inside_out_is_turned(scene, tmp_path):
    solid = trimesh.creation.icosphere(2, 1.0)
    solid.invert()
    solid.export(tmp_path / "ball.obj")
    here = build_world(table(scene, "ball.obj"), tmp_path / "world.toml", 0)
    distance, normal = here.clearance(np.array([[0.0, 0.0, 2.5], [0.0, 0.0, 4.0]]))
    np.testing.assert_allclose(distance, [-0.5, 1.0], atol=0.05)
    assert (normal[:, 2] > 0.9).all()


FACES = "f 1 2 3\nf 1 2 4\nf 1 3 4\nf 2 3 4\n"
CORNERS = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n"


@pytest.mark.parametrize(
    ("name", "content", "keys", "said"),
    [
        ("gone.obj", None, {}, "file: no such file"),
        ("folder.obj", "", {}, "file: expected a file, got a directory: folder.obj"),
        ("odd.obj", "these are not\x00the droids", {}, "file: "),
        ("odd.stl", "garbage", {}, "file: "),
        ("odd.xyzzy", "garbage", {}, "file: expected a name that ends in .obj, .stl,"),
        ("empty.obj", "", {}, "file: "),
        ("points.obj", CORNERS, {}, "file: "),
        ("nan.obj", CORNERS.replace("v 1 0 0", "v nan 0 0") + FACES, {}, "file: expected finite vertices"),
        ("flat.obj", CORNERS + "f 1 1 2\n", {}, "file: expected faces with an area"),
        ("ok.obj", CORNERS + FACES, {"scale": 0.0}, "scale: expected a number from 1e-06"),
        ("ok.obj", CORNERS + FACES, {"scale": -1.0}, "scale: expected a number from 1e-06"),
        ("ok.obj", CORNERS + FACES, {"scale": float("nan")}, "scale: expected a finite number"),
        ("ok.obj", CORNERS + FACES, {"scal": 1.0}, 'scal: unknown key (did you mean "scale"?)'),
    ],
)
def test_a_bad_mesh_is_one_line_that_names_the_key(scene, tmp_path, name, content, keys, said):
    if name == "folder.obj":
        (tmp_path / name).mkdir()
    elif content is not None:
        (tmp_path / name).write_text(content)
    with pytest.raises(BadInput) as caught:
        build_world(table(scene, name, **keys), tmp_path / "world.toml", 0)
    assert len(caught.value.faults) == 1
    assert "\n" not in caught.value.faults[0]
    assert f"world.toml: obstacles[0].{said}" in caught.value.faults[0]
