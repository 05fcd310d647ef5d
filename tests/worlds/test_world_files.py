"""World files: what they mean, and every fault on a line of its own."""

from __future__ import annotations

import numpy as np
import pytest

from swarm.errors import BadInput
from swarm.worlds import build_world, load_world, world_names

BOUNDS = [[-5.0, -5.0, 0.0], [5.0, 5.0, 5.0]]


def faults(text, tmp_path):
    """What loading a file of this text complains about."""
    path = tmp_path / "w.toml"
    path.write_text(text)
    with pytest.raises(BadInput) as caught:
        load_world(path)
    assert all("\n" not in fault for fault in caught.value.faults)
    return [fault.replace(str(path), "w.toml") for fault in caught.value.faults]


def test_the_library_holds_the_promised_worlds_and_all_load():
    promised = {"open-field", "forest", "city", "yard", "gate-wall", "maze", "indoor", "dead-end"}
    assert promised <= set(world_names())
    for name in world_names():
        assert load_world(name, seed=1).name == name


def test_a_file_says_where_everything_stands(tmp_path):
    (tmp_path / "yard.toml").write_text(
        """
        bounds = [[-5, -5, 0], [5, 5, 5]]
        boundary = "walls"
        [[obstacles]]
        kind = "box"
        name = "shed"
        center = [1, 2, 0.5]
        size = [2, 1, 1]
        rpy = [0, 0, 90]
        [[obstacles]]
        kind = "sphere"
        center = [-2, 0, 3]
        radius = 0.5
        [[obstacles]]
        kind = "cylinder"
        center = [0, -3, 2]
        radius = 0.25
        height = 4
        """
    )
    world = load_world(tmp_path / "yard.toml")
    assert world.name == "yard"
    assert world.floor
    assert world.surfaces == (
        *("shed", "sphere 1", "cylinder 2"),
        *("floor", "ceiling", "wall x-", "wall x+", "wall y-", "wall y+"),
    )
    distance, normal, surface = world.nearest(np.array([[1.0, 3.25, 0.5], [-2.0, 0.0, 2.25], [0.5, -3.0, 1.0]]))
    np.testing.assert_allclose(distance, [0.25, 0.25, 0.25])
    np.testing.assert_allclose(normal, [[0, 1, 0], [0, 0, -1], [1, 0, 0]], atol=1e-12)
    np.testing.assert_array_equal(surface, [0, 1, 2])


@pytest.mark.parametrize(
    ("boundary", "dim", "given", "floor"),
    [
        ("walls", 3, None, True),
        ("walls", 3, False, False),
        ("open", 3, None, False),
        ("open", 3, True, True),
        ("torus", 3, None, False),
        ("walls", 2, None, False),
    ],
)
def test_the_floor_is_there_by_default_only_within_walls(boundary, dim, given, floor):
    table = {"dim": dim, "bounds": [corner[:dim] for corner in BOUNDS], "boundary": boundary}
    if given is not None:
        table["floor"] = given
    world = build_world(table, "w.toml", 0)
    assert world.floor is floor
    assert ("floor" in world.surfaces) is floor


def test_a_torus_gets_walls_and_a_notice_for_bodies_that_need_them():
    torus = build_world({"bounds": BOUNDS, "boundary": "torus"}, "ring.toml", 0)
    walled = torus.walled()
    assert walled.boundary == "walls"
    assert walled.floor
    assert walled.notices == ("ring: the torus boundary becomes walls for this body",)
    assert walled.walled() is walled
    assert torus.surfaces == ()


