"""What is wrong with a floor plan is told with file, key, row and column, and nothing large is decoded for it."""

from __future__ import annotations

import json
import os
import struct
import time
import zlib

import numpy as np
import pytest
from PIL import Image

from swarm.worlds import build_world, load_world
from tests.worlds.floor_plan.test_plan_forms import HALL, topography

GOAL_POLYGON = 'goals = ["POLYGON ((9 0, 10 0, 10 6, 9 6, 9 0))"]'


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ('["..", ".."]', ["expected at least one goal cell, got none"]),
        ('["S.", "G"]', ["row 2: expected 2 cells as in the first row, got 1"]),
        ('["S.G", "..", "."]', ["row 2: expected 3 cells", "row 3: expected 3 cells"]),
        ('["S.", "xG"]', ['row 2, column 1: expected #, S, G or ., got "x"']),
        ('["S.", "G\u00e9"]', ['row 2, column 2: expected #, S, G or ., got "\u00e9"']),
        ('["S.", "G "]', ["row 2: expected 2 cells"]),
        ('"""\nS.\n.g"""', ['row 2, column 2: expected #, S, G or ., got "g"']),
        ("[]", ["expected rows of #, S, G and ., got nothing"]),
        ('["", ""]', ["expected rows of #, S, G and ., got nothing"]),
        ('["S#G"]', ["row 1, column 1: expected a way to the goal from a source cell, got none: walled off"]),
        ('["...", "###", "..G"]', None),
        ('["#.#", "###", "##G"]', ["row 1, column 2: expected a way to the goal from a free cell, got none"]),
        ("3", ["expected"]),
    ],
)
def test_faulty_rows_are_told_by_row_and_column(rows, said, complaints, tmp_path):
    if said is None:
        (tmp_path / "w.toml").write_text(f"[floor_plan]\nrows = {rows}")
        assert load_world(tmp_path / "w.toml").notices == (
            f"{tmp_path}/w.toml: floor_plan.rows: 3 walkable cells have no way to the goal, the first at row 1, "
            "column 1",
        )
        return
    told = complaints(f"rows = {rows}")
    assert len(told) == len(said)
    for line, start in zip(told, said):
        assert line.startswith(f"w.toml: floor_plan.rows: {start}")


def test_many_faults_are_counted(complaints):
    told = complaints(f"rows = {json.dumps(['G.'] + ['.'] * 20)}")
    assert len(told) == 6
    assert told[-1] == "w.toml: floor_plan.rows: and 15 more such faults"


def test_one_cell_without_a_way_is_told_and_the_world_is_made(tmp_path):
    (tmp_path / "w.toml").write_text('[floor_plan]\nrows = ["S..G", "####", "##S#"]')
    world = load_world(tmp_path / "w.toml")
    assert world.notices[0].endswith("1 walkable cell has no way to the goal, the first at row 3, column 3")
    assert world.floor_plan.unreachable.sum() == 1


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ("", "w.toml: floor_plan: expected one of rows, text, image, wkt, vadere, got none of them"),
        ('rows = ["G"]\nimage = "p.png"', "w.toml: floor_plan: expected one of rows, text, image, wkt, vadere, got"),
        ('rows = ["G"]\nrow = 3', 'w.toml: floor_plan.row: unknown key (did you mean "rows"?)'),
        ('rows = ["G"]\ncell = 0', "w.toml: floor_plan.cell: expected a number >= 1e-06, got 0"),
        ('rows = ["G"]\ncell = -1.0', "w.toml: floor_plan.cell: expected a number >= 1e-06, got -1.0"),
        ('rows = ["G"]\ncell = nan', "w.toml: floor_plan.cell: expected a number >= 1e-06, got nan"),
        ('rows = ["G"]\ncell = 1e-300', "w.toml: floor_plan.cell: expected a number >= 1e-06, got 1e-300"),
        ('rows = ["G"]\norigin = [nan, 0]', "w.toml: floor_plan.origin: expected a number >= -1000000.0, got [nan, 0]"),
        ('rows = ["G"]\norigin = [1]', "w.toml: floor_plan.origin: expected"),
        ('rows = ["G"]\nlegend = {}', "w.toml: floor_plan.legend: expected only beside image"),
        ('rows = ["G"]\ngoals = []', "w.toml: floor_plan.goals: expected only beside wkt"),
        ('image = "../p.png"', "w.toml: floor_plan.image: expected a path inside the folder"),
        ('image = "/p.png"', "w.toml: floor_plan.image: expected a path inside the folder"),
        ("image = 'C:\\p.png'", "w.toml: floor_plan.image: expected a path inside the folder"),
        ('image = "p.jpg"', "w.toml: floor_plan.image: expected a name that ends in .png, got p.jpg"),
        ('image = ""', "w.toml: floor_plan.image: expected a name that ends in .png, got nothing"),
        ('image = "none.png"', "w.toml: floor_plan.image: no such file: none.png"),
        ('text = "none.txt"', "w.toml: floor_plan.text: no such file: none.txt"),
        ('wkt = "none.wkt"', "w.toml: floor_plan.wkt: no such file: none.wkt"),
        ('vadere = "none.json"', "w.toml: floor_plan.vadere: no such file: none.json"),
    ],
)  # fmt: skip
def test_a_faulty_table_is_told_by_its_key(keys, said, complaints):
    told = complaints(keys)
    assert len(told) == 1
    assert told[0].startswith(said)


