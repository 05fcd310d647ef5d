"""The library's worlds and meshes: what they promise of shape, room and ways."""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np
import pybullet
import pytest
import trimesh
from hypothesis import given, settings
from hypothesis import strategies as st

from swarm.cli.describe import world_lines
from swarm.worlds import World, build_world, load_world, world_names
from swarm.worlds.file import LIBRARY
from swarm.worlds.geometry import extent
from swarm.worlds.meshes.files import MESHES, SUFFIXES
from swarm.worlds.meshes.load import load_mesh
from swarm.worlds.meshes.repair import mend
from swarm.worlds.modelling.__main__ import main
from swarm.worlds.modelling.catalogue import FORMS
from swarm.worlds.modelling.solids import beam, blocks, revolved
from swarm.worlds.modelling.walls import pierced
from swarm.worlds.realisation import realise

# Where missions start and what they fly to, m.
SPOTS = {
    "yard": ([0.0, 0.0, 1.5], [36.0, 0.0, 1.5]),
    "gate-wall": ([0.0, 0.0, 1.5], [28.0, 0.0, 1.5]),
    "maze": ([2.0, 18.0, 1.5], [30.0, 18.0, 1.5]),
    "indoor": ([3.0, 3.0, 1.2], [21.0, 11.0, 1.2]),
    "dead-end": ([0.0, 0.0, 1.5], [16.0, 0.0, 1.5]),
}
DRAWN = ("yard", "gate-wall", "indoor")  # by the seed
MARGIN = 0.45  # m, for a quadrotor and its wake


@pytest.mark.parametrize("name", SPOTS)
def test_every_seed_gives_a_world_within_its_bounds_and_free_spots(name):
    spots = np.array(SPOTS[name])
    for seed in range(20):
        world = load_world(name, seed=seed)
        assert world.notices == ()
        assert len(set(world.surfaces)) == len(world.surfaces)
        for obstacle in world.obstacles:
            low, high = extent(obstacle)
            assert (low >= world.bounds[0] - 1e-6).all(), (seed, obstacle.name)
            assert (high <= world.bounds[1] + 1e-6).all(), (seed, obstacle.name)
        assert world.clearance(spots)[0].min() >= 1.0


@pytest.mark.parametrize("name", DRAWN)
def test_another_seed_makes_another_world(name):
    seen = {str([(o.kind, o.center, o.rpy) for o in load_world(name, seed=seed).obstacles]) for seed in range(20)}
    assert len(seen) == 20


@pytest.mark.parametrize("name", SPOTS)
def test_the_straight_line_is_blocked_but_there_is_a_way(name):
    world = load_world(name, seed=0)
    start, target = np.array(SPOTS[name])
    line = start + np.linspace(0.0, 1.0, 2001)[:, None] * (target - start)
    assert world.clearance(line)[0].min() < 0.0
    route = world.route(target, MARGIN)
    assert route.reachable(start)
    assert route.distance(start) < 60.0


@pytest.mark.slow
@pytest.mark.parametrize("name", DRAWN)
def test_there_is_a_way_with_every_seed(name):
    start, target = np.array(SPOTS[name])
    for seed in range(20):
        assert load_world(name, seed=seed).route(target, MARGIN).reachable(start), seed


@pytest.mark.parametrize("name", world_names())
def test_a_file_says_first_what_it_is_and_show_can_tell(name):
    assert (LIBRARY / f"{name}.toml").read_text().startswith("# ")
    world = load_world(name)
    assert next(iter(world_lines(world))) == f"world {name}: {world.dim} dimensions"


@pytest.mark.parametrize("name", SPOTS)
def test_bullet_has_a_body_for_every_obstacle(name):
    world = load_world(name, seed=1)
    client = pybullet.connect(pybullet.DIRECT)
    try:
        realised = realise(world, client)
        assert pybullet.getNumBodies(client) == len(realised.bodies)
        assert {surface for surfaces in realised.bodies.values() for surface in surfaces} == set(
            range(len(world.surfaces))
        )
    finally:
        pybullet.disconnect(client)


def test_the_script_makes_the_meshes_byte_for_byte(tmp_path, capsys):
    main(tmp_path)
    assert sorted(path.name for path in MESHES.iterdir()) == sorted(FORMS)
    for path in MESHES.iterdir():
        assert (tmp_path / path.name).read_bytes() == path.read_bytes(), path.name
    assert capsys.readouterr().out.count("faces") == len(FORMS)


def test_meshes_are_small_and_of_every_format():
    sizes = [path.stat().st_size for path in MESHES.iterdir()]
    assert max(sizes) < 150_000
    assert sum(sizes) < 500_000
    assert {Path(name).suffix[1:] for name in FORMS} == set(SUFFIXES) - {"gltf"}


