"""Mesh files: every format and its scenes, what is refused, where files may lie, and that each is loaded once."""

from __future__ import annotations

import base64
import json
import os
import re

import numpy as np
import pytest
import trimesh

from swarm.errors import BadInput
from swarm.worlds import World, build_world
from swarm.worlds.meshes import files as mesh_files
from swarm.worlds.meshes import kinds as mesh_kinds
from swarm.worlds.meshes import load as mesh
from swarm.worlds.meshes import reading as mesh_reading

FORMATS = ["obj", "stl", "ply", "glb", "gltf", "dae"]


def table(scene, file, **keys):
    """A world of one mesh."""
    entry = {"kind": "mesh", "file": str(file), "center": [0.0, 0.0, 2.0], **keys}
    return {"bounds": scene.room.tolist(), "boundary": "open", "obstacles": [entry]}


def load(scene, folder, file, **keys) -> World:
    """The world of one mesh in a folder."""
    return build_world(table(scene, file, **keys), folder / "world.toml", 0)


def write(what, path):
    """Export a mesh or scene; glTF is several files."""
    if path.suffix == ".dae" and isinstance(what, trimesh.Scene):
        return path.write_text(collada(what))
    found = what.export(file_type=path.suffix[1:])
    for name, content in found.items() if isinstance(found, dict) else [(path.name, found)]:
        target = path if name == "model.gltf" else path.parent / name
        target.write_bytes(content if isinstance(content, bytes) else content.encode())
    return None


def collada(stage):
    """The scene `staged` as COLLADA, which trimesh writes only meshes in: the same node with other matrices."""
    text = stage.geometry["box"].export(file_type="dae").decode()
    start, end = text.index("<node"), text.index("</node>") + len("</node>")
    node = re.sub(r"<matrix.*?</matrix>", "", text[start:end], flags=re.DOTALL)
    opening, rest = node.split(">", 1)
    inner = rest.removesuffix("</node>")

    def placed(name, matrix, below=""):
        numbers = " ".join(f"{v:.9g}" for v in np.ravel(matrix))
        return f'<node id="{name}" name="{name}"><matrix>{numbers}</matrix>{inner}{below}</node>'

    assert opening.startswith("<node")
    graph = stage.graph
    hand = placed("hand", graph.transforms.edge_data[("turned", "hand")]["matrix"])
    nodes = placed("moved", graph["moved"][0]) + placed("turned", graph["turned"][0], hand)
    return text[:start] + nodes + text[end:]


def points(scene, count=200):
    """Anywhere in the room."""
    return np.random.default_rng(3).uniform(scene.room[0], scene.room[1], (count, 3))


@pytest.mark.parametrize("suffix", FORMATS)
def test_every_format_is_the_same_solid(scene, tmp_path, suffix):
    solid = trimesh.creation.torus(1.0, 0.4, major_sections=12, minor_sections=8)
    write(solid if suffix != "gltf" else trimesh.Scene(solid), tmp_path / f"ring.{suffix}")
    here = load(scene, tmp_path, f"ring.{suffix}", rpy=[10.0, 20.0, 30.0])
    wanted = scene.world(scene.mesh(solid, (0.0, 0.0, 2.0), np.radians((10.0, 20.0, 30.0))))
    np.testing.assert_allclose(here.clearance(points(scene))[0], wanted.clearance(points(scene))[0], atol=1e-5)
    assert here.notices == ()


def test_stl_is_read_as_text_too(scene, tmp_path):
    (tmp_path / "box.stl").write_text(trimesh.creation.box((1.0, 2.0, 3.0)).export(file_type="stl_ascii"))
    here = load(scene, tmp_path, "box.stl")
    np.testing.assert_allclose(here.clearance(np.array([[1.5, 0.0, 2.0], [0.0, 0.0, 2.0]]))[0], [1.0, -0.5], atol=1e-6)


def test_names_in_an_older_encoding_do_not_matter(scene, tmp_path):
    (tmp_path / "rock.obj").write_bytes(b"o Gr\xfcn\n" + TETRAHEDRON.encode())
    assert load(scene, tmp_path, "rock.obj").obstacles[0].mesh.closed


def test_a_broken_file_prints_nothing(scene, tmp_path, capfd):
    (tmp_path / "rock.stl").write_bytes(b"solid rock\nfacet normal 0 0 x\n" + bytes(200))
    with pytest.raises(BadInput):
        load(scene, tmp_path, "rock.stl")
    assert capfd.readouterr() == ("", "")