def test_overrides_reach_any_key_even_in_lists(tmp_path):
    path = tmp_path / "w.toml"
    path.write_text('bounds = [[0, 0], [9, 9]]\ndim = 2\n[[obstacles]]\nkind = "sphere"\ncenter = [1, 1]\nradius = 1\n')
    world = load_world(path, overrides={"obstacles.0.radius": 2.0, "boundary": "torus"})
    assert world.obstacles[0].radius == 2.0
    assert world.boundary == "torus"
    with pytest.raises(BadInput, match="no such key"):
        load_world(path, overrides={"obstacles.5.radius": 2.0})


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", ["w.toml: bounds: missing"]),
        (
            "bounds = [[0, 0, 0], [1, nan, 1]]",
            ["w.toml: bounds: expected a number >= -1000000.0, got [[0, 0"],
        ),
        ("bounds = [[0, 5, 0], [1, 1, 1]]", ["w.toml: bounds: expected lowest < highest in y, got [[0.0, 5.0,"]),
        ("bounds = [[0, 0, 0], [0, 1, 1]]", ["w.toml: bounds: expected lowest < highest in x"]),
        ("bounds = [[0, 0], [1, 1, 1]]", ["w.toml: bounds: expected two corners of 3 coordinates"]),
        ("dim = 3\nbounds = [[0, 0], [1, 1]]", ["w.toml: bounds: expected two corners of 3 coordinates"]),
        ("bounds = [[0, 0, 0]]", ["w.toml: bounds: expected two corners of 3 coordinates"]),
        ("bounds = 5", ["w.toml: bounds: expected a list, got 5"]),
        ("bounds = [[0, 0, 0], [1, 1, 1e300]]", ["w.toml: bounds: expected"]),
        ("dim = 4\nbounds = [[0], [1]]", ["w.toml: dim: expected 2 or 3, got 4"]),
        (f"bounds = {BOUNDS}\nboundary = 'wals'", ['w.toml: boundary: expected torus, walls, open, got "wals" (did']),
        (f"bounds = {BOUNDS}\nboundry = 'walls'", ['w.toml: boundry: unknown key (did you mean "boundary"?)']),
        ("dim = 2\nfloor = true\nbounds = [[0, 0], [1, 1]]", ["w.toml: floor: expected false in a world of two"]),
        (f"bounds = {BOUNDS}\nobstacles = 3", ["w.toml: obstacles: expected a list"]),
        (f"bounds = {BOUNDS}\nobstacles = [3]", ["w.toml: obstacles[0]: expected a table, got 3"]),
        (f"bounds = {BOUNDS}\nobstacles = [{{}}]", ["w.toml: obstacles[0].kind: missing"]),
        (f"bounds = {BOUNDS}\ngenerator = {{}}", ["w.toml: generator.kind: missing"]),
        ("bounds = [", ["w.toml: not a TOML file"]),
    ],
)
def test_a_faulty_file_is_told_in_a_line(text, said, tmp_path):
    told = faults(text, tmp_path)
    assert len(told) == len(said)
    for line, start in zip(told, said):
        assert line.startswith(start)


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ("kind = 'bax'", ['kind: expected box, sphere, cylinder, mesh, got "bax" (did you mean "box"?)']),
        ("kind = 'box'", ["center: missing", "size: missing"]),
        ("kind = 'box'\ncenter = [0, 0, 0]\nsize = [1, -1, 1]", ["size: expected a number > 0"]),
        ("kind = 'box'\ncenter = [0, 0]\nsize = [1, 1]", ["center: expected 3 numbers", "size: expected 3 numbers"]),
        ("kind = 'sphere'\ncenter = [0, 0, 0]\nradius = -1", ["radius: expected a number > 0"]),
        ("kind = 'sphere'\ncenter = [0, 0, 0]\nradius = inf", ["radius: expected"]),
        ("kind = 'sphere'\ncenter = [0, 0, nan]\nradius = 1", ["center: expected"]),
        ("kind = 'sphere'\ncenter = [0, 0, 0]\nradius = 1\nsize = [1]", ["size: unknown key"]),
        ("kind = 'cylinder'\ncenter = [0, 0, 0]\nradius = 1", ["height: missing"]),
        ("kind = 'cylinder'\ncenter = [0, 0, 0]\nradius = 1\nheight = 'x'", ["height: expected a number"]),
        ("kind = 'box'\ncenter = [0, 0, 0]\nsize = [1, 1, 1]\nrpy = [0, 0]", ["rpy: expected"]),
    ],
)
def test_a_faulty_obstacle_is_told_with_its_number_and_key(keys, said, tmp_path):
    told = faults(f"bounds = {BOUNDS}\n[[obstacles]]\n{keys}\n", tmp_path)
    assert len(told) == len(said)
    for line, start in zip(told, said):
        assert line.startswith(f"w.toml: obstacles[0].{start}")


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ("kind = 'mesh'\ncenter = [0, 0]\nfile = 'a.obj'", "kind: expected box, sphere or cylinder"),
        ("kind = 'box'\ncenter = [0, 0]\nsize = [1, 1]\nrpy = [10, 0, 0]", "rpy: expected [0, 0, yaw]"),
    ],
)
def test_what_the_plane_cannot_hold_is_refused(keys, said, tmp_path):
    told = faults(f"dim = 2\nbounds = [[0, 0], [1, 1]]\n[[obstacles]]\n{keys}\n", tmp_path)
    assert len(told) == 1
    assert told[0].startswith(f"w.toml: obstacles[0].{said}")


def test_all_faults_are_told_at_once(tmp_path):
    text = """
        bounds = [[0, 0, 0], [1, 1, -1]]
        boundary = "walled"
        [[obstacles]]
        kind = "sphere"
        center = [0, 0, 0]
        radius = 0
        [[obstacles]]
        kind = "ball"
    """
    assert len(faults(text, tmp_path)) == 4


def test_an_unknown_world_suggests_the_nearest():
    with pytest.raises(BadInput, match=r'forrest: no such world \(did you mean "forest"\?\)'):
        load_world("forrest")
    with pytest.raises(BadInput, match="no such file"):
        load_world("nowhere/forest.toml")


def test_a_directory_is_not_a_world(tmp_path):
    with pytest.raises(BadInput, match="directory"):
        load_world(tmp_path)


def test_a_world_has_as_many_dimensions_as_its_corners(tmp_path):
    path = tmp_path / "plane.toml"
    path.write_text("bounds = [[0.0, 0.0], [4.0, 2.0]]")
    assert load_world(path).dim == 2
    path.write_text("bounds = [[0.0, 0.0, 0.0], [4.0, 2.0, 3.0]]")
    assert load_world(path).dim == 3