@pytest.mark.parametrize(
    ("top", "said"),
    [
        ("bounds = [[0, 0], [1, 1]]", "bounds: expected none beside a floor plan"),
        ("dim = 3", "dim: expected 2 with a floor plan, got 3"),
        ('boundary = "torus"', 'boundary: expected "walls" with a floor plan, got "torus"'),
        ('generator = { kind = "forest" }', "generator: expected none beside a floor plan"),
    ],
)
def test_what_a_plan_says_itself_is_not_said_again(top, said, complaints):
    told = complaints('rows = ["S.G"]', top)
    assert len(told) == 1
    assert told[0].startswith(f"w.toml: {said}")


def test_a_link_out_of_the_folder_is_refused(complaints, tmp_path_factory, tmp_path):
    outside = tmp_path_factory.mktemp("outside") / "p.png"
    Image.new("RGB", (2, 2)).save(outside)
    os.symlink(outside, tmp_path / "p.png")
    assert complaints('image = "p.png"')[0].startswith("w.toml: floor_plan.image: expected a path inside the folder")


def test_an_unknown_colour_is_told_with_where_it_is_first_and_what_is_known(complaints, tmp_path):
    picture = Image.new("RGB", (3, 2), (255, 0, 0))
    picture.putpixel((2, 1), (1, 2, 3))
    picture.save(tmp_path / "p.png")
    (told,) = complaints('image = "p.png"')
    said = "w.toml: floor_plan.image: p.png: row 2, column 3: expected a colour of the legend, got #010203; it has "
    assert told.startswith(said)
    assert "#59b03c source" in told


def test_unknown_colours_are_counted(complaints, tmp_path):
    grey = np.arange(1, 41, dtype=np.uint8).reshape(5, 8).repeat(3).reshape(5, 8, 3)
    Image.fromarray(np.concatenate([grey, grey])).save(tmp_path / "p.png")
    told = complaints('image = "p.png"')
    assert len(told) == 6
    assert told[4].endswith("row 1, column 5: expected a colour of the legend, got #050505")
    assert told[5] == "w.toml: floor_plan.image: p.png: and 35 more such colours"


def test_an_animation_is_refused(complaints, tmp_path):
    first, second = Image.new("RGB", (2, 2), (255, 0, 0)), Image.new("RGB", (2, 2), (0, 255, 0))
    first.save(tmp_path / "p.png", save_all=True, append_images=[second])
    assert complaints('image = "p.png"') == [
        "w.toml: floor_plan.image: p.png: expected one picture, got 2 of an animation"
    ]


def test_a_picture_that_is_seen_through_is_refused(complaints, tmp_path):
    Image.new("RGBA", (2, 2), (255, 0, 0, 128)).save(tmp_path / "p.png")
    (told,) = complaints('image = "p.png"')
    assert "row 1, column 1: expected a colour of the legend, got #ff0000, 128 of 255 opaque; it has" in told


@pytest.mark.parametrize(
    ("legend", "said"),
    [
        ('{ "red" = "goal" }', 'expected colours as #rrggbb, got "red"'),
        ('{ "#123456" = "gaol" }', '#123456: expected free, obstacle, source, goal, got "gaol" (did you mean "goal"?)'),
        ('{ "#123456" = 3 }', "#123456: expected free, obstacle, source, goal, got 3"),
    ],
)
def test_a_faulty_legend_is_told(legend, said, complaints, tmp_path):
    Image.new("RGB", (2, 2), (255, 0, 0)).save(tmp_path / "p.png")
    assert complaints(f'image = "p.png"\nlegend = {legend}') == [f"w.toml: floor_plan.legend: {said}"]


