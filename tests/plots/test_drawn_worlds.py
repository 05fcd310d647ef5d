"""Gates, areas, moving obstacles, holes and cuts are on the page, where they belong."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from matplotlib.axes import Axes

from swarm.plots import style
from swarm.plots.elevation import contour
from swarm.plots.movers import Traffic
from swarm.plots.names import standing_out, stem
from swarm.plots.overview import draw_overview, write_overview
from swarm.plots.plan import cut_height
from swarm.plots.views import VIEWS, frame, panels
from swarm.plots.world import draw_world
from swarm.plots.zones import gate_rim
from swarm.worlds import Mesh, Motion, Obstacle, World, Zone

BOUNDS = np.array([[-5.0, -5.0, 0.0], [5.0, 5.0, 5.0]])
WHITE = (255, 255, 255)
Torus = Callable[..., Obstacle]


def drawn(world: World, view: int = 0, cut: float | None = None) -> tuple[Axes, np.ndarray]:
    """The axes and pixels of a world, from above (0) or from the side (1)."""
    with style.styled():
        page, views = panels(np.array(world.bounds), 0.3, (8.0, 12.0))
        panel = views[view]
        draw_world(panel.axes, world, panel.view, names=False, cut=cut)
        page.canvas.draw()
        return panel.axes, np.asarray(page.canvas.buffer_rgba())  # type: ignore[attr-defined]


def color(axes: Axes, pixels: np.ndarray, x: float, y: float) -> tuple[int, ...]:
    across, up = axes.transData.transform((x, y))
    return tuple(int(c) for c in pixels[int(pixels.shape[0] - up), int(across), :3])


def test_hole_of_a_torus_is_seen_through_from_the_side(torus: Torus) -> None:
    axes, pixels = drawn(World("w", BOUNDS, "walls", True, (torus((np.pi / 2, 0.0, 0.0)),)), view=1)
    assert color(axes, pixels, 0.05, 2.55) == WHITE
    assert color(axes, pixels, 2.05, 2.55) != WHITE


def test_door_under_its_lintel_is_seen_from_above_at_the_height_of_the_cut(doorway: Obstacle) -> None:
    world = World("w", BOUNDS, "walls", True, (doorway,))
    axes, pixels = drawn(world, cut=1.0)
    post, way = color(axes, pixels, 1.25, 0.0), [color(axes, pixels, x, 0.0) for x in np.linspace(-0.4, 0.4, 9)]
    assert sum(post) < min(map(sum, way)) - 150
    axes, pixels = drawn(world, cut=2.5)
    assert color(axes, pixels, 0.0, 0.0) == color(axes, pixels, 1.25, 0.0) == post


def test_what_is_low_is_lighter_than_what_is_cut_and_drawn_over_what_hangs_higher() -> None:
    low = Obstacle("box", (-2.0, 0.0, 0.4), "low", size=(1.0, 1.0, 0.8))
    cut = Obstacle("box", (2.0, 0.0, 1.5), "cut", size=(1.0, 1.0, 3.0))
    roof = Obstacle("box", (-2.0, 0.0, 4.0), "roof", size=(2.0, 2.0, 0.5))
    axes, pixels = drawn(World("w", BOUNDS, "walls", True, (low, cut)))
    alone = color(axes, pixels, -2.0, 0.0)
    assert sum(color(axes, pixels, 2.0, 0.0)) < sum(alone) < sum(WHITE)
    axes, pixels = drawn(World("w", BOUNDS, "walls", True, (low, cut, roof)))
    assert color(axes, pixels, -2.0, 0.0) == alone


def test_two_solids_behind_each_other_are_darker_than_one() -> None:
    front = Obstacle("box", (0.0, -2.0, 2.0), "front", size=(4.0, 0.5, 4.0))
    back = Obstacle("box", (1.5, 2.0, 2.0), "back", size=(4.0, 0.5, 4.0))
    axes, pixels = drawn(World("w", BOUNDS, "walls", True, (front, back)), view=1)
    only_front, both, only_back = (sum(color(axes, pixels, x, 2.05)) for x in (-1.5, 1.0, 3.0))
    assert both < min(only_front, only_back)


def test_entries_of_the_legend_name_what_is_there() -> None:
    def words(*obstacles: Obstacle) -> list[str]:
        with style.styled():
            _, views = panels(BOUNDS, 0.3, (8.0, 9.0))
            return [str(e.get_label()) for e in draw_world(views[0].axes, World("w", BOUNDS, "walls", True, obstacles))]

    assert words() == []
    assert words(Obstacle("box", (0.0, 0.0, 2.0), "b", size=(1.0, 1.0, 4.0))) == ["solid at 1.5 m (up to 4 m)"]
    assert words(Obstacle("box", (0.0, 0.0, 0.5), "b", size=(1.0, 1.0, 1.0))) == ["lower"]
    assert words(Obstacle("box", (0.0, 0.0, 4.0), "b", size=(1.0, 1.0, 1.0))) == ["only higher"]
    mover = Obstacle(
        "box", (0.0, 0.0, 0.5), "b", size=(1.0, 1.0, 1.0), motion=Motion((0.0, 0.0, 0.5), ((2.0, 0.0, 0.5),), 0.7)
    )
    assert words(mover) == ["moves"]


@pytest.mark.parametrize("view", ["top", "side", "front"])
def test_bare_axes_show_the_bounds_and_no_more(view: str, torus: Torus) -> None:
    world = World(
        "w", BOUNDS, "walls", True, (torus(),),
        zones=(Zone("gate", "g", (0.0, 0.0, 2.0), (2.0, 2.0), order=1), Zone("area", "a", (0.0, 0.0, 2.0), (2.0,) * 3)),
    )  # fmt: skip
    page = style.figure(5.0, 5.0)
    axes = page.add_subplot()
    draw_world(axes, world, view)
    np.testing.assert_allclose(axes.dataLim.get_points(), BOUNDS[:, list(VIEWS[view].axes)])


def test_ground_fills_the_picture_below_the_floor() -> None:
    world = World("w", BOUNDS, "walls", True)
    with style.styled():
        page, views = panels(BOUNDS + np.array([[-3.0], [3.0]]), 0.3, (8.0, 12.0))
        draw_world(views[1].axes, world, "side")
        page.canvas.draw()
        pixels = np.asarray(page.canvas.buffer_rgba())  # type: ignore[attr-defined]
    assert len({color(views[1].axes, pixels, x, z) for x in (-7.5, 0.0, 7.5) for z in (-0.5, -2.5)}) == 1
    assert color(views[1].axes, pixels, 0.0, -1.0) != WHITE


@pytest.mark.parametrize("yaw", [0.0, 0.7, -2.0])
def test_rim_of_a_gate_lies_in_its_plane_and_is_as_large_as_its_opening(yaw: float) -> None:
    middle = np.array([1.0, 2.0, 2.5])
    ring = Zone("gate", "r", tuple(middle), radius=1.2, yaw=yaw, order=1)
    frame_ = Zone("gate", "f", tuple(middle), (2.0, 1.0), yaw=yaw, order=1)
    np.testing.assert_allclose((gate_rim(ring) - middle) @ ring.normal, 0.0, atol=1e-12)
    np.testing.assert_allclose(np.linalg.norm(gate_rim(ring) - middle, axis=1), 1.2)
    corners = gate_rim(frame_) - middle
    np.testing.assert_allclose(corners @ frame_.normal, 0.0, atol=1e-12)
    np.testing.assert_allclose(np.ptp(corners[:, 2]), 1.0)
    np.testing.assert_allclose(np.linalg.norm(corners[1] - corners[0]), 2.0)
    flat = gate_rim(Zone("gate", "d", (1.0, 2.0), (2.0,), yaw=yaw, order=1))
    np.testing.assert_allclose(np.linalg.norm(flat[1] - flat[0]), 2.0)


@pytest.mark.parametrize("view", [0, 1])
def test_gates_carry_their_number_and_an_arrow_in_the_direction_of_crossing(view: int) -> None:
    gates = (
        Zone("gate", "first", (-2.0, 0.0, 2.5), (2.0, 1.5), order=1),
        Zone("gate", "second", (2.0, 0.0, 2.5), radius=1.0, yaw=np.pi, order=2),
    )
    axes, _ = drawn(World("w", BOUNDS, "walls", True, zones=gates), view=view)
    assert [text.get_text() for text in axes.texts if text.get_text().isdigit()] == ["1", "2"]
    arrows = [text for text in axes.texts if getattr(text, "arrow_patch", None) is not None]
    along = [arrow.xy[0] - arrow.xyann[0] for arrow in arrows]  # type: ignore[attr-defined]
    assert along[0] > 0 > along[1]


def test_areas_are_named_from_above_only() -> None:
    area = Zone("area", "yard", (0.0, 0.0, 2.0), (4.0, 4.0, 4.0))
    world = World("w", BOUNDS, "walls", True, zones=(area,))
    assert "yard" in [text.get_text() for text in drawn(world)[0].texts]
    assert "yard" not in [text.get_text() for text in drawn(world, view=1)[0].texts]


def sliding(dim: int = 3) -> World:
    start, end = (0.0, -3.0, 1.5)[:dim], (0.0, 3.0, 1.5)[:dim]
    door = Obstacle("box", start, "door", size=(1.0, 1.0, 3.0)[:dim], motion=Motion(start, (end,), 0.5))
    return World("w", BOUNDS[:, :dim], "walls", dim == 3, (door,))


@pytest.mark.parametrize("dim", [2, 3])
def test_moving_obstacle_is_drawn_where_it_is_with_its_speed_and_turning_point(dim: int) -> None:
    axes, pixels = drawn(sliding(dim))
    assert color(axes, pixels, 0.3, -3.0) == (0xDF, 0xA8, 0x3F)
    assert color(axes, pixels, 0.3, 3.0) == WHITE
    assert "0.5 m/s" in [text.get_text() for text in axes.texts]
    axes, pixels = drawn(sliding(dim).at(6.0))
    assert color(axes, pixels, 0.3, 0.0) == (0xDF, 0xA8, 0x3F)


@pytest.mark.parametrize("dim", [2, 3])
def test_traffic_follows_the_motion(dim: int) -> None:
    world = sliding(dim)
    with style.styled():
        page, views = panels(np.array(world.bounds), 0.3, (8.0, 12.0))
        traffic = Traffic(views[0].axes, world, "top")
        canvas = page.canvas
        canvas.draw()
        before = np.array(canvas.buffer_rgba())  # type: ignore[attr-defined]
        traffic.draw(8.0)  # 4 m along
        after = np.array(canvas.buffer_rgba())  # type: ignore[attr-defined]
    assert color(views[0].axes, before, 0.0, 1.0) == WHITE
    assert color(views[0].axes, after, 0.0, 1.0) == (0xDF, 0xA8, 0x3F)
    assert color(views[0].axes, after, 0.0, -3.0) == WHITE


def test_contour_of_a_box_is_its_rectangle() -> None:
    import trimesh

    made = trimesh.creation.box((2.0, 1.0, 3.0))
    corners, faces = np.asarray(made.vertices, float), np.asarray(made.faces, np.int64)
    edges = contour(corners, faces, VIEWS["side"])
    length = np.linalg.norm(corners[edges[:, 0]] - corners[edges[:, 1]], axis=1)
    assert sorted(length) == pytest.approx([2.0, 2.0, 3.0, 3.0])
    np.testing.assert_allclose(corners[edges][..., 1], -0.5)  # of the face towards the eye


def test_names_that_differ_in_a_number_are_left_out_where_there_are_many() -> None:
    chairs = tuple(Obstacle("sphere", (k - 4.0, 0.0, 1.0), f"chair {k}", radius=0.2) for k in range(8))
    lamp = Obstacle("sphere", (0.0, 3.0, 1.0), "lamp", radius=0.2)
    hall = Obstacle("box", (0.0, 0.0, 4.5), "hall", size=(9.0, 9.0, 0.1))
    assert [o.name for o in standing_out(World("w", BOUNDS, "walls", True, (*chairs, lamp, hall)))] == ["lamp"]
    assert stem("chair 12") == stem("chair_3") == stem("chair") == "chair"


def test_names_do_not_cover_each_other() -> None:
    near = tuple(Obstacle("sphere", (0.01 * k, 0.0, 1.0), word, radius=0.2) for k, word in enumerate(("oak", "elm")))
    with style.styled():
        _, views = panels(BOUNDS, 0.3, (8.0, 9.0))
        before = len(views[0].axes.texts)
        draw_world(views[0].axes, World("w", BOUNDS, "walls", True, near))
    assert [t.get_text() for t in views[0].axes.texts[before:]] == ["oak"]


def test_plan_of_a_low_world_is_cut_half_way_up() -> None:
    assert cut_height(World("w", BOUNDS, "walls", True)) == 1.5
    assert cut_height(World("w", np.array([[0.0, 0.0, 1.0], [1.0, 1.0, 3.0]]), "walls", True)) == 2.0


def test_small_world_is_shown_whole_and_a_large_one_about_the_flight() -> None:
    flight = np.array([[0.0, 0.0, 1.0], [3.0, 0.5, 1.0]])
    np.testing.assert_array_equal(frame(World("w", BOUNDS, "walls", True), flight), BOUNDS)
    wide = np.array([[-100.0, -100.0, 0.0], [100.0, 100.0, 5.0]])
    shown = frame(World("w", wide, "walls", True), flight)
    assert (np.ptp(shown, axis=0) < (10.0, 10.0, 6.0)).all()


@pytest.mark.slow
def test_mesh_of_a_hundred_thousand_faces_is_drawn_in_seconds(tmp_path: Path, torus: Torus) -> None:
    import trimesh

    made = trimesh.creation.torus(2.0, 0.5, major_sections=320, minor_sections=160)
    mesh = Mesh("torus.obj", np.asarray(made.vertices, float), np.asarray(made.faces, np.int64), True)
    assert len(mesh.faces) > 100_000
    world = World("w", BOUNDS, "walls", True, (Obstacle("mesh", (0.0, 0.0, 2.5), "t", mesh=mesh),))
    write_overview(tmp_path / "warm.png", World("w", BOUNDS, "walls", True), "warm")
    begin = time.process_time()
    write_overview(tmp_path / "dense.png", world, "dense")
    assert time.process_time() - begin < 3.0


def test_overview_of_an_empty_world_has_no_legend() -> None:
    with style.styled():
        assert draw_overview(World("w", BOUNDS, "open", False), "empty").legends == []
