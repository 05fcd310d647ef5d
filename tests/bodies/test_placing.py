"""Putting agents somewhere else while they move."""

from __future__ import annotations

import numpy as np

from swarm.bodies.drone.bullet import DroneBullet
from swarm.bodies.point.body import Points
from swarm.bodies.point.motion import Motion
from swarm.worlds import build_world

WALL = build_world(
    {"dim": 2, "bounds": [[0, 0], [10, 10]], "obstacles": [{"kind": "box", "center": [5, 5], "size": [2, 2]}]}, "test"
)


def test_a_point_stands_where_it_is_put_and_the_others_where_they_were():
    body = Points(3, 10, 10, 1.0)
    body.reset(WALL, np.array([[1.0, 1.0], [2.0, 1.0], [3.0, 1.0]]), np.zeros(3))
    before = body.advance(np.full((3, 2), 0.5))
    state = body.place(np.array([1]), np.array([[7.0, 8.0]]), np.array([np.pi / 2]))
    assert state.position[1].tolist() == [7.0, 8.0]
    assert state.velocity[1].tolist() == [0.0, 0.0]
    assert np.isclose(2 * np.arctan2(state.attitude[1, 2], state.attitude[1, 3]), np.pi / 2)
    np.testing.assert_array_equal(state.position[[0, 2]], before.position[[0, 2]])
    np.testing.assert_array_equal(state.velocity[[0, 2]], before.velocity[[0, 2]])
    assert before.position[1].tolist() == [2.05, 1.05]  # what was handed out is not written into


def test_a_point_that_must_not_stand_flies_on_at_its_lowest_speed():
    body = Points(1, 10, 10, 1.0, Motion(lowest_speed=0.4))
    body.reset(WALL, np.array([[1.0, 1.0]]), np.zeros(1))
    state = body.place(np.array([0]), np.array([[2.0, 2.0]]), np.array([np.pi]))
    np.testing.assert_allclose(state.velocity, [[-0.4, 0.0]], atol=1e-15)


def test_a_point_put_beside_a_wall_is_stopped_by_it_and_that_is_a_new_contact():
    body = Points(1, 10, 10, 1.0)
    body.reset(WALL, np.array([[3.95, 5.0]]), np.zeros(1))
    east = np.array([[1.0, 0.0]])
    state = body.advance(east)
    assert len(body.contacts) == 1
    assert state.position[0, 0] <= 4.0
    body.advance(east)
    assert body.contacts == []  # it touches still
    body.place(np.array([0]), np.array([[3.95, 4.5]]))
    state = body.advance(east)
    assert len(body.contacts) == 1
    assert state.position[0, 0] <= 4.0


def test_a_lost_point_lives_where_it_is_put():
    body = Points(2, 10, 10, 1.0)
    body.reset(None, np.zeros((2, 2)), np.zeros(2))
    body.lose(np.array([0]))
    assert body.place(np.array([0]), np.array([[1.0, 1.0]])).alive.all()


def test_a_placed_drone_hovers_and_flies_as_one_that_began_there():
    body, other = DroneBullet(count=2, physics_hz=240, command_hz=48), DroneBullet(count=1)
    body.reset(None, np.array([[0.0, 0.0, 1.0], [3.0, 0.0, 1.0]]), np.zeros(2))
    for _ in range(30):
        body.advance(np.array([[1.0, 0.5, 0.2], [0.0, 0.0, 0.0]]))
    placed = body.place(np.array([0]), np.array([[-2.0, 1.0, 2.0]]), np.array([0.5]))
    begun = other.reset(None, np.array([[-2.0, 1.0, 2.0]]), np.array([0.5]))
    for state in (placed, begun):
        np.testing.assert_array_equal(state.position[0], [-2.0, 1.0, 2.0])
        np.testing.assert_array_equal(state.velocity[0], 0.0)
    for step in range(60):
        command = np.array([[0.5, -0.3, 0.1], [0.0, 0.0, 0.0]]) * (step > 20)
        moved, alone = body.advance(command), other.advance(command[:1])
        np.testing.assert_allclose(moved.position[0], alone.position[0], atol=1e-9)
        np.testing.assert_allclose(moved.attitude[0], alone.attitude[0], atol=1e-9)
    body.close()
    other.close()


def test_the_others_fly_on_to_the_bit_when_one_is_placed():
    runs = []
    for placing in (False, True):
        body = DroneBullet(count=2)
        body.reset(None, np.array([[0.0, 0.0, 1.0], [3.0, 0.0, 1.0]]), np.zeros(2))
        for step in range(120):
            if placing and step == 30:
                body.place(np.array([0]), np.array([[-2.0, 1.0, 2.0]]))
            state = body.advance(np.array([[0.2, 0.0, 0.0], [0.6, 0.4, 0.1]]))
        runs.append(state.position[1])
        body.close()
    np.testing.assert_array_equal(*runs)


def test_a_fallen_drone_rises_where_it_is_put():
    body = DroneBullet(count=1)
    floor = build_world({"bounds": [[-2, -2, 0], [2, 2, 3]]}, "test")
    body.reset(floor, np.array([[0.0, 0.0, 0.5]]), np.zeros(1))
    body.lose(np.array([0]))
    for _ in range(48):
        state = body.advance(np.zeros((1, 3)))
    assert not state.alive[0]
    assert state.position[0, 2] < 0.1
    assert body.place(np.array([0]), np.array([[0.0, 1.0, 1.0]])).alive[0]
    for _ in range(48):
        state = body.advance(np.zeros((1, 3)))
    np.testing.assert_allclose(state.position[0], [0.0, 1.0, 1.0], atol=0.01)
    assert body.contacts == []
    body.close()
