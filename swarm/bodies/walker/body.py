"""The walker body: people who walk on a floor plan and through nothing that is solid."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from swarm.bodies.contact import Contact
from swarm.bodies.point.steering import look_along_all
from swarm.bodies.point.touching import Touching
from swarm.bodies.walker.stepping import Legs, walk
from swarm.compiled import kernel
from swarm.errors import BadInput, SimulationError
from swarm.state import Bools, Floats, Ints, State, resized
from swarm.worlds.floor_plan.places import Ground, ground_of, put_free, up_and_column
from swarm.worlds.floor_plan.plan import OBSTACLE

if TYPE_CHECKING:
    from swarm.worlds.world import World

FASTEST = 1.5  # m/s, speed limit where a mission names none
FLAT = np.zeros(2)  # m, period of a plane that goes round nowhere
SHUFFLE = 0.25  # share of the speed limit up to which a step turns nobody


class Walkers:
    """N walkers on a floor plan, at places of any coordinates in its cells::

        x(t + dt) = x(t) + dt v,   v the command, its length cut to the speed limit, without what walls take of it

    Walls are the obstacle cells and the plan's edge. Whatever is commanded, nobody enters a wall, leaves the plan or
    slips between two walls that meet at a corner; who is in a wall because that has come to where it stood is put on
    the nearest walkable place. The heading is that of the last command faster than a quarter of the speed limit: a
    small step back turns nobody round. Walkers pass through each other; an overlap of hulls, if they have any, is a
    contact, and so is being stopped by a wall.

    Args:
        count: Number of walkers.
        physics_hz: Hz; a multiple of command_hz, and otherwise without meaning.
        command_hz: Hz; one step is one command period.
        speed_limit: m/s; None is 1.5.
        radius: m, of the hull that metrics of distances count with; walls stop the middle.

    Attributes:
        contacts: Onsets during the last step.
        legs: Arrays that a step changes.
        ground: What they walk on.

    Raises:
        BadInput: Rates that do not divide, or no one who walks.
    """

    dim = 2
    reaction_time = 0.0  # s
    acceleration_limit = math.inf  # m/s^2

    def __init__(
        self, count: int = 1, physics_hz: int = 240, command_hz: int = 48, speed_limit: float | None = None,
        radius: float = 0.0,
    ) -> None:  # fmt: skip
        faults = []
        if count < 1:
            faults.append(f"count: expected 1 or more, got {count}")
        if command_hz < 1 or physics_hz % command_hz:
            faults.append(f"command_hz: expected a divisor of physics_hz {physics_hz}, got {command_hz}")
        if faults:
            raise BadInput(*faults)
        self.count, self.radius = count, radius
        self.limit(speed_limit)
        self.hz = command_hz
        self.contacts: list[Contact] = []
        self._ready = False

    def limit(self, speed_limit: float | None) -> None:
        """Walk no faster than `speed_limit` m/s from now on; None is 1.5."""
        self.speed_limit = FASTEST if speed_limit is None else float(speed_limit)
        self.shuffle = SHUFFLE * self.speed_limit

    def reset(
        self,
        world: World | None,
        position: Floats,
        heading: Floats,
        role: Ints | None = None,
        world_index: Ints | None = None,
    ) -> State:
        """Put every walker in its place, standing.

        Args:
            world: Where to walk.
            position: (N, 2) m; who would stand in a wall stands on the nearest walkable place.
            heading: (N,) yaw in rad.
            role: (N,); None makes all members.
            world_index: (N,); None is one world.

        Raises:
            BadInput: The world has no floor plan.
        """
        self._stand_on(world)
        count = self.count
        self.legs = Legs(
            np.array(position, np.float64, order="C"), np.zeros((count, 2)), _directions(heading, count),
            np.ones(count, np.bool_), np.zeros(count), np.zeros(count),
        )  # fmt: skip
        self._settle()
        self._touching = Touching(count, self.radius, 0.0)
        self._role = np.zeros(count, np.int64) if role is None else np.array(role, np.int64)
        self._world_index = np.zeros(count, np.int64) if world_index is None else np.array(world_index, np.int64)
        self.contacts, self.steps, self._ready = [], 0, True
        return self.hand_out()

    def enter(self, world: World) -> State:
        """Walk in another world from now on, such as one with other walls.

        Args:
            world: Who is in a wall there stands on the nearest walkable place.

        Returns:
            The state as it is now.

        Raises:
            BadInput: It has no floor plan.
        """
        self._stand_on(world)
        self._settle()
        return self.hand_out()

    def _stand_on(self, world: World | None) -> None:
        if world is None or world.floor_plan is None:
            name = "none" if world is None else world.name
            raise BadInput(f"world: expected one with a floor plan for walkers, got {name}")
        self.world = world
        self.ground: Ground = ground_of(world.floor_plan)

    def advance(self, command: Floats) -> State:
        """One step.

        Args:
            command: (N, 2) wanted velocity, m/s, world frame; what is faster than the speed limit is cut to it.

        Raises:
            SimulationError: The command has another shape or is not finite, or there was no reset.
        """
        if not self._ready:
            raise SimulationError("the body has not been reset, or has been closed")
        command = np.ascontiguousarray(command, np.float64)
        if command.shape != self.legs.position.shape:
            raise SimulationError(f"command: expected shape {self.legs.position.shape}, got {command.shape}")
        if not np.isfinite(command).all():
            raise SimulationError("command: expected finite numbers")
        self.steps += 1
        time = self.steps / self.hz
        if self.world.moving:
            self._stand_on(self.world.at(time))
        before = self.legs.pressed > 0.0
        walk(_limited(command, self.speed_limit), self.legs, self.ground, 1.0 / self.hz, self.shuffle)
        stopped = np.flatnonzero((self.legs.pressed > 0.0) & ~before)
        legs = self.legs
        self.contacts = self.touches(np.full(len(stopped), time), stopped, legs.position, legs.pressed)
        self.contacts += self._touching.pairs(time, legs.position, legs.velocity, legs.alive, self._world_index, FLAT)
        return self.hand_out()

    def touches(self, times: Floats, agents: Ints, position: Floats, speed: Floats) -> list[Contact]:
        """Contacts with the nearest walls.

        Args:
            times: (K,) s.
            agents: (K,) who were stopped.
            position: (N, 2) m, or (K, 2) of the stopped alone.
            speed: (N,) m/s, or (K,).
        """
        if len(agents) == 0:
            return []
        chosen = agents if len(position) != len(agents) else slice(None)
        surfaces = self.world.nearest(np.ascontiguousarray(position[chosen]))[2]
        rows = zip(times.tolist(), agents.tolist(), surfaces.tolist(), speed[chosen].tolist())
        return [Contact(time, agent, -1, surface, fast) for time, agent, surface, fast in rows]

    def place(self, agents: Ints, position: Floats, heading: Floats | None = None) -> State:
        """These are somewhere else now, standing, and alive.

        Args:
            agents: (K,) indices.
            position: (K, 2) m; who would stand in a wall stands on the nearest walkable place.
            heading: (K,) yaw in rad; None keeps it.

        Returns:
            The state as it is now.
        """
        legs = self.legs
        legs.position[agents], legs.velocity[agents], legs.alive[agents] = position, 0.0, True
        legs.pressed[agents], legs.turned[agents] = 0.0, 0.0
        self._touching.forget(agents)
        if heading is not None:
            legs.heading[agents] = _directions(heading, len(agents))
        self._settle()
        return self.hand_out()

    def resize(self, count: int) -> State | None:
        """So many from now on; more than there were are not alive until they are placed.

        Returns:
            The state as it is now; None before the first reset.
        """
        before, self.count = self.count, count
        if not self._ready:
            return None
        self.legs = Legs(*(resized(part, count) for part in self.legs))
        self._touching.resize(count)
        self.legs.heading[before:, 0] = 1.0
        self._role, self._world_index = resized(self._role, count), resized(self._world_index, count)
        self._settle()
        return self.hand_out()

    def lose(self, agents: Ints) -> State:
        """These are lost, as when caught or gone: they stay where they are.

        Args:
            agents: (K,) indices.

        Returns:
            The state as it is now.
        """
        self.legs.alive[agents], self.legs.velocity[agents] = False, 0.0
        return self.hand_out()

    def _settle(self) -> None:
        """Nobody stands in a wall or beyond the plan's edge."""
        _settled(self.legs.position, self.ground, self.world.bounds)

    def hand_out(self) -> State:
        """The state as it is now, in arrays of the reader's own."""
        legs, attitude, spin = self.legs, np.zeros((self.count, 4)), np.zeros((self.count, 3))
        look_along_all(legs.heading, attitude)
        spin[:, 2] = legs.turned
        return State(
            self.steps / self.hz, legs.position.copy(), legs.velocity.copy(), attitude, spin, legs.alive.copy(),
            self._role, self._world_index,
        )  # fmt: skip

    def attitudes(self, heading: Floats, left: Bools, attitude: NDArray[np.float32]) -> None:
        """Write quaternions (T, N, 4) of states by their headings (T, N, 2); `left` (T,) makes no difference."""
        attitude[..., :2] = 0.0
        look_along_all(heading.reshape(-1, 2), attitude.reshape(-1, 4))

    def close(self) -> None:
        """Nothing to let go of; afterwards the body cannot be used."""
        self._ready = False


def _directions(yaw: Floats, count: int) -> Floats:
    """(N, 2) unit vectors of (N,) yaws in rad."""
    yaw = np.broadcast_to(np.asarray(yaw, np.float64), count)
    return np.ascontiguousarray(np.stack([np.cos(yaw), np.sin(yaw)], axis=1))


def _limited(command: Floats, limit: float) -> Floats:
    """Commands (N, 2) no longer than the limit; one that is within it as it is, to the bit."""
    speed = np.hypot(command[:, 0], command[:, 1])
    fast = speed > limit * (1.0 + 1e-6)
    if fast.any():
        command = command.copy()
        command[fast] *= (limit / speed[fast])[:, None]
    return command


@kernel
def _settled(position: Floats, ground: Ground, bounds: Floats) -> None:
    """Put whoever is in a wall or out of bounds on the nearest walkable place."""
    for i in range(len(position)):
        x, y = position[i, 0], position[i, 1]
        inside = bounds[0, 0] <= x <= bounds[1, 0] and bounds[0, 1] <= y <= bounds[1, 1]
        up, column = up_and_column(position, i, ground)
        if not inside or ground.cells[len(ground.cells) - 1 - up, column] == OBSTACLE:
            put_free(position, i, ground)
