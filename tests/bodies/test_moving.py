"""Drones among obstacles that move: poses, contacts and their closing speeds, determinism."""

from __future__ import annotations

import numpy as np
import pytest
import trimesh

from swarm.worlds import Mesh, Motion, Obstacle, World, build_world
from swarm.worlds.engine import pybullet

ROOM = np.array([[-20.0, -20.0, 0.0], [20.0, 20.0, 8.0]])


def coming(kind, velocity, start=(-1.5, 0.0, 1.5)):
    """A world in which a block of 1 m edges goes once along a velocity (m/s) for ten seconds."""
    speed = float(np.linalg.norm(velocity))
    motion = Motion(start, (tuple(np.add(start, 10.0 * np.array(velocity))),), speed, "once")
    solid = trimesh.creation.box((1.0, 1.0, 1.0))
    mesh = Mesh("block", np.array(solid.vertices), np.array(solid.faces, dtype=np.int64), True)
    shape = {"mesh": mesh} if kind == "mesh" else {"size": (1.0, 1.0, 1.0), "radius": 0.5, "height": 1.0}
    return World("yard", ROOM, "open", False, (Obstacle(kind, start, "block", motion=motion, **shape),))


@pytest.mark.parametrize("kind", ["box", "sphere", "cylinder", "mesh"])
@pytest.mark.parametrize("speed", [1.0, 3.0, 8.0])
def test_a_hovering_drone_hit_by_what_moves_reports_its_speed_and_breaks(model, hangar, kind, speed):
    world = coming(kind, (speed, 0.0, 0.0))
    with hangar.flying(model, [[0.0, 0.0, 1.5]], world) as body:
        contacts = []
        for _ in range(round(48 * 1.5 / speed) + 12):
            state = body.advance(np.zeros((1, 3)))
            contacts += body.contacts
        hit = contacts[0]
        assert world.surfaces[hit.surface] == "block"
        assert hit.speed == pytest.approx(speed, rel=0.05)
        assert hit.time == pytest.approx((1.0 - body.radius) / speed, abs=3 / 240 + 0.01 / speed)
        assert not state.alive[0]


def test_closing_speed_is_that_of_each_towards_the_other(model, hangar):
    with hangar.flying(model, [[0.5, 0.0, 1.5]], coming("box", (1.0, 0.0, 0.0))) as body:
        contacts = []
        for _ in range(96):
            body.advance(np.array([[-1.0, 0.0, 0.0]]))
            contacts += body.contacts
    assert contacts[0].speed == pytest.approx(2.0, abs=0.1)


def test_a_drone_that_flees_as_fast_as_the_wall_comes_is_not_hit(model, hangar):
    with hangar.flying(model, [[0.5, 0.0, 1.5]], coming("box", (1.0, 0.0, 0.0))) as body:
        for _ in range(96):
            state = body.advance(np.array([[1.0, 0.0, 0.0]]))
            assert not body.contacts
    assert state.alive[0]


@pytest.mark.parametrize("kind", ["box", "mesh"])
def test_a_slow_wall_pushes_a_drone_along(model, hangar, kind):
    world = coming(kind, (0.2, 0.0, 0.0), start=(-0.7, 0.0, 1.5))
    with hangar.flying(model, [[0.0, 0.0, 1.5]], world) as body:
        contacts = []
        for _ in range(48 * 4):
            state = body.advance(np.zeros((1, 3)))
            contacts += body.contacts
        face = world.at(state.time).obstacles[0].center[0] + 0.5
        assert max(hit.speed for hit in contacts) == pytest.approx(0.2, abs=0.03)
        assert state.alive[0]
        assert state.position[0, 0] - body.radius >= face - 0.003
        assert state.velocity[0, 0] == pytest.approx(0.2, abs=0.05)


