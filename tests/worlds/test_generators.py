"""What stands in a world by chance: forests, cities, gates in walls, masts and furniture."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from swarm.errors import BadInput
from swarm.worlds import World, load_world
from swarm.worlds.file import LIBRARY
from swarm.worlds.generators.scatter import scatter

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

SEEDS = range(100)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_forest_has_its_density_spacing_and_radii(seed):
    forest = load_world("forest", seed=seed)
    centers = np.array([trunk.center for trunk in forest.obstacles])
    assert len(centers) == round(0.2 * 20.0 * 12.0)
    assert (centers[:, :2] >= [4.0, -6.0]).all()
    assert (centers[:, :2] <= [24.0, 6.0]).all()
    apart = np.linalg.norm(centers[:, None, :2] - centers[None, :, :2], axis=2)
    assert apart[~np.eye(len(centers), dtype=bool)].min() >= 1.5
    radii = np.array([trunk.radius for trunk in forest.obstacles])
    assert radii.min() >= 0.15
    assert radii.max() <= 0.35
    assert {(trunk.kind, trunk.center[2], trunk.height) for trunk in forest.obstacles} == {("cylinder", 2.0, 4.0)}


def described(world):
    """All numbers of a world's obstacles."""
    return [(o.kind, o.center, o.size, o.radius, o.height) for o in world.obstacles]


@pytest.mark.parametrize("name", ["forest", "city"])
def test_a_seed_makes_one_world_and_another_seed_another(name):
    assert described(load_world(name, seed=3)) == described(load_world(name, seed=3))
    assert described(load_world(name)) == described(load_world(name, seed=0))
    assert len({str(described(load_world(name, seed=seed))) for seed in range(20)}) == 20


def test_a_generator_with_a_seed_of_its_own_ignores_the_runs():
    fixed = [load_world("forest", seed=seed, overrides={"generator.seed": 7}) for seed in (0, 1)]
    assert described(fixed[0]) == described(fixed[1]) == described(load_world("forest", seed=7))


def test_trunks_fill_the_area_evenly():
    centers = np.array([o.center[:2] for seed in SEEDS for o in load_world("forest", seed=seed).obstacles])
    counts, _, _ = np.histogram2d(centers[:, 0], centers[:, 1], bins=(4, 2), range=((4, 24), (-6, 6)))
    # 4,800 trunks over eight parts: 600 each, within four standard deviations of a plain Poisson count.
    np.testing.assert_allclose(counts, 600.0, atol=4.0 * np.sqrt(600.0))


@settings(max_examples=30)
@given(st.integers(0, 2**32), st.floats(0.3, 3.0), st.integers(0, 20))
def test_scattered_points_keep_their_distance(seed, spacing, count):
    area = np.array([[-10.0, 0.0], [10.0, 12.0]])
    points = scatter(area, count, spacing, np.random.default_rng(seed))
    assert points.shape == (count, 2)
    apart = np.linalg.norm(points[:, None] - points[None, :], axis=2) + 1e9 * np.eye(count)
    assert apart.min(initial=np.inf) >= spacing


@pytest.mark.parametrize("seed", range(20))
def test_buildings_leave_streets_and_stand_in_the_area(seed):
    city = load_world("city", seed=seed)
    boxes = [(np.array(b.center), np.array(b.size)) for b in city.obstacles]
    assert len(boxes) == round(0.012 * 40.0 * 36.0)
    for k, (center, size) in enumerate(boxes):
        assert center[2] == pytest.approx(size[2] / 2.0)
        assert (center[:2] - size[:2] / 2.0 >= [-20.0, -18.0]).all()
        assert (center[:2] + size[:2] / 2.0 <= [20.0, 18.0]).all()
        for other, extent in boxes[:k]:
            gap = np.abs(center[:2] - other[:2]) - (size[:2] + extent[:2]) / 2.0
            assert gap.max() >= 2.0 - 1e-12


