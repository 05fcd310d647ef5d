"""Drones to fly in the tests."""

from __future__ import annotations

from contextlib import contextmanager

import numpy as np
import pytest

from swarm.bodies.drone import layout as at
from swarm.bodies.drone.bullet import DroneBullet
from swarm.bodies.drone.dynamics import drift, push
from swarm.bodies.drone.models import MODELS
from swarm.bodies.drone.velocity_loop import control
from swarm.worlds import build_world

RATE = 240  # Hz


@pytest.fixture(params=sorted(MODELS))
def model(request):
    """Every parameter set in turn."""
    return MODELS[request.param]


class Loose:
    """One drone's memory with the physics of the kernels alone, no engine."""

    def __init__(self, model, rotor_speed=None, alive=True):
        self.parameters = model.packed(RATE, 48)
        self.row = np.zeros(at.WIDTH)
        self.row[at.ATTITUDE + 3] = 1.0
        self.row[at.HEADING] = 1.0
        self.row[at.ALIVE] = alive
        speed = model.airframe.hover_rotor_speed if rotor_speed is None else rotor_speed
        self.row[at.ROTOR_SPEED : at.ROTOR_SPEED + 4] = speed
        self.row[at.ROTOR_TARGET : at.ROTOR_TARGET + 4] = speed

    def step(self, count=1):
        """Physics with the rotor targets as they are."""
        for _ in range(count):
            push(self.row, self.parameters)
            drift(self.row, self.parameters)
        return self

    def fly(self, command, count=1):
        """Physics under the velocity loop."""
        for _ in range(count):
            control(self.row, *command, self.parameters)
            self.step()
        return self

    position = property(lambda self: self.row[at.POSITION : at.POSITION + 3])
    velocity = property(lambda self: self.row[at.VELOCITY : at.VELOCITY + 3])
    attitude = property(lambda self: self.row[at.ATTITUDE : at.ATTITUDE + 4])
    angular_velocity = property(lambda self: self.row[at.ANGULAR_VELOCITY : at.ANGULAR_VELOCITY + 3])
    rotor_speed = property(lambda self: self.row[at.ROTOR_SPEED : at.ROTOR_SPEED + 4])


class Hangar:
    """Makes what the drone tests need."""

    rate = RATE
    loose = Loose

    @staticmethod
    @contextmanager
    def flying(model, position, world=None, heading=None, **options):
        """Drones at `position` (N, 3), reset and ready; closed afterwards."""
        position = np.atleast_2d(np.asarray(position, dtype=np.float64))
        body = DroneBullet(model.name, count=len(position), **options)
        try:
            body.start = body.reset(world, position, np.zeros(len(position)) if heading is None else heading)
            yield body
        finally:
            body.close()

    @staticmethod
    def trunks(*centers, floor=False):
        """A world with vertical cylinders of radius 0.2 m, 4 m high, standing on z = 0."""
        return build_world(
            {
                "dim": 3,
                "bounds": [[-20.0, -20.0, 0.0], [20.0, 20.0, 8.0]],
                "boundary": "open",
                "floor": floor,
                "obstacles": [
                    {"kind": "cylinder", "name": f"trunk {k}", "center": [x, y, 2.0], "radius": 0.2, "height": 4.0}
                    for k, (x, y) in enumerate(centers)
                ],
            },
            "world.toml",
        )

    @staticmethod
    def upright(attitude):
        """Cosine of the tilt of quaternions (..., 4)."""
        return 1.0 - 2.0 * (attitude[..., 0] ** 2 + attitude[..., 1] ** 2)

    @staticmethod
    def motion(state):
        """(N, 13) position, attitude, velocity and angular velocity of a state."""
        return np.hstack([state.position, state.attitude, state.velocity, state.angular_velocity])


@pytest.fixture
def hangar():
    """Makes drones, worlds and loose dynamics."""
    return Hangar
