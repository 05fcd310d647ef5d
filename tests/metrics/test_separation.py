"""Pair distances: separation, nearest neighbour, contacts, near misses, safety; few agents and many."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from swarm import metrics
from swarm.metrics import measure
from swarm.metrics.cell_kernel import ALL_PAIRS
from swarm.metrics.measure import PairMeter

RADIUS = 0.15


def cloud(seed: int, count: int, dim: int, kind: str) -> tuple[np.ndarray, np.ndarray]:
    """Positions and box of an awkward swarm."""
    rng = np.random.default_rng(seed)
    box = np.zeros(dim)
    if kind == "torus":
        box = rng.uniform(3.0, 9.0, dim)
    elif kind == "strip":
        box[0] = 5.0
    position = rng.uniform(-1.0, 1.0, (2, count, dim)) * 4.0
    if kind == "clumps":
        position = np.round(position / 3.0) * 3.0 + rng.normal(0.0, 0.05, position.shape)
    elif kind == "line":
        position[..., 1:] = 0.25
    elif kind == "point":
        position[:] = 1.5
    elif kind == "outlier":
        position[:, 0] = 1e4
    return position, box


@given(
    seed=st.integers(0, 10_000),
    count=st.sampled_from([2, 5, ALL_PAIRS, ALL_PAIRS + 1, 130]),
    dim=st.sampled_from([2, 3]),
    kind=st.sampled_from(["torus", "strip", "open", "clumps", "line", "point", "outlier"]),
    reach=st.sampled_from([0.0, 0.4, 1.5, 20.0]),
)
def test_pair_metrics_agree_with_all_pairs(plain, seed, count, dim, kind, reach):
    position, box = cloud(seed, count, dim, kind)
    safety = metrics.safety(position, 0.3, box=box)
    separation, nearest = metrics.min_separation(position, box=box), metrics.nearest_neighbour(position, box=box)
    groups, union = metrics.groups(position, reach, box=box), metrics.union(position, reach, box=box)
    for t, sample in enumerate(position):
        apart = plain.apart(sample, box)
        np.fill_diagonal(apart, np.inf)
        assert separation[t] == pytest.approx(apart.min(), abs=1e-9)
        assert nearest[t] == pytest.approx(apart.min(axis=1).mean(), abs=1e-9)
        assert safety[t] == pytest.approx(1.0 - (plain.pair_distances(sample, box) < 0.6).mean())
        number, _ = plain.labels(sample, reach, box)
        assert groups[t] == number
        assert union[t] == pytest.approx((count - number) / (count - 1))


@pytest.mark.parametrize("box", [0.0, 100.0])
def test_neighbours_exactly_at_the_range_interact_wherever_cells_begin(box):
    # 29 / 100 x 100 is rounded down to 28.99...: in cells as wide as the range it would be two cells from 30.
    line = np.stack([np.arange(0.0, 100.0), np.zeros(100)], axis=1)
    assert metrics.groups(line, 1.0, box=[box, 0.0]) == 1.0
    assert metrics.groups(line, 1.0 - 1e-9, box=[box, 0.0]) == 100.0


def test_of_several_closest_pairs_the_first_by_index_is_named_few_or_many():
    for count in (20, ALL_PAIRS + 20):
        position = np.random.default_rng(0).uniform(0.0, 50.0, (1, count, 2)).round()
        position[0, [3, 17]] = position[0, [5, 9]] = [[60.0, 60.0], [70.0, 70.0]]
        meter = PairMeter(np.zeros(2), interaction=1.0)
        _, closest, _ = meter.update(position, position, np.ones((1, count), bool))
        apart = np.linalg.norm(position[0, :, None] - position[0], axis=-1)
        i, j = np.triu_indices(count, 1)
        first = np.argmin(apart[i, j])
        assert closest.tolist() == [[i[first], j[first]]]


def test_threads_that_share_the_samples_give_the_same_bytes(monkeypatch):
    rng = np.random.default_rng(3)
    position, velocity = rng.uniform(0.0, 12.0, (40, 300, 2)), rng.normal(size=(40, 300, 2))
    alive = rng.random((40, 300)) < 0.95
    results = []
    for threads in (1, 2, 5):
        monkeypatch.setattr(measure, "SHARED", 0)
        monkeypatch.setattr(measure, "cores", lambda threads=threads: threads)
        meter = PairMeter(np.full(2, 12.0), 0.1, 0.2, 0.3, 1.0)
        results.append([part.tobytes() for part in meter.update(position, velocity, alive)])
    assert results[0] == results[1] == results[2]


@pytest.mark.parametrize("count", [6, ALL_PAIRS + 10])
def test_contacts_and_near_misses_are_counted_when_they_begin(plain, rng, count):
    run = plain.record(rng, 60, count, 2 if count == 6 else 3)
    apart = np.array([plain.pair_distances(p) for p in run.position])
    touching = apart < 2 * RADIUS
    near = (apart >= 2 * RADIUS) & (apart < 0.6)
    assert metrics.collisions(run.position, RADIUS) == pytest.approx(plain.onsets(touching))
    assert metrics.near_misses(run.position, RADIUS, 0.6) == pytest.approx(plain.onsets(near))
    assert touching.any()
    assert near.any()


def test_near_miss_radius_is_three_radii_by_default():
    assert metrics.near_misses(np.array([[0.0, 0.0], [0.44, 0.0]]), RADIUS) == 1.0
    assert metrics.near_misses(np.array([[0.0, 0.0], [0.46, 0.0]]), RADIUS) == 0.0


def test_a_touch_is_no_near_miss_and_parting_from_one_is():
    distance = [1.0, 0.4, 0.2, 0.4, 1.0, 0.2]
    position = np.array([[[0.0, 0.0], [d, 0.0]] for d in distance])
    assert metrics.collisions(position, RADIUS).tolist() == [0, 0, 1, 0, 0, 1]
    assert metrics.near_misses(position, RADIUS, 0.6).tolist() == [0, 1, 0, 1, 0, 0]


def test_the_lost_are_no_neighbours():
    position = np.array([[0.0, 0.0], [0.1, 0.0], [2.0, 0.0]])
    alive = [True, False, True]
    assert metrics.min_separation(position, alive) == 2.0
    assert metrics.nearest_neighbour(position, alive) == 2.0
    assert metrics.collisions(position, RADIUS, alive) == 0.0


def test_fewer_than_two_have_no_separation():
    for position in (np.zeros((1, 3)), np.zeros((0, 3))):
        assert metrics.min_separation(position) == np.inf
        assert metrics.nearest_neighbour(position) == np.inf
        assert metrics.safety(position, RADIUS) == 1.0


def test_uniform_scatter_has_the_null_distance_to_the_nearest(rng):
    for dim in (2, 3):
        box = np.full(dim, 8.0)
        position = rng.uniform(0.0, 8.0, (20, 800, dim))
        null = metrics.METRICS["nearest_neighbour"].null(800, dim, tuple(box))
        assert metrics.nearest_neighbour(position, box=box).mean() == pytest.approx(null, rel=0.02)


def test_more_pairs_at_once_than_there_was_room_for():
    position = np.zeros((3, 30, 2))
    meter = PairMeter(np.zeros(2), contact=0.3)
    _, _, onsets = meter.update(position, position, np.ones((3, 30), bool))
    assert len(onsets) == 30 * 29 // 2
    assert (onsets[:, 0] == 0).all()
