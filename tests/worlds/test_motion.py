"""Obstacles that move: where they are, what the world around them is, and what a file may say."""

from __future__ import annotations

import dataclasses
import pickle

import numpy as np
import pytest
import trimesh
from hypothesis import given
from hypothesis import strategies as st

from swarm.errors import BadInput
from swarm.worlds import Motion, Obstacle, build_world

BOUNDS = [[-5.0, -5.0, 0.0], [5.0, 5.0, 5.0]]
TRIANGLE = ((3.0, 0.0, 0.0), (3.0, 4.0, 0.0))  # from the origin: legs of 3 and 4 m, and 5 m back


@pytest.mark.parametrize(
    ("mode", "time", "position", "velocity"),
    [
        ("once", 0.0, (0, 0, 0), (2, 0, 0)),
        ("once", -7.0, (0, 0, 0), (2, 0, 0)),
        ("once", 1.0, (2, 0, 0), (2, 0, 0)),
        ("once", 1.5, (3, 0, 0), (0, 2, 0)),  # at a corner: the leg to come
        ("once", 3.0, (3, 3, 0), (0, 2, 0)),
        ("once", 3.5, (3, 4, 0), (0, 0, 0)),
        ("once", 1e6, (3, 4, 0), (0, 0, 0)),
        ("loop", 4.75, (1.5, 2, 0), (-1.2, -1.6, 0)),
        ("loop", 6.0, (0, 0, 0), (2, 0, 0)),
        ("loop", 6001.0, (2, 0, 0), (2, 0, 0)),
        ("back-and-forth", 3.5, (3, 4, 0), (0, -2, 0)),
        ("back-and-forth", 4.5, (3, 2, 0), (0, -2, 0)),
        ("back-and-forth", 6.0, (2, 0, 0), (-2, 0, 0)),
        ("back-and-forth", 7.0, (0, 0, 0), (2, 0, 0)),
        ("back-and-forth", 7008.0, (2, 0, 0), (2, 0, 0)),
    ],
)
def test_position_and_velocity_from_the_formula(mode, time, position, velocity):
    motion = Motion((0.0, 0.0, 0.0), TRIANGLE, 2.0, mode)
    np.testing.assert_allclose(motion.position(time), position, atol=1e-9)
    np.testing.assert_allclose(motion.velocity(time), velocity, atol=1e-9)


def test_points_that_repeat_are_no_legs():
    doubled = Motion((0.0, 0.0, 0.0), ((0.0, 0.0, 0.0), *TRIANGLE, TRIANGLE[1]), 2.0, "loop")
    for time in np.linspace(0.0, 13.0, 27):
        np.testing.assert_allclose(doubled.position(time), Motion((0.0,) * 3, TRIANGLE, 2.0, "loop").position(time))


place = st.tuples(*[st.floats(-5.0, 5.0)] * 3)


@given(
    place, st.lists(place, min_size=1, max_size=5), st.floats(0.01, 20.0),
    st.sampled_from(["back-and-forth", "loop", "once"]), st.floats(0.0, 1000.0), st.floats(0.0, 5.0),
)  # fmt: skip
def test_nothing_moves_faster_than_its_speed(start, path, speed, mode, time, step):
    if all(point == start for point in path):
        return
    motion = Motion(start, tuple(path), speed, mode)
    moved = motion.position(time + step) - motion.position(time)
    assert np.linalg.norm(moved) <= speed * step + 1e-9 * (1.0 + speed * time)
    assert np.linalg.norm(motion.velocity(time)) <= speed * (1.0 + 1e-12)
    low, high = np.min([start, *path], axis=0), np.max([start, *path], axis=0)
    assert (motion.position(time) >= low - 1e-9).all()
    assert (motion.position(time) <= high + 1e-9).all()


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ({"speed": 0.0}, "speed: expected a finite number > 0"),
        ({"speed": np.nan}, "speed: expected a finite number > 0"),
        ({"path": ()}, "path: expected a point other than the centre"),
        ({"path": ((0.0, 0.0, 0.0),)}, "path: expected a point other than the centre"),
        ({"mode": "forth"}, "mode: expected back-and-forth, loop, once"),
    ],
)
def test_impossible_motions_are_refused(keys, said):
    with pytest.raises(BadInput, match=said):
        Motion(**{"start": (0.0, 0.0, 0.0), "path": TRIANGLE, "speed": 1.0, "mode": "loop", **keys})


