"""The way over a floor plan: straight where the goal is in sight, round corners without cutting them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from swarm.worlds.floor_plan.downhill import Downhill, clear
from swarm.worlds.floor_plan.plan import FREE, GOAL, OBSTACLE, FloorPlan


def plan_of(rows, cell=1.0):
    kinds = {".": FREE, "#": OBSTACLE, "G": GOAL}
    return FloorPlan(np.array([[kinds[c] for c in row] for row in rows.split()]), cell)


def test_one_makes_straight_for_a_goal_in_sight():
    distance, direction = Downhill(plan_of("....G ..... .....")).toward(np.array([[0.0, 0.0], [1.0, 2.0]]))
    assert direction[0] == pytest.approx(np.array([4.0, 2.0]) / np.hypot(4, 2))
    assert distance[0] == pytest.approx(np.hypot(4, 2), rel=0.05)
    assert direction[1] == pytest.approx([1.0, 0.0])
    assert distance[1] == pytest.approx(3.0)


def test_at_the_goal_and_without_a_way_there_is_no_direction():
    distance, direction = Downhill(plan_of("..#G", 0.5)).toward(np.array([[0.0, 0.0], [1.5, 0.0]]))
    assert distance.tolist() == [np.inf, 0.0]
    assert not direction.any()


def test_what_lies_behind_a_wall_is_not_made_for_straight():
    distance, direction = Downhill(plan_of("..... .###. .G.#.")).toward(np.array([[4.0, 0.0]]))
    assert direction[0] == pytest.approx([0.0, 1.0])  # up the right side, over the top and down the left one
    assert distance[0] > 8.0


def test_a_line_over_a_corner_is_not_clear():
    walkable = plan_of("..# ... ...").walkable
    assert clear(walkable, 0.5, 0.5, 2.5, 1.5)
    assert not clear(walkable, 1.5, 2.5, 2.5, 1.5)


@given(cells=arrays(np.uint8, (6, 7), elements=st.sampled_from([FREE, FREE, FREE, OBSTACLE])), place=st.integers(0, 41))
def test_following_the_way_leads_to_the_goal_over_walkable_cells(cells, place):
    cells[place // 7, place % 7] = GOAL
    plan = FloorPlan(cells)
    ways = Downhill(plan)
    rows, columns = np.nonzero(plan.walkable & np.isfinite(plan.geodesic))
    points = plan.center_of(rows, columns)
    for _ in range(600):
        distance, direction = ways.toward(points)
        points = points + np.minimum(distance, 0.1)[:, None] * direction
        assert plan.walkable[plan.cell_of(points)].all()
    assert plan.goal_cells[plan.cell_of(points)].all()
