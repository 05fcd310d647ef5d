"""From triangles as files hold them to solids: mending, winding, several parts, simplifying."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
import trimesh

from swarm.errors import BadInput
from swarm.worlds import Mesh, Obstacle, build_world
from swarm.worlds.meshes.repair import mend
from swarm.worlds.meshes.simplify import simplify


def world(scene, form):
    """A world of one mended mesh at the origin."""
    return scene.world(Obstacle("mesh", (0.0, 0.0, 0.0), "mesh", mesh=Mesh("", form.vertices, form.faces, form.closed)))


def joined(*solids):
    """Vertices and faces of several solids in one soup."""
    whole = trimesh.util.concatenate(list(solids))
    return np.array(whole.vertices), np.array(whole.faces, dtype=np.int64)


def box(size, center=(0.0, 0.0, 0.0), inverted=False):
    """A cube."""
    solid = trimesh.creation.box((size, size, size))
    solid.apply_translation(center)
    if inverted:
        solid.invert()
    return solid


def test_corners_written_once_per_face_become_one():
    vertices, faces = joined(box(1.0))
    form = mend(vertices[faces].reshape(-1, 3), np.arange(36).reshape(-1, 3))
    assert (len(form.vertices), len(form.faces), form.closed, form.doubles, form.flat) == (8, 12, True, 0, 0)


def test_plus_and_minus_zero_are_one_place():
    vertices, faces = joined(box(1.0, (0.5, 0.5, 0.5)))
    soup = vertices[faces].reshape(-1, 3)
    soup[::2] = np.where(soup[::2] == 0.0, -0.0, soup[::2])
    assert mend(soup, np.arange(36).reshape(-1, 3)).closed


def test_double_and_flat_faces_are_counted_and_dropped(scene):
    vertices, faces = joined(box(2.0))
    more = np.vstack((faces, faces[:3], np.roll(faces[3:5], 1, axis=1), [[0, 0, 1], [2, 2, 2]]))
    form = mend(vertices, more)
    assert (len(form.faces), form.doubles, form.flat, form.closed) == (12, 5, 2, True)
    assert world(scene, form).clearance(np.zeros(3))[0] == pytest.approx(-1.0)


def test_a_sliver_that_closes_a_mesh_leaves_it_closed(scene):
    # A tetrahedron with the middle of one edge used by one of its two faces alone, and a sliver in between.
    corners = np.array([[0, 0, 0], [2, 0, 0], [0, 2, 0], [0, 0, 2], [1, 0, 0]], dtype=float)
    faces = np.array([[0, 2, 1], [0, 4, 3], [4, 1, 3], [0, 3, 2], [1, 2, 3], [0, 1, 4]])
    form = mend(corners, faces)
    assert (form.closed, form.flat, len(form.faces)) == (True, 1, 5)
    assert world(scene, form).clearance(np.array([0.3, 0.3, 0.3]))[0] < 0.0
    assert not mend(corners, faces[:-1]).closed


def test_faces_wound_anyhow_are_wound_outward(scene):
    rng = np.random.default_rng(0)
    vertices, faces = joined(trimesh.creation.icosphere(2, 1.0), box(1.0, (3.0, 0.0, 0.0)))
    turned = np.where(rng.random(len(faces))[:, None] < 0.5, faces[:, ::-1], faces)
    form = mend(vertices, turned)
    assert form.closed
    distance, normal = world(scene, form).clearance(np.array([[0.0, 0.0, 0.0], [3.0, 0.0, 0.9], [0.0, 0.0, 2.0]]))
    np.testing.assert_allclose(distance, [-1.0, 0.4, 1.0], atol=0.05)
    np.testing.assert_allclose(normal[1:], [[0, 0, 1], [0, 0, 1]], atol=0.1)


def test_a_one_sided_band_is_no_solid():
    angle = np.linspace(0.0, 2.0 * np.pi, 16, endpoint=False)
    half = np.stack((np.cos(angle / 2) * np.cos(angle), np.cos(angle / 2) * np.sin(angle), np.sin(angle / 2)), axis=1)
    middle = 3.0 * np.stack((np.cos(angle), np.sin(angle), 0 * angle), axis=1)
    vertices = np.concatenate((middle + half, middle - half))
    faces = []
    for k in range(16):
        a, b = k, k + 16
        c, d = (k + 1, k + 17) if k < 15 else (16, 0)  # the half turn
        faces += [[a, b, c], [b, d, c]]
    assert not mend(vertices, np.array(faces)).closed


@pytest.mark.parametrize("inverted", [False, True])
def test_parts_that_overlap_or_lie_in_each_other_are_inside(scene, inverted):
    """A part wound the wrong way is turned unless it is a cavity; winding numbers add up to 2 in the overlap."""
    parts = joined(box(2.0), box(2.0, (1.5, 0.25, 0.25), inverted))
    here = world(scene, mend(*parts))
    inside = np.array([[0.75, 0.3, 0.3], [-0.5, 0.0, 0.0], [2.0, 0.0, 0.0]])
    assert (here.clearance(inside)[0] < 0.0).all()
    assert (here.clearance(np.array([[0.0, 1.2, 0.0], [3.0, 0.0, 0.0]]))[0] > 0.0).all()
    nested = world(scene, mend(*joined(box(4.0), box(2.0))))
    distance, _ = nested.clearance(np.array([[0.0, 0.0, 0.9], [0.0, 0.0, 1.9], [0.0, 0.0, 2.5]]))
    np.testing.assert_allclose(distance, [-0.1, -0.1, 0.5], atol=1e-12)


def test_a_cavity_stays_one_and_a_stone_in_it_is_solid(scene):
    parts = joined(box(4.0), box(2.0, inverted=True), box(1.0), box(1.0, (6.0, 0.0, 0.0), inverted=True))
    here = world(scene, mend(*parts))
    places = np.array([[0.0, 0.0, 0.8], [0.0, 0.0, 1.5], [0.0, 0.0, 0.1], [6.0, 0.0, 0.1]])
    np.testing.assert_allclose(here.clearance(places)[0], [0.2, -0.5, -0.4, -0.4], atol=1e-12)
    inside_out = mend(parts[0], parts[1][:, ::-1])  # as a whole
    assert (world(scene, inside_out).clearance(places[1:])[0] < 0.0).all()


def test_boxes_that_share_an_edge_or_a_corner_are_closed(scene):
    for center in ((1.0, 1.0, 0.0), (1.0, 1.0, 1.0), (1.0, 0.0, 0.0)):
        form = mend(*joined(box(1.0), box(1.0, center)))
        assert form.closed
        middle = np.array([(0.0, 0.0, 0.1), np.add(center, (0.0, 0.0, 0.1))])
        assert (world(scene, form).clearance(middle)[0] < 0.0).all()


def test_one_triangle_is_a_sheet_without_an_inside(scene, tmp_path):
    (tmp_path / "one.obj").write_text("v -1 -1 0\nv 1 -1 0\nv 0 2 0\nf 1 2 3\n")
    entry = {"kind": "mesh", "file": "one.obj", "center": [0.0, 0.0, 2.0]}
    here = build_world({"bounds": scene.room.tolist(), "obstacles": [entry]}, tmp_path / "world.toml", 0)
    assert [notice.partition(".file: ")[2] for notice in here.notices] == [
        "one.obj is not watertight: it has no inside, distances to it are never negative"
    ]
    distance, normal = here.clearance(np.array([[0.0, 0.0, 2.5], [0.0, 0.0, 1.5], [0.0, 0.0, 2.0]]))
    np.testing.assert_allclose(distance, [0.5, 0.5, 0.0], atol=1e-12)
    np.testing.assert_allclose(normal, [[0, 0, 1], [0, 0, -1], [0, 0, 1]], atol=1e-12)


def test_what_was_mended_is_told_once_however_often_the_file_is_used(scene, tmp_path):
    lines = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\nf 3 4 2\nf 1 1 2\nf 2 2 3\n"
    (tmp_path / "rock.obj").write_text(lines)
    entries = [{"kind": "mesh", "file": "rock.obj", "center": [float(k), 0.0, 2.0]} for k in range(3)]
    here = build_world({"bounds": scene.room.tolist(), "obstacles": entries}, tmp_path / "world.toml", 0)
    assert [notice.partition(": ")[2] for notice in here.notices] == [
        "obstacles[0].file: rock.obj: 1 double face removed",
        "obstacles[0].file: rock.obj: 2 degenerate faces removed",
    ]


@pytest.mark.parametrize("most", [4, 50, 500])
def test_simplified_meshes_keep_the_limit_and_say_how_far_they_are(scene, tmp_path, most):
    ball = trimesh.creation.icosphere(4, 1.0)
    ball.export(tmp_path / "ball.ply")
    entry = {"kind": "mesh", "file": "ball.ply", "center": [0.0, 0.0, 2.0], "faces": most}
    here = build_world({"bounds": scene.room.tolist(), "obstacles": [entry]}, tmp_path / "world.toml", 0)
    form = here.obstacles[0].mesh
    assert len(form.faces) <= most
    told = next(notice for notice in here.notices if "simplified" in notice)
    assert f"simplified from 5,120 to {len(form.faces):,} faces" in told
    said = float(told.split("more than ")[1].split(" m")[0])
    corners = form.vertices[form.faces]
    away = max(
        np.linalg.norm(trimesh.triangles.closest_point(corners, np.tile(p, (len(corners), 1))) - p, axis=1).min()
        for p in np.array(ball.vertices)
    )
    assert said == pytest.approx(away, rel=0.06)
    assert away < {4: 1.0, 50: 0.3, 500: 0.03}[most]


def test_simplifying_to_more_than_there_is_changes_nothing(scene, tmp_path):
    trimesh.creation.box((1.0, 1.0, 1.0)).export(tmp_path / "box.ply")
    entry = {"kind": "mesh", "file": "box.ply", "center": [0.0, 0.0, 2.0], "faces": 12}
    here = build_world({"bounds": scene.room.tolist(), "obstacles": [entry]}, tmp_path / "world.toml", 0)
    assert here.notices == ()
    assert len(here.obstacles[0].mesh.faces) == 12


def test_a_missing_simplifier_is_told_with_its_name(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "fast_simplification", None)
    ball = trimesh.creation.icosphere(2)
    with pytest.raises(BadInput, match=r"^faces: .*pip install fast-simplification"):
        simplify(np.array(ball.vertices), np.array(ball.faces), 20)


@pytest.mark.slow
def test_two_million_faces_are_as_far_as_their_formula(scene):
    ring = trimesh.creation.torus(1.0, 0.4, major_sections=1000, minor_sections=1000)
    form = mend(np.array(ring.vertices), np.array(ring.faces, dtype=np.int64))
    assert (len(form.faces), form.closed) == (2_000_000, True)
    points = np.random.default_rng(0).uniform(-2.0, 2.0, (200, 3))
    wanted = np.hypot(np.hypot(points[:, 0], points[:, 1]) - 1.0, points[:, 2]) - 0.4
    np.testing.assert_allclose(world(scene, form).clearance(points)[0], wanted, atol=2e-5)


def test_every_winding_of_a_cube_is_the_same_solid():
    vertices, faces = joined(box(1.0))
    for flips in itertools.product([False, True], repeat=4):
        turned = faces.copy()
        turned[: len(flips)][list(flips)] = turned[: len(flips)][list(flips)][:, ::-1]
        corners = mend(vertices, turned)
        form = trimesh.Trimesh(corners.vertices, corners.faces, process=False)
        assert form.volume == pytest.approx(1.0)