def png(width, height, bits=8, rows=None):
    """A grey PNG by hand, of fewer rows than it says where so many are given."""
    chunks = [
        (b"IHDR", struct.pack(">IIBBBBB", width, height, bits, 0, 0, 0, 0)),
        (b"IDAT", zlib.compress(b"\0" * ((height if rows is None else rows) * (1 + width * bits // 8)))),
        (b"IEND", b""),
    ]
    framed = [struct.pack(">I", len(c)) + kind + c + struct.pack(">I", zlib.crc32(kind + c)) for kind, c in chunks]
    return b"\x89PNG\r\n\x1a\n" + b"".join(framed)


def test_an_image_over_the_limit_is_refused_before_it_is_decoded(complaints, tmp_path, monkeypatch):
    (tmp_path / "p.png").write_bytes(png(10_000, 10_000))
    monkeypatch.setattr(Image, "open", None)
    start = time.perf_counter()
    told = complaints('image = "p.png"')
    assert told == [
        "w.toml: floor_plan.image: p.png: expected an image of 1 to 4,000 rows and columns, got 10,000 rows of 10,000"
    ]
    assert time.perf_counter() - start < 0.5


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "expected a PNG image, got something else"),
        (b"GIF89a" + b"\0" * 40, "expected a PNG image, got something else"),
        (png(40, 40)[:50], "expected a whole PNG image, got one that cannot be read"),
        (png(2, 2)[:33] + png(50_000, 50_000, rows=0)[8:33] + png(2, 2)[33:], "expected a whole PNG image, got one"),
        (png(2, 2)[:33] + png(3, 3)[8:33] + png(2, 2)[33:], "expected a whole PNG image, got one of two sizes"),
        (png(2, 2, bits=16), "expected 8 bits a colour, got 16"),
    ],
)
def test_a_broken_image_is_told(content, said, complaints, tmp_path):
    (tmp_path / "p.png").write_bytes(content)
    told = complaints('image = "p.png"')
    assert len(told) == 1
    assert told[0].startswith(f"w.toml: floor_plan.image: p.png: {said}")


@pytest.mark.parametrize(
    ("text", "keys", "said"),
    [
        ("POLYGON ((0 0, 4 4, 4 0, 0 4, 0 0))", GOAL_POLYGON,
         "wkt: hall.wkt: row 1, column 10: expected a polygon that does not cross itself, got self-intersection at x"),
        ("POLYGON ((0 0, 4 4", GOAL_POLYGON, "wkt: hall.wkt: expected POLYGON ((x y, ...)), got what is not WKT"),
        ("LINESTRING (0 0, 1 1)", GOAL_POLYGON, "wkt: hall.wkt: polygon 1: expected polygons only, got"),
        ("POLYGON EMPTY", GOAL_POLYGON, "wkt: hall.wkt: polygon 1: expected polygons only, got"),
        ("", GOAL_POLYGON, "wkt: hall.wkt: expected POLYGON ((x y, ...)), got"),
        (HALL, "", "wkt: hall.wkt: expected at least one goal cell, got none"),
        (HALL, 'goals = ["POLYGON ((4.2 2, 5 2, 5 3, 4.2 2))"]', "goals[0]: expected the middle of a walkable cell"),
        (HALL, 'goals = ["hello"]', "goals[0]: expected POLYGON ((x y, ...)), got what is not WKT"),
        (HALL, 'goals = ["../goal.wkt"]', "goals[0]: expected a path inside the folder"),
        (HALL, 'goals = ["goal.wkt"]', "goals[0]: no such file: goal.wkt"),
        (HALL, f"{GOAL_POLYGON}\nbounds = [[0, 0], [0, 1]]", "bounds: expected lowest < highest, got"),
        (HALL, f"{GOAL_POLYGON}\ncell = 0.001", "wkt: hall.wkt: expected at most 4,000 rows and columns of cells, got"),
        ("POLYGON ((0 0, nan 1, 1 1, 0 0))", GOAL_POLYGON,
         "wkt: hall.wkt: row 1, column 10: expected finite coordinates, got"),
        (HALL.replace("10", "1e300"), GOAL_POLYGON, "wkt: hall.wkt: expected at most 4,000 rows and columns of cells"),
    ],
)  # fmt: skip
def test_faulty_polygons_are_told(text, keys, said, complaints, tmp_path):
    (tmp_path / "hall.wkt").write_text(text)
    told = complaints(f'wkt = "hall.wkt"\n{keys}')
    assert len(told) == 1
    assert told[0].startswith(f"w.toml: floor_plan.{said}")


def without(key):
    table = topography()
    del table[key]
    return json.dumps({"scenario": {"topography": table}})


def shaped(shape):
    return json.dumps({"scenario": {"topography": topography(obstacles=[{"id": 1, "shape": shape}])}})


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{\n  "scenario": {,}\n}', "row 2, column 16: expected JSON: "),
        ("", "row 1, column 1: expected JSON: "),
        ("[" * 100_000, "expected JSON, got what is nested too deeply"),
        ("[]", "scenario.topography: missing"),
        ("{}", "scenario.topography: missing"),
        ('{"scenario": {"topography": 3}}', "scenario.topography: expected a table, got 3"),
        (without("attributes"), "scenario.topography.attributes: missing"),
        (without("targets"), "expected at least one goal cell, got none"),
        (shaped({"type": "STAR"}), "scenario.topography.obstacles[0].shape.type: expected RECTANGLE, POLYGON, CIRCLE"),
        (shaped({"type": "RECTANGLE", "x": 0}), "scenario.topography.obstacles[0].shape.y: missing"),
        (
            shaped({"type": "RECTANGLE", "x": "a", "y": 0, "width": 1, "height": 1}),
            'scenario.topography.obstacles[0].shape.x: expected a number of at most 1,000,000, got "a"',
        ),
        (
            shaped({"type": "POLYGON", "points": [{"x": x, "y": y} for x, y in ((2, 1), (6, 5), (6, 1), (2, 5))]}),
            "scenario.topography.obstacles[0].shape.points: expected a polygon that does not cross itself, got "
            "self-intersection at x 4, y 3",
        ),
        (shaped({"type": "POLYGON", "points": []}), "scenario.topography.obstacles[0].shape.points: expected three"),
        (shaped({"type": "POLYGON", "points": 3}), "scenario.topography.obstacles[0].shape.points: expected a list"),
        (shaped(None), "scenario.topography.obstacles[0].shape: expected a table"),
    ],
)
def test_a_faulty_scenario_is_told_by_the_way_to_it(text, said, complaints, tmp_path):
    (tmp_path / "room.json").write_text(text)
    told = complaints('vadere = "room.json"')
    assert len(told) == 1
    assert told[0].startswith(f"w.toml: floor_plan.vadere: room.json: {said}")


