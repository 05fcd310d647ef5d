"""The same plan as text, image, polygons and Vadere's topography."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from swarm.errors import BadInput
from swarm.worlds import build_world, load_world
from swarm.worlds.floor_plan import (
    FREE,
    GOAL,
    OBSTACLE,
    SOURCE,
    FloorPlan,
    read_image,
    read_rows,
    read_vadere,
    read_wkt,
    rows_of,
    write_image,
    write_rows,
    write_wkt,
)
from swarm.worlds.floor_plan.polygons import Raster
from tests.worlds.floor_plan.conftest import any_cells

HALL = "POLYGON ((0 0, 10 0, 10 6, 0 6, 0 0), (4 2, 6 2, 6 4, 4 4, 4 2))"


@given(any_cells(9))
def test_rows_and_image_hold_all_of_a_plan_and_make_each_other(cells):

    plan = FloorPlan(cells)
    with tempfile.TemporaryDirectory() as folder:
        image, text = Path(folder) / "plan.png", Path(folder) / "plan.txt"
        write_image(plan, image)
        np.testing.assert_array_equal(read_image(image), cells)
        assert rows_of(FloorPlan(read_image(image))) == rows_of(plan)
        write_rows(plan, text)
        np.testing.assert_array_equal(read_rows(text.read_text()), cells)
        first = image.read_bytes()
        write_image(FloorPlan(read_rows(rows_of(plan))), image)
        assert image.read_bytes() == first


@settings(max_examples=60)
@given(any_cells(7), st.sampled_from([0.3, 1.0, 2.5]), st.tuples(st.integers(-9, 9), st.floats(-9, 9)))
def test_polygons_written_and_read_make_the_same_cells(cells, cell, origin):

    cells = cells.copy()
    cells[0, 0] = GOAL
    plan = FloorPlan(cells, cell, origin)
    with tempfile.TemporaryDirectory() as folder:
        keys = write_wkt(plan, Path(folder) / "hall.wkt")
        read = read_wkt(
            Path(folder) / keys["wkt"], keys.get("goals", ()), keys.get("sources", ()), keys["cell"], keys["bounds"]
        )
    np.testing.assert_array_equal(read.cells, cells)
    np.testing.assert_allclose(read.origin, origin, atol=1e-9)


@pytest.mark.parametrize("name", ["plan.txt", "plan.png", "plan.PNG", "plan.wkt"])
@given(cells=any_cells(7), cell=st.sampled_from([0.3, 1.0]))
@settings(max_examples=25, deadline=None)
def test_a_plan_is_saved_by_the_ending_of_its_name_with_the_keys_that_read_it(name, cells, cell):
    cells = cells.copy()
    cells[0, 0] = GOAL
    plan = FloorPlan(np.where(cells == SOURCE, FREE, cells), cell, (2.0, -3.0))
    starts = plan.walkable & (plan.cells != GOAL)
    if starts.any() and plan.unreachable[starts].all():
        return  # a goal that is walled off is refused in a world
    with tempfile.TemporaryDirectory() as folder:
        keys = plan.save(Path(folder) / name)
        world = build_world({"floor_plan": keys}, Path(folder) / "w.toml")
    np.testing.assert_array_equal(world.floor_plan.cells, plan.cells)
    np.testing.assert_allclose(world.floor_plan.bounds, plan.bounds, atol=1e-9)


def test_a_plan_is_saved_in_no_other_form(drawn, tmp_path):
    with pytest.raises(BadInput, match=r"plan.jpg: expected a name that ends in .txt, .png or .wkt"):
        drawn("S.G").save(tmp_path / "plan.jpg")


def test_a_world_file_reads_what_was_written(tmp_path):
    plan = load_world("hadimassa").floor_plan
    write_rows(plan, tmp_path / "plan.txt")
    write_image(plan, tmp_path / "plan.png")
    keys = write_wkt(plan, tmp_path / "plan.wkt")
    assert keys["goals"] == ["plan-goals.wkt"]
    low = {"origin": list(plan.origin)}
    for table in ({"text": "plan.txt", **low}, {"image": "plan.png", **low}, {"rows": rows_of(plan), **low}, keys):
        world = build_world({"floor_plan": table}, tmp_path / "w.toml")
        np.testing.assert_array_equal(world.floor_plan.cells, plan.cells)
        assert world.bounds.tolist() == plan.bounds.tolist()
        assert [o.center for o in world.obstacles] == [o.center for o in plan.obstacles()]
        assert world.notices == ()


def test_letters_are_kinds_and_the_first_row_is_the_largest_y(drawn):
    plan = drawn("#S", ".G")
    assert plan.cells.tolist() == [[OBSTACLE, SOURCE], [FREE, GOAL]]
    assert plan.center_of(0, 1).tolist() == [1.0, 1.0]
    assert read_rows("\n  #S\n  .G\n\n").tolist() == plan.cells.tolist()


@pytest.mark.parametrize("mode", ["RGB", "RGBA", "P"])
def test_colours_are_those_of_the_source_in_any_kind_of_png(mode, tmp_path):
    names = ["#59b03c", "#d73229", "#2d8dbe", "#000000", "#0000ff", "#87ceeb", "#00ff00", "#008000", "#ff0000"]
    picture = Image.new("RGB", (3, 3))
    picture.putdata([tuple(int(name[k : k + 2], 16) for k in (1, 3, 5)) for name in names])
    picture.convert(mode, palette=Image.Palette.ADAPTIVE).save(tmp_path / "p.png")
    assert read_image(tmp_path / "p.png").tolist() == [
        [SOURCE, GOAL, OBSTACLE], [FREE, OBSTACLE, OBSTACLE], [SOURCE, SOURCE, GOAL],
    ]  # fmt: skip


def test_a_legend_adds_colours_and_changes_them(tmp_path):
    picture = Image.new("RGB", (3, 1), (255, 255, 255))
    picture.putpixel((1, 0), (255, 0, 0))
    picture.putpixel((2, 0), (0, 255, 0))
    picture.save(tmp_path / "p.png")
    legend = {"#FFFFFF": "free", "#00ff00": "obstacle"}
    world = build_world({"floor_plan": {"image": "p.png", "legend": legend}}, tmp_path / "w.toml")
    assert world.floor_plan.cells.tolist() == [[FREE, GOAL, OBSTACLE]]


def test_cells_are_walkable_where_all_of_them_is_in_the_area(tmp_path):
    (tmp_path / "hall.wkt").write_text(HALL)
    plan = read_wkt(tmp_path / "hall.wkt", ["POLYGON ((9 0, 10 0, 10 6, 9 6, 9 0))"], ["POLYGON ((0 0, 1 0, 1 2, 0 2))"
                    .replace("0 2))", "0 2, 0 0))")])  # fmt: skip
    assert rows_of(plan) == [
        ".........G",
        ".........G",
        "....##...G",
        "....##...G",
        "S........G",
        "S........G",
    ]
    assert plan.origin == (0.5, 0.5)
    finer = read_wkt(tmp_path / "hall.wkt", ["POLYGON ((9 0, 10 0, 10 6, 9 6, 9 0))"], cell=0.25)
    assert finer.walkable.sum() * 0.25**2 == 60.0 - 4.0


def test_an_area_in_pieces_and_collections_is_read_whole(tmp_path):
    (tmp_path / "a.wkt").write_text(
        "GEOMETRYCOLLECTION (POLYGON ((0 0, 2 0, 2 1, 0 1, 0 0)), MULTIPOLYGON (((2 0, 4 0, 4 1, 2 1, 2 0))))"
    )
    plan = read_wkt(tmp_path / "a.wkt", ["POLYGON ((3 0, 4 0, 4 1, 3 1, 3 0))"])
    assert rows_of(plan) == ["...G"]


@settings(max_examples=40)
@given(st.integers(0, 2**32 - 1), st.integers(3, 12))
def test_cells_in_a_polygon_are_those_whose_middle_another_library_finds_inside(seed, corners):
    rng = np.random.default_rng(seed)
    angle = np.sort(rng.uniform(0.0, 2.0 * np.pi, corners))
    reach = rng.uniform(1.0, 9.0, corners)
    outline = 10.0 + np.column_stack([np.cos(angle), np.sin(angle)]) * reach[:, None]
    polygon = shapely.Polygon(outline)
    if not polygon.is_valid:
        return
    raster = Raster((0.0, 0.0), (20.0, 20.0), 0.37)
    x, y = np.meshgrid(raster.x, raster.y)
    np.testing.assert_array_equal(raster.within([outline]), shapely.contains_xy(polygon, x, y))


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(3, 12), st.booleans(), st.sampled_from([0.37, 1.0, 2.5]))
def test_cells_that_a_polygon_touches_and_fills_are_those_of_another_library(seed, corners, whole, cell):
    rng = np.random.default_rng(seed)
    angle = np.sort(rng.uniform(0.0, 2.0 * np.pi, corners))
    outline = 10.0 + np.column_stack([np.cos(angle), np.sin(angle)]) * rng.uniform(1.0, 11.0, corners)[:, None]
    polygon = shapely.Polygon(np.round(outline) if whole else outline)
    if not polygon.is_valid or polygon.area == 0.0:
        return
    raster = Raster((0.0, 0.0), (20.0, 20.0), cell)
    x, y = np.meshgrid(raster.x, raster.y)
    area = shapely.area(
        shapely.intersection(polygon, shapely.box(x - cell / 2, y - cell / 2, x + cell / 2, y + cell / 2))
    )
    small = 1e-5 * cell * cell
    touched, filled = raster.touched([polygon.exterior.coords]), raster.filled([polygon.exterior.coords])
    assert touched[area > small].all()
    assert not touched[area == 0.0].any()
    assert filled[area > cell * cell * (1.0 - 1e-12)].all()
    assert not filled[area < cell * cell - small].any()


def test_a_disc_touches_the_cells_that_it_covers_a_part_of():
    raster = Raster((0.0, 0.0), (6.0, 4.0), 1.0)
    # Its nearest point of the cell from 3 to 4 across and 2 to 3 up is the corner, sqrt(0.5) m away.
    for radius, expected in ((0.70, False), (0.72, True)):
        touched = raster.touched_by_disc((2.5, 1.5), radius)
        assert touched[1, 3] == expected
        assert touched.sum() == (9 if expected else 5)


def test_thin_walls_of_vadere_hold(tmp_path):
    """A room of 9 x 5 m behind walls of 0.5 m, with a partition of 0.2 m that has a door from y = 3 to 4."""
    table = {
        "attributes": {"bounds": {"x": 0.0, "y": 0.0, "width": 9.0, "height": 5.0}, "boundingBoxWidth": 0.5,
                       "bounded": True},
        "obstacles": [{"id": 1, "shape": {"x": 4.0, "y": 0.5, "width": 0.2, "height": 2.5, "type": "RECTANGLE"}}],
        "targets": [{"id": 2, "shape": {"x": 7.0, "y": 1.0, "width": 1.0, "height": 1.0, "type": "RECTANGLE"}}],
        "sources": [],
    }  # fmt: skip
    (tmp_path / "room.json").write_text(json.dumps({"topography": table}))
    assert rows_of(read_vadere(tmp_path / "room.json")) == [
        "#########",
        "#.......#",
        "#...#...#",
        "#...#..G#",
        "#########",
    ]
    fine = read_vadere(tmp_path / "room.json", cell=0.1)
    assert (fine.cells == OBSTACLE).sum() * 0.1**2 == pytest.approx(9.0 * 5.0 - 8.0 * 4.0 + 0.2 * 2.5)


def test_a_target_that_the_walls_take_is_told(tmp_path):
    table = topography()
    table["targets"][0]["shape"]["radius"] = 0.4
    table["targets"][0]["shape"]["center"] = {"x": 9.5, "y": 2.5}
    (tmp_path / "room.json").write_text(json.dumps({"topography": table}))
    with pytest.raises(
        BadInput, match=r"topography.targets\[0\].shape: expected a cell of 1 m beside the walls in it, got none"
    ):
        read_vadere(tmp_path / "room.json")


def test_a_thin_wall_in_an_area_holds(tmp_path):
    """A hole 0.2 m wide from y = 0.5 to 3.5, off the middles of the cells."""
    (tmp_path / "hall.wkt").write_text(
        "POLYGON ((0 0, 8 0, 8 4, 0 4, 0 0), (3.9 0.5, 4.1 0.5, 4.1 2.5, 3.9 2.5, 3.9 0.5))"
    )
    plan = read_wkt(tmp_path / "hall.wkt", ["POLYGON ((7 0, 8 0, 8 4, 7 4, 7 0))"])
    assert rows_of(plan) == [".......G", "...##..G", "...##..G", "...##..G"]


def topography(**other):
    """A room of 8 x 4 m in Vadere's words."""
    return {
        "attributes": {
            "bounds": {"x": 2.0, "y": 1.0, "width": 8.0, "height": 4.0}, "boundingBoxWidth": 0.5, "bounded": True,
        },
        "obstacles": [
            {"id": 1, "shape": {"x": 4.0, "y": 1.0, "width": 1.0, "height": 2.0, "type": "RECTANGLE"}},
            {"id": 2, "shape": {"type": "POLYGON", "points": [
                {"x": 6.0, "y": 5.0}, {"x": 8.0, "y": 5.0}, {"x": 8.0, "y": 4.0}]}},
        ],
        "measurementAreas": [], "stairs": [],
        "targets": [{"id": 3, "absorbing": True, "shape": {"type": "CIRCLE", "center": {"x": 9.5, "y": 2.0},
                                                           "radius": 0.75}}],
        "sources": [{"id": 4, "shape": {"x": 2.0, "y": 1.0, "width": 1.0, "height": 4.0, "type": "RECTANGLE"}}],
        **other,
    }  # fmt: skip