def traffic():
    """A world of everything that moves in every way, round some trunks."""
    block = trimesh.creation.box((0.5, 0.5, 0.5))
    mesh = Mesh("block", np.array(block.vertices), np.array(block.faces, dtype=np.int64), True)
    shapes = {
        "box": {"size": (1.0, 0.5, 0.5), "rpy": (0.3, -0.2, 0.5)},
        "sphere": {"radius": 0.3},
        "cylinder": {"radius": 0.2, "height": 1.0, "rpy": (1.0, 0.0, 0.0)},
        "mesh": {"mesh": mesh, "rpy": (0.1, 0.2, 0.3)},
    }
    movers = []
    for k, (kind, shape) in enumerate(shapes.items()):
        for number, mode in enumerate(("back-and-forth", "loop", "once")):
            start = (2.0 + 2.0 * k, -2.0 + 2.0 * number, 1.5)
            path = (tuple(np.add(start, (0.0, 0.7, 0.2))), tuple(np.add(start, (0.5, 0.1, -0.5))))
            movers.append(Obstacle(kind, start, f"{kind} {mode}", motion=Motion(start, path, 0.8, mode), **shape))
    trunk = Obstacle("cylinder", (-3.0, 0.0, 2.0), "trunk", radius=0.2, height=4.0)
    return World("traffic", ROOM, "open", True, (movers[0], trunk, *movers[1:]))


@pytest.mark.parametrize("position", [(-10.0, 0.0, 5.0), (1.9, -1.35, 1.5)])  # far from everything; in the way
def test_bullet_has_every_mover_where_the_world_has_it(model, hangar, position):
    world = traffic()
    with hangar.flying(model, [position], world) as body:
        state = body.start
        for _ in range(150):
            now = world.at(state.time)
            for number, surfaces in body._realisation.bodies.items():
                obstacle = now.obstacles[surfaces[0]] if surfaces[0] < len(now.obstacles) else None
                if obstacle is None or obstacle.motion is None:
                    continue
                place, turn = pybullet.getBasePositionAndOrientation(number, body._client)
                np.testing.assert_allclose(place, obstacle.center, atol=1e-9)
                matrix = np.reshape(pybullet.getMatrixFromQuaternion(turn), (3, 3))
                np.testing.assert_allclose(matrix, obstacle.rotation, atol=1e-6)
            state = body.advance(np.array([[0.3, 0.1, 0.0]]))


def test_flights_among_movers_are_the_same_to_the_bit(model, hangar):
    flights = []
    for _ in range(2):
        with hangar.flying(model, [[1.0, 0.0, 1.5], [1.0, 0.5, 1.5]], traffic()) as body:
            states, contacts = [], []
            for _ in range(2):
                body.reset(traffic(), np.array([[1.0, 0.0, 1.5], [1.0, 0.5, 1.5]]), np.zeros(2))
                states.append([])
                for _ in range(200):
                    states[-1].append(hangar.motion(body.advance(np.array([[0.6, 0.0, 0.0], [0.5, 0.1, 0.0]]))))
                    contacts += body.contacts
            np.testing.assert_array_equal(states[0], states[1])
            flights.append((np.array(states), contacts))
    np.testing.assert_array_equal(flights[0][0], flights[1][0])
    assert flights[0][1] == flights[1][1] != []


def test_a_mover_far_away_does_not_change_a_flight(model, hangar):
    commands = np.repeat(np.random.default_rng(0).normal(0.0, 1.0, (6, 1, 3)), 24, axis=0)
    flights = []
    for world in (None, coming("box", (0.5, 0.0, 0.0), start=(-15.0, 0.0, 1.5))):
        with hangar.flying(model, [[0.0, 0.0, 4.0]], world) as body:
            flights.append([hangar.motion(body.advance(command)) for command in commands])
    np.testing.assert_array_equal(flights[0], flights[1])


def test_a_mover_of_a_world_file_knocks_a_drone_down(model, hangar):
    gate = {"kind": "box", "name": "ram", "center": [-2.0, 0.0, 1.5], "size": [0.4, 0.4, 0.4]}
    gate["motion"] = {"path": [[2.0, 0.0, 1.5]], "speed": 2.0}
    world = build_world({"bounds": ROOM.tolist(), "boundary": "walls", "obstacles": [gate]}, "w.toml", 0)
    with hangar.flying(model, [[0.0, 0.0, 1.5]], world) as body:
        names = []
        for _ in range(96):
            state = body.advance(np.zeros((1, 3)))
            names += [world.surfaces[hit.surface] for hit in body.contacts]
    assert names[0] == "ram"
    assert not state.alive[0]