def staged():
    """A scene of one box used three times: moved, turned and scaled, mirrored under a parent."""
    stage = trimesh.Scene()
    box = trimesh.creation.box((1.0, 0.5, 0.5))
    turned = trimesh.transformations.rotation_matrix(0.7, [0.0, 0.0, 1.0], [0.0, 0.0, 0.0])
    turned[:3, :3] *= 2.0
    turned[:3, 3] = 2.0, 2.0, 0.0
    moved = trimesh.transformations.translation_matrix([-2.0, 0.0, 0.5])
    mirror = np.diag([1.0, -1.0, 1.0, 1.0])
    stage.add_geometry(box, node_name="moved", geom_name="box", transform=moved)
    stage.add_geometry(box, node_name="turned", geom_name="box", transform=turned)
    stage.graph.update(frame_from="turned", frame_to="hand", matrix=moved @ mirror, geometry="box")
    copies = [box.copy().apply_transform(m) for m in (moved, turned, turned @ moved @ mirror)]
    return stage, trimesh.util.concatenate(copies)


@pytest.mark.parametrize("suffix", ["glb", "gltf", "dae"])
def test_the_nodes_of_a_scene_put_its_parts(scene, tmp_path, suffix):
    stage, solid = staged()
    write(stage, tmp_path / f"stage.{suffix}")
    here = load(scene, tmp_path, f"stage.{suffix}")
    distance, normal = here.clearance(points(scene, 400))
    wanted, direction = scene.world(scene.mesh(solid, (0.0, 0.0, 2.0))).clearance(points(scene, 400))
    assert (wanted < 0.0).any()
    np.testing.assert_allclose(distance, wanted, atol=1e-5)
    clear = np.abs(wanted) > 0.01
    np.testing.assert_allclose(normal[clear], direction[clear], atol=1e-3)
    assert here.obstacles[0].mesh.closed


def test_axes_and_units_stay_as_in_the_file(scene, tmp_path):
    write(trimesh.creation.box((100.0, 200.0, 300.0)), tmp_path / "box.dae")
    text = (tmp_path / "box.dae").read_text()
    assert "<up_axis>" in text
    (tmp_path / "box.dae").write_text(text.replace("Z_UP", "Y_UP"))
    here = load(scene, tmp_path, "box.dae", scale=0.01)
    np.testing.assert_allclose(np.ptp(here.obstacles[0].mesh.vertices, axis=0), [1.0, 2.0, 3.0], atol=1e-6)


def test_three_scales_stretch_and_mirror_and_keep_the_inside(scene, tmp_path):
    solid = trimesh.creation.icosphere(2, 1.0)
    solid.apply_translation((1.0, 0.0, 0.0))
    solid.export(tmp_path / "ball.obj")
    here = load(scene, tmp_path, "ball.obj", scale=[-2.0, 1.0, 0.5])
    form = here.obstacles[0].mesh
    np.testing.assert_allclose([form.vertices.min(axis=0), form.vertices.max(axis=0)], [[-4, -1, -0.5], [0, 1, 0.5]])
    distance, normal = here.clearance(np.array([[-2.0, 0.0, 2.0], [1.0, 0.0, 2.0]]))
    np.testing.assert_allclose(distance, [-0.5, 1.0], atol=0.03)
    np.testing.assert_allclose(normal[1], [1.0, 0.0, 0.0], atol=0.03)


