"""Drones in PyBullet: prediction and engine agree, contacts are seen, nothing leaks."""

from __future__ import annotations

import numpy as np
import pytest

from swarm.bodies.drone.bullet import DroneBullet
from swarm.errors import BadInput, SimulationError
from swarm.worlds.engine import pybullet


def run(body, commands):
    """States after each of the commands (T, N, 3)."""
    return [body.advance(command) for command in commands]


def wander(count, steps, seed=0):
    """(steps, count, 3) commands that change every half second."""
    rng = np.random.default_rng(seed)
    return np.repeat(rng.normal(0.0, 1.0, (steps // 24 + 1, count, 3)), 24, axis=0)[:steps]


def test_reset_starts_in_settled_hover(model, hangar):
    with hangar.flying(model, [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], heading=np.array([0.3, -2.0])) as body:
        assert body.start.time == 0.0
        np.testing.assert_array_equal(body.start.position, [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
        state = run(body, np.zeros((96, 2, 3)))[-1]
        assert state.time == pytest.approx(2.0)
        np.testing.assert_allclose(state.position, body.start.position, atol=1e-9)
        np.testing.assert_allclose(state.attitude, body.start.attitude, atol=1e-9)
        np.testing.assert_allclose(state.attitude[:, 2], np.sin([0.15, -1.0]), atol=1e-9)


def test_states_are_the_readers_to_keep(model, hangar):
    with hangar.flying(model, [[0.0, 0.0, 1.0]]) as body:
        first = body.advance(np.array([[1.0, 0.0, 0.0]]))
        kept = hangar.motion(first).copy()
        run(body, np.ones((10, 1, 3)))
        np.testing.assert_array_equal(hangar.motion(first), kept)
        assert all(part.flags.c_contiguous for part in (first.position, first.velocity, first.attitude))


def test_reading_every_physics_step_agrees_with_predicting(model, hangar):
    """Two drones close together are read in every physics step; one alone is not."""
    commands = wander(1, 240)
    with hangar.flying(model, [[0.0, 0.0, 5.0], [0.16, 0.0, 5.0]]) as body:
        read = np.array([hangar.motion(s) for s in run(body, np.repeat(commands, 2, axis=1))])
        assert not body.contacts
    with hangar.flying(model, [[0.0, 0.0, 5.0]]) as body:
        predicted = np.array([hangar.motion(s) for s in run(body, commands)])
    np.testing.assert_allclose(read[:, :1], predicted, atol=1e-9)


def test_what_is_predicted_between_two_looks_is_what_bullet_has(model, hangar):
    with hangar.flying(model, [[0.0, 0.0, 5.0], [3.0, 0.0, 5.0]]) as body:
        for k, command in enumerate(wander(2, 200)):
            predicted = hangar.motion(body.advance(command))
            for agent in range(2):
                position, attitude = pybullet.getBasePositionAndOrientation(body._bodies[agent], body._client)
                velocity, spin = pybullet.getBaseVelocity(body._bodies[agent], body._client)
                actual = np.array([*position, *attitude, *velocity, *spin])
                np.testing.assert_allclose(predicted[agent], actual, atol=1e-11, err_msg=f"step {k}")


def test_a_reader_may_write_into_a_state_without_moving_a_drone(model, hangar):
    commands = wander(2, 60)
    flights = []
    for spoil in (False, True):
        with hangar.flying(model, [[0.0, 0.0, 5.0], [3.0, 0.0, 5.0]]) as body:
            for command in commands:
                state = body.advance(command)
                flights.append(hangar.motion(state).copy())
                if spoil:
                    for array in (state.position, state.velocity, state.attitude, state.angular_velocity):
                        array[:] = 7.0
                    state.alive[:] = False
    np.testing.assert_array_equal(flights[:60], flights[60:])


def test_many_drones_fly_as_each_alone_to_the_bit(model, hangar):
    commands = wander(3, 144)
    position = np.array([[0.0, 0.0, 5.0], [20.0, 0.0, 5.0], [40.0, 0.0, 5.0]])
    heading = np.array([0.0, 1.0, -2.0])
    with hangar.flying(model, position, heading=heading) as body:
        together = [hangar.motion(state) for state in run(body, commands)]
    for k in range(3):
        with hangar.flying(model, position[k], heading=heading[k : k + 1]) as body:
            alone = [hangar.motion(state) for state in run(body, commands[:, k : k + 1])]
        np.testing.assert_array_equal(np.array(alone)[:, 0], np.array(together)[:, k])


def test_order_of_the_drones_does_not_matter(model, hangar):
    commands = wander(4, 96)
    position = np.array([[20.0 * k, 0.0, 5.0] for k in range(4)])
    order = np.array([2, 0, 3, 1])
    with hangar.flying(model, position) as body:
        plain = [hangar.motion(state) for state in run(body, commands)]
    with hangar.flying(model, position[order]) as body:
        shuffled = [hangar.motion(state) for state in run(body, commands[:, order])]
    np.testing.assert_array_equal(np.array(shuffled), np.array(plain)[:, order])


def test_a_drone_near_others_does_not_disturb_one_far_away(model, hangar):
    commands = wander(3, 96)
    position = np.array([[0.0, 0.0, 5.0], [0.3, 0.0, 5.0], [40.0, 0.0, 5.0]])
    with hangar.flying(model, position) as body:
        together = [hangar.motion(state)[2] for state in run(body, commands)]
    with hangar.flying(model, position[2]) as body:
        alone = [hangar.motion(state)[0] for state in run(body, commands[:, 2:])]
    np.testing.assert_array_equal(together, alone)


def test_hard_hit_breaks_the_drone_and_names_the_trunk(model, hangar):
    world = hangar.trunks((5.0, 5.0), (2.0, 0.0), floor=True)
    with hangar.flying(model, [[0.0, 0.0, 1.5]], world) as body:
        contacts = []
        for _ in range(48 * 5):
            state = body.advance(np.array([[1.5, 0.0, 0.0]]))
            contacts += body.contacts
        (hit,) = contacts
        assert world.surfaces[hit.surface] == "trunk 1"
        assert (hit.agent, hit.other) == (0, -1)
        assert hit.speed == pytest.approx(1.5, abs=0.1)
        assert 1.74 / 1.5 < hit.time < 1.74 / 1.5 + 0.3  # 1.74 m to go, at rest first
        assert not state.alive[0]
        assert 0.0 < state.position[0, 2] < 0.1  # it lies on the floor
        assert np.abs(state.velocity).max() < 0.05


@pytest.mark.parametrize("speed", [0.2, 0.3])
def test_slow_touch_is_survived_while_it_keeps_pushing(model, hangar, speed):
    world = hangar.trunks((1.0, 0.0))
    with hangar.flying(model, [[0.0, 0.0, 1.5]], world) as body:
        contacts = []
        for _ in range(round(48 * (0.74 / speed + 2.5))):
            state = body.advance(np.array([[speed, 0.0, 0.0]]))
            contacts += body.contacts
        assert contacts
        assert max(hit.speed for hit in contacts) == pytest.approx(speed, abs=0.03)
        assert state.alive[0]
        assert state.position[0, 0] == pytest.approx(1.0 - 0.2 - 0.06, abs=0.02)
        state = run(body, np.tile([[[-0.5, 0.0, 0.0]]], (96, 1, 1)))[-1]
        assert state.velocity[0, 0] == pytest.approx(-0.5, abs=0.02)


def test_bump_just_below_the_crash_speed_is_survived_by_turning_back(model, hangar):
    world = hangar.trunks((1.0, 0.05))
    with hangar.flying(model, [[0.0, 0.0, 1.5]], world) as body:
        away, hits = 1.0, 0
        for _ in range(48 * 6):
            state = body.advance(np.array([[0.47 * away, 0.0, 0.0]]))
            hits += len(body.contacts)
            away = -1.0 if hits else away
        assert hits >= 1
        assert state.alive[0]


def test_two_drones_that_meet_are_one_onset(model, hangar):
    with hangar.flying(model, [[0.0, 0.0, 1.5], [1.0, 0.0, 1.5]]) as body:
        contacts = []
        for _ in range(48 * 5):
            state = body.advance(np.array([[0.15, 0.0, 0.0], [-0.15, 0.0, 0.0]]))
            contacts += body.contacts
        assert (contacts[0].agent, contacts[0].other, contacts[0].surface) == (0, 1, -1)
        assert contacts[0].speed == pytest.approx(0.3, abs=0.02)
        assert len(contacts) <= 2  # they may part and lean on each other once more
        assert state.alive.all()


def test_a_drone_hit_by_another_at_speed_is_lost_with_it(model, hangar):
    with hangar.flying(model, [[0.0, 0.0, 1.5], [2.0, 0.0, 1.5]]) as body:
        states = run(body, np.tile([[[2.0, 0.0, 0.0], [0.0, 0.0, 0.0]]], (96, 1, 1)))
        assert not states[-1].alive.any()
        assert states[0].alive.all()  # what was given out before has not changed
        assert states[-1].position[:, 2].max() < 1.0


def test_landing_on_the_floor_is_one_contact_with_the_floor(model, hangar):
    world = hangar.trunks((10.0, 10.0), floor=True)
    with hangar.flying(model, [[0.0, 0.0, 0.5]], world) as body:
        contacts = []
        for _ in range(48 * 4):
            state = body.advance(np.array([[0.0, 0.0, -0.3]]))
            contacts += body.contacts
        assert [world.surfaces[hit.surface] for hit in contacts] == ["floor"]
        assert state.alive[0]
        assert state.position[0, 2] == pytest.approx(0.0125, abs=2e-3)


def test_episode_is_the_same_after_another_that_ended_in_a_crash(model, hangar):
    forest = hangar.trunks((1.5, 0.0), (1.5, 0.5), (3.0, 1.0), floor=True)
    position = np.array([[0.0, 0.0, 1.0], [0.0, 0.4, 1.0]])
    commands = np.tile([[[0.6, 0.02, -0.05], [0.5, 0.0, 0.0]]], (240, 1, 1))

    def episode(body):
        body.reset(forest, position, np.zeros(2))
        contacts, states = [], []
        for command in commands:
            states.append(hangar.motion(body.advance(command)))
            contacts += body.contacts
        return np.array(states), contacts

    with hangar.flying(model, position, forest) as body:
        expected, expected_contacts = episode(body)
    with hangar.flying(model, position, hangar.trunks((1.0, 0.0), floor=True)) as body:
        run(body, np.tile([[[3.0, 0.0, 0.0], [1.0, -0.5, -1.0]]], (100, 1, 1)))
        for _ in range(2):
            found, found_contacts = episode(body)
            np.testing.assert_array_equal(found, expected)
            assert found_contacts == expected_contacts
    assert expected_contacts


def test_two_bodies_in_one_process_do_not_meet(model, hangar):
    commands = wander(1, 48)
    with hangar.flying(model, [[0.0, 0.0, 5.0]]) as first, hangar.flying(model, [[0.0, 0.0, 5.0]]) as second:
        for command in commands:
            one, other = first.advance(command), second.advance(command)
            np.testing.assert_array_equal(hangar.motion(one), hangar.motion(other))
            assert not first.contacts


def test_closes_twice_and_then_refuses_to_fly(model, hangar):
    with hangar.flying(model, [[0.0, 0.0, 5.0]]) as body:
        body.close()
        body.close()
        with pytest.raises(SimulationError, match="closed"):
            body.reset(None, np.zeros((1, 3)), np.zeros(1))
        with pytest.raises(SimulationError):
            body.advance(np.zeros((1, 3)))


def test_forgotten_body_frees_its_client(model):
    body = DroneBullet(model.name)
    client = body._client
    del body
    assert not pybullet.isConnected(client)


def test_no_client_left_is_a_clear_error(monkeypatch):
    monkeypatch.setattr(pybullet, "connect", lambda mode: -1)
    with pytest.raises(SimulationError, match="PyBullet"):
        DroneBullet("cf2x")


@pytest.mark.parametrize("bad", [np.full((1, 3), np.nan), np.full((1, 3), np.inf), np.zeros((2, 3)), np.zeros(3)])
def test_wrong_commands_are_refused_and_leave_the_flight_as_it_was(model, hangar, bad):
    with hangar.flying(model, [[0.0, 0.0, 5.0]]) as body:
        with pytest.raises(SimulationError, match="command"):
            body.advance(bad)
        np.testing.assert_allclose(body.advance(np.zeros((1, 3))).position, [[0.0, 0.0, 5.0]], atol=1e-9)


@pytest.mark.parametrize(
    ("options", "key"),
    [
        ({"model": "cf3"}, "model"),
        ({"count": 0}, "count"),
        ({"physics_hz": 240, "command_hz": 50}, "command_hz"),
        ({"physics_hz": 50, "command_hz": 50}, "physics_hz"),
    ],
)
def test_impossible_bodies_are_refused(options, key):
    with pytest.raises(BadInput, match=key):
        DroneBullet(**options)


@pytest.mark.parametrize(("physics_hz", "command_hz"), [(60, 60), (120, 24), (480, 48)])
def test_other_rates_fly_the_same_step(model, hangar, physics_hz, command_hz):
    with hangar.flying(model, [[0.0, 0.0, 5.0]], physics_hz=physics_hz, command_hz=command_hz) as body:
        speed = [s.velocity[0, 0] for s in run(body, np.tile([[[3.0, 0.0, 0.0]]], (2 * command_hz, 1, 1)))]
    assert (np.argmax(np.array(speed) > 2.7) + 1) / command_hz <= 0.6
    assert max(speed) < 3.15
    assert speed[-1] == pytest.approx(3.0, rel=0.005)


@pytest.mark.slow
def test_a_thousand_resets_leak_nothing(hangar):
    from swarm.bodies.drone.models import CF2X

    statm = pytest.importorskip("pathlib").Path("/proc/self/statm")
    if not statm.exists():
        pytest.skip("needs /proc")
    forest = hangar.trunks(*[(2.0 + k % 10, k // 10 * 2.0) for k in range(50)], floor=True)
    position = np.array([[0.0, 0.6 * k, 1.0] for k in range(5)])
    with hangar.flying(CF2X, position, forest) as body:

        def resident():
            return int(statm.read_text().split()[1]) * 4096 / 1e6

        for k in range(1000):
            body.reset(forest, position, np.zeros(5))
            body.advance(np.zeros((5, 3)))
            if k == 100:
                before = resident()
        assert resident() - before < 5.0
