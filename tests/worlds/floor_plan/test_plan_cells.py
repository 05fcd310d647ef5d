"""What a plan says of its cells: where they lie, which are the goal, and the boxes they make up."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import ndimage

from swarm.errors import BadInput
from swarm.worlds import World, load_world
from swarm.worlds.floor_plan import FREE, GOAL, OBSTACLE, SOURCE, FloorPlan
from tests.worlds.floor_plan.conftest import any_cells


def box(plan, left, bottom, right, top):
    """Cells of the source text's boxes, by their coordinates."""
    x, y = np.moveaxis(plan.center_of(*np.mgrid[0:33, 0:33]), -1, 0)
    return (left <= x) & (x <= right) & (bottom <= y) & (y <= top)


def test_hadimassa_is_the_plan_of_the_source():
    plan = load_world("hadimassa").floor_plan
    cells = np.zeros((33, 33), dtype=np.uint8)
    cells[box(plan, -14, 9, -9, 14)] = SOURCE
    cells[box(plan, 10, -16, 16, -10)] = GOAL
    for wall in ((-7, 0, 0, 0), (3, 0, 16, 0), (3, -5, 3, 0)):
        cells[box(plan, *wall)] = OBSTACLE
    np.testing.assert_array_equal(plan.cells, cells)
    np.testing.assert_array_equal(plan.goal_cells, box(plan, 11, -16, 16, -11))
    counts = [(plan.cells == kind).sum() for kind in (SOURCE, GOAL, OBSTACLE)]
    assert [*counts, plan.walkable.sum(), plan.goal_cells.sum()] == [36, 49, 27, 1062, 36]


def test_the_world_has_the_bounds_and_walls_of_its_plan():
    world = load_world("hadimassa")
    assert world.dim == 2
    assert world.bounds.tolist() == [[-16.5, -16.5], [16.5, 16.5]]
    assert world.surfaces[-4:] == ("wall x-", "wall x+", "wall y-", "wall y+")
    assert [obstacle.size for obstacle in world.obstacles] == [(8.0, 1.0), (14.0, 1.0), (1.0, 6.0)]
    assert world.notices == ()
    assert world.clearance(np.array([[-3.0, 2.0], [16.0, 10.0]]))[0].tolist() == [1.5, 0.5]


def test_points_are_in_the_cell_whose_middle_is_nearest():
    plan = load_world("hadimassa").floor_plan
    points = np.array([[-16.0, -16.0], [16.0, 16.0], [0.49, -0.5], [-0.5, 0.499], [16.5, -16.5], [99.0, -99.0]])
    row, column = plan.cell_of(points)
    assert list(zip(row, column)) == [(32, 0), (0, 32), (16, 16), (16, 16), (32, 32), (32, 32)]
    assert plan.center_of(0, 32).tolist() == [16.0, 16.0]


@given(any_cells(), st.floats(0.1, 5.0), st.tuples(st.floats(-50, 50), st.floats(-50, 50)))
def test_the_middle_of_each_cell_is_in_it(cells, cell, origin):
    plan = FloorPlan(cells, cell, origin)
    rows, columns = np.mgrid[0 : cells.shape[0], 0 : cells.shape[1]]
    row, column = plan.cell_of(plan.center_of(rows, columns))
    np.testing.assert_array_equal(row, rows)
    np.testing.assert_array_equal(column, columns)
    np.testing.assert_allclose(plan.center_of(cells.shape[0] - 1, 0), origin, atol=1e-9)


@given(any_cells(9))
def test_the_goal_is_what_lies_inside_each_goal_region_or_all_of_a_thin_one(cells):
    plan, goal = FloorPlan(cells), cells == GOAL
    regions, count = ndimage.label(goal, np.ones((3, 3)))
    for region in range(1, count + 1):
        mine = regions == region
        inner = [goal[max(r - 1, 0) : r + 2, max(c - 1, 0) : c + 2].all() for r, c in np.argwhere(mine)]
        expected = inner if any(inner) else [True] * len(inner)
        assert plan.goal_cells[mine].tolist() == expected
    assert not plan.goal_cells[~goal].any()


@given(any_cells(9), st.sampled_from([0.5, 1.0]))
def test_obstacle_boxes_cover_the_obstacle_cells_and_nothing_else(cells, cell):
    plan = FloorPlan(cells, cell, (3.0, -2.0))
    covered = np.zeros(plan.shape, dtype=bool)
    for obstacle in plan.obstacles():
        corner = np.array(obstacle.size) / 2.0 - cell / 4.0
        (bottom, top), (left, right) = plan.cell_of(np.array([obstacle.center - corner, obstacle.center + corner]))
        covered[top : bottom + 1, left : right + 1] = True
        np.testing.assert_allclose(obstacle.size, cell * np.array([right - left + 1, bottom - top + 1]))
    np.testing.assert_array_equal(covered, cells == OBSTACLE)
    assert plan.obstacles() is plan.obstacles()