def going(kind, scene, **keys):
    """One obstacle of a kind that goes round a triangle, turned anyhow."""
    start = (-2.0, -2.0, 2.0)
    motion = Motion(start, ((2.0, -1.0, 2.5), (0.0, 2.0, 1.5)), 0.7, "loop")
    shape = {"size": (1.0, 2.0, 0.5), "radius": 0.6, "height": 1.4, "rpy": (0.3, -0.5, 1.0), **keys}
    if kind == "mesh":
        solid = trimesh.creation.box((1.0, 2.0, 0.5))
        return dataclasses.replace(scene.mesh(solid, start, shape["rpy"], name="mover"), motion=motion)
    return Obstacle(kind, start, "mover", motion=motion, **shape)


@pytest.mark.parametrize("kind", ["box", "sphere", "cylinder", "mesh"])
@pytest.mark.parametrize("time", [0.0, 0.3, 4.0, 11.7, 1234.5])
def test_clearance_is_that_of_the_same_obstacle_standing_there(scene, kind, time):
    rng = np.random.default_rng(0)
    mover, others = going(kind, scene), scene.scattered("cylinder", 8, rng)
    stone = scene.mesh(trimesh.creation.icosphere(2, 0.5), (1.0, 1.0, 1.0), name="stone")
    there = dataclasses.replace(mover, motion=None, center=tuple(mover.motion.position(time)))
    world = scene.world(*others[:4], mover, stone, *others[4:], boundary="walls", floor=True)
    wanted = scene.world(*others[:4], there, stone, *others[4:], boundary="walls", floor=True)
    now = world.at(time)
    points = rng.uniform(scene.room[0], scene.room[1], (200, 3))
    points[:50] = there.center + rng.uniform(-1.0, 1.0, (50, 3))
    for one, other in zip(now.nearest(points), wanted.nearest(points)):
        np.testing.assert_allclose(one, other, atol=1e-9)
    for one, other in zip(now.near(points, 2.0), wanted.near(points, 2.0)):
        np.testing.assert_allclose(one, other, atol=1e-9)
    np.testing.assert_array_equal(now.visible(points[:100], points[100:]), wanted.visible(points[:100], points[100:]))
    np.testing.assert_allclose(now.obstacles[4].center, there.center)
    assert now.surfaces == world.surfaces


def test_a_box_turned_and_a_mesh_of_it_move_alike(scene):
    points = np.random.default_rng(1).uniform(scene.room[0], scene.room[1], (300, 3))
    box, mesh = scene.world(going("box", scene)), scene.world(going("mesh", scene))
    for time in (0.0, 1.0, 5.0, 9.0):
        np.testing.assert_allclose(box.at(time).clearance(points)[0], mesh.at(time).clearance(points)[0], atol=1e-9)


def test_velocity_is_that_of_the_surface_and_zero_for_all_else(scene):
    rng = np.random.default_rng(2)
    mover = going("sphere", scene)
    world = scene.world(*scene.scattered("box", 2, rng), mover, boundary="walls", floor=True)
    now = world.at(3.0)
    surfaces = np.arange(-1, len(world.surfaces))
    velocity = now.velocity(surfaces)
    np.testing.assert_allclose(velocity[3], mover.motion.velocity(3.0))
    assert not velocity[np.arange(len(surfaces)) != 3].any()
    point = mover.motion.position(3.0) + [0.5, 0.4, -0.2]
    before, normal, surface = now.nearest(point)
    assert surface == 2
    after, _ = world.at(3.0 + 1e-6).clearance(point)
    assert (after - before) / 1e-6 == pytest.approx(-velocity[3] @ normal, abs=1e-4)
    still = scene.world(*scene.scattered("box", 2, rng))
    assert not still.velocity(np.array([0, 1, -1])).any()


def test_what_stands_still_is_one_object_at_all_times(scene):
    world = scene.world(*scene.scattered("box", 2, np.random.default_rng(3)), going("box", scene), boundary="walls")
    assert world.moving
    assert world.at(0.0) is world
    assert world.at(1.0).still is world.at(2.0).still is world.still
    assert [o.name for o in world.still.obstacles] == ["box 0", "box 1"]
    assert not world.still.moving
    assert world.at(1.0).geometry.nodes is world.geometry.nodes
    assert world.at(1.0).geometry.triangles is world.geometry.triangles
    back = world.at(5.0).at(0.0)
    assert back.time == 0.0
    np.testing.assert_array_equal(back.geometry.items, world.geometry.items)


def test_nothing_is_paid_where_nothing_moves(scene):
    world = scene.world(*scene.scattered("box", 2, np.random.default_rng(3)))
    assert not world.moving
    assert world.at(12.0) is world.still is world
    assert world.movers is None


