"""Cells give the same neighbours as comparing all pairs, whatever the place, the boundary and the number of agents."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from swarm.errors import BadInput, SimulationError
from swarm.neighbours import Cells, Graph, graph, nearest, nearest_of, sort_by_density, within
from swarm.neighbours.all_pairs import edges

ALL_ROUND = 2 * np.pi


def all_pairs(*given: Any) -> Graph:
    """The graph by comparing all pairs: of position ... box, range and field of view."""
    *swarm, reach, field_of_view = given
    return Graph(*edges(*swarm, float(reach), 0.5 * field_of_view))


def swarm_of(seed: int, agents: int, dim: int, box: Any, spread: float, lattice: bool, worlds: int) -> tuple[Any, ...]:
    """Position, velocity, alive, world index and box: evenly spread or on a lattice, some dead, some in one place."""
    rng = np.random.default_rng(seed)
    position = rng.uniform(-spread, spread, (agents, dim))
    if lattice:
        position = np.round(position)
    if agents > 3:
        position[1] = position[0]
        position[2] += 1e4 * rng.integers(0, 2)
    velocity = rng.normal(size=(agents, dim)) * rng.integers(0, 2, (agents, 1))
    alive = rng.random(agents) < 0.9
    return position, velocity, alive, rng.integers(0, worlds, agents), np.array(box, float)


@st.composite
def swarms(draw: st.DrawFn) -> tuple[Any, ...]:
    dim = draw(st.sampled_from([2, 3]))
    periods = st.one_of(st.just(0.0), st.sampled_from([1.0, 7.0, 20.0]), st.floats(0.5, 40.0))
    return swarm_of(
        draw(st.integers(0, 2**32)), draw(st.integers(0, 60)), dim, [draw(periods) for _ in range(dim)],
        draw(st.sampled_from([0.0, 0.7, 5.0, 20.0])), draw(st.booleans()), draw(st.integers(1, 3)),
    )  # fmt: skip


def by_numpy(
    position: Any, velocity: Any, alive: Any, world_index: Any, box: Any, reach: float, field_of_view: float
) -> Graph:
    """The definition, agent by agent."""
    rows, steps, lengths = [], [], []
    for i in range(len(position)):
        step = position - position[i]
        for k in np.flatnonzero(box):
            step[:, k] -= box[k] * np.floor(step[:, k] * (1 / box[k]) + 0.5)
        square = np.zeros(len(position))
        for k in range(len(box)):
            square += step[:, k] ** 2
        seen = alive & alive[i] & (world_index == world_index[i]) & (square <= reach * reach)
        seen[i] = False
        speed = np.sqrt((velocity[i] ** 2).sum())
        if field_of_view < ALL_ROUND and speed > 1e-9:
            seen &= (square == 0) | (step @ velocity[i] >= np.cos(field_of_view / 2) * speed * np.sqrt(square))
        rows.append(np.flatnonzero(seen))
        steps.append(step[seen])
        lengths.append(np.sqrt(square[seen]))
    indptr = np.cumsum([0, *map(len, rows)])
    empty = np.empty((0, len(box)))
    return Graph(
        indptr, np.concatenate([*rows, np.empty(0, np.int64)]), np.concatenate([*steps, empty]),
        np.concatenate([*lengths, np.empty(0)]),
    )  # fmt: skip


def assert_same(found: Graph, expected: Graph) -> None:
    for name in Graph._fields:
        np.testing.assert_array_equal(getattr(found, name), getattr(expected, name), err_msg=name)


@settings(max_examples=150, deadline=None)
@given(swarms(), st.floats(0.05, 30.0), st.sampled_from([ALL_ROUND, 4.1, 1.3]))
def test_comparing_all_pairs_follows_the_definition(swarm, reach, field_of_view):
    assert_same(all_pairs(*swarm, reach, field_of_view), by_numpy(*swarm, reach, field_of_view))


@settings(max_examples=400, deadline=None)
@given(swarms(), st.one_of(st.floats(0.05, 30.0), st.sampled_from([0.5, 1.0, 3.5, 10.0, np.inf])), st.floats(0.1, 6.3))
def test_cells_give_the_same_to_the_bit_as_all_pairs(swarm, reach, field_of_view):
    cells = Cells(1)
    cells.sort(*swarm, reach)
    assert_same(within(cells, field_of_view=field_of_view), all_pairs(*swarm, reach, field_of_view))


@settings(max_examples=200, deadline=None)
@given(swarms(), st.integers(1, 9), st.one_of(st.just(np.inf), st.floats(0.1, 20.0)), st.sampled_from([ALL_ROUND, 3.0]))
def test_the_nearest_are_the_first_by_distance_then_by_index(swarm, number, reach, field_of_view):
    all_seen = all_pairs(*swarm, reach, field_of_view)
    cells = Cells(1)
    sort_by_density(cells, *swarm, number)
    found = nearest_of(cells, number, reach, field_of_view)
    for i in range(len(swarm[0])):
        row = slice(all_seen.indptr[i], all_seen.indptr[i + 1])
        square = (all_seen.displacement[row] ** 2).sum(axis=1)
        chosen = np.sort(np.lexsort((all_seen.indices[row], square))[:number])
        mine = slice(found.indptr[i], found.indptr[i + 1])
        np.testing.assert_array_equal(found.indices[mine], all_seen.indices[row][chosen])
        np.testing.assert_array_equal(found.distance[mine], all_seen.distance[row][chosen])
        np.testing.assert_array_equal(found.displacement[mine], all_seen.displacement[row][chosen])


@pytest.mark.parametrize("box", [[0, 0], [30, 0], [30, 40]])
def test_many_agents_are_sorted_and_few_compared_with_the_same_result(box):
    swarm = swarm_of(1, 700, 2, box, 15.0, False, 1)
    assert_same(graph(*swarm, 2.0), all_pairs(*swarm, 2.0, ALL_ROUND))
    assert_same(graph(*swarm, 2.0, 2.0), all_pairs(*swarm, 2.0, 2.0))


@pytest.mark.parametrize("dim", [2, 3])
def test_threads_do_not_change_a_bit(dim):
    swarm = swarm_of(2, 6000, dim, [30.0] * dim, 15.0, False, 2)
    results = []
    for threads in (1, 2, 3):
        cells = Cells(threads)
        cells.sort(*swarm, 1.5)
        results.append((within(cells, field_of_view=4.0), nearest_of(cells, 7)))
    for ranged, closest in results[1:]:
        assert_same(ranged, results[0][0])
        assert_same(closest, results[0][1])


def test_a_workspace_forgets_the_swarm_before():
    cells, rng = Cells(1), np.random.default_rng(3)
    for agents, dim in ((300, 3), (40, 2), (0, 2), (200, 2), (200, 3), (1, 3)):
        swarm = swarm_of(int(rng.integers(99)), agents, dim, [9.0] * dim, 10.0, False, 2)
        cells.sort(*swarm, 2.0)
        assert_same(within(cells, lend=True), all_pairs(*swarm, 2.0, ALL_ROUND))
        assert_same(within(cells, 1.0), all_pairs(*swarm, 1.0, ALL_ROUND))


def test_a_batch_of_worlds_is_the_worlds_one_by_one():
    position, velocity, alive, _, box = swarm_of(4, 600, 3, [8.0, 0.0, 8.0], 6.0, False, 1)
    world_index = np.repeat([7, 10**12, 3], 200)  # numbered as anyone likes
    batch = graph(position, velocity, alive, world_index, box, 2.0)
    for w in range(3):
        own = slice(200 * w, 200 * (w + 1))
        alone = all_pairs(position[own], velocity[own], alive[own], world_index[own], box, 2.0, ALL_ROUND)
        mine = slice(batch.indptr[200 * w], batch.indptr[200 * (w + 1)])
        np.testing.assert_array_equal(batch.indices[mine] - 200 * w, alone.indices)
        np.testing.assert_array_equal(batch.distance[mine], alone.distance)


def test_beyond_half_a_torus_a_neighbour_counts_once_at_its_nearest_image():
    position = np.array([[0.0, 0.0], [6.0, 0.0]])
    for agents in (2, 302):  # the others are dead: few agents take another way than many
        place = np.concatenate([position, np.zeros((agents - 2, 2))])
        alive = np.arange(agents) < 2
        found = graph(place, np.zeros_like(place), alive, np.zeros(agents, np.int64), np.full(2, 10.0), 50.0)
        assert found.indices.tolist() == [1, 0]
        assert found.displacement.tolist() == [[-4.0, 0.0], [4.0, 0.0]]


def test_a_dense_flock_and_two_far_away_cost_no_more_cells_than_agents():
    position = np.random.default_rng(5).uniform(0, 10, (1000, 2))
    position[:2] = [[1e7, 1e7], [1e7 + 0.5, 1e7]]
    cells = Cells(1)
    cells.sort(position, 0 * position, np.ones(1000, bool), np.zeros(1000, np.int64), np.zeros(2), 1.0)
    assert len(cells.start) <= 2001
    assert np.diff(cells.start).max() < 100
    assert within(cells).indices[0] == 1


@pytest.mark.parametrize("agents", [5, 500])
@pytest.mark.parametrize("wrong", [np.nan, np.inf, -np.inf, 1e200])
def test_an_agent_that_is_nowhere_is_named(agents, wrong):
    swarm = swarm_of(6, agents, 3, [0, 0, 0], 5.0, False, 1)
    swarm[2][:] = True
    swarm[0][3, 1] = wrong
    with pytest.raises(SimulationError, match="agent 3: expected a finite position"):
        graph(*swarm, 1.0)
    with pytest.raises(SimulationError, match="agent 3: expected a finite position"):
        nearest(*swarm, 2)
    swarm[2][3] = False  # where the dead are does not matter
    assert np.isfinite(graph(*swarm, 1.0).distance).all()
    assert np.isfinite(nearest(*swarm, 2).distance).all()


@pytest.mark.parametrize("agents", [5, 500])
@pytest.mark.parametrize("reach", [0.0, -1.0, np.nan])
def test_a_range_of_nothing_is_refused(agents, reach):
    swarm = swarm_of(7, agents, 2, [0, 0], 5.0, False, 1)
    with pytest.raises(BadInput, match="reach: expected more than 0"):
        graph(*swarm, reach)
    with pytest.raises(BadInput, match="reach: expected more than 0 m"):
        nearest(*swarm, 3, reach)
    with pytest.raises(BadInput, match=r"number: expected .* 1 or more, got 0"):
        nearest(*swarm, 0)


def test_nobody_has_no_neighbours():
    nobody = swarm_of(8, 0, 3, [1, 1, 1], 1.0, False, 1)
    assert graph(*nobody, 1.0).indptr.tolist() == [0]
    assert nearest(*nobody, 3).indptr.tolist() == [0]


@pytest.mark.parametrize("agents", [5, 500])
@pytest.mark.parametrize(
    ("place", "wrong", "message"),
    [
        (0, lambda a: a[:, 0], r"position: expected an array of shape \(A, 2 or 3\)"),
        (0, lambda a: np.zeros((len(a), 4)), r"position: expected an array of shape \(A, 2 or 3\)"),
        (0, lambda a: a.tolist(), "position: expected an array .* got list"),
        (1, lambda a: a[:-1], "velocity: expected an array of shape"),
        (1, lambda a: np.zeros((len(a), 3)), "velocity: expected an array of shape"),
        (2, lambda a: a[:-1], "alive: expected an array of shape"),
        (3, lambda a: a[:1], "world_index: expected an array of shape"),
        (4, lambda a: a[:1], r"box: expected an array of shape \(2,\)"),
        (4, lambda a: a * np.nan, "box: expected lengths in m"),
        (4, lambda a: a - 1.0, "box: expected lengths in m"),
        (4, lambda a: a + np.inf, "box: expected lengths in m"),
    ],
)
def test_arrays_that_do_not_belong_together_are_refused(agents, place, wrong, message):
    swarm = list(swarm_of(9, agents, 2, [0.0, 0.0], 5.0, False, 1))
    swarm[place] = wrong(swarm[place])
    for ask in (lambda: graph(*swarm, 1.0), lambda: nearest(*swarm, 2)):
        with pytest.raises(BadInput, match=message):
            ask()


@pytest.mark.parametrize("angle", [np.nan, -1.0])
def test_a_field_of_view_that_does_not_exist_is_refused(angle):
    swarm = swarm_of(10, 5, 2, [0.0, 0.0], 5.0, False, 1)
    for ask in (lambda: graph(*swarm, 1.0, angle), lambda: nearest(*swarm, 2, 1.0, angle)):
        with pytest.raises(BadInput, match="field_of_view: expected 0 rad or more"):
            ask()


@pytest.mark.parametrize("number", [0, -1, 2.5, np.nan, np.inf, True, "3", None])
def test_a_number_of_neighbours_that_cannot_be_counted_is_refused(number):
    swarm = swarm_of(11, 5, 2, [0.0, 0.0], 5.0, False, 1)
    with pytest.raises(BadInput, match="number: expected neighbours to count"):
        nearest(*swarm, number)


@pytest.mark.parametrize("agents", [1, 2, 500])
@pytest.mark.parametrize("box", [0.0, 4.0])
@pytest.mark.parametrize("reach", [1e-300, 1.0, 50.0, np.inf])
def test_all_in_one_place_see_each_other_at_no_distance(agents, box, reach):
    position = np.full((agents, 2), 1.25)
    swarm = (position, 0 * position, np.ones(agents, bool), np.zeros(agents, np.int64), np.full(2, box))
    found = graph(*swarm, reach)
    assert np.diff(found.indptr).tolist() == [agents - 1] * agents
    assert not found.distance.any()
    assert np.diff(nearest(*swarm, 3, reach).indptr).tolist() == [min(3, agents - 1)] * agents
