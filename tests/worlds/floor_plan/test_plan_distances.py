"""How far cells are from the goal, against searches by brute force."""

from __future__ import annotations

import math
import time
from collections import deque
from itertools import product

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from swarm.worlds import load_world
from swarm.worlds.floor_plan import FREE, GOAL, OBSTACLE, FloorPlan
from swarm.worlds.floor_plan.straight import in_sight, open_around
from tests.worlds.floor_plan.conftest import any_cells

MEASURES = ("distance", "eight", "geodesic")


def flooded(plan):
    """The flood fill of the source text, cell by cell."""
    found = np.full(plan.shape, np.inf)
    found[plan.goal_cells] = 0.0
    front = deque(zip(*np.nonzero(plan.goal_cells)))
    while front:
        row, column = front.popleft()
        for a, b in ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)):
            inside = 0 <= a < plan.shape[0] and 0 <= b < plan.shape[1]
            if inside and plan.cells[a, b] != OBSTACLE and found[a, b] == np.inf:
                found[a, b] = found[row, column] + 1.0
                front.append((a, b))
    return found


def relaxed(plan, edges):
    """Shortest ways by relaxing all edges (a, b, length) until nothing changes (Bellman and Ford)."""
    found = np.where(plan.goal_cells.ravel(), 0.0, np.inf)
    for _ in range(found.size + 1):
        before = found.copy()
        for a, b, length in edges:
            found[b] = min(found[b], found[a] + length)
        if (found == before).all():
            break
    return found.reshape(plan.shape)


def steps(plan):
    """Steps to eight neighbours; diagonal ones where both cells beside are walkable."""
    rows, columns = plan.shape
    for row, column, down, right in product(range(rows), range(columns), (-1, 0, 1), (-1, 0, 1)):
        a, b = row + down, column + right
        if (down, right) == (0, 0) or not (0 <= a < rows and 0 <= b < columns):
            continue
        if plan.walkable[row, column] and plan.walkable[a, b] and plan.walkable[a, column] and plan.walkable[row, b]:
            yield row * columns + column, a * columns + b, math.hypot(down, right)


def solid(plan):
    """The obstacle cells as one shape, in columns and rows."""
    return shapely.union_all([shapely.box(c - 0.5, r - 0.5, c + 0.5, r + 0.5) for r, c in np.argwhere(~plan.walkable)])


def lines(plan):
    """Straight lines between middles of walkable cells that touch no obstacle cell."""
    columns, walls = plan.shape[1], solid(plan)
    shapely.prepare(walls)
    places = np.argwhere(plan.walkable)
    for a, b in product(places, places):
        line = shapely.LineString([a[::-1], b[::-1]])
        if (a != b).any() and not line.intersects(walls):
            yield a[0] * columns + a[1], b[0] * columns + b[1], math.hypot(*(a - b))


@given(any_cells(12), st.sampled_from([0.25, 1.0, 3.0]))
def test_distance_is_that_of_a_flood_fill(cells, cell):
    plan = FloorPlan(cells, cell)
    np.testing.assert_array_equal(plan.distance, cell * flooded(plan))


@given(any_cells(6))
def test_eight_is_the_shortest_way_of_steps_that_cut_no_corner(cells):
    plan = FloorPlan(cells)
    np.testing.assert_allclose(plan.eight, relaxed(plan, list(steps(plan))), atol=1e-12)


@settings(max_examples=60)
@given(any_cells(6))
def test_geodesic_is_near_the_shortest_way_of_lines_that_touch_nothing(cells):
    plan = FloorPlan(cells)
    shortest = relaxed(plan, list(lines(plan)))
    np.testing.assert_array_equal(np.isinf(plan.geodesic), np.isinf(shortest))
    reached = np.isfinite(shortest)
    assert (plan.geodesic[reached] >= shortest[reached] - 1e-9).all()
    assert (plan.geodesic[reached] <= 1.1 * shortest[reached] + 1e-9).all()


@pytest.mark.parametrize("blocked", [0.1, 0.25, 0.33])
def test_geodesic_ways_are_on_average_as_short_as_can_be(blocked):
    rng = np.random.default_rng(0)
    over = []
    for _ in range(12):
        cells = (rng.random((9, 11)) < blocked).astype(np.uint8)
        cells[tuple(rng.integers(9, size=2))] = GOAL
        plan = FloorPlan(cells)
        shortest = relaxed(plan, list(lines(plan)))
        there = np.isfinite(shortest) & (shortest > 0.0)
        over += (plan.geodesic[there] / shortest[there] - 1.0).tolist()
    assert min(over) > -1e-9
    assert np.mean(over) < 0.001
    assert max(over) < 0.1


