"""A plan on which something stands, or moves."""

from __future__ import annotations

import itertools
import pickle

import numpy as np
import pytest
import shapely
import shapely.affinity
from hypothesis import given, settings
from hypothesis import strategies as st

from swarm.errors import BadInput
from swarm.worlds import build_world, load_world
from swarm.worlds.floor_plan import FREE, GOAL, OBSTACLE, FloorPlan, rows_of
from swarm.worlds.floor_plan.traffic import Footprint
from swarm.worlds.lifting import lifted
from swarm.worlds.obstacles import Obstacle

ROWS = ["S......G", "........", "........"]


def table(*obstacles):
    """A hall of 8 x 3 cells with some obstacles."""
    return {"floor_plan": {"rows": ROWS}, "obstacles": list(obstacles)}


def trolley(size=(1.0, 1.0), start=(2.0, 1.0), to=(6.0, 1.0), speed=0.5):
    """A box that goes there and back."""
    motion = {"path": [list(to)], "speed": speed}
    return {"kind": "box", "name": "trolley", "center": list(start), "size": list(size), "motion": motion}


def test_a_trolley_takes_the_cells_under_it_and_distances_follow():
    world = build_world(table(trolley((1.0, 2.9))), "w.toml")
    for time in (0.0, 0.9, 2.0, 5.1, 8.0, 13.0, 60.0):
        there = world.at(time)
        x = there.obstacles[-1].center[0]  # it covers x - 1/2 to x + 1/2, and column k holds k - 1/2 to k + 1/2
        shut = sorted({int(np.floor(x)), int(np.ceil(x))})
        for column in range(8):
            expected = ["#", "#", "#"] if column in shut else [row[column] for row in ROWS]
            assert [row[column] for row in rows_of(there.floor_plan)] == expected, (time, column)
        assert np.isinf(there.floor_plan.distance[1, : shut[0]]).all()
        np.testing.assert_array_equal(there.floor_plan.distance, FloorPlan(there.floor_plan.cells).distance)
        assert there.floor_plan.ground is world.floor_plan.ground


def test_the_plan_is_the_same_object_while_its_cells_are():
    world = build_world(table(trolley()), "w.toml")
    plans = [world.at(0.1 * step).floor_plan for step in range(81)]  # 2 to 6 m, half a cell a second
    assert plans[0] is world.floor_plan
    changes = sum(a is not b for a, b in itertools.pairwise(plans))
    assert changes == 8  # on one cell at 2, 3, 4, 5 and 6 m, on two in between
    assert world.at(9.0).floor_plan is plans[70]  # there and back


@pytest.mark.parametrize(("size", "counts"), [((1.0, 1.0), {1, 2}), ((0.2, 0.2), {1, 2}), ((2.0, 1.0), {2, 3})])
def test_a_trolley_stands_on_all_cells_that_it_covers_a_part_of(size, counts):
    world = build_world(table(trolley(size, start=(2.5 if size[0] == 2.0 else 2.0, 1.0))), "w.toml")
    count = [(world.at(t).floor_plan.cells == OBSTACLE).sum() for t in np.arange(0.0, 8.0, 0.05)]
    assert set(count) == counts


def test_a_thin_wall_off_the_middles_of_cells_holds():
    wall = {"kind": "box", "name": "wall", "center": [3.5, 1.5], "size": [0.2, 2.0]}  # between two columns
    world = build_world(table(wall), "w.toml")
    assert rows_of(world.floor_plan) == ["S..##..G", "...##...", "........"]
    assert world.notices == ()


def test_sides_on_the_edges_of_cells_take_no_cell_beyond_them():
    bar = {"kind": "box", "name": "bar", "center": [3.0, 1.0 + 0.5 + 1e-9], "size": [3.0, 2.0]}
    assert rows_of(build_world(table(bar), "w.toml").floor_plan) == ["S.###..G", "..###...", "........"]