@pytest.mark.parametrize("name", FORMS)
def test_every_mesh_is_a_closed_solid_that_another_reader_finds_the_same(name):
    mesh = load_mesh(MESHES / name)
    assert mesh.closed
    assert mesh.notices == ()
    form = FORMS[name]()
    solid = trimesh.Trimesh(*form, process=False)
    assert solid.is_watertight
    assert solid.is_winding_consistent
    assert solid.volume > 0.0
    read = trimesh.load(MESHES / name, force="mesh", process=True)
    assert len(read.faces) == len(form.faces) == len(mesh.faces)
    assert read.volume == pytest.approx(solid.volume, rel=2e-3)  # coordinates are rounded to a tenth of a millimetre
    lowest, highest = form.vertices.min(axis=0), form.vertices.max(axis=0)
    if name.endswith(".glb"):  # y is up
        lowest, highest = lowest[[0, 2, 1]], highest[[0, 2, 1]]
        lowest[2], highest[2] = -highest[2], -lowest[2]
    np.testing.assert_allclose(mesh.vertices.min(axis=0), lowest, atol=1e-4)
    np.testing.assert_allclose(mesh.vertices.max(axis=0), highest, atol=1e-4)


def test_a_glb_announces_the_length_it_has():
    content = (MESHES / "torus.glb").read_bytes()
    assert struct.unpack("<4sII", content[:12]) == (b"glTF", 2, len(content))


@pytest.mark.parametrize(
    ("world", "surface", "point", "distance"),
    [
        ("yard", "arch", [14.0, -2.5, 1.0], 2.0),  # half of the opening's width
        ("yard", "arch", [14.0, -2.5, 2.4], 0.6),  # 3 m high
        ("yard", "arch", [14.0, 0.0, 0.7], -0.5),  # in the middle of a pillar of 1 m
        ("yard", "net", [20.0, 1.1, 1.2], 1.0),  # in the middle of an opening of 2 x 2 m
        ("yard", "net", [20.0, 0.0, 5.6], 1.0),  # over its 4.6 m
        ("yard", "containers", [6.8, -0.4, 6.0], 0.85),  # the roof is at 5.15 m
        ("yard", "containers", [6.8, -0.4, 4.0], -1.12),  # in the middle of 2.4 m, less the folds of 0.08 m
        ("yard", "crane", [23.8, 0.0, 0.2], 1.0),  # the base reaches from x = 24.8
        ("yard", "crane", [26.0, -3.1, 3.9], 1.0),  # the counterweight hangs down to 4.9 m
        ("maze", "walls along x", [18.0, 16.0, 2.9], 0.9),  # a high window of 1.8 m
        ("maze", "walls along x", [6.0, 8.0, 1.2], 0.9),  # a low one
        ("maze", "walls along y", [16.0, 10.0, 2.6], 0.8),  # over a wall of 1.8 m
        ("maze", "walls along y", [14.0, 14.0, 2.0], 1.85),  # a passage of 3.7 m
        ("maze", "bridge", [2.0, 12.0, 3.1], 1.0),  # the deck is 2.1 m high
        ("maze", "bridge", [2.0, 12.0, 1.0], 0.85),  # and 1.85 m from below
        ("indoor", "walls", [4.0, 5.8, 1.1], 0.65),  # a door of 1.3 m
        ("indoor", "walls", [4.0, 5.8, 1.7], 0.5),  # and 2.2 m
        ("indoor", "walls", [12.0, 7.0, 2.5], 1.125),  # the corridor is 2.4 m less a wall wide
        ("dead-end", "trap", [7.0, 1.7, 2.0], 1.0),  # 5.4 m inside
        ("dead-end", "trap", [8.7, 0.0, 2.0], 1.0),  # the back's face is at x = 9.7
        ("dead-end", "trap", [4.0, 2.85, 2.0], 1.0),  # the arms begin at x = 5
    ],
)
def test_known_distances(world, surface, point, distance):
    there = load_world(world, seed=3)
    mesh = next(obstacle for obstacle in there.obstacles if obstacle.name == surface)
    alone = World("alone", there.bounds, "open", False, (mesh,))
    assert alone.clearance(np.array([point]))[0][0] == pytest.approx(distance, abs=1e-4)


def test_the_torus_is_free_around_its_centre():
    yard = load_world("yard")
    torus = next(obstacle for obstacle in yard.obstacles if obstacle.name == "torus")
    free, _, surface = yard.nearest(np.array([torus.center]))
    assert yard.surfaces[surface[0]] == "torus"
    assert 1.5 * np.cos(np.pi / 40) - 1e-3 <= free[0] <= 1.5  # its circles have 40 corners


@pytest.mark.parametrize("seed", range(20))
def test_gates_are_as_wide_as_they_say(seed):
    world = load_world("gate-wall", seed=seed)
    assert [gate.order for gate in world.gates] == [1, 2, 3, 4]
    for gate in world.gates:
        half = gate.radius or min(gate.size) / 2.0
        assert world.clearance(np.array([gate.center]))[0][0] == pytest.approx(half, abs=1e-9)
        before, after = (np.array([gate.center]) + side * gate.normal for side in (-1.0, 1.0))
        assert gate.crossed(before, after)[0]
    assert [gate.radius > 0.0 for gate in world.gates] == [False, False, True, False]


