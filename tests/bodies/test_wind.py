"""Wind carries points by their share and drags at drones; still air is no wind, to the bit."""

from __future__ import annotations

import numpy as np
import pytest

from swarm.bodies.drone import layout as at
from swarm.bodies.point.body import Points
from swarm.bodies.point.motion import Motion
from swarm.worlds import build_world
from swarm.worlds.engine import pybullet

NORTH_EAST = {"direction": 36.86989764584402, "speed": 5.0}  # (4, 3) m/s


def world_with(*winds, dim=2, boundary="torus", obstacles=(), half=50.0):
    bounds = [[-half] * dim, [half] * dim]
    table = {"dim": dim, "bounds": bounds, "boundary": boundary, "obstacles": list(obstacles), "wind": list(winds)}
    return build_world(table if dim == 2 else {**table, "floor": False}, "w.toml", 0)


def points(world, position, drift, hz=1, **more):
    body = Points(len(position), hz, hz, motion=Motion(drift=drift, **more))
    body.reset(world, np.array(position, float), np.zeros(len(position)))
    return body


@pytest.mark.parametrize("dim", [2, 3])
def test_a_point_goes_with_its_share_of_the_wind_and_keeps_its_own_velocity(dim):
    body = points(world_with(NORTH_EAST, dim=dim), np.zeros((1, dim)), drift=0.5, hz=4)
    command = np.zeros((1, dim))
    command[0, 0] = 1.0
    state = body.advance(command)
    assert state.position[0, :2] == pytest.approx([0.25 * (1.0 + 0.5 * 4.0), 0.25 * 0.5 * 3.0])
    assert state.velocity[0].tolist() == command[0].tolist()


def test_the_gust_of_the_steps_beginning_carries():
    gusty = {"direction": 0, "speed": 1.0, "gusts": {"every": 1.0}}
    world = world_with(gusty)
    body = points(world, [[0.0, 0.0]], drift=1.0)
    place = np.zeros(2)
    for step in range(5):
        place = place + world.wind_at(float(step))
        assert body.advance(np.zeros((1, 2))).position[0] == pytest.approx(place)


@pytest.mark.parametrize(("winds", "drift"), [([NORTH_EAST], 0.0), ([{"direction": 10, "speed": 0.0}], 1.0)])
def test_points_without_drift_or_in_still_air_fly_as_without_wind_to_the_bit(winds, drift):
    rng = np.random.default_rng(0)
    start, commands = rng.uniform(-4, 4, (30, 2)), rng.normal(0, 2, (40, 30, 2))
    ball = {"kind": "sphere", "center": [0.0, 0.0], "radius": 1.0}
    start = start[np.linalg.norm(start, axis=1) > 1.1]
    flights = []
    for world in (world_with(obstacles=[ball]), world_with(*winds, obstacles=[ball])):
        body = points(world, start, drift, radius=0.05)
        flights.append([body.advance(command[: len(start)]) for command in commands])
    for still, blown in zip(*flights):
        assert still.position.tobytes() == blown.position.tobytes()
        assert still.velocity.tobytes() == blown.velocity.tobytes()


def test_wind_blows_nobody_into_a_wall():
    slab = {"kind": "box", "center": [0.0, 0.0], "size": [0.2, 40.0]}
    world = world_with({"direction": 0, "speed": 30.0}, obstacles=[slab], boundary="walls", half=20.0)
    rng = np.random.default_rng(1)
    start = np.column_stack([rng.uniform(-19, -1, 50), rng.uniform(-15, 15, 50)])
    body = points(world, start, drift=1.0, radius=0.1)
    for _ in range(5):
        state = body.advance(np.zeros((50, 2)))
        assert (world.clearance(state.position)[0] >= 0.1 - 1e-7).all()
    assert state.position[:, 0] == pytest.approx(np.full(50, -0.2), abs=1e-6)
    assert np.abs(state.velocity).max() < 1e-6  # held up: the velocity it really has


def test_a_push_against_a_wall_by_wind_is_a_contact_at_the_winds_speed():
    world = world_with({"direction": 0, "speed": 2.0}, boundary="walls", half=5.0)
    body = points(world, [[4.0, 0.0]], drift=1.0, radius=0.1)
    body.advance(np.zeros((1, 2)))
    (contact,) = body.contacts
    assert contact.speed == pytest.approx(2.0)