def test_text_that_is_none_is_told_by_row_and_column(complaints, tmp_path):
    (tmp_path / "p.txt").write_bytes(b"S.G\n.\xff.\n")
    assert complaints('text = "p.txt"') == [
        "w.toml: floor_plan.text: p.txt: row 2, column 2: expected text, got a byte that is not UTF-8"
    ]


def test_a_file_of_rows_is_told_by_row_and_column(complaints, tmp_path):
    (tmp_path / "p.txt").write_text("\nS.G\n.?.\n")
    assert complaints('text = "p.txt"') == [
        'w.toml: floor_plan.text: p.txt: row 3, column 2: expected #, S, G or ., got "?"'
    ]


def test_too_many_rows_are_refused(tmp_path):
    with pytest.raises(ValueError, match=r"expected at most 4,000 rows and columns, got 1 rows of 4,001"):
        build_world({"floor_plan": {"rows": ["G" + "." * 4000]}}, tmp_path / "w.toml")


def test_obstacles_in_too_many_pieces_are_refused(complaints, tmp_path):
    cells = np.zeros((1000, 1000, 3), dtype=np.uint8)
    cells[::2, ::2, 2] = 255
    cells[1, 1] = (255, 0, 0)
    Image.fromarray(cells).save(tmp_path / "p.png")
    assert complaints('image = "p.png"') == [
        "w.toml: floor_plan.image: p.png: expected obstacles of at most 100,000 rectangles of cells, got 250,000"
    ]


def test_a_plan_of_the_largest_size_is_made(tmp_path):
    cells = np.zeros((4000, 4000, 3), dtype=np.uint8)
    cells[2000, 2000] = (255, 0, 0)
    Image.fromarray(cells).save(tmp_path / "p.png")
    world = build_world({"floor_plan": {"image": "p.png", "cell": 0.1}}, tmp_path / "w.toml")
    assert world.floor_plan.distance.max() == pytest.approx(0.1 * 4000)
