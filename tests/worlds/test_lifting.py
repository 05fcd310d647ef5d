"""A world at another scale has the same distances times the scale, also where it has become three-dimensional."""

from __future__ import annotations

import numpy as np
import pytest

from swarm.worlds import Obstacle, World
from swarm.worlds.lifting import lifted
from swarm.worlds.motion import Motion
from swarm.worlds.zones import Zone

CEILING, ALTITUDE = 4.0, 1.5  # m


@pytest.mark.parametrize("boundary", ["open", "walls"])
@pytest.mark.parametrize("scale", [0.5, 3.0])
def test_clearance_at_the_altitude_is_that_of_the_plane_times_the_scale(boundary, scale):
    flat = World(
        "flat", np.array([[-10.0, -8.0], [10.0, 8.0]]), boundary, False,
        (
            Obstacle("box", (2.0, 3.0), "box", size=(1.0, 4.0), rpy=(0.0, 0.0, 0.7)),
            Obstacle("sphere", (-4.0, 1.0), "round", radius=1.5),
            Obstacle("cylinder", (-4.0, -5.0), "pillar", radius=0.5),
        ),
    )  # fmt: skip
    hall = lifted(flat, scale, 100.0, 50.0)  # so high that floor and ceiling are far
    points = np.random.default_rng(0).uniform([-9, -7], [9, 7], (300, 2))
    there = np.column_stack([scale * points, np.full(300, 50.0)])
    distance, normal, surface = flat.nearest(points)
    up, upward, above = hall.nearest(there)
    assert up == pytest.approx(scale * distance, abs=1e-9)
    assert upward[:, :2] == pytest.approx(normal, abs=1e-9)
    assert [hall.surfaces[k] for k in above] == [flat.surfaces[k] for k in surface]
    assert hall.origin is flat


def test_a_hall_has_a_floor_and_a_ceiling_and_its_places_lie_at_the_altitude():
    zone = Zone("area", "goal", (1.0, 2.0), (3.0, 4.0))
    flat = World("flat", np.array([[0.0, 0.0], [10.0, 10.0]]), "walls", False, (), zones=(zone,))
    hall = lifted(flat, 2.0, CEILING, ALTITUDE, "a notice")
    assert hall.bounds.tolist() == [[0.0, 0.0, 0.0], [20.0, 20.0, CEILING]]
    assert {"floor", "ceiling"} <= set(hall.surfaces)
    assert hall.zones[0].center == (2.0, 4.0, ALTITUDE)
    assert hall.zones[0].size == (6.0, 8.0, CEILING)
    assert hall.notices == ("a notice",)
    assert lifted(flat, 2.0, CEILING, ALTITUDE, "a notice") is hall


def test_what_moves_moves_faster_in_a_larger_world():
    ball = Obstacle(
        "sphere", (0.0, 0.0, 1.0), "ball", radius=1.0, motion=Motion((0.0, 0.0, 1.0), ((6.0, 0.0, 1.0),), 0.5)
    )
    world = World("moving", np.array([[-10.0] * 3, [10.0] * 3]), "open", False, (ball,))
    larger = lifted(world, 3.0, CEILING, ALTITUDE)
    for time in (0.0, 2.0, 7.5):
        small, large = world.at(time).obstacles[0], larger.at(time).obstacles[0]
        assert large.center == pytest.approx(3.0 * np.array(small.center))
        assert large.radius == 3.0
    assert larger.dim == 3
    assert not larger.floor
