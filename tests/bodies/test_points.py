"""Points: exactly the commanded motion, its limits, the boundary, and no agent inside anything."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from swarm.bodies.point.body import Points
from swarm.bodies.point.motion import Motion
from swarm.errors import BadInput, SimulationError
from swarm.worlds import Motion as Path
from swarm.worlds import Obstacle, World, load_world

ROOMS = {2: np.array([[-5.0, -5.0], [5.0, 5.0]]), 3: np.array([[-5.0, -5.0, -5.0], [5.0, 5.0, 5.0]])}


def room(dim, boundary, *obstacles):
    return World("room", ROOMS[dim], boundary, False, obstacles)


def points(dim, position=None, world=None, heading=0.0, hz=1, **more):
    """Points reset into a world; one at the middle unless told otherwise."""
    position = np.zeros((1, dim)) if position is None else np.array(position, float)
    body = Points(len(position), physics_hz=hz, command_hz=hz, **more)
    body.reset(world, position, np.full(len(position), heading))
    return body


def random_commands(rng, shape, speed):
    command = rng.normal(size=shape)
    return speed * command / np.linalg.norm(command, axis=1)[:, None]


@pytest.mark.parametrize("dim", [2, 3])
@pytest.mark.parametrize("hz", [1, 48])
def test_without_limits_velocity_is_the_command_and_position_its_sum_to_the_bit(dim, hz):
    rng = np.random.default_rng(dim)
    start = rng.uniform(-4, 4, (20, dim))
    body, expected = points(dim, start, room(dim, "open"), hz=hz), start.copy()
    for step in range(1, 50):
        command = random_commands(rng, start.shape, rng.uniform(0.0, 3.0))
        state = body.advance(command)
        expected = expected + command * (1.0 / hz)
        assert np.array_equal(state.velocity, command)
        assert np.array_equal(state.position, expected)
        assert state.time == step / hz
        assert state.alive.all()


def test_a_torus_wraps_and_leaves_who_is_inside_alone_to_the_bit():
    body = points(2, [[4.75, 0.1], [0.1, -4.75]], room(2, "torus"))
    state = body.advance(np.array([[0.5, 0.2], [0.0, -0.5]]))
    assert np.array_equal(state.position, [[-4.75, 0.1 + 0.2], [0.1, 4.75]])
    assert np.array_equal(state.velocity, [[0.5, 0.2], [0.0, -0.5]])


def test_an_open_world_lets_go():
    assert points(3, world=room(3, "open")).advance(np.array([[3.0, 0, 0]])).position[0, 0] == 3.0
    body = points(3, world=room(3, "open"))
    for _ in range(4):
        state = body.advance(np.array([[3.0, 0.0, 0.0]]))
    assert state.position[0, 0] == 12.0


def test_acceleration_is_the_most_that_velocity_changes():
    body = points(2, motion=Motion(acceleration=0.5))
    for step in range(1, 5):
        assert body.advance(np.array([[0.0, 2.0]])).velocity[0] == pytest.approx([0.0, 0.5 * step])
    assert body.advance(np.array([[0.0, 2.0]])).velocity[0].tolist() == [0.0, 2.0]
    assert body.acceleration_limit == 0.5


@pytest.mark.parametrize("dim", [2, 3])
def test_a_turtle_of_constant_speed_turns_by_its_rate_and_no_more(dim):
    body = points(dim, motion=Motion(lowest_speed=1.0, turn_rate=5.0), speed_limit=1.0)
    left = np.zeros((1, dim))
    left[0, 1] = 1.0
    for step in range(1, 18):
        state = body.advance(left)
        angle = math.radians(5.0 * step)
        assert state.velocity[0, :2] == pytest.approx([math.cos(angle), math.sin(angle)], abs=1e-12)
        assert state.angular_velocity[0, 2] == pytest.approx(math.radians(5.0))
        x, y, z, w = state.attitude[0]
        assert 2 * math.atan2(z, w) == pytest.approx(angle)
        assert (x, y) == (0.0, 0.0)
    state = body.advance(np.zeros((1, dim)))  # told nothing, it goes on
    assert np.linalg.norm(state.velocity) == pytest.approx(1.0, abs=1e-12)


def test_in_three_dimensions_the_turn_is_in_the_plane_of_both_directions():
    body = points(3, motion=Motion(turn_rate=30.0))
    body.advance(np.array([[1.0, 0.0, 0.0]]))
    state = body.advance(np.array([[0.0, 0.0, 2.0]]))
    assert state.velocity[0] == pytest.approx([2 * math.cos(math.pi / 6), 0.0, 2 * math.sin(math.pi / 6)])


@pytest.mark.parametrize(("heading", "after"), [((1.0, 0.0, 0.0), (0.0, 1.0, 0.0)), ((0.0, 0.0, 1.0), (0.0, 1.0, 0.0))])
def test_straight_back_is_a_turn_to_the_left(heading, after):
    body = points(3, motion=Motion(turn_rate=90.0))
    body.advance(np.array([heading]))
    assert body.advance(-np.array([heading])).velocity[0] == pytest.approx(after)


def test_the_lowest_speed_holds_where_the_command_is_slower():
    body = points(2, motion=Motion(lowest_speed=0.5))
    assert body.advance(np.array([[0.0, 0.1]])).velocity[0] == pytest.approx([0.0, 0.5])
    assert body.advance(np.array([[0.0, 0.7]])).velocity[0].tolist() == [0.0, 0.7]


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1), dim=st.sampled_from([2, 3]), boundary=st.sampled_from(["torus", "walls", "open"]),
    radius=st.sampled_from([0.0, 0.1, 0.3]), speed=st.floats(0.01, 6.0), moving=st.booleans(),
)  # fmt: skip
def test_no_hull_enters_an_obstacle_whatever_the_step(seed, dim, boundary, radius, speed, moving):
    rng = np.random.default_rng(seed)
    places = [tuple(rng.uniform(-3.0, 3.0, dim)) for _ in range(6)]
    # Movers are slow and stay apart from each other, so that there is always a way out.
    path = None if not moving else Path(places[0], (tuple(np.add(places[0], 0.3)),), 0.05, "back-and-forth")
    obstacles = [Obstacle("sphere", places[0], "ball", radius=0.4, motion=path)]
    if not moving:
        thin = (0.02, *[2.0] * (dim - 1))
        obstacles += [Obstacle("box", place, "slab", size=thin, rpy=(0.0, 0.0, 1.0)) for place in places[1:4]]
        obstacles += [Obstacle("cylinder", place, "post", radius=0.2, height=3.0) for place in places[4:]]
    world = room(dim, boundary, *obstacles)
    start = rng.uniform(-4.6, 4.6, (40, dim))
    start = start[world.clearance(start)[0] > radius]
    body = points(dim, start, world, radius=radius, speed_limit=6.0)
    for step in range(1, 25):
        state = body.advance(random_commands(rng, start.shape, speed))
        assert (world.at(float(step)).clearance(state.position)[0] >= radius - 1e-7).all()
        assert np.isfinite(state.velocity).all()


@pytest.mark.parametrize("dim", [2, 3])
@pytest.mark.parametrize("boundary", ["torus", "open"])
def test_nobody_gets_through_a_thin_wall_however_long_the_step(dim, boundary):
    walls = []
    for axis in range(dim):
        for side in (-1.0, 1.0):
            center, size = np.zeros(dim), np.full(dim, 2.0)
            center[axis], size[axis] = side, 0.001
            walls.append(Obstacle("box", tuple(center), "wall", size=tuple(size)))
    rng = np.random.default_rng(4)
    start = rng.uniform(-0.8, 0.8, (200, dim))
    body = points(dim, start, room(dim, boundary, *walls), radius=0.05, speed_limit=60.0)
    for speed in (0.01, 0.5, 3.0, 60.0) * 5:
        state = body.advance(random_commands(rng, start.shape, speed))
        assert (np.abs(state.position) < 0.95).all()


def test_a_point_slides_along_a_wall_with_what_the_wall_leaves_of_its_velocity():
    body = points(2, [[4.5, 0.0]], room(2, "walls"), radius=0.25, hz=1)
    state = body.advance(np.array([[1.0, 0.5]]))
    assert state.position[0] == pytest.approx([4.75, 0.5], abs=1e-8)
    assert state.velocity[0] == pytest.approx([0.25, 0.5], abs=1e-8)
    (contact,) = body.contacts
    assert (contact.agent, contact.other, contact.speed, contact.time) == (0, -1, pytest.approx(1.0), 1.0)
    state = body.advance(np.array([[1.0, 0.5]]))
    assert state.position[0] == pytest.approx([4.75, 1.0], abs=1e-8)
    assert body.contacts == []  # it touches still: no onset
    body.advance(np.array([[-1.0, 0.0]]))
    body.advance(np.array([[2.0, 0.0]]))
    assert [contact.surface for contact in body.contacts] == [contact.surface]


def test_a_corner_stops():
    body = points(3, [[4.0, 4.0, 4.0]], room(3, "walls"), radius=0.25)
    for _ in range(3):
        state = body.advance(np.array([[1.0, 2.0, 1.5]]))
    assert state.position[0] == pytest.approx([4.75] * 3, abs=1e-7)
    assert state.velocity[0] == pytest.approx([0.0] * 3, abs=1e-7)
    yaw = 2 * math.atan2(*state.attitude[0, 2:])
    assert yaw == pytest.approx(math.atan2(2.0, 1.0))  # it looks where it wants to go


def test_who_passes_close_by_is_not_turned_aside():
    world = room(2, "open", Obstacle("box", (0.0, -1.0), "block", size=(1.0, 1.98)))
    body = points(2, [[-2.0, 0.0]], world)
    state = body.advance(np.array([[3.0, 0.0]]))
    assert state.position[0] == pytest.approx([1.0, 0.0], abs=1e-12)
    assert state.velocity[0].tolist() == [3.0, 0.0]
    assert body.contacts == []


def test_what_moves_pushes_and_says_how_fast_it_came():
    path = Path((-2.0, 0.0), ((3.0, 0.0),), 1.0, "once")
    world = room(2, "open", Obstacle("box", (-2.0, 0.0), "ram", size=(1.0, 1.0), motion=path))
    body = points(2, [[0.0, 0.0]], world, radius=0.1, hz=10)
    contacts = []
    for _ in range(30):
        state = body.advance(np.zeros((1, 2)))
        contacts += body.contacts
    assert state.position[0] == pytest.approx([-2.0 + 3.0 + 0.5 + 0.1, 0.0], abs=1e-6)
    (contact,) = contacts
    assert contact.speed == pytest.approx(1.0)
    assert contact.time == pytest.approx(1.4, abs=0.11)


def test_hulls_that_overlap_are_one_contact_until_they_part():
    body = points(2, [[0.0, 0.0], [1.0, 0.0], [0.0, 3.0]], radius=0.2, hz=10)
    together, apart = np.array([[1.0, 0.0], [-1.0, 0.0], [0.0, 0.0]]), np.zeros((3, 2))
    found = []
    for _ in range(20):  # they meet at 0.3 s, and have passed through each other at 0.7 s
        body.advance(together)
        found += body.contacts
    (contact,) = found
    assert (contact.agent, contact.other, contact.surface) == (0, 1, -1)
    assert contact.speed == pytest.approx(2.0)
    assert contact.time == pytest.approx(0.3, abs=0.11)
    body.advance(apart)
    assert body.contacts == []


def test_hulls_of_different_worlds_do_not_meet():
    body = Points(2, 1, 1, radius=0.5)
    body.reset(None, np.array([[0.0, 0.0], [0.5, 0.0]]), np.zeros(2), world_index=np.array([0, 1]))
    state = body.advance(np.zeros((2, 2)))
    assert body.contacts == []
    assert state.world_index.tolist() == [0, 1]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["yard", "maze"])
def test_meshes_keep_points_out(name):
    world = load_world(name, 0)
    rng = np.random.default_rng(1)
    start = rng.uniform(*world.bounds, (400, 3))
    start = start[world.clearance(start)[0] > 0.1]
    body = points(3, start, world, radius=0.06, hz=4)
    for _ in range(40):
        state = body.advance(random_commands(rng, start.shape, 3.0))
        assert (world.at(state.time).clearance(state.position)[0] >= 0.06 - 1e-6).all()


def test_what_a_reader_writes_into_a_state_does_not_reach_the_points():
    body = points(2)
    state = body.advance(np.array([[1.0, 0.0]]))
    state.position[:] = state.velocity[:] = 77.0
    assert body.advance(np.array([[1.0, 0.0]])).position[0].tolist() == [2.0, 0.0]


def test_impossible_limits_and_commands_are_refused():
    with pytest.raises(BadInput, match=r"motion\.lowest_speed: expected at most the speed limit of 1 m/s, got 2"):
        Points(1, 1, 1, speed_limit=1.0, motion=Motion(lowest_speed=2.0))
    with pytest.raises(BadInput, match="divisor"):
        Points(1, 10, 3)
    body = points(2)
    with pytest.raises(SimulationError, match="shape"):
        body.advance(np.zeros((1, 3)))
    with pytest.raises(SimulationError, match="finite"):
        body.advance(np.array([[np.nan, 0.0]]))
    body.close()
    with pytest.raises(SimulationError, match="closed"):
        body.advance(np.zeros((1, 2)))