@given(st.data())
def test_a_line_is_in_sight_when_the_cells_it_meets_are_walkable(data):
    """Also where it leaps over open ground, which random plans have little of: against exact shapes."""
    cells = np.zeros((14, 15), dtype=np.uint8)
    for _ in range(data.draw(st.integers(0, 4))):
        cells[data.draw(st.integers(0, 13)), data.draw(st.integers(0, 14))] = OBSTACLE
    plan = FloorPlan(cells)
    a, b = (np.array([data.draw(st.integers(0, 13)), data.draw(st.integers(0, 14))]) for _ in range(2))
    if plan.walkable[tuple(a)] and plan.walkable[tuple(b)]:
        room = open_around(plan.walkable)
        line = shapely.LineString([a[::-1], b[::-1]])
        assert in_sight(room, a[0] * 15 + a[1], b[0] * 15 + b[1]) == (not line.intersects(solid(plan)))


@given(any_cells(9))
def test_room_about_a_cell_is_counted_by_the_larger_of_rows_and_columns(cells):
    plan = FloorPlan(cells)
    blocked = np.argwhere(~plan.walkable)
    for cell, room in np.ndenumerate(open_around(plan.walkable)):
        nearest = min((int(np.abs(each - cell).max()) for each in blocked), default=sum(plan.shape))
        assert room == nearest


@given(any_cells(9))
def test_a_freer_way_is_never_longer_and_all_agree_on_what_has_one(cells):
    plan = FloorPlan(cells)
    reached = ~plan.unreachable & plan.walkable
    assert (plan.geodesic[reached] <= plan.eight[reached] + 1e-9).all()
    assert (plan.eight[reached] <= plan.distance[reached] + 1e-9).all()
    for measure in MEASURES:
        np.testing.assert_array_equal(np.isfinite(getattr(plan, measure)), reached)
        assert (getattr(plan, measure)[plan.goal_cells] == 0.0).all()


@pytest.mark.parametrize("measure", MEASURES)
@given(cells=any_cells(8), turns=st.integers(0, 3), mirrored=st.booleans())
def test_a_turned_or_mirrored_plan_has_turned_or_mirrored_distances(measure, cells, turns, mirrored):
    def changed(array):
        return np.rot90(array[:, ::-1] if mirrored else array, turns)

    there = getattr(FloorPlan(changed(cells)), measure)
    # Of ways of equal length Theta* takes one by the number of the cell, and a turn from there may be longer.
    tolerance = 0.1 if measure == "geodesic" else 1e-12
    np.testing.assert_allclose(there, changed(getattr(FloorPlan(cells), measure)), rtol=tolerance)


def test_open_ground_is_measured_exactly(drawn):
    plan = drawn("......", "......", "......", "G.....", cell=0.5)
    assert plan.distance[0, 5] == 0.5 * (3 + 5)
    assert plan.eight[0, 5] == pytest.approx(0.5 * (3 * math.sqrt(2) + 2))
    assert plan.geodesic[0, 5] == pytest.approx(0.5 * math.hypot(3, 5))


@pytest.mark.parametrize("measure", ["eight", "geodesic"])
def test_no_way_leads_past_a_corner_or_between_two(measure, drawn):
    past = drawn("..", "#G")
    assert getattr(past, measure)[0, 0] == pytest.approx(2.0)  # right, then down
    between = drawn(".#", "#G")
    assert np.isinf(getattr(between, measure)[0, 0])
    assert between.unreachable.tolist() == [[True, False], [False, False]]


def test_hadimassa_is_as_far_as_the_source_says():
    plan = load_world("hadimassa").floor_plan
    np.testing.assert_array_equal(plan.distance, flooded(plan))
    assert plan.distance[0, 0] == 54.0  # 27 right and 27 down to (11, -11), through the gap between the walls
    assert np.isinf(plan.distance).sum() == 27


def test_a_painted_plan_has_the_distances_of_one_made_so():
    plan = load_world("hadimassa").floor_plan
    rng = np.random.default_rng(3)
    for _ in range(20):
        changes = np.column_stack([rng.integers(0, 33, (40, 2)), rng.integers(0, 4, 40)])
        plan = plan.painted(changes)
        np.testing.assert_array_equal(plan.distance, flooded(FloorPlan(plan.cells)))


def test_a_million_cells_take_less_than_fifty_milliseconds():
    cells = np.full((1000, 1000), FREE, dtype=np.uint8)
    cells[::10, : -1 - 3] = OBSTACLE
    cells[5, 5:9] = GOAL
    FloorPlan(cells[:5, :5]).distance  # noqa: B018  compiled
    took = []
    for _ in range(8):  # on a machine that is busy with other things too
        plan = FloorPlan(cells).painted([(500, 999, OBSTACLE)])
        start = time.perf_counter()
        reached = np.isfinite(plan.distance).sum()
        took.append(time.perf_counter() - start)
    assert reached == plan.walkable.sum()
    assert min(took) < 0.05