@settings(max_examples=150, deadline=None)
@given(
    kind=st.sampled_from(["box", "sphere", "cylinder"]), size=st.tuples(st.floats(0.01, 4.0), st.floats(0.01, 4.0)),
    yaw=st.sampled_from([0.0, 30.0, 45.0, 90.0, -17.0]), center=st.tuples(st.floats(-1.0, 8.0), st.floats(-1.0, 8.0)),
    cell=st.sampled_from([0.3, 1.0, 2.5]),
)  # fmt: skip
def test_cells_under_an_obstacle_are_those_that_another_library_finds_it_to_cover(kind, size, yaw, center, cell):
    plan = FloorPlan(np.zeros((24, 25), np.uint8), cell, (-2.0, -3.0))
    if kind == "box":
        shape = shapely.affinity.rotate(shapely.box(-size[0] / 2, -size[1] / 2, size[0] / 2, size[1] / 2), yaw)
        obstacle = Obstacle("box", center, "o", size=size, rpy=(0.0, 0.0, np.radians(yaw)))
    else:
        shape = shapely.Point(0.0, 0.0).buffer(size[0], quad_segs=2_000)
        obstacle = Obstacle(kind, center, "o", radius=size[0], height=1.0 if kind == "cylinder" else 0.0)
    shape = shapely.affinity.translate(shape, *center)
    rows, columns = np.mgrid[:24, :25]
    low = plan.center_of(rows, columns) - cell / 2.0
    area = shapely.area(
        shapely.intersection(shape, shapely.box(*np.moveaxis(low, 2, 0), *np.moveaxis(low + cell, 2, 0)))
    )
    solid = np.zeros(plan.shape, bool)
    solid.reshape(-1)[Footprint(plan, obstacle).cells(center)] = True
    assert solid[area > 1e-4 * cell * cell].all()
    assert not (solid & (area == 0.0)).any()


def test_other_queries_know_the_trolley_where_it_is_between_cells():
    world = build_world(table(trolley()), "w.toml").at(1.0)
    assert world.clearance(np.array([[4.0, 1.0]]))[0][0] == 1.0  # from 2.5 m on, half a metre wide
    assert world.still.floor_plan is world.floor_plan.ground
    assert (world.still.floor_plan.cells == OBSTACLE).sum() == 0


def test_a_trolley_over_the_goal_shuts_it_for_a_while():
    world = build_world(table(trolley(start=(6.0, 2.0), to=(7.0, 2.0))), "w.toml")
    assert np.isfinite(world.floor_plan.distance[0, 0])
    assert np.isinf(world.at(2.0).floor_plan.distance).all()


def test_what_stands_still_is_an_obstacle_of_the_plan():
    disc = {"kind": "sphere", "name": "pillar", "center": [3.5, 0.5], "radius": 0.6}
    world = build_world(table(disc), "w.toml")
    assert rows_of(world.floor_plan) == ["S......G", "...##...", "...##..."]
    assert [o.name for o in world.obstacles] == ["block 0", "pillar"]
    assert [o.name for o in world.beside_plan] == ["pillar"]


def test_what_stands_still_must_not_shut_the_goal():
    wall = {"kind": "box", "name": "wall", "center": [3.0, 1.0], "size": [1.0, 3.0]}
    with pytest.raises(
        BadInput, match=r"rows: row 1, column 1: expected a way to the goal from a source cell, got none"
    ):
        build_world(table(wall), "w.toml")


def test_painting_changes_the_plan_and_the_boxes_and_leaves_what_moves():
    world = build_world(table(trolley()), "w.toml").at(3.0)
    painted = world.painted([(0, 4, OBSTACLE), (2, 0, GOAL)])
    assert rows_of(painted.floor_plan.ground) == ["S...#..G", "........", "G......."]
    assert (painted.floor_plan.cells == OBSTACLE).sum() == 3  # the trolley stands between two
    assert painted.floor_plan.distance[0, 0] == 2.0
    assert painted.clearance(np.array([[4.0, 2.0]]))[0][0] == -0.5
    assert painted.time == 3.0
    later = painted.at(9.0)
    assert later.obstacles[-1].center == world.at(9.0).obstacles[-1].center
    assert later.floor_plan.cells[0, 4] == OBSTACLE
    back = painted.painted([(0, 4, FREE)])
    assert back.clearance(np.array([[4.0, 2.0]]))[0][0] > 0.0
    assert rows_of(world.floor_plan.ground) == ROWS


def test_only_a_world_with_a_plan_can_be_painted():
    with pytest.raises(BadInput, match="forest: expected a world with a floor plan to paint, got one without"):
        load_world("forest").painted([(0, 0, 1)])


def test_a_lifted_world_keeps_the_plan_of_its_origin():
    world = load_world("hadimassa")
    hall = lifted(world, 2.0, 4.0, 1.5)
    assert hall.floor_plan is None
    assert hall.origin.floor_plan is world.floor_plan
    points = np.random.default_rng(0).uniform(-16.5, 16.5, (500, 2))
    solid = ~world.floor_plan.walkable[world.floor_plan.cell_of(points)]
    there = np.column_stack([2.0 * points, np.full(500, 2.0)])
    np.testing.assert_array_equal(hall.clearance(there)[0] < 0.0, solid)


def test_a_world_with_a_plan_can_be_sent_to_another_process():
    world = build_world(table(trolley()), "w.toml")
    other = pickle.loads(pickle.dumps(world))
    np.testing.assert_array_equal(other.at(5.0).floor_plan.cells, world.at(5.0).floor_plan.cells)
    assert len(other.beside_plan) == 1
