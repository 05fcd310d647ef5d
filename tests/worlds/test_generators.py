"""Forests and cities by chance."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from swarm.errors import BadInput
from swarm.worlds import load_world
from swarm.worlds.generators.scatter import scatter

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
        ("forest", "generator.kind", "forrest", 'generator.kind: expected forest, city, got "forrest" (did you mean'),
        ("forest", "generator.densty", 0.1, 'generator.densty: unknown key (did you mean "density"?)'),
        ("city", "generator.density", 0.2, "generator.density: expected room for"),
        ("city", "generator.width", [50.0, 60.0], "generator.width: expected less than the area's sides"),
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