@pytest.mark.parametrize(
    ("name", "key", "value", "said"),
    [
        ("forest", "generator.density", 0.5, "generator.density: expected at most about"),
        ("forest", "generator.density", 0.36, "generator.density: expected at most about"),
        ("forest", "generator.density", 1e5, "generator.density: expected at most 20000"),
        ("forest", "generator.density", -0.1, "generator.density: expected a number >= 0"),
        ("forest", "generator.spacing", 4.0, "generator.density: expected at most about"),
        ("forest", "generator.spacing", 0.0, "generator.spacing: expected a number > 0"),
        ("forest", "generator.radius", [0.4, 0.1], "generator.radius: expected [smallest, largest]"),
        ("forest", "generator.radius", [0.4], "generator.radius: expected"),
        ("forest", "generator.area", [[24, -6], [4, 6]], "generator.area: expected lowest < highest"),
        ("forest", "generator.area", [[4, -6], [44, 6]], "generator.area: expected it inside the bounds"),
        ("forest", "generator.seed", -1, "generator.seed: expected a whole number >= 0"),
        ("forest", "generator.seed", 1.5, "generator.seed: expected"),
        (
            "forest",
            "generator.kind",
            "forrest",
            "generator.kind: expected forest, city, gate-wall, masts, furniture, cells, got",
        ),
        ("forest", "generator.densty", 0.1, 'generator.densty: unknown key (did you mean "density"?)'),
        ("city", "generator.density", 0.2, "generator.density: expected room for"),
        ("city", "generator.width", [50.0, 60.0], "generator.width: expected less than the area's sides"),
        (
            "gate-wall",
            "generator.walls",
            [6.0, 12.0, 31.0],
            "generator.walls: expected -3.85 to 29.85, so that they stand in",
        ),
        ("gate-wall", "generator.round", [5], "generator.round: expected numbers of walls, 1 to 4, got [5]"),
        ("gate-wall", "generator.round", [0], "generator.round: expected a whole number >= 1"),
        ("gate-wall", "generator.width", [3.0, 2.0], "generator.width: expected [smallest, largest]"),
        (
            "gate-wall",
            "generator.width",
            [3.0, 11.5],
            "generator.width: expected openings of at most 11 m, for 0.5 m of",
        ),
        (
            "gate-wall",
            "generator.height",
            [2.0, 4.5],
            "generator.height: expected openings of at most 4 m, for 0.5 m of",
        ),
        (
            "gate-wall",
            "generator.radius",
            [2.0, 2.5],
            "generator.radius: expected openings of at most 4 m, for 0.5 m of",
        ),
        ("yard", "generator.areas", [], "generator.areas: expected one or more, got none"),
        ("yard", "generator.areas.1", [[0, 0], [99, 1]], "generator.areas[1]: expected it inside the bounds"),
        ("yard", "generator.height", [5.0, 1.0], "generator.height: expected [smallest, largest]"),
        ("yard", "generator.barrels", 500, "generator.spacing: expected room for 509 masts and barrels, found it for"),
        ("yard", "generator.masts", -1, "generator.masts: expected a whole number >= 0"),
        ("indoor", "generator.rooms.0", [[5, 5], [1, 9]], "generator.rooms[0]: expected lowest < highest in x and y"),
        ("indoor", "generator.pieces", [5, 2], "generator.pieces: expected [fewest, most], got [5, 2]"),
    ],
)
def test_impossible_generators_are_refused_in_one_line(name, key, value, said):
    with pytest.raises(BadInput) as caught:
        load_world(name, overrides={key: value})
    assert len(caught.value.faults) == 1
    assert f"{name}.toml: {said}" in caught.value.faults[0]