@pytest.mark.parametrize("wrapped", ["scenario", "topography", "bare"])
def test_a_vadere_scenario_is_a_plan(wrapped, tmp_path):
    table = topography()
    table["attributes"]["boundingBoxWidth"] = 0.0
    whole = {"scenario": {"name": "x", "scenario": {"topography": table}}, "topography": {"topography": table}}
    (tmp_path / "room.scenario").write_text(json.dumps(whole.get(wrapped, table)))
    world = build_world({"floor_plan": {"vadere": "room.scenario"}}, tmp_path / "w.toml")
    assert rows_of(world.floor_plan) == [
        "S...##..",  # the triangle covers a quarter of one of these cells, and three quarters of the other
        "S.......",
        "S.#....G",
        "S.#....G",
    ]
    assert world.bounds.tolist() == [[2.0, 1.0], [10.0, 5.0]]


def test_a_bounded_topography_has_walls_around_it(tmp_path):
    (tmp_path / "room.json").write_text(json.dumps({"scenario": {"topography": topography()}}))
    plan = read_vadere(tmp_path / "room.json", cell=0.25)
    rim = np.ones(plan.shape, dtype=bool)
    rim[2:-2, 2:-2] = False
    assert (plan.cells[rim] == OBSTACLE).all()
    table = topography()
    table["attributes"]["bounded"] = False
    (tmp_path / "room.json").write_text(json.dumps({"scenario": {"topography": table}}))
    assert (read_vadere(tmp_path / "room.json", cell=0.25).cells[rim] != OBSTACLE).any()


def test_origin_puts_a_plan_from_a_file_elsewhere(tmp_path):
    (tmp_path / "hall.wkt").write_text(HALL)
    goals = ["POLYGON ((9 0, 10 0, 10 6, 9 6, 9 0))"]
    table = {"wkt": "hall.wkt", "goals": goals, "origin": [100.0, 50.0]}
    world = build_world({"floor_plan": table}, tmp_path / "w.toml")
    assert world.bounds.tolist() == [[99.5, 49.5], [109.5, 55.5]]
