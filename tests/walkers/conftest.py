"""Plans of a few cells, and walkers on them."""

from __future__ import annotations

import numpy as np
import pytest

from swarm.bodies.walker.body import Walkers
from swarm.briefing import Briefing
from swarm.state import State
from swarm.tasks.scene import Scene
from swarm.view import Senses, View
from swarm.worlds import build_world


def plan_world(*rows, cell=1.0, origin=(0.0, 0.0), **more):
    """A world of cells, the lower left one centred at the origin."""
    table = {"cell": cell, "rows": "\n".join(rows), "origin": list(origin)}
    return build_world({"floor_plan": table, **more}, "test")


def standing(position, heading=0.0, alive=None, time=0.0):
    """A state of walkers at places (A, 2), looking along headings in rad."""
    position = np.array(position, float)
    count = len(position)
    yaw = np.broadcast_to(np.asarray(heading, float), count)
    attitude = np.zeros((count, 4))
    attitude[:, 2], attitude[:, 3] = np.sin(yaw / 2), np.cos(yaw / 2)
    return State(
        time, position, np.zeros((count, 2)), attitude, np.zeros((count, 3)),
        np.ones(count, bool) if alive is None else np.array(alive), np.zeros(count, np.int64),
        np.zeros(count, np.int64),
    )  # fmt: skip


def seen(world, position, heading=0.0, dt=1.0, **state):
    """What walkers there perceive."""
    senses = Senses(
        world=world, dt=dt, radius=0.0, speed_limit=0.455, acceleration_limit=np.inf, reach=1.1,
        field_of_view=2 * np.pi, box=np.zeros(2), target=None, path=None, way=None,
    )  # fmt: skip
    return View(senses, standing(position, heading, **state))


def told(world, position, seed=0):
    """A briefing of walkers there."""
    position = np.array(position, float)
    return Briefing(
        world=world, count=len(position), dim=2, dt=1.0, radius=0.0, speed_limit=0.455, acceleration_limit=np.inf,
        reaction_time=0.0, target=None, path=None, path_speed=None, formation=None, position=position,
        rng=np.random.default_rng(seed),
    )  # fmt: skip


def put(world, position, heading=0.0, speed_limit=2.0, hz=1):
    """Walkers ready to go."""
    position = np.array(position, float)
    body = Walkers(len(position), hz, hz, speed_limit)
    body.start = body.reset(world, position, np.broadcast_to(np.asarray(heading, float), len(position)))
    return body


class Makers:
    """What the tests build with."""

    world = staticmethod(plan_world)
    view = staticmethod(seen)
    briefing = staticmethod(told)
    walkers = staticmethod(put)
    state = staticmethod(standing)

    @staticmethod
    def scene(world, start, seed=0, placing=True):
        return Scene(world, np.array(start, float), 0.0, np.random.default_rng(seed), "m.toml: task", placing)

    @staticmethod
    def yaw(state):
        """(A,) rad."""
        return 2 * np.arctan2(state.attitude[:, 2], state.attitude[:, 3])

    @staticmethod
    def in_walls(world, position):
        """(A,) who is in an obstacle cell or out of the plan."""
        plan = world.floor_plan
        low, high = plan.bounds
        outside = ((position < low) | (position > high)).any(axis=-1)
        return outside | ~plan.walkable[plan.cell_of(position)]


@pytest.fixture(scope="session")
def crowd():
    """Makes plans, walkers, views and scenes."""
    return Makers