def test_a_forest_of_the_plane_is_discs():
    flat = {"dim": 2, "bounds": [[-6.0, -6.0], [38.0, 6.0]]}
    forest, plan = load_world("forest", seed=2), load_world("forest", seed=2, overrides=flat)
    assert [(o.center, o.radius) for o in plan.obstacles] == [(o.center[:2], o.radius) for o in forest.obstacles]
    distance, _ = plan.clearance(np.array([[14.0, 0.0]]))
    walls_only = forest.clearance(np.array([[14.0, 0.0, 2.0]]))[0]
    np.testing.assert_allclose(np.minimum(distance, 2.0), walls_only)


def test_gate_walls_have_openings_within_their_ranges_and_reach_from_side_to_side():
    for seed in range(20):
        world = load_world("gate-wall", seed=seed)
        low, high = world.bounds[0, 1:] + 0.5, world.bounds[1, 1:] - 0.5
        for number, (gate, wall) in enumerate(zip(world.gates, world.obstacles), start=1):
            assert gate.center[0] == wall.center[0] == 6.0 * number
            size = np.array(gate.size or (2.0 * gate.radius, 2.0 * gate.radius))
            assert (np.array(gate.center[1:]) - size / 2.0 >= low - 1e-9).all()
            assert (np.array(gate.center[1:]) + size / 2.0 <= high + 1e-9).all()
            if number == 3:
                assert 1.0 <= gate.radius <= 1.2
            else:
                assert 2.2 <= size[0] <= 2.8
                assert 1.6 <= size[1] <= 2.2
            corners = wall.vertices()
            np.testing.assert_allclose(corners.min(axis=0), [6.0 * number - 0.15, -6.0, 0.0], atol=1e-9)
            np.testing.assert_allclose(corners.max(axis=0), [6.0 * number + 0.15, 6.0, 5.0], atol=1e-9)


@pytest.mark.parametrize("seed", range(5))
def test_a_gate_wall_is_solid_but_for_its_opening(seed):
    world = load_world("gate-wall", seed=seed)
    across, up = np.meshgrid(np.linspace(-5.9, 5.9, 60), np.linspace(0.1, 4.9, 30))
    for gate in world.gates:
        points = np.stack((np.full(across.size, gate.center[0]), across.ravel(), up.ravel()), axis=1)
        aside = points[:, 1:] - np.array(gate.center[1:])
        if gate.radius:
            edge = np.linalg.norm(aside, axis=1) - gate.radius
        else:
            edge = (np.abs(aside) - np.array(gate.size) / 2.0).max(axis=1)
        clearly = np.abs(edge) > 0.01  # a round hole's corners lie outside its circle
        np.testing.assert_array_equal(world.clearance(points)[0][clearly] < 0.0, edge[clearly] > 0.0)


def test_making_a_wall_round_leaves_the_others_as_they_are():
    plain, other = (load_world("gate-wall", seed=2, overrides={"generator.round": r}).gates for r in ([], [2]))
    assert [a == b for a, b in zip(plain, other)] == [True, False, True, True]


def test_gates_of_a_generator_come_after_those_of_the_file():
    gate = {"kind": "gate", "order": 1, "center": [3.0, 0.0, 2.0], "radius": 1.0, "name": "first"}
    world = load_world("gate-wall", overrides={"zones": [gate]})
    assert [(gate.name, gate.order) for gate in world.gates[:2]] == [("first", 1), ("gate 1", 2)]
    assert [gate.center[0] for gate in world.gates] == [3.0, 6.0, 12.0, 18.0, 24.0]


def test_gate_walls_of_the_plane_are_boxes_beside_an_opening():
    flat = {"dim": 2, "bounds": [[-4.0, -6.0], [30.0, 6.0]]}
    world = load_world("gate-wall", seed=4, overrides=flat)
    assert [len(gate.center) for gate in world.gates] == [2] * 4
    for gate in world.gates:
        half = gate.radius or gate.size[0] / 2.0
        assert world.clearance(np.array([gate.center]))[0][0] == pytest.approx(half, abs=1e-9)