def test_the_motion_key_is_checked():
    import swarm
    from swarm.errors import BadInput

    with pytest.raises(BadInput, match=r"swarm\.motion\.drift: expected a number <= 1"):
        swarm.load_mission("vicsek", {"swarm.motion.drift": 1.5})


def test_a_drone_in_still_air_flies_as_without_wind_to_the_bit(model, hangar):
    commands = np.repeat(np.random.default_rng(0).normal(0.0, 1.0, (5, 2, 3)), 24, axis=0)
    flights = []
    for world in (None, world_with({"direction": 0, "speed": 0.0}, dim=3, boundary="open")):
        for apart in (3.0, 0.3):
            with hangar.flying(model, [[0.0, 0.0, 5.0], [apart, 0.0, 5.0]], world) as body:
                flights.append(np.array([hangar.motion(body.advance(command)) for command in commands]).tobytes())
    assert flights[:2] == flights[2:]


def test_wind_drags_as_flying_the_other_way_does(model, hangar):
    """Drag knows only the velocity through the air."""
    blown, flying = hangar.loose(model), hangar.loose(model)
    blown.row[at.WIND : at.WIND + 3] = [3.0, -1.0, 0.5]
    flying.row[at.VELOCITY : at.VELOCITY + 3] = [-3.0, 1.0, -0.5]
    before = flying.velocity.copy()
    assert blown.step().velocity == pytest.approx(flying.step().velocity - before, abs=1e-12)


def test_without_integral_action_a_hovering_drone_drifts_downwind(model, hangar):
    loose = hangar.loose(model)
    loose.row[at.WIND] = 3.0
    loose.parameters[at.INTEGRAL_GAIN] = 0.0
    loose.fly((0.0, 0.0, 0.0), 10 * hangar.rate)
    velocity = loose.velocity.copy()
    loose.fly((0.0, 0.0, 0.0), hangar.rate)
    assert loose.velocity == pytest.approx(velocity, abs=1e-3)  # settled, and not at rest
    assert 0.05 < velocity[0] < 1.0
    assert loose.position[0] > 0.3


@pytest.mark.parametrize("direction", [0.0, 117.0])
def test_the_velocity_loop_holds_against_three_metres_a_second(model, hangar, direction):
    world = world_with({"direction": direction, "speed": 3.0}, dim=3, boundary="open")
    with hangar.flying(model, [[0.0, 0.0, 5.0]], world) as body:
        states = [body.advance(np.zeros((1, 3))) for _ in range(48 * 8)]
        assert np.abs(states[-1].velocity).max() < 0.01
        assert np.linalg.norm(states[-1].position[0] - [0.0, 0.0, 5.0]) < 0.6
        for _ in range(48 * 6):
            state = body.advance(np.array([[2.0, 0.0, 0.0]]))
        assert state.velocity[0] == pytest.approx([2.0, 0.0, 0.0], abs=0.02)


def test_what_is_predicted_in_gusts_is_what_bullet_has(model, hangar):
    gusts = {"direction": 30, "speed": 2.0, "climb": 10, "gusts": {"every": 0.5, "speed": 2.0}}
    world = world_with(gusts, dim=3, boundary="open")
    with hangar.flying(model, [[0.0, 0.0, 5.0], [3.0, 0.0, 5.0]], world) as body:
        for _ in range(150):
            predicted = hangar.motion(body.advance(np.zeros((2, 3))))
            for agent in range(2):
                position, attitude = pybullet.getBasePositionAndOrientation(body._bodies[agent], body._client)
                velocity, spin = pybullet.getBaseVelocity(body._bodies[agent], body._client)
                np.testing.assert_allclose(predicted[agent], [*position, *attitude, *velocity, *spin], atol=1e-10)


def test_near_a_trunk_and_far_from_all_the_wind_is_the_same(model, hangar):
    gusts = {"direction": 0, "speed": 2.0, "gusts": {"every": 0.7}}
    trunk = {"kind": "cylinder", "center": [0.3, 0.0, 5.0], "radius": 0.05, "height": 9.0}
    flights = []
    for obstacles in ([], [trunk]):
        world = world_with(gusts, dim=3, boundary="open", obstacles=obstacles)
        with hangar.flying(model, [[0.0, 0.0, 5.0]], world) as body:
            flights.append([hangar.motion(body.advance(np.array([[0.0, 1.0, 0.0]]))) for _ in range(60)])
            assert not body.contacts
    np.testing.assert_allclose(flights[0], flights[1], atol=1e-9)
