"""The point body: every agent moves with the velocity it was told, within the limits of its motion."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from swarm.bodies.contact import Contact
from swarm.bodies.point.motion import Motion
from swarm.bodies.point.sliding import settle, slide
from swarm.bodies.point.steering import DT, look_along_all, steer
from swarm.bodies.point.touching import Touching
from swarm.errors import BadInput, SimulationError
from swarm.state import Bools, Floats, Ints, State, resized

if TYPE_CHECKING:
    from swarm.worlds.world import World

FASTEST = 3.0  # m/s, speed limit where a mission names none
RELEASE = 0.1  # share of a step at the speed limit, by which a point has left a surface that it touched


class Points:
    """N points in a world of two or three dimensions::

        v(t + dt) = command, its change cut to the acceleration, its direction to the turn rate, its length to speeds
        x(t + dt) = x(t) + dt (v(t + dt) + drift * wind(t)),   around the boundary of a torus, along the surfaces of
        obstacles and walls

    The velocity of a state is the point's own, through the air that carries it; who is held up by a surface has the
    velocity it really had.
    One step is one command period; physics_hz means nothing here. Points react at once and pass through each other; an
    overlap of hulls is a contact, and so is being stopped by a surface. Nobody breaks.

    Args:
        count: Number of points.
        physics_hz: Hz; a multiple of command_hz.
        command_hz: Hz.
        speed_limit: m/s; None is 3.
        motion: Further limits.
        radius, acceleration_limit: m, of a hull, and m/s^2, where `motion` names none.

    Attributes:
        contacts: Onsets during the last step.
        dim: Of the world last reset into; 3 before.

    Raises:
        BadInput: Limits that contradict each other, or rates that do not divide.
    """

    reaction_time = 0.0  # s

    def __init__(
        self,
        count: int = 1,
        physics_hz: int = 240,
        command_hz: int = 48,
        speed_limit: float | None = None,
        motion: Motion | None = None,
        radius: float = 0.0,
        acceleration_limit: float = math.inf,
    ) -> None:
        motion = motion or Motion()
        self.speed_limit = FASTEST if speed_limit is None else float(speed_limit)
        faults = []
        if count < 1:
            faults.append(f"count: expected 1 or more, got {count}")
        if command_hz < 1 or physics_hz % command_hz:
            faults.append(f"command_hz: expected a divisor of physics_hz {physics_hz}, got {command_hz}")
        if motion.lowest_speed > self.speed_limit:
            faults.append(
                f"motion.lowest_speed: expected at most the speed limit of {self.speed_limit:g} m/s, "
                f"got {motion.lowest_speed:g}"
            )
        if faults:
            raise BadInput(*faults)
        self.count, self.dim = count, 3
        self.radius = float(radius if motion.radius is None else motion.radius)
        self.acceleration_limit = float(acceleration_limit if motion.acceleration is None else motion.acceleration)
        self.contacts: list[Contact] = []
        self._hz = command_hz
        turn_rate = math.inf if motion.turn_rate is None else math.radians(motion.turn_rate)
        self._limits = np.array(
            [motion.lowest_speed, self.speed_limit, self.acceleration_limit, turn_rate, 1.0 / command_hz]
        )
        self._drift = motion.drift
        self._release = RELEASE * self.speed_limit / command_hz
        self._ready = False

    def reset(
        self,
        world: World | None,
        position: Floats,
        heading: Floats,
        role: Ints | None = None,
        world_index: Ints | None = None,
    ) -> State:
        """Put every point in its place, flying at its lowest speed.

        Args:
            world: Where to fly; None is empty space.
            position: (N, D) m, D 2 or 3.
            heading: (N,) yaw in rad.
            role: (N,); None makes all members.
            world_index: (N,) which world of a batch each lives in; None is one world.
        """
        self._world = None if world is None else world.at(0.0)
        position = np.array(position, np.float64, order="C")
        self.dim = position.shape[1]
        count, dim = self.count, self.dim
        self._box = np.zeros((3, dim))
        self._windy = self._world is not None and len(self._world.wind) > 0 and self._drift > 0.0
        self._carried = np.zeros(dim)  # m, by the wind in a step
        self._approach = 0.0  # m by which the room of a point may shrink in a step because of what moves
        self._room = np.full(count, np.inf)
        if self._world is not None:
            self._box[:2], self._box[2] = self._world.bounds, self._world.space.period
            if self._world.movers is not None:
                self._approach = self._world.movers.tracks.fastest / self._hz
            self._room = self._world.clearance(position)[0] - self.radius
        self._heading = np.zeros((count, dim))
        self._heading[:, 0], self._heading[:, 1] = np.cos(heading), np.sin(heading)
        self._touching = Touching(count, self.radius, self._release)
        self.contacts, self._steps = [], 0
        self._position, self._velocity = position, self._limits[0] * self._heading
        self._alive = np.ones(count, np.bool_)
        self._role = np.zeros(count, np.int64) if role is None else np.array(role, np.int64)
        self._world_index = np.zeros(count, np.int64) if world_index is None else np.array(world_index, np.int64)
        self._ready = True
        attitude = np.zeros((count, 4))
        attitude[:, 2], attitude[:, 3] = np.sin(0.5 * np.asarray(heading)), np.cos(0.5 * np.asarray(heading))
        return self._hand_out(attitude, np.zeros((count, 3)))

    def advance(self, command: Floats) -> State:
        """One step.

        Args:
            command: (N, D) wanted velocity, m/s, world frame.

        Raises:
            SimulationError: The command has another shape or is not finite, or there was no reset.
        """
        if not self._ready:
            raise SimulationError("the body has not been reset, or has been closed")
        command = np.ascontiguousarray(command, np.float64)
        if command.shape != self._position.shape:
            raise SimulationError(f"command: expected shape {self._position.shape}, got {command.shape}")
        if not np.isfinite(command).all():
            raise SimulationError("command: expected finite numbers")
        if self._windy and self._world is not None:
            self._carried = self._drift * self._world.wind_at(self._steps / self._hz) / self._hz
        self._steps += 1
        time = self._steps / self._hz
        if self._approach:
            self._room -= self._approach
        position, velocity, attitude, spin, looking = steer(
            command, self._position, self._velocity, self._heading, self._alive, self._room, self._limits,
            self._release, self._box, self._carried, self._windy, True,
        )  # fmt: skip
        self.contacts = []
        if looking and self._world is not None:
            self._slide(self._world.at(time), time, position, velocity, attitude, spin)
        else:
            self._touching.forget()
        self._position, self._velocity = position, velocity
        self.contacts += self._touching.pairs(time, position, velocity, self._alive, self._world_index, self._box[2])
        return self._hand_out(attitude, spin)

    def lose(self, agents: Ints) -> State:
        """These are lost, as when caught: they stay where they are.

        Args:
            agents: (K,) indices.

        Returns:
            The state as it is now.
        """
        self._alive = self._alive.copy()
        self._alive[agents] = False
        self._velocity = self._velocity.copy()
        self._velocity[agents] = 0.0
        return self._standing()

    def place(self, agents: Ints, position: Floats, heading: Floats | None = None) -> State:
        """These are somewhere else now, flying at their lowest speed, and alive.

        Args:
            agents: (K,) indices.
            position: (K, D) m.
            heading: (K,) yaw in rad; None keeps the direction.

        Returns:
            The state as it is now.
        """
        self._position, self._velocity = self._position.copy(), self._velocity.copy()
        self._alive, self._heading = self._alive.copy(), self._heading.copy()
        self._position[agents], self._alive[agents] = position, True
        if heading is not None:
            self._heading[agents] = 0.0
            self._heading[agents, 0], self._heading[agents, 1] = np.cos(heading), np.sin(heading)
        self._velocity[agents] = self._limits[0] * self._heading[agents]
        if self._world is not None:
            now = self._world.at(self._steps / self._hz)
            self._room[agents] = now.clearance(self._position[agents])[0] - self.radius
        self._touching.forget(agents)
        return self._standing()

    def resize(self, count: int) -> State | None:
        """So many from now on; more than there were are not alive until they are placed.

        Returns:
            The state as it is now; None before the first reset.
        """
        before, self.count = self.count, count
        if not self._ready:
            return None
        self._position, self._velocity = resized(self._position, count), resized(self._velocity, count)
        self._alive, self._heading = resized(self._alive, count), resized(self._heading, count)
        self._room = resized(self._room, count)
        self._heading[before:, 0] = 1.0
        self._touching.resize(count)
        self._role, self._world_index = resized(self._role, count), resized(self._world_index, count)
        return self._standing()

    def _standing(self) -> State:
        """The state between two steps: everybody looks along its heading."""
        return self._hand_out(_looking(self._heading), np.zeros((self.count, 3)))

    def attitudes(self, heading: Floats, left: Bools, attitude: NDArray[np.float32]) -> None:
        """Write the attitudes of states in a plane.

        Args:
            heading: (T, N, 2) unit.
            left: (T,) in which of them somebody was lost since the step, or put somewhere else.
            attitude: (T, N, 4) quaternions, written; of memory in one piece.
        """
        attitude[..., :2] = 0.0
        look_along_all(heading.reshape(-1, 2), attitude.reshape(-1, 4))
        for k in np.flatnonzero(left).tolist():
            attitude[k] = _looking(heading[k])

    def _slide(
        self, world: World, time: float, position: Floats, velocity: Floats, attitude: Floats, spin: Floats
    ) -> None:
        """Move those who have to look out for surfaces, and note what they touch."""
        chosen = np.flatnonzero((self._room < 0.0) & self._alive)
        start, asked = self._position[chosen], velocity[chosen] * self._limits[DT]
        if self._windy:
            asked += self._carried
        slid = slide(world, start, asked, self.radius)
        self._room[chosen] = slid.room
        drift = world.velocity(slid.surface) if world.moving else None
        wanted = asked[slid.agent] * self._hz if self._windy else velocity[chosen[slid.agent]]
        self.contacts = self._touching.surfaces(time, slid, chosen[slid.agent], wanted, drift, self._room)
        settle(
            chosen, slid.place, start, asked, 1.0 / self._hz, self._box, position, velocity, self._heading, attitude,
            spin,
        )  # fmt: skip

    def _hand_out(self, attitude: Floats, spin: Floats) -> State:
        # Copies: what a reader does to its arrays must not reach the points.
        return State(
            self._steps / self._hz, self._position.copy(), self._velocity.copy(), attitude, spin, self._alive.copy(),
            self._role, self._world_index,
        )  # fmt: skip

    def close(self) -> None:
        """Nothing to let go of; afterwards the body cannot be used."""
        self._ready = False


def _looking(heading: Floats) -> Floats:
    """(N, 4) quaternions of points that look along their headings (N, D)."""
    attitude = np.zeros((len(heading), 4))
    yaw = np.arctan2(heading[:, 1], heading[:, 0])
    attitude[:, 2], attitude[:, 3] = np.sin(0.5 * yaw), np.cos(0.5 * yaw)
    return attitude