CORNERS = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n"
TETRAHEDRON = CORNERS + "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
PNG = base64.b64decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=")
EMPTY_SCENE = {"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [{"camera": 0}]}
EMPTY_SCENE["cameras"] = [{"type": "perspective", "perspective": {"yfov": 1.0, "znear": 0.1}}]
ESCAPING = {"asset": {"version": "2.0"}, "buffers": [{"uri": "../secret.bin", "byteLength": 8}], "meshes": []}
REMOTE = {"asset": {"version": "2.0"}, "buffers": [{"uri": "http://localhost:9/x.bin", "byteLength": 8}], "meshes": []}
BOMB = b'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaa">]><COLLADA version="1.4.1">&a;</COLLADA>'


@pytest.mark.parametrize(
    ("name", "content", "keys", "said"),
    [
        ("picture.obj", PNG, {}, "file: expected what its name says, OBJ, got something else"),
        ("picture.glb", PNG, {}, "file: expected what its name says, GLB, got something else"),
        ("text.stl", b"solid words about a mesh", {}, "file: expected what its name says, STL, got something else"),
        ("text.glb", b"some text", {}, "file: expected what its name says, GLB"),
        ("text.gltf", b"some text", {}, "file: expected what its name says, GLTF"),
        ("text.ply", b"some text", {}, "file: expected what its name says, PLY"),
        ("text.dae", b"<html></html>", {}, "file: expected what its name says, DAE"),
        ("bomb.dae", BOMB, {}, "file: expected what its name says, DAE"),
        ("cut.glb", b"glTF\x02\0\0\0\xff\0\0\0", {}, "file: cannot be read as a mesh"),
        ("cut.ply", b"ply\nformat ascii 1.0\nelement vertex 3\n", {}, "file: "),
        ("cut.stl", b"\0" * 80 + b"\x05\0\0\0" + b"\0" * 50, {}, "file: expected what its name says, STL"),
        ("empty.obj", b"", {}, "file: expected a mesh, got an empty file"),
        ("points.obj", CORNERS.encode(), {}, "file: expected a mesh with faces, got none"),
        ("camera.gltf", json.dumps(EMPTY_SCENE).encode(), {}, "file: expected a mesh with faces, got none"),
        ("out.gltf", json.dumps(ESCAPING).encode(), {}, "file: it refers to ../secret.bin, which is not in its folder"),
        ("net.gltf", json.dumps(REMOTE).encode(), {}, "file: it refers to http://localhost:9/x.bin, which is not"),
        ("nan.obj", b"v nan 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", {}, "file: expected finite vertices"),
        ("inf.obj", b"v inf 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", {}, "file: expected finite vertices"),
        ("far.obj", TETRAHEDRON.replace("1", "9e99", 1).encode(), {}, "file: expected vertices within 1e+06 m"),
        ("line.obj", b"v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n", {}, "file: expected faces with an area, got none"),
        (
            "flat.obj",
            b"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nf 1 2 3\nf 2 4 3\nf 1 3 2\nf 2 3 4\n",
            {},
            "file: expected a solid or an open sheet, got a closed mesh that holds no volume",
        ),
        ("mesh.blend", b"BLENDER", {}, "file: expected a name that ends in .obj, .stl, .ply, .glb, .gltf, .dae"),
        ("none", None, {}, "file: expected a name that ends in .obj"),
        ("", None, {}, "file: expected a"),
        ("gone.obj", None, {}, "file: no such file"),
        ("x" * 300 + ".obj", None, {}, "file: no such file"),
        ("a\0b.obj", None, {}, "file: no such file"),
        ("ok.obj", TETRAHEDRON.encode(), {"scale": 0}, "scale: expected a number from 1e-06 to 1e+06"),
        ("ok.obj", TETRAHEDRON.encode(), {"scale": -1.0}, "scale: expected a number from 1e-06 to 1e+06"),
        ("ok.obj", TETRAHEDRON.encode(), {"scale": [1, 1, 0]}, "scale: expected a number from 1e-06 to 1e+06"),
        ("ok.obj", TETRAHEDRON.encode(), {"scale": [1, 1]}, "scale: expected a number from 1e-06 to 1e+06"),
        ("ok.obj", TETRAHEDRON.encode(), {"scale": "big"}, "scale: expected a number from 1e-06 to 1e+06"),
        ("ok.obj", TETRAHEDRON.encode(), {"scale": True}, "scale: expected a number from 1e-06 to 1e+06"),
        ("ok.obj", TETRAHEDRON.encode(), {"scale": [1.0, float("nan"), 1.0]}, "scale: expected a finite number"),
        ("ok.obj", TETRAHEDRON.encode(), {"faces": 3}, "faces: expected a whole number >= 4, got 3"),
        ("ok.obj", TETRAHEDRON.encode(), {"faces": 3_000_000}, "faces: expected a whole number <= 2000000"),
        ("ok.obj", TETRAHEDRON.encode(), {"faces": 5.5}, "faces: expected"),
    ],
)
def test_what_is_no_mesh_is_told_in_a_line(scene, tmp_path, name, content, keys, said):
    if content is not None:
        (tmp_path / name).write_bytes(content)
    (tmp_path.parent / "secret.bin").write_bytes(b"12345678")
    with pytest.raises(BadInput) as caught:
        load(scene, tmp_path, name, **keys)
    (fault,) = caught.value.faults
    assert "\n" not in fault
    assert f"world.toml: obstacles[0].{said}" in fault


@pytest.mark.parametrize("name", ["../up.obj", "a/../../up.obj", "/up.obj", "C:\\up.obj", "..\\up.obj", "link.obj"])
def test_nothing_outside_the_folder_is_read(scene, tmp_path, name):
    home = tmp_path / "home"
    home.mkdir()
    (tmp_path / "up.obj").write_text(TETRAHEDRON)
    os.symlink(tmp_path / "up.obj", home / "link.obj")
    with pytest.raises(BadInput, match="expected a path inside the folder of the file that names it"):
        load(scene, home, name)


def test_a_mesh_lies_beside_its_world_or_in_the_library(scene, tmp_path, monkeypatch):
    library, home = tmp_path / "library", tmp_path / "home"
    library.mkdir()
    (home / "parts").mkdir(parents=True)
    monkeypatch.setattr(mesh_files, "MESHES", library)
    (library / "rock.obj").write_text(TETRAHEDRON)
    (home / "parts" / "own.obj").write_text(TETRAHEDRON)
    assert load(scene, home, "rock.obj").obstacles[0].mesh.file == str(library / "rock.obj")
    assert load(scene, home, "parts/own.obj").obstacles[0].mesh.file == str(home / "parts" / "own.obj")
    (home / "rock.obj").write_text(TETRAHEDRON)
    assert load(scene, home, "rock.obj").obstacles[0].mesh.file == str(home / "rock.obj")
    with pytest.raises(BadInput, match="no such file"):
        load(scene, home, "parts/rock.obj")


@pytest.mark.parametrize("suffix", FORMATS)
def test_too_many_faces_are_refused_before_they_are_read(scene, tmp_path, monkeypatch, suffix):
    ball = trimesh.creation.icosphere(2)
    write(ball if suffix != "gltf" else trimesh.Scene(ball), tmp_path / f"ball.{suffix}")
    monkeypatch.setattr(mesh_kinds, "MOST_FACES", 300)
    monkeypatch.setattr(trimesh, "load_scene", lambda *a, **k: pytest.fail("was read"))
    with pytest.raises(BadInput, match="expected at most 300 faces, got 320"):
        load(scene, tmp_path, f"ball.{suffix}")


def test_copies_of_a_part_count(scene, tmp_path, monkeypatch):
    write(staged()[0], tmp_path / "stage.glb")
    monkeypatch.setattr(mesh_kinds, "MOST_FACES", 30)
    with pytest.raises(BadInput, match="expected at most 30 faces, got 36"):
        load(scene, tmp_path, "stage.glb")


def test_a_file_used_often_is_loaded_and_laid_out_once(scene, tmp_path, monkeypatch):
    trimesh.creation.icosphere(3, 0.3).export(tmp_path / "ball.stl")
    calls = []
    monkeypatch.setattr(mesh, "read_triangles", lambda path: calls.append(path) or mesh_reading.read_triangles(path))
    whole = table(scene, "ball.stl")
    whole["obstacles"] = [{**whole["obstacles"][0], "center": [k - 4.0, 0.0, 2.0]} for k in range(9)]
    here = build_world(whole, tmp_path / "world.toml", 0)
    assert len(calls) == 1
    assert len({id(obstacle.mesh) for obstacle in here.obstacles}) == 1
    assert len(here.geometry.triangles) == 1280
    distance, _, surface = here.nearest(np.array([[k - 4.0, 0.0, 3.0] for k in range(9)]))
    np.testing.assert_allclose(distance, 0.7, atol=0.01)
    np.testing.assert_array_equal(surface, np.arange(9))
    build_world(table(scene, "ball.stl", scale=2.0), tmp_path / "world.toml", 0)
    assert len(calls) == 2
    trimesh.creation.icosphere(3, 0.5).export(tmp_path / "ball.stl")
    os.utime(tmp_path / "ball.stl", ns=(1, 1))
    assert build_world(whole, tmp_path / "world.toml", 0).clearance(np.array([0.0, 0.0, 3.0]))[0] < 0.51
    assert len(calls) == 3
