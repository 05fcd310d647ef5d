"""Rotors, drag and rigid-body motion against formulas."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import solve_ivp

from swarm.bodies.drone import layout as at
from swarm.bodies.drone.dynamics import drift, push
from swarm.bodies.drone.models import CF2X, CF2X_L250
from swarm.bodies.drone.rotors import aim, lagged
from swarm.worlds.engine import pybullet


def test_without_rotors_it_falls_freely(model, hangar):
    parts = hangar.loose(model, alive=False)
    parts.parameters[at.LINEAR_DRAG_X : at.ROTOR_DRAG_Z + 1] = 0.0
    parts.step(240)
    assert parts.velocity[2] == pytest.approx(-9.8)
    assert parts.position[2] == pytest.approx(-9.8 / 2.0 * (1.0 + 1.0 / 240.0))  # velocity first, then position


def test_hover_is_an_equilibrium(model, hangar):
    parts = hangar.loose(model).step(240)
    np.testing.assert_allclose(parts.row[:3], 0.0, atol=1e-11)
    np.testing.assert_allclose(parts.attitude, [0.0, 0.0, 0.0, 1.0], atol=1e-12)


def test_falling_with_linear_drag_approaches_the_terminal_velocity(hangar):
    model = CF2X_L250
    parts = hangar.loose(model, alive=False).step(240 * 20)
    terminal = model.airframe.mass * 9.8 / model.airframe.linear_drag[2]
    time = 20.0
    rate = model.airframe.linear_drag[2] / model.airframe.mass
    assert parts.velocity[2] == pytest.approx(-terminal * (1.0 - math.exp(-rate * time)), rel=1e-4)


def test_rotor_drag_slows_by_the_published_coefficient(hangar):
    model = CF2X
    parts = hangar.loose(model)
    parts.velocity[:] = [2.0, -1.0, 0.5]
    before = parts.velocity.copy()
    parts.step()
    spinning = 4.0 * model.airframe.hover_rotor_speed * 2.0 * math.pi / 60.0
    force = -np.array(model.airframe.rotor_drag) * spinning * before
    np.testing.assert_allclose((parts.velocity - before) * 240.0 * model.airframe.mass, force, atol=1e-12)


@pytest.mark.parametrize(
    ("faster", "axis", "sign"),
    [((2, 3), 0, 1), ((0, 1), 0, -1), ((1, 2), 1, 1), ((0, 3), 1, -1), ((1, 3), 2, 1), ((0, 2), 2, -1)],
)
def test_torque_signs(model, hangar, faster, axis, sign):
    parts = hangar.loose(model)
    for rotor in range(4):
        parts.row[at.ROTOR_SPEED + rotor] += 200.0 if rotor in faster else -200.0
    parts.row[at.ROTOR_TARGET : at.ROTOR_TARGET + 4] = parts.rotor_speed
    parts.step()
    turn = parts.angular_velocity
    assert np.sign(turn[axis]) == sign
    others = np.delete(turn, axis)
    assert np.abs(others).max() < 1e-3 * abs(turn[axis])


def test_roll_torque_has_the_published_size(hangar):
    model = CF2X
    parts = hangar.loose(model)
    parts.row[at.ROTOR_SPEED + 2 : at.ROTOR_SPEED + 4] += 300.0
    parts.row[at.ROTOR_TARGET : at.ROTOR_TARGET + 4] = parts.rotor_speed
    thrust = 3.16e-10 * parts.rotor_speed**2
    parts.step()
    torque = -(0.0397 / math.sqrt(2.0)) * (thrust[0] + thrust[1] - thrust[2] - thrust[3])
    assert parts.angular_velocity[0] == pytest.approx(torque / 1.4e-5 / 240.0)


def test_free_spin_keeps_its_angular_momentum(model, hangar):
    parts = hangar.loose(model, alive=False)
    parts.parameters[at.TIMESTEP] = 1e-4
    parts.parameters[at.GRAVITY] = 0.0
    parts.angular_velocity[:] = [4.0, -3.0, 5.0]
    inertia = np.diag(model.airframe.inertia)

    def momentum():
        frame = np.array(pybullet.getMatrixFromQuaternion(parts.attitude)).reshape(3, 3)
        return frame @ inertia @ frame.T @ parts.angular_velocity

    before = momentum()
    parts.step(5000)
    np.testing.assert_allclose(momentum(), before, rtol=0.0, atol=2e-3 * np.linalg.norm(before))


def test_spinning_rotors_turn_a_tilting_drone_like_a_gyroscope(hangar):
    model = CF2X_L250
    parts = hangar.loose(model)
    parts.row[at.ROTOR_SPEED : at.ROTOR_SPEED + 4 : 2] = 0.0  # the two that turn counter-clockwise stand still
    parts.row[at.ROTOR_TARGET : at.ROTOR_TARGET + 4 : 2] = 0.0
    parts.row[at.ROTOR_TARGET + 1 : at.ROTOR_TARGET + 4 : 2] = parts.rotor_speed[1]
    parts.angular_velocity[0] = 1.0
    push(parts.row, parts.parameters)
    spin = -2.0 * 3.45e-8 * model.airframe.hover_rotor_speed * 2.0 * math.pi / 60.0
    torque = spin * 1.0  # -(omega x H) about y for omega along x and H along z
    assert parts.angular_velocity[1] == pytest.approx(torque / model.airframe.inertia[1] / 240.0, rel=1e-6)


@given(
    speed=st.floats(2500.0, 23000.0),
    target=st.floats(2500.0, 23000.0),
    linear=st.sampled_from([0.0, 7.356, 26.7]),
    quadratic=st.sampled_from([2.444e-4, 1e-5]),
)
def test_rotor_lag_solves_its_differential_equation(speed, target, linear, quadratic):
    step = 1.0 / 240.0
    exact = solve_ivp(
        lambda _, w: linear * (target - w) + quadratic * (target**2 - w**2), (0.0, step), [speed], rtol=1e-10, atol=1e-8
    ).y[0, -1]
    assert lagged(speed, target, linear, quadratic, step) == pytest.approx(exact, rel=1e-8)


def test_l250_rotors_rise_and_fall_at_the_identified_rates(hangar):
    model = CF2X_L250
    parts = hangar.loose(model, rotor_speed=15000.0)
    parts.row[at.ROTOR_TARGET : at.ROTOR_TARGET + 4] = [20000.0, 20000.0, 10000.0, 10000.0]
    parts.parameters[at.TIMESTEP] = 1e-6
    parts.step()
    rates = (parts.rotor_speed - 15000.0) / 1e-6
    np.testing.assert_allclose(rates[:2], 7.356 * 5000.0, rtol=1e-4)
    np.testing.assert_allclose(rates[2:], 2.444e-4 * (10000.0**2 - 15000.0**2), rtol=1e-4)


def test_cf2x_rotors_settle_to_two_percent_in_0_15_seconds(hangar):
    model = CF2X
    parts = hangar.loose(model, rotor_speed=12000.0)
    parts.row[at.ROTOR_TARGET : at.ROTOR_TARGET + 4] = 16000.0
    parts.step(36)
    np.testing.assert_allclose((16000.0 - parts.rotor_speed) / 4000.0, math.exp(-4.0), rtol=1e-9)


@pytest.mark.parametrize("change", [-0.01, -0.003, 0.0, 0.002, 0.005])
def test_lag_inversion_reaches_the_wanted_thrust_in_one_step(model, hangar, change):
    parts = hangar.loose(model)
    hover = model.airframe.hover_rotor_speed
    wanted = model.airframe.thrust(hover) + 0.2 * change
    parts.row[at.ROTOR_TARGET : at.ROTOR_TARGET + 4] = aim(hover, wanted, parts.parameters)
    parts.step()
    assert model.airframe.thrust(parts.rotor_speed[0]) == pytest.approx(wanted, abs=2e-6)


def test_drift_is_what_bullet_does_with_a_free_body(model, hangar):
    rng = np.random.default_rng(0)
    client = pybullet.connect(pybullet.DIRECT)
    try:
        pybullet.setTimeStep(1.0 / hangar.rate, physicsClientId=client)
        shape = pybullet.createCollisionShape(pybullet.GEOM_SPHERE, radius=0.05, physicsClientId=client)
        body = pybullet.createMultiBody(model.airframe.mass, shape, physicsClientId=client)
        pybullet.changeDynamics(
            body, -1, linearDamping=0, angularDamping=0, localInertiaDiagonal=model.airframe.inertia,
            physicsClientId=client,
        )  # fmt: skip
        parts = hangar.loose(model)
        for size in [0.0, 1e-5, 1e-3, *rng.uniform(0.0, 90.0, 100)]:
            spin = rng.normal(size=3)
            parts.velocity[:] = rng.normal(0.0, 2.0, 3)
            parts.angular_velocity[:] = size * spin / np.linalg.norm(spin)
            pybullet.resetBaseVelocity(body, parts.velocity.tolist(), parts.angular_velocity.tolist(), client)
            pybullet.stepSimulation(client)
            drift(parts.row, parts.parameters)
            position, attitude = pybullet.getBasePositionAndOrientation(body, client)
            velocity, turn = pybullet.getBaseVelocity(body, client)
            np.testing.assert_allclose(parts.position, position, atol=1e-12)
            assert abs(np.dot(parts.attitude, attitude)) == pytest.approx(1.0, abs=1e-12)
            np.testing.assert_allclose(parts.velocity, velocity, atol=1e-12)
            np.testing.assert_allclose(parts.angular_velocity, turn, atol=1e-10)
            parts.attitude[:] = attitude
    finally:
        pybullet.disconnect(client)
