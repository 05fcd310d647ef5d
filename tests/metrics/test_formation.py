"""Formation errors against every permutation, against alternation, and under moves that must not matter."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment

from swarm import metrics
from swarm.errors import BadInput
from swarm.formations import slots
from swarm.metrics.fit_kernel import assign
from swarm.metrics.formation import assigned_slots


def turned(points: np.ndarray, yaw: float) -> np.ndarray:
    """Points rotated about z."""
    result = points.copy()
    result[..., 0] = np.cos(yaw) * points[..., 0] - np.sin(yaw) * points[..., 1]
    result[..., 1] = np.sin(yaw) * points[..., 0] + np.cos(yaw) * points[..., 1]
    return result


def swarm_and_slots(seed: int, count: int, dim: int, shape: str, noise: float) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    if shape == "cloud":
        formation = rng.normal(size=(count, dim))
    else:
        formation = slots(shape, count, 1.0, dim)
    place = turned(formation, rng.uniform(-4.0, 4.0))[rng.permutation(count)]
    return place + rng.normal(0.0, noise, (count, dim)) + rng.uniform(-9.0, 9.0, dim), formation


SHAPES = st.sampled_from(["v", "ring", "line", "grid", "wedge", "cloud"])
NOISE = st.sampled_from([0.0, 0.1, 0.5, 3.0])


@settings(max_examples=40)
@given(seed=st.integers(0, 10_000), count=st.integers(1, 6), dim=st.sampled_from([2, 3]), shape=SHAPES, noise=NOISE)
def test_up_to_six_the_error_is_the_least_over_all_permutations(plain, seed, count, dim, shape, noise):
    position, formation = swarm_and_slots(seed, count, dim, shape, noise)
    expected = plain.best_fit_by_permutations(position, formation)
    assert metrics.formation_error(position, formation) == pytest.approx(expected, abs=1e-7)


@settings(max_examples=40)
@given(seed=st.integers(0, 10_000), lost=st.integers(1, 4), shape=SHAPES, noise=NOISE)
def test_the_living_fit_the_best_of_all_subsets_of_slots(plain, seed, lost, shape, noise):
    position, formation = swarm_and_slots(seed, 5, 3, shape, noise)
    alive = np.random.default_rng(seed).permutation(5) >= lost
    expected = plain.best_fit_by_permutations(position[alive], formation)
    assert metrics.formation_error(position, formation, alive) == pytest.approx(expected, abs=1e-7)


def alternate(position: np.ndarray, formation: np.ndarray, yaw: float) -> float:
    """Assignment and fit in turn from one yaw, the usual heuristic; the error it ends at."""
    here, there = position - position.mean(axis=0), formation - formation.mean(axis=0)
    before = np.inf
    while True:
        fitted = turned(there, yaw)
        _, chosen = linear_sum_assignment(((here[:, None] - fitted) ** 2).sum(axis=-1))
        matched = there[chosen]
        yaw = np.angle(((here[:, 0] + 1j * here[:, 1]) * np.conj(matched[:, 0] + 1j * matched[:, 1])).sum())
        error = np.sqrt(((here - turned(matched, yaw)) ** 2).sum() / len(here))
        if error > before - 1e-12:
            return before
        before = error


@given(seed=st.integers(0, 10_000), count=st.integers(7, 20), dim=st.sampled_from([2, 3]), shape=SHAPES, noise=NOISE)
def test_above_six_no_alternation_from_any_yaw_does_better(seed, count, dim, shape, noise):
    position, formation = swarm_and_slots(seed, count, dim, shape, noise)
    error = metrics.formation_error(position, formation)
    least = min(alternate(position, formation, yaw) for yaw in np.arange(12) * np.pi / 6)
    assert error <= least + 1e-7
    chosen = assigned_slots(position, formation)
    assert sorted(chosen) == list(range(count))


@given(seed=st.integers(0, 10_000), yaw=st.floats(-7.0, 7.0), count=st.sampled_from([5, 9]), lost=st.integers(0, 2))
def test_where_it_is_which_way_it_points_and_who_is_where_do_not_matter(seed, yaw, count, lost):
    rng = np.random.default_rng(seed)
    position, formation = swarm_and_slots(seed, count, 3, "v", 0.3)
    alive = rng.permutation(count) >= lost
    order = rng.permutation(count)
    moved = turned(position, yaw)[order] + [3.0, -2.0, 1.0]
    for metric in (metrics.formation_error, metrics.formation_distance_error):
        assert metric(moved, formation, alive[order]) == pytest.approx(metric(position, formation, alive), abs=1e-7)


def test_five_in_single_file_against_a_v_at_one_metre():
    file = np.stack([np.arange(5.0), np.zeros(5), np.zeros(5)], axis=1)
    # Every assignment tried by the plain definition gives the same 0.672.
    assert metrics.formation_error(file, slots("v", 5, 1.0)) == pytest.approx(0.672, abs=5e-4)
    assert 0.53 <= metrics.formation_distance_error(file, slots("v", 5, 1.0)) <= 0.67


def test_a_mirrored_formation_is_not_the_formation():
    hook = np.array([[0.0, 0.0], [1.0, 0.0], [2.0, 0.0], [3.0, 0.0], [3.0, 2.0]])
    assert metrics.formation_error(hook * [1.0, -1.0], hook) > 0.3


def test_the_fit_does_not_scale():
    square = np.array([[1.0, 1.0], [-1.0, 1.0], [-1.0, -1.0], [1.0, -1.0]])
    assert metrics.formation_error(2.0 * square, square) == pytest.approx(np.sqrt(2.0))


def test_distance_error_compares_the_distances_of_assigned_slots(plain, rng):
    position, formation = swarm_and_slots(3, 6, 3, "v", 0.2)
    chosen = assigned_slots(position, formation)
    there, here = plain.pair_distances(formation[chosen]), plain.pair_distances(position)
    assert metrics.formation_distance_error(position, formation) == pytest.approx(np.sqrt(((here - there) ** 2).mean()))


def test_a_formation_across_the_border_of_a_torus_is_whole():
    position, formation = swarm_and_slots(4, 5, 2, "v", 0.1)
    box = np.array([12.0, 12.0])
    assert metrics.formation_error(position % 12.0, formation, box=box) == pytest.approx(
        metrics.formation_error(position, formation)
    )


def test_nobody_and_coincident_agents_have_defined_errors():
    formation = slots("v", 5, 1.0)
    assert metrics.formation_error(np.zeros((5, 3)), formation, alive=np.zeros(5, bool)) == 0.0
    # All in one place: the error is the formation's own root mean square extent.
    assert metrics.formation_error(np.ones((5, 3)), formation) == pytest.approx(np.sqrt((formation**2).sum() / 5))
    assert metrics.formation_error(np.ones((1, 3)), np.zeros((1, 3))) == 0.0


def test_too_few_slots_are_refused():
    with pytest.raises(BadInput, match="at least 5 slots"):
        metrics.formation_error(np.zeros((5, 2)), np.zeros((4, 2)))


@given(rows=st.integers(1, 12), more=st.integers(0, 5), seed=st.integers(0, 10_000), whole=st.booleans())
def test_assignment_costs_as_little_as_scipys(rows, more, seed, whole):
    cost = np.random.default_rng(seed).normal(size=(rows, rows + more))
    if whole:
        cost = np.round(cost)  # many ties
    row_of, column_of = np.empty(rows + more, np.int64), np.empty(rows, np.int64)
    assign(cost, rows, rows + more, row_of, column_of, np.empty((4, rows + more)))
    assert len(set(column_of.tolist())) == rows
    expected = cost[linear_sum_assignment(cost)].sum()
    assert cost[np.arange(rows), column_of].sum() == pytest.approx(expected, abs=1e-9)