def test_a_gate_can_be_written_by_hand_around_a_mesh_of_the_library(tmp_path):
    ring = {"kind": "mesh", "file": "gate-ring.obj", "center": [3.0, 0.0, 1.7], "rpy": [0.0, 0.0, 30.0]}
    gate = {"kind": "gate", "order": 1, "center": [3.0, 0.0, 1.7], "radius": 1.0, "yaw": 30.0}
    table = {"bounds": [[-5.0, -5.0, 0.0], [5.0, 5.0, 5.0]], "obstacles": [ring], "zones": [gate]}
    world = build_world(table, tmp_path / "w.toml")
    assert world.clearance(np.array([[3.0, 0.0, 1.7]]))[0][0] == pytest.approx(1.0, abs=1e-4)
    assert world.gates[0].normal == pytest.approx([np.cos(np.pi / 6), 0.5, 0.0])


def test_every_free_place_of_the_maze_can_be_reached():
    maze = load_world("maze")
    points = np.random.default_rng(0).uniform(maze.bounds[0] + 0.4, maze.bounds[1] - 0.4, (2000, 3))
    points = points[maze.clearance(points)[0] > 0.4]
    assert len(points) > 1500
    assert maze.route(np.array([30.0, 18.0, 1.5]), 0.3).reachable(points).all()
    one, other = points[:700], points[700:1400]
    far = np.linalg.norm(one - other, axis=1) > 8.0
    line = one[far] + np.linspace(0.0, 1.0, 300)[:, None, None] * (other[far] - one[far])
    assert (maze.clearance(line)[0].min(axis=0) < 0.0).mean() > 0.9


def test_zones_name_the_rooms_and_the_ends_of_the_yard():
    rooms = load_world("indoor")
    assert rooms.zone("room south-west").contains(np.array([3.0, 3.0, 1.2]))
    assert rooms.zone("room north-east").contains(np.array([21.0, 11.0, 1.2]))
    assert len(rooms.zones) == 7
    yard = load_world("yard")
    for name, spot in zip(("start", "target"), SPOTS["yard"]):
        zone = yard.zone(name)
        assert zone.contains(np.array(spot))
        corners = np.array(zone.center) + np.random.default_rng(0).uniform(-0.5, 0.5, (500, 3)) * zone.size
        for seed in range(20):
            assert load_world("yard", seed=seed).clearance(corners)[0].min() >= 0.0


@settings(max_examples=25)
@given(st.lists(st.tuples(*[st.tuples(st.integers(0, 4), st.integers(1, 3))] * 3), min_size=1, max_size=6))
def test_blocks_cover_what_their_boxes_cover(spans):
    cells = np.zeros((8, 8, 8), np.bool_)
    for span in spans:
        cells[tuple(slice(low, low + size) for low, size in span)] = True
    form = blocks([(tuple(low for low, _ in span), tuple(low + size for low, size in span)) for span in spans])
    solid = trimesh.Trimesh(*form, process=False)
    assert solid.volume == pytest.approx(cells.sum())
    padded = np.pad(cells, 1)
    sides = sum(int((np.diff(padded.astype(int), axis=axis) != 0).sum()) for axis in range(3))
    assert solid.area == pytest.approx(sides)  # nothing is left inside
    assert mend(*form).closed


@settings(max_examples=25)
@given(st.floats(-8.0, -1.3), st.floats(1.3, 8.0), st.floats(-3.0, -1.3), st.floats(1.3, 3.0), st.floats(0.5, 1.2))
def test_a_pierced_wall_has_all_but_the_volume_of_its_hole(right, left, below, above, radius):
    form = pierced((right, left), (below, above), radius, 0.3)
    hole = 32 * radius**2 * np.tan(np.pi / 32)  # a polygon about the circle
    solid = trimesh.Trimesh(*form, process=False)
    assert solid.is_watertight
    assert solid.volume == pytest.approx(0.3 * ((left - right) * (above - below) - hole))


def test_beams_and_revolved_solids_have_the_volume_of_their_formulas():
    bar = trimesh.Trimesh(*beam((1.0, 0.0, 0.0), (3.0, 2.0, 1.0), 0.2), process=False)
    assert bar.is_watertight
    assert bar.volume == pytest.approx(3.0 * 0.2**2)
    cone = trimesh.Trimesh(*revolved([(1.0, 0.0), (0.5, 2.0)], 64), process=False)
    polygon = 64 / 2.0 * np.sin(2.0 * np.pi / 64)  # area of one with 64 corners on the unit circle
    assert cone.volume == pytest.approx(polygon * 2.0 / 3.0 * (1.0 + 0.5 + 0.25))
