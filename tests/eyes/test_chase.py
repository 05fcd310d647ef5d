"""The camera that follows: smooth, never in an obstacle, by the cheapest way."""

from __future__ import annotations

from itertools import pairwise, product

import numpy as np
import pytest

from swarm.eyes.chase import Chase, cheapest, smooth
from swarm.eyes.corners import seen
from swarm.eyes.figures import along
from swarm.eyes.footage import Footage
from swarm.worlds import World, build_world, load_world


def weaving(world: World, seconds: float = 20.0) -> Footage:
    """Three agents on the world's own way from one end to the other, 1.5 m/s."""
    start, end = np.array([0.0, 0.0, 1.5]), np.array([30.0, 0.0, 1.5])
    path = world.route(end, 0.25).path(start)
    length = np.concatenate([[0.0], np.linalg.norm(np.diff(path, axis=0), axis=1).cumsum()])
    time = np.arange(0.0, seconds, 0.05)
    way = np.minimum(1.5 * time, length[-1])
    middle = np.stack([np.interp(way, length, path[:, k]) for k in range(3)], axis=1)
    position = middle[:, None] + np.array([[0.0, 0.0, 0.0], [-0.2, 0.0, 0.1], [-0.2, 0.0, -0.1]])
    velocity = np.gradient(position, 0.05, axis=0)
    attitude = np.stack([along(row) for row in velocity])
    return Footage(world, 0.06, time, position, velocity, attitude, np.ones(position.shape[:2], bool), end)


@pytest.mark.parametrize("seed", [0, 1])
def test_in_a_forest_it_stays_clear_of_trunks_and_moves_smoothly(seed: int) -> None:
    world = load_world("forest", seed)
    scene = weaving(world)
    camera = Chase(scene, 100.0)
    eyes = np.array([camera.lens(frame).eye for frame in range(len(scene.time))])
    assert world.clearance(eyes)[0].min() > 0.03
    assert np.median(camera.distance) > 1.5
    speed = np.linalg.norm(np.diff(eyes, axis=0), axis=1) / 0.05
    assert np.percentile(speed, 95) < 5.0


def test_it_does_not_look_through_walls() -> None:
    wall = {"kind": "box", "center": [-1.0, 0.0, 1.5], "size": [0.2, 8.0, 3.0]}
    room = {"name": "room", "bounds": [[-9, -4, 0], [9, 4, 3]], "boundary": "walls", "obstacles": [wall]}
    world = build_world(room, "room.toml", 0)
    time = np.arange(0.0, 1.0, 0.05)
    position = np.zeros((len(time), 1, 3)) + [0.0, 0.0, 1.5]  # hovers 0.9 m before a wall and looks away from it
    still = np.zeros_like(position)
    scene = Footage(world, 0.06, time, position, still, None, np.ones((len(time), 1), bool), np.array([5.0, 0.0, 1.5]))
    camera = Chase(scene, 50.0)
    for frame in range(len(time)):
        eye = camera.lens(frame).eye
        assert eye[0] > -0.9
        assert world.clearance(eye[None])[0][0] > 0.03


def test_the_cheapest_choices_are_those_of_brute_force() -> None:
    rng = np.random.default_rng(0)
    cost, change = rng.uniform(0, 1, (5, 3)), rng.uniform(0, 1, (3, 3))
    ways = product(range(3), repeat=5)
    best = min(ways, key=lambda w: cost[range(5), w].sum() + sum(change[a, b] for a, b in pairwise(w)))
    assert cheapest(cost, change).tolist() == list(best)


def test_smoothing_keeps_constants_and_bounds() -> None:
    np.testing.assert_allclose(smooth(np.full((9, 2), 3.0), 2.0), 3.0)
    values = np.random.default_rng(0).uniform(-1, 1, 50)
    smoothed = smooth(values, 2.0)
    assert smoothed.shape == values.shape
    assert values.min() <= smoothed.min() <= smoothed.max() <= values.max()


def test_obstacles_hide_and_walls_do_not() -> None:
    box = {"kind": "box", "center": [0.0, 0.0, 1.0], "size": [1.0, 4.0, 2.0]}
    room = {"name": "room", "bounds": [[-5, -5, 0], [5, 5, 3]], "boundary": "walls", "obstacles": [box]}
    world = build_world(room, "room.toml", 0)
    points = np.array([[2.0, 0.0, 0.5], [-2.0, 0.0, 0.5], [2.0, 0.0, 2.9]])
    assert seen(world, points, np.array([-20.0, 0.0, 3.0])).tolist() == [False, True, True]