def test_an_instant_can_be_changed_and_copied_like_any_world(scene):
    world = scene.world(going("cylinder", scene), boundary="torus")
    now = world.at(2.0)
    points = np.random.default_rng(4).uniform(scene.room[0], scene.room[1], (50, 3))
    walled = now.walled()
    assert walled.boundary == "walls"
    assert walled.time == 2.0
    np.testing.assert_allclose(walled.obstacles[0].center, world.obstacles[0].motion.position(2.0))
    np.testing.assert_array_equal(walled.at(3.0).obstacles[0].center, world.at(3.0).obstacles[0].center)
    again = pickle.loads(pickle.dumps(now))
    np.testing.assert_array_equal(again.clearance(points)[0], now.clearance(points)[0])
    np.testing.assert_array_equal(again.at(5.0).clearance(points)[0], world.at(5.0).clearance(points)[0])
    renamed = dataclasses.replace(now, name="other")
    np.testing.assert_allclose(renamed.clearance(points)[0], now.clearance(points)[0], atol=1e-12)


@pytest.mark.parametrize("time", [np.nan, np.inf])
def test_a_time_is_a_number(scene, time):
    with pytest.raises(BadInput, match="time: expected a finite number"):
        scene.world(going("box", scene)).at(time)


def test_discs_move_in_the_plane(scene):
    bounds = np.array([[-5.0, -5.0], [5.0, 5.0]])
    motion = Motion((0.0, 0.0), ((4.0, 0.0),), 1.0)
    world = scene.world(Obstacle("cylinder", (0.0, 0.0), "disc", radius=0.5, motion=motion), bounds=bounds)
    np.testing.assert_allclose(world.at(3.0).clearance(np.array([[0.0, 0.0], [3.0, 2.0]]))[0], [2.5, 1.5])


def faulty(keys, boundary="walls", more=()):
    """Faults and notices of a file with one moving sphere, without their beginning."""
    motion = {"path": [[1.0, 0.0, 1.0]], "speed": 0.5, **keys}
    motion = {key: value for key, value in motion.items() if value is not None}
    sphere = {"kind": "sphere", "center": [0.0, 0.0, 1.0], "radius": 0.5, "motion": motion}
    try:
        world = build_world({"bounds": BOUNDS, "boundary": boundary, "obstacles": [sphere, *more]}, "w.toml", 0)
    except BadInput as error:
        return [fault.removeprefix("w.toml: obstacles[0].") for fault in error.faults]
    return [notice.removeprefix("w.toml: obstacles[0].") for notice in world.notices]


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ({"speed": 0}, "motion.speed: expected a number > 0.0, got 0"),
        ({"speed": -1.0}, "motion.speed: expected a number > 0.0, got -1.0"),
        ({"speed": float("nan")}, "motion.speed: expected a number > 0.0, got nan"),
        ({"speed": 21}, "motion.speed: expected a number <= 20.0, got 21"),
        ({"speed": "fast"}, 'motion.speed: expected a number, got "fast"'),
        ({"speed": None}, "motion.speed: missing"),
        ({"path": None}, "motion.path: missing"),
        ({"path": []}, "motion.path: expected a point other than the centre at which the obstacle starts"),
        ({"path": [[0, 0, 1]]}, "motion.path: expected a point other than the centre at which the obstacle starts"),
        ({"path": [[1, 0, 1], [0, 0]]}, "motion.path[1]: expected 3 numbers, got [0.0, 0.0]"),
        ({"path": [[0, 0, float("nan")]]}, "motion.path: expected a number >= -1000000.0"),
        ({"path": [1, 0, 1]}, "motion.path: expected a list, got [1, 0, 1]"),
        ({"mode": "loup"}, 'motion.mode: expected back-and-forth, loop, once, got "loup" (did you mean "loop"?)'),
        ({"velocity": 1.0}, "motion.velocity: unknown key; allowed: path, speed, mode"),
        ({"path": [[9, 0, 1]]}, "motion.path[0]: expected what moves to stay in the bounds [[-5.0, -5.0, 0.0]"),
    ],
)
def test_a_faulty_motion_is_told_in_a_line(keys, said):
    (fault,) = faulty(keys)
    assert fault.startswith(said)


def test_movers_may_leave_bounds_that_are_no_walls_and_start_in_others_with_a_notice():
    assert faulty({"path": [[9.0, 0.0, 1.0]]}, boundary="open") == []
    crate = {"kind": "box", "center": [0.0, 0.0, 1.0], "size": [1.0, 1.0, 1.0], "name": "crate"}
    assert faulty({}, more=[crate]) == ["center: sphere 0 moves, and starts inside crate"]
    assert faulty({"mode": "loop"}) == []