@pytest.mark.parametrize("seed", range(20))
def test_masts_and_barrels_stand_apart_in_the_areas(seed):
    yard = load_world("yard", seed=seed)
    areas = np.array(tomllib.loads((LIBRARY / "yard.toml").read_text())["generator"]["areas"])
    upright = [o for o in yard.obstacles if o.kind == "cylinder"]
    assert [o.name for o in upright] == [f"mast {k}" for k in range(1, 10)] + [f"barrel {k}" for k in range(1, 10)]
    places = np.array([o.center[:2] for o in upright])
    inside = (places[:, None] >= areas[:, 0]) & (places[:, None] <= areas[:, 1])
    assert inside.all(axis=2).any(axis=1).all()
    apart = np.linalg.norm(places[:, None] - places[None], axis=2) + 1e9 * np.eye(len(places))
    assert apart.min() >= 2.2
    for mast in upright[:9]:
        assert 0.06 <= mast.radius <= 0.12
        assert 3.5 <= mast.height <= 6.5
        assert mast.center[2] == mast.height / 2.0
    meshes = World("meshes", yard.bounds, "open", False, tuple(o for o in yard.obstacles if o.kind == "mesh"))
    for upright_one in upright:
        column = np.array([[*upright_one.center[:2], z] for z in np.linspace(0.0, 0.9, 10)])
        assert meshes.clearance(column)[0].min() - upright_one.radius >= 0.9  # room for a way with 0.45 m on both sides


def test_masts_keep_clear_of_spots():
    spots = [[8.0, 7.0], [17.0, 0.0]]
    for seed in range(20):
        yard = load_world("yard", seed=seed, overrides={"generator.keep_clear": spots, "generator.clear": 2.0})
        places = np.array([o.center[:2] for o in yard.obstacles if o.kind == "cylinder"])
        assert np.linalg.norm(places[:, None] - np.array(spots), axis=2).min() >= 2.0


@pytest.mark.parametrize("seed", range(20))
def test_furniture_stands_in_rooms_apart_and_away_from_doors(seed):
    keys = tomllib.loads((LIBRARY / "indoor.toml").read_text())["generator"]
    rooms, spots = np.array(keys["rooms"]), np.array(keys["keep_clear"])
    flat = load_world("indoor", seed=seed)
    boxes = {o.name: np.array([o.vertices().min(axis=0), o.vertices().max(axis=0)]) for o in flat.obstacles[1:]}
    for name, (low, high) in boxes.items():
        assert low[2] == pytest.approx(0.0, abs=1e-6), name
        assert high[2] <= 1.8 + 1e-6
        assert ((low[:2] >= rooms[:, 0]) & (high[:2] <= rooms[:, 1])).all(axis=1).any(), name
        away = np.linalg.norm(np.maximum(np.maximum(low[:2] - spots, spots - high[:2]), 0.0), axis=1)
        assert away.min() >= 1.2
    large = [box[:, :2] for name, box in boxes.items() if not name.startswith("chair")]
    for k, one in enumerate(large):
        for other in large[:k]:
            assert np.maximum(one[0] - other[1], other[0] - one[1]).max() >= 0.3 - 1e-6
    kinds = [name.split()[0] for name in boxes]
    assert kinds.count("chair") == 4 * kinds.count("table") > 0


def test_chairs_face_their_table():
    flat = load_world("indoor", seed=0)
    tables = [np.array(o.center) for o in flat.obstacles if o.name.startswith("table")]
    for chair in (o for o in flat.obstacles if o.name.startswith("chair")):
        to_table = min((table - chair.center for table in tables), key=lambda way: float(np.linalg.norm(way)))
        assert chair.rotation[:, 1] @ to_table > 0.5  # its back is towards its own -y


def test_furniture_needs_three_dimensions():
    flat = {"dim": 2, "bounds": [[0.0, 0.0], [24.0, 14.0]], "obstacles": [], "zones": []}
    with pytest.raises(BadInput, match=r"generator\.kind: expected a world of three dimensions for furniture"):
        load_world("indoor", overrides=flat)
