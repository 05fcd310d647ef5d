"""What a plan cuts, what lies lower and what hangs over it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from swarm.plots.sections import Section, beyond, section, triangles_of
from swarm.worlds import Mesh, Obstacle

Torus = Callable[..., Obstacle]


def area(polygon: np.ndarray) -> float:
    """Shoelace formula; negative where it runs clockwise."""
    x, y = polygon.T
    return float(np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1))) / 2


def solid_area(cut: Section) -> float:
    return sum(area(ring) for ring in cut.rings)


@settings(deadline=None, max_examples=40)
@given(st.floats(-1.4, 1.4))
def test_tilted_long_box_is_cut_along_a_longer_rectangle(roll: float) -> None:
    # Rolled about x, an edge of 1 m across becomes 1 / cos(roll) in the level plane, while the plane cuts no end.
    box = Obstacle("box", (0.0, 0.0, 1.0), "b", size=(3.0, 1.0, 50.0), rpy=(roll, 0.0, 0.0))
    assert solid_area(section(box, 1.0)) == pytest.approx(3.0 / np.cos(roll), rel=1e-4)


@settings(deadline=None, max_examples=40)
@given(st.floats(-1.9, 1.9))
def test_ball_is_cut_in_the_circle_of_its_height(height: float) -> None:
    ball = Obstacle("sphere", (1.0, 2.0, 0.0), "s", radius=2.0)
    assert solid_area(section(ball, height)) == pytest.approx(np.pi * (4.0 - height**2), rel=0.01)


def test_cut_of_a_lying_torus_has_a_hole_that_runs_clockwise(torus: Torus) -> None:
    cut = section(torus(), 2.5)
    assert sorted(np.sign([area(ring) for ring in cut.rings])) == [-1.0, 1.0]
    assert solid_area(cut) == pytest.approx(np.pi * (2.5**2 - 1.5**2), rel=0.01)


def test_cut_of_a_standing_torus_is_two_ellipses_and_its_arc_hangs_over_what_is_between(torus: Torus) -> None:
    cut = section(torus((np.pi / 2, 0.0, 0.0)), 2.5)
    assert len(cut.rings) == 2
    assert solid_area(cut) == pytest.approx(2 * np.pi * 0.25, rel=0.02)
    assert beyond(cut.upper, cut.rings)
    assert beyond(cut.lower, cut.rings)


def test_opening_under_a_lintel_is_open_in_the_plan(doorway: Obstacle) -> None:
    import shapely

    cut = section(doorway, 1.0)
    assert sorted(area(ring) for ring in cut.rings) == pytest.approx([0.3, 0.3])
    hanging = shapely.union_all(shapely.polygons(cut.upper)).difference(
        shapely.union_all([shapely.Polygon(ring) for ring in cut.rings])
    )
    assert hanging.bounds == pytest.approx((-0.5, -0.1, 0.5, 0.1))
    assert beyond(cut.upper, cut.rings)
    assert not beyond(cut.lower, cut.rings)


def test_upright_solids_have_nothing_beside_their_cut() -> None:
    for obstacle in (
        Obstacle("box", (0.0, 0.0, 1.0), "b", size=(1.0, 2.0, 2.0), rpy=(0.0, 0.0, 0.4)),
        Obstacle("cylinder", (0.0, 0.0, 1.0), "c", radius=0.5, height=2.0),
    ):
        cut = section(obstacle, 1.5)
        assert not beyond(cut.upper, cut.rings)
        assert not beyond(cut.lower, cut.rings)


def test_what_is_lower_or_higher_only_has_no_cut() -> None:
    table = Obstacle("box", (0.0, 0.0, 0.4), "t", size=(1.0, 2.0, 0.8))
    low, high = section(table, 1.5), section(table, -1.0)
    assert low.rings == high.rings == []
    assert len(low.upper) == len(high.lower) == 0
    assert beyond(low.lower, low.rings)
    assert beyond(high.upper, high.rings)


def test_surface_without_an_inside_is_cut_along_lines() -> None:
    sheet = Mesh(
        "sheet.obj",
        np.array([[0.0, 0.0, 0.0], [2.0, 0.0, 0.0], [2.0, 0.0, 3.0], [0.0, 0.0, 3.0]]),
        np.array([[0, 1, 2], [0, 2, 3]]),
        False,
    )
    cut = section(Obstacle("mesh", (0.0, 0.0, 0.0), "sheet", mesh=sheet), 1.0)
    assert cut.rings == []
    (line,) = cut.lines
    assert sorted((tuple(line[0]), tuple(line[-1]))) == [(0.0, 0.0), (2.0, 0.0)]


def test_parts_above_and_below_are_the_whole_surface(torus: Torus) -> None:
    ball = torus((0.3, 0.2, 0.0))
    corners = triangles_of(ball)
    whole = np.abs(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])[:, 2]).sum() / 2
    cut = section(ball, 2.6)
    both = sum(abs(area(triangle)) for triangle in (*cut.lower, *cut.upper))
    assert both == pytest.approx(whole, rel=1e-9)


def test_vertices_in_the_plane_neither_open_nor_double_the_cut() -> None:
    box = Obstacle("box", (0.0, 0.0, 1.0), "b", size=(1.0, 1.0, 2.0))
    assert solid_area(section(box, 0.0)) in (0.0, pytest.approx(1.0))
    assert solid_area(section(box, 2.0)) == pytest.approx(1.0)  # what touches the plane from below is cut by it
    octahedron = np.array([[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]], float)
    faces = np.array([[0, 2, 4], [2, 1, 4], [1, 3, 4], [3, 0, 4], [2, 0, 5], [1, 2, 5], [3, 1, 5], [0, 3, 5]])
    cut = section(Obstacle("mesh", (0.0, 0.0, 0.0), "o", mesh=Mesh("o.obj", octahedron, faces, True)), 0.0)
    assert solid_area(cut) == pytest.approx(2.0)
