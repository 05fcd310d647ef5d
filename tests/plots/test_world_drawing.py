"""Obstacles are drawn by their true outlines."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from swarm.plots import style
from swarm.plots.silhouettes import hull, outline, triangles
from swarm.plots.solids import faces
from swarm.plots.views import VIEWS, frame, panels
from swarm.plots.world import draw_world
from swarm.worlds import Mesh, Obstacle, World

BOUNDS = np.array([[-5.0, -5.0, 0.0], [5.0, 5.0, 4.0]])
angle = st.floats(-np.pi, np.pi)


def area(polygon: np.ndarray) -> float:
    """Shoelace formula."""
    x, y = polygon.T
    return float(np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1))) / 2


def test_box_turned_by_yaw_keeps_its_area_from_above() -> None:
    box = Obstacle("box", (1.0, 2.0, 1.0), "b", size=(4.0, 2.0, 1.0), rpy=(0.0, 0.0, 0.6))
    assert area(outline(box, (0, 1))) == pytest.approx(8.0)


@settings(deadline=None, max_examples=50)
@given(angle, angle, angle)
def test_box_silhouette_is_the_sum_of_its_projected_faces(roll: float, pitch: float, yaw: float) -> None:
    # Of each pair of opposite faces one is seen, shortened by the cosine between its normal and the line of sight.
    box = Obstacle("box", (0.0, 0.0, 0.0), "b", size=(3.0, 2.0, 1.0), rpy=(roll, pitch, yaw))
    seen = np.abs(box.rotation[2]) @ np.array([2.0 * 1.0, 3.0 * 1.0, 3.0 * 2.0])
    assert area(outline(box, (0, 1))) == pytest.approx(seen, rel=1e-6)


def test_upright_cylinder_is_a_circle_from_above_and_a_rectangle_from_the_side() -> None:
    trunk = Obstacle("cylinder", (1.0, 2.0, 2.0), "t", radius=0.5, height=4.0)
    top, side = outline(trunk, (0, 1)), outline(trunk, (0, 2))
    np.testing.assert_allclose(np.hypot(*(top - (1.0, 2.0)).T), 0.5)
    assert sorted(map(tuple, side.round(9).tolist())) == [(0.5, 0.0), (0.5, 4.0), (1.5, 0.0), (1.5, 4.0)]


def test_lying_cylinder_is_a_rectangle_from_above() -> None:
    log = Obstacle("cylinder", (0.0, 0.0, 1.0), "l", radius=0.5, height=6.0, rpy=(0.0, np.pi / 2, 0.0))
    assert area(outline(log, (0, 1))) == pytest.approx(6.0 * 1.0, rel=1e-3)


def test_flat_obstacles_have_outlines() -> None:
    disc = Obstacle("sphere", (1.0, 1.0), "d", radius=2.0)
    box = Obstacle("box", (1.0, 1.0), "b", size=(2.0, 1.0), rpy=(0.0, 0.0, 0.3))
    assert area(outline(disc, (0, 1))) == pytest.approx(np.pi * 4.0, rel=5e-3)
    assert area(outline(box, (0, 1))) == pytest.approx(2.0)


@settings(deadline=None, max_examples=50)
@given(st.lists(st.tuples(st.integers(-9, 9), st.integers(-9, 9)), min_size=3, max_size=30))
def test_hull_holds_every_point_and_is_convex(points: list[tuple[int, int]]) -> None:
    shape = hull(np.array(points, dtype=float))
    if len(shape) < 3:
        return
    edges = np.roll(shape, -1, axis=0) - shape
    for corner, edge in zip(shape, edges):
        offset = np.array(points) - corner
        assert (edge[0] * offset[:, 1] - edge[1] * offset[:, 0] >= -1e-9).all()


def ring(outer: float, inner: float) -> Obstacle:
    """A flat washer, open, in the plane z = 1."""
    turn = np.linspace(0, 2 * np.pi, 33)[:-1]
    circle = np.column_stack([np.cos(turn), np.sin(turn), 0 * turn])
    k, n = np.arange(32), (np.arange(32) + 1) % 32
    some = np.concatenate([np.column_stack([k, n, k + 32]), np.column_stack([n, n + 32, k + 32])])
    mesh = Mesh("ring.obj", np.concatenate([outer * circle, inner * circle]), some.astype(np.int64), False)
    return Obstacle("mesh", (0.0, 0.0, 1.0), "ring", mesh=mesh)


def test_hole_of_a_mesh_stays_a_hole() -> None:
    world = World("w", BOUNDS, "walls", True, (ring(3.0, 1.5),))
    with style.styled():
        page, views = panels(BOUNDS, 0.3, (8.0, 9.0))
        draw_world(views[0].axes, world, "top", names=False)
        page.canvas.draw()
        pixels = np.asarray(page.canvas.buffer_rgba())

    def color(x: float, y: float) -> tuple[int, ...]:
        across, up = views[0].axes.transData.transform((x, y))
        return tuple(pixels[int(pixels.shape[0] - up), int(across), :3])

    assert color(0.0, 0.0) == (255, 255, 255)
    assert color(4.5, 4.5) == (255, 255, 255)
    assert color(2.25, 0.0) != (255, 255, 255)


def test_triangles_of_a_mesh_cover_its_area_and_edge_on_ones_are_left_out() -> None:
    shape = triangles(ring(3.0, 1.5), (0, 1))
    polygon = 32 * np.sin(2 * np.pi / 32) / 2  # area of a 32-gon of radius 1
    assert sum(abs(area(t)) for t in shape) == pytest.approx(polygon * (9.0 - 2.25))
    assert len(triangles(ring(3.0, 1.5), (0, 2))) == 0


def test_few_obstacles_are_named() -> None:
    few = World("w", BOUNDS, "walls", True, (Obstacle("sphere", (0.0, 0.0, 1.0), "ball", radius=0.5),))
    many = World("w", BOUNDS, "walls", True, few.obstacles * 100)
    for world, expected in ((few, ["ball"]), (many, [])):
        with style.styled():
            _, views = panels(BOUNDS, 0.3, (8.0, 9.0))
            before = len(views[0].axes.texts)
            draw_world(views[0].axes, world)
        assert [t.get_text() for t in views[0].axes.texts[before:]] == expected


def test_frame_holds_all_points_and_stays_in_walls() -> None:
    world = World("w", BOUNDS, "walls", True)
    inside = frame(world, np.array([[0.0, 0.0, 1.0], [1.0, 0.5, 1.0]]))
    assert (inside[0] >= BOUNDS[0]).all()
    assert (inside[1] <= BOUNDS[1]).all()
    assert (inside[0] <= (0.0, 0.0, 1.0)).all()
    assert (inside[1] >= (1.0, 0.5, 1.0)).all()
    everything = frame(world, np.empty((0, 3)))
    np.testing.assert_array_equal(everything, BOUNDS)


def test_flat_side_view_is_stretched_and_says_so() -> None:
    _, views = panels(np.array([[0.0, 0.0, 0.0], [100.0, 100.0, 1.0]]), 0.3, (8.0, 9.0))
    assert "×" in views[1].axes.get_ylabel()
    assert VIEWS[views[1].view].axes == (0, 2)


@pytest.mark.parametrize(
    "obstacle",
    [
        Obstacle("box", (1.0, 2.0, 3.0), "b", size=(2.0, 3.0, 1.0), rpy=(0.3, 0.2, 0.1)),
        Obstacle("cylinder", (1.0, 2.0, 3.0), "c", radius=0.7, height=2.0, rpy=(0.3, 0.2, 0.1)),
        Obstacle("sphere", (1.0, 2.0, 3.0), "s", radius=0.7),
        Obstacle("sphere", (1.0, 2.0), "d", radius=0.7),
        Obstacle("box", (1.0, 2.0), "e", size=(2.0, 3.0)),
    ],
    ids=lambda o: o.name,
)
def test_faces_of_solids_look_outward(obstacle: Obstacle) -> None:
    corners, normals = faces(obstacle, 0.5)
    middle = corners.reshape(-1, 3).mean(axis=0)
    assert (((corners.mean(axis=1) - middle) * normals).sum(axis=1) > 0).all()
    np.testing.assert_allclose(np.linalg.norm(normals, axis=1), 1.0)


def dense_ball() -> Obstacle:
    """A ball of radius 2 m with 81,920 faces."""
    import trimesh

    ball = trimesh.creation.icosphere(subdivisions=6, radius=2.0)
    mesh = Mesh("ball.obj", np.asarray(ball.vertices, float), np.asarray(ball.faces, np.int64), True)
    return Obstacle("mesh", (0.0, 0.0, 2.0), "ball", mesh=mesh)


def test_silhouette_of_a_dense_mesh_keeps_its_area() -> None:
    import shapely

    shape = triangles(dense_ball(), (0, 2))
    union = shapely.union_all(shapely.polygons(shape))
    assert union.area == pytest.approx(np.pi * 4.0, rel=0.01)
    assert union.geom_type == "Polygon"
    assert sum(shapely.Polygon(hole).area for hole in union.interiors) < 1e-3  # below what can be seen


def test_dense_mesh_is_drawn_coarser_in_perspective_without_holes() -> None:
    corners, _ = faces(dense_ball(), 0.5)
    assert len(corners) < 81_920
    np.testing.assert_allclose(np.linalg.norm(corners - (0.0, 0.0, 2.0), axis=2), 2.0, atol=0.08)
    sums = 0.5 * np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1)
    assert sums.sum() >= 4 * np.pi * 4.0 * 0.97