@given(any_cells(8), st.integers(0, 2**32 - 1))
def test_clearance_is_the_distance_to_the_obstacle_cells(cells, seed):
    plan = FloorPlan(cells, 0.5)
    world = World("cells", plan.bounds, "open", False, plan.obstacles())
    points = np.random.default_rng(seed).uniform(*plan.bounds, (50, 2))
    solid = ~plan.walkable[plan.cell_of(points)]
    clearance = world.clearance(points)[0]
    np.testing.assert_array_equal(clearance < 0.0, solid)
    blocks = plan.center_of(*np.nonzero(~plan.walkable))
    if len(blocks):
        beyond = np.maximum(np.abs(points[:, None] - blocks) - 0.25, 0.0)
        nearest = np.hypot(*np.moveaxis(beyond, -1, 0)).min(axis=1)
        np.testing.assert_allclose(clearance[~solid], nearest[~solid], atol=1e-12)


def test_walls_that_meet_overlap_instead_of_leaving_a_seam(drawn):
    plan = drawn(".#.", "###", ".#.", "..G")
    world = World("cross", plan.bounds, "open", False, plan.obstacles())
    assert world.clearance(plan.center_of([0, 1, 1], [1, 1, 2]))[0].tolist() == [-0.5, -0.5, -0.5]
    a, b = np.array([[0.0, 3.0]]), np.array([[2.0, 1.0]])
    assert not world.visible(a, b)[0]


def test_a_plan_is_packed_for_compiled_code(drawn):
    plan = drawn("S#", ".G", cell=2.0, origin=(1.0, 5.0))
    assert plan.packed.cells.dtype == np.int8
    assert plan.packed.cells.flags.c_contiguous
    assert plan.packed.cells.tolist() == [[SOURCE, OBSTACLE], [FREE, GOAL]]
    assert plan.packed[1:] == (2.0, 1.0, 5.0)
    assert plan.bounds.tolist() == [[0.0, 4.0], [4.0, 8.0]]


def test_a_plan_cannot_be_written_to_and_painting_makes_another(drawn):
    plan = drawn("S.", ".G")
    with pytest.raises(ValueError, match="read-only"):
        plan.cells[0, 0] = GOAL
    with pytest.raises(ValueError, match="read-only"):
        plan.distance[0, 0] = 7.0
    other = plan.painted([(0, 1, OBSTACLE), (0, 1, SOURCE)])
    assert plan.cells.tolist() == [[SOURCE, FREE], [FREE, GOAL]]
    assert other.cells.tolist() == [[SOURCE, SOURCE], [FREE, GOAL]]


@pytest.mark.parametrize("change", [(2, 0, 1), (0, -1, 1), (0, 0, 4)])
def test_painting_beyond_the_plan_or_in_no_colour_is_refused(change, drawn):
    with pytest.raises(BadInput, match="expected rows below 2, columns below 2 and kinds from 0 to 3, got"):
        drawn("S.", ".G").painted([change])


@pytest.mark.parametrize("changes", ["x", [[0, 0]], [0, 0, 1], [[0.5, 0, 1]], [[np.nan, 0, 1]], [[0, 0, None]], None])
def test_what_names_no_cell_is_refused(changes, drawn):
    with pytest.raises(BadInput, match="changes: expected") as caught:
        drawn("S.", ".G").painted(changes)
    assert "\n" not in str(caught.value)


def test_one_cell_stays_walkable(drawn):
    plan = drawn("S.", ".G")
    with pytest.raises(BadInput, match="expected at least one walkable cell to be left"):
        plan.painted([(row, column, OBSTACLE) for row in range(2) for column in range(2)])
    assert plan.painted([]).cells.tolist() == plan.cells.tolist()


@pytest.mark.parametrize("cells", [np.zeros((0, 3)), np.zeros(4), np.full((2, 2), 4), np.zeros((1, 4001))])
def test_cells_that_make_no_plan_are_refused(cells):
    with pytest.raises(BadInput, match="cells: expected 1 to 4,000 rows and columns of numbers from 0 to 3"):
        FloorPlan(cells)


@pytest.mark.parametrize("cell", [0.0, -1.0, float("nan"), float("inf"), 1e-300])
def test_a_side_that_no_cell_has_is_refused(cell):
    with pytest.raises(BadInput, match=r"cell: expected 1e-06 to 1e\+09 m, got"):
        FloorPlan(np.zeros((2, 2)), cell)


@pytest.mark.parametrize("origin", [(float("nan"), 0.0), (0.0, float("inf")), (1e9, 0.0), (1.0,)])
def test_an_origin_that_is_no_place_is_refused(origin):
    with pytest.raises(BadInput, match="origin: expected two coordinates"):
        FloorPlan(np.zeros((2, 2)), 1.0, origin)


def test_a_task_that_needs_sources_can_ask_for_them(drawn):
    drawn("S.", ".G").require_sources()
    with pytest.raises(BadInput, match=r"^hall.toml: expected at least one source cell, got none$"):
        drawn("..", ".G", place="hall.toml").require_sources()
