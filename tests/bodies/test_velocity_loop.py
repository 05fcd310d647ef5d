"""What the velocity loop promises: quick steps, level flight, no flip whatever is asked of it."""

from __future__ import annotations

import numpy as np
import pytest

from swarm.bodies.drone import layout as at
from swarm.bodies.drone.flight import CONTINUE, fly
from swarm.bodies.drone.response import figures, plot_step_responses, step_response

LEVEL = [(1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (-1.0, -1.0, 0.0), (0.6, -0.8, 0.0)]


@pytest.mark.parametrize("direction", LEVEL)
@pytest.mark.parametrize("speed", [2.0, 3.0])
def test_level_step_is_quick_and_keeps_height(model, speed, direction):
    found = figures(step_response(model.name, speed, direction), speed, direction)
    assert found.rise_time <= 0.6
    assert found.overshoot <= 0.05
    assert found.steady_error <= 0.005
    assert found.height_error <= 0.02


@pytest.mark.parametrize(
    ("speed", "rise_time"),
    [(2.0, {"cf2x": 0.44, "cf2x_L250": 0.48}), (3.0, {"cf2x": 0.52, "cf2x_L250": 0.55})],
)
def test_level_step_beats_the_feasibility_study(model, speed, rise_time):
    found = figures(step_response(model.name, speed), speed)
    assert found.rise_time < rise_time[model.name]
    assert found.overshoot < 0.02


@pytest.mark.parametrize("climb", [0.5, -0.5])
def test_slanting_step_arrives_without_overshoot(model, climb):
    direction = np.array([1.0, -1.0, climb])
    command = 2.0 * direction / np.linalg.norm(direction)
    response = step_response(model.name, 2.0, tuple(direction))
    np.testing.assert_allclose(response.velocity[-1], command, atol=0.01)
    along = response.velocity @ direction / np.linalg.norm(direction)
    assert along.max() <= 1.05 * 2.0
    across = response.velocity - along[:, None] * direction / np.linalg.norm(direction)
    assert np.linalg.norm(across[-240:], axis=1).max() < 0.01


def test_stops_within_the_stated_distance(model, hangar):
    for speed, distance in model.stopping_distance:
        parts = hangar.loose(model).fly((speed, 0.0, 0.0), 960)
        start = parts.position[0]
        reached = max(parts.fly((0.0, 0.0, 0.0)).position[0] for _ in range(720)) - start
        assert reached == pytest.approx(distance, abs=0.01)
        assert abs(parts.velocity[0]) < 0.01


def test_safe_closing_speed_stops_at_the_surface(model, hangar):
    braking, delay = model.acceleration_limit, model.reaction_time
    for speed in (1.0, 1.5, 2.0, 3.0):
        parts, nearest = hangar.loose(model), 3.0
        for _ in range(240):
            gap = max(3.0 - parts.position[0], 0.0)
            allowed = -braking * delay + np.sqrt((braking * delay) ** 2 + 2.0 * braking * gap)
            for _ in range(5):
                parts.fly((min(speed, allowed), 0.0, 0.0))
                nearest = min(nearest, 3.0 - parts.position[0])
        assert nearest > -0.005
        assert nearest < 0.05


def test_integral_action_cancels_a_steady_push(model, hangar):
    parts = hangar.loose(model)
    for _ in range(1200):
        parts.fly((1.0, 0.0, 0.0))
        parts.velocity[:] += np.array([-1.0, 0.8, -0.8]) / hangar.rate  # m/s2
    np.testing.assert_allclose(parts.velocity, [1.0, 0.0, 0.0], atol=0.01)


def test_heading_is_held_in_turns(model, hangar):
    parts = hangar.loose(model)
    astray = []
    for k in range(2400):
        angle = 2.0 * np.pi * k / 960.0
        parts.fly((2.0 * np.cos(angle), 2.0 * np.sin(angle), 0.0))
        x, y, z, w = parts.attitude
        astray.append(abs(np.arctan2(2.0 * (x * y + z * w), 1.0 - 2.0 * (y * y + z * z))))
    assert np.degrees(max(astray)) < 20.0  # the nose of a tilted drone is not its yaw: geometry alone gives some of it
    parts.fly((0.0, 0.0, 0.0), 720)
    x, y, z, w = parts.attitude
    assert abs(2.0 * (x * y + z * w)) < 0.02


def test_thrust_beyond_the_weight_lifts_at_three_metres_a_second(model, hangar):
    parts = hangar.loose(model).fly((0.0, 0.0, 3.0), 720)
    assert parts.velocity[2] == pytest.approx(3.0, rel=0.01)
    assert hangar.upright(parts.attitude) > 0.999


def harshest(kind, hold, count, rng, steps):
    """Commands (steps, count, 3) of 3 m/s that change every `hold` command steps."""
    blocks = steps // hold + 1
    draw = rng.normal(size=(blocks, count, 3))
    if kind == "reversal":
        draw = draw[:1] * np.where(np.arange(blocks) % 2, 1.0, -1.0)[:, None, None]
    if kind == "level":
        draw[..., 2] = 0.0
    return np.repeat(3.0 * draw / np.linalg.norm(draw, axis=2, keepdims=True), hold, axis=0)[:steps]


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["any", "level", "reversal"])
def test_no_command_sequence_flips_it(model, hangar, kind):
    """60 s of full-speed commands, drawn anew at 48 Hz and slower, to eight drones each."""
    rng = np.random.default_rng(7)
    count, steps = 8, 48 * 60
    for hold in (1, 2, 5, 12, 24, 48):
        loose = hangar.loose(model)
        memory = np.repeat(loose.row[None], count, axis=0)
        settings, unread = np.zeros((1, 2 * count, 3)), np.zeros(at.MOTION * count)
        lowest = 1.0
        for command in harshest(kind, hold, count, rng, steps):
            for _ in range(5):
                fly(unread, memory, command, loose.parameters, settings, unread, CONTINUE)
            lowest = min(lowest, hangar.upright(memory[:, at.ATTITUDE : at.ATTITUDE + 4]).min())
        assert np.isfinite(memory).all()
        assert np.degrees(np.arccos(lowest)) < 70.0, f"{kind}, new command every {hold} steps"
        assert np.linalg.norm(memory[:, at.VELOCITY : at.VELOCITY + 3], axis=1).max() < 4.0


def test_step_responses_are_drawn():
    figure = plot_step_responses(speeds=(2.0,))
    above, below = figure.axes
    assert len(above.lines) >= 2
    assert below.get_ylabel() == "height (cm)"
