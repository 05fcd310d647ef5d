"""Drones in PyBullet: rigid bodies, hulls and contacts are Bullet's; rotors, drag and velocity loop are compiled.

The forces of a physics step enter as the velocity they lead to (one call per drone), with Bullet's gravity and damping
off. A free body then moves exactly as `dynamics.drift` says, so while nobody can touch anything the states are read
only once in a while, to keep rounding from adding up. Those of drones near a surface or each other are read in every
physics step.
"""

from __future__ import annotations

import struct
import weakref
from typing import TYPE_CHECKING, Any

import numpy as np

from swarm.bodies.contact import Contact
from swarm.bodies.drone import layout as at
from swarm.bodies.drone.flight import ASK, CONTINUE, FLOWN, INVALID, START, START_ASKED, fly
from swarm.bodies.drone.models import MODELS
from swarm.bodies.drone.touching import Touch, touches
from swarm.errors import BadInput, SimulationError
from swarm.state import Floats, Ints, State
from swarm.worlds.engine import pybullet

if TYPE_CHECKING:
    from swarm.worlds.realisation import Realisation
    from swarm.worlds.world import World

SLOWEST_PHYSICS = 60  # Hz, down to which the velocity loop flies as it should
READ_EVERY = 48  # command periods of free flight between two looks at what Bullet has; they agree to rounding


class DroneBullet:
    """N drones of one model in one Bullet world.

    Args:
        model: Parameter set, see models.MODELS.
        count: Number of drones.
        physics_hz: Physics and attitude rate, Hz; a multiple of command_hz.
        command_hz: Rate of velocity commands, Hz.
        speed_limit: m/s; None takes the model's.
        crash_speed: m/s along the contact normal that breaks a drone; None takes the model's.

    Attributes:
        contacts: Onsets during the last command period, of contacts with at least one living drone in them.

    Raises:
        BadInput: Unknown model, count below 1, physics too slow, rates that do not divide.
        SimulationError: Bullet cannot be started.
    """

    dim = 3

    def __init__(
        self,
        model: str = "cf2x",
        count: int = 1,
        physics_hz: int = 240,
        command_hz: int = 48,
        speed_limit: float | None = None,
        crash_speed: float | None = None,
    ) -> None:
        faults = []
        if model not in MODELS:
            faults.append(f"model: expected one of {', '.join(MODELS)}, got {model!r}")
        if count < 1:
            faults.append(f"count: expected 1 or more, got {count}")
        if physics_hz < SLOWEST_PHYSICS:
            faults.append(f"physics_hz: expected {SLOWEST_PHYSICS} or more, got {physics_hz}")
        if command_hz < 1 or physics_hz % command_hz:
            faults.append(f"command_hz: expected a divisor of physics_hz {physics_hz}, got {command_hz}")
        if faults:
            raise BadInput(*faults)
        self.model = MODELS[model]
        self.count = count
        self.radius = self.model.airframe.hull_radius
        self.speed_limit = self.model.speed_limit if speed_limit is None else speed_limit
        self.crash_speed = self.model.crash_speed if crash_speed is None else crash_speed
        self.acceleration_limit = self.model.acceleration_limit
        self.reaction_time = self.model.reaction_time
        self.contacts: list[Contact] = []

        self._parameters = self.model.packed(physics_hz, command_hz)
        self._still_bound = float(self._parameters[at.ACCELERATION_BOUND])
        self._physics_period = 1.0 / physics_hz
        self._command_period = 1.0 / command_hz
        self._memory = np.zeros((count, at.WIDTH))
        self._motion = np.zeros(at.MOTION * count)  # positions, attitudes, velocities, angular velocities
        self._unread = 0  # command periods flown since the states were read
        self._settings = np.zeros((physics_hz // command_hz, 2 * count, 3))
        self._pack = struct.Struct(f"{at.MOTION * count}d").pack_into
        self._client: int = pybullet.connect(pybullet.DIRECT)
        if self._client < 0:
            raise SimulationError("PyBullet: no physics client could be started (too many open simulations?)")
        self._finalizer = weakref.finalize(self, _disconnect, self._client)

    def reset(self, world: World | None, position: Floats, heading: Floats, role: Ints | None = None) -> State:
        """Build a whole new Bullet world with every drone hovering at rest.

        Args:
            world: Where to fly; None is empty space.
            position: (N, 3) m.
            heading: (N,) yaw in rad, which the drones hold.
            role: (N,); None makes all members.
        """
        if not self._finalizer.alive:
            raise SimulationError("the body has been closed")
        world = world if world is None else world.at(0.0)
        self._world = world
        movers = None if world is None else world.movers
        # m by which a clearance may shrink in a command period because of what moves
        self._approach = 0.0 if movers is None else movers.tracks.fastest * self._command_period
        self._windy = world is not None and len(world.wind) > 0
        self._parameters[at.ACCELERATION_BOUND] = self._still_bound
        self._steps = 0
        self.contacts = []
        self._touching: set[Touch] = set()
        self._role = np.zeros(self.count, np.int64) if role is None else np.array(role, np.int64)
        self._world_index = np.zeros(self.count, np.int64)
        self._alive = np.ones(self.count, np.bool_)

        attitude = self._at_rest(np.arange(self.count), np.asarray(heading))
        try:
            self._build(world, np.asarray(position, np.float64), attitude)
            return self._read()
        except pybullet.error as error:
            raise SimulationError(f"PyBullet: {error}") from error

    def _at_rest(self, agents: Ints, heading: Floats) -> Floats:
        """These (K,) remember nothing but to hover and the heading (K,) to hold; returns their attitudes (K, 4)."""
        memory = self._memory
        memory[agents] = 0.0
        memory[agents, at.ALIVE] = 1.0
        memory[agents, at.HEADING], memory[agents, at.HEADING + 1] = np.cos(heading), np.sin(heading)
        memory[agents, at.ROTOR_SPEED : at.ROTOR_SPEED + 4] = self.model.airframe.hover_rotor_speed
        # An infinite clearance says that there is no surface; minus infinity that it has to be asked for.
        memory[agents, at.ANCHOR_CLEARANCE] = np.inf if self._world is None else -np.inf
        attitude = np.zeros((len(agents), 4))
        attitude[:, 2], attitude[:, 3] = np.sin(0.5 * heading), np.cos(0.5 * heading)
        return attitude

    def _build(self, world: World | None, position: Floats, attitude: Floats) -> None:
        client = self._client
        pybullet.resetSimulation(physicsClientId=client)
        pybullet.setGravity(0.0, 0.0, 0.0, physicsClientId=client)
        pybullet.setTimeStep(self._physics_period, physicsClientId=client)
        pybullet.setPhysicsEngineParameter(deterministicOverlappingPairs=1, physicsClientId=client)
        self._realisation: Realisation | None = None
        if world is not None:
            from swarm.worlds.realisation import realise

            self._realisation = realise(world, client)
        airframe = self.model.airframe
        hull = pybullet.createCollisionShape(
            pybullet.GEOM_CYLINDER, radius=airframe.hull_radius, height=airframe.hull_height, physicsClientId=client
        )
        # Without a shape to be seen a body gets its hull tessellated for drawing, 0.4 ms each; nobody looks here.
        speck = pybullet.createVisualShape(pybullet.GEOM_BOX, halfExtents=[1e-6] * 3, physicsClientId=client)
        self._bodies: list[int] = []
        for start, turn in zip(position.tolist(), attitude.tolist(), strict=True):
            body = pybullet.createMultiBody(
                airframe.mass, hull, speck, basePosition=start, baseOrientation=turn, physicsClientId=client
            )
            pybullet.changeDynamics(
                body,
                -1,
                linearDamping=0.0,
                angularDamping=0.0,
                localInertiaDiagonal=airframe.inertia,
                physicsClientId=client,
            )
            self._bodies.append(body)
        self._agent_of = {body: agent for agent, body in enumerate(self._bodies)}

    def advance(self, command: Floats) -> State:
        """Fly one command period.

        Args:
            command: (N, 3) wanted velocity, m/s, world frame.

        Raises:
            SimulationError: The command has another shape or is not finite, or Bullet failed.
        """
        command = np.ascontiguousarray(command, np.float64)
        if command.shape != (self.count, 3):
            raise SimulationError(f"command: expected shape ({self.count}, 3), got {command.shape}")
        if not self._finalizer.alive:  # another body may have been given the same client since
            raise SimulationError("the body has been closed")
        if self.contacts:
            self.contacts = []
        memory, parameters, settings = self._memory, self._parameters, self._settings
        if self._approach:
            memory[:, at.ANCHOR_CLEARANCE] -= self._approach
        if self._windy:
            self._blow()
        after = np.empty_like(self._motion)
        answer = fly(self._motion, memory, command, parameters, settings, after, START)
        if answer == ASK:
            self._ask_clearance()
            answer = fly(self._motion, memory, command, parameters, settings, after, START_ASKED)
        if answer == INVALID:
            raise SimulationError("command: expected finite numbers")
        try:
            if answer == FLOWN:
                self._fly_free()
                self._unread += 1
                if self._unread < READ_EVERY:
                    self._motion = after
                    return self._state()
            else:
                self._fly_touching(command)
            return self._read()
        except pybullet.error as error:
            raise SimulationError(f"PyBullet: {error}") from error

    def _blow(self) -> None:
        """Let the wind of the time blow for a command period."""
        assert self._world is not None
        wind = self._world.wind_at(self._steps * self._physics_period)
        self._memory[:, at.WIND : at.WIND + 3] = wind
        push = self.model.airframe.drag_rate_max * float(np.sqrt((wind * wind).sum()))
        self._parameters[at.ACCELERATION_BOUND] = self._still_bound + push

    def _fly_free(self) -> None:
        client, bodies = self._client, self._bodies
        push, step = pybullet.resetBaseVelocity, pybullet.stepSimulation
        for rows in self._settings.tolist():
            row = iter(rows)
            for body in bodies:
                push(body, next(row), next(row), client)
            step(client)
        self._steps += len(self._settings)
        self._touching.clear()
        if self._approach and self._realisation is not None:  # nothing was met on the way, so once is enough
            self._realisation.move(self._steps * self._physics_period)

    def _fly_touching(self, command: Floats) -> None:
        client, memory = self._client, self._memory
        near = np.flatnonzero(memory[:, at.NEAR]).tolist()
        for _ in range(len(self._settings)):
            fly(self._motion, memory, command, self._parameters, self._settings, self._motion, CONTINUE)
            velocities = self._settings[0].tolist()
            for agent, body in enumerate(self._bodies):
                pybullet.resetBaseVelocity(body, velocities[2 * agent], velocities[2 * agent + 1], client)
            pybullet.stepSimulation(client)
            self._steps += 1
            touched = self._touches(velocities)
            if self._approach and self._realisation is not None:
                self._realisation.move(self._steps * self._physics_period)
            for agent in near:
                position, attitude = pybullet.getBasePositionAndOrientation(self._bodies[agent], client)
                velocity, angular_velocity = pybullet.getBaseVelocity(self._bodies[agent], client)
                memory[agent, : at.MOTION] = position + attitude + velocity + angular_velocity
            self._judge(touched, near)
            self._touching = set(touched)

    def _touches(self, velocities: list[list[float]]) -> dict[Touch, float]:
        """Who touches in the physics step just made, begun with these velocities, and how fast they closed."""

        def velocity_at(agent: int, point: Any) -> Any:
            velocity = np.array(velocities[2 * agent])
            drifted = self._memory[agent, at.POSITION : at.POSITION + 3]
            lever = np.array(point) - (drifted - self._physics_period * velocity)
            return velocity + np.cross(velocities[2 * agent + 1], lever)

        points = pybullet.getContactPoints(physicsClientId=self._client)
        moving = self._surface_velocity if self._approach else None
        return touches(points, self._agent_of, velocity_at, self._surface_at, moving)

    def _surface_at(self, body: int, point: Any) -> int:
        return -1 if self._realisation is None else self._realisation.surface(body, point)

    def _surface_velocity(self, surface: int) -> Floats:
        """(3,) m/s at the beginning of the physics step just made."""
        assert self._world is not None
        begun = self._world.at((self._steps - 1) * self._physics_period)
        velocity: Floats = begun.velocity(np.array([surface]))[0]
        return velocity

    def _judge(self, touched: dict[Touch, float], near: list[int]) -> None:
        """Report onsets; stop the rotors of those hit hard or turned over."""
        memory, alive = self._memory, self._alive
        time = self._steps * self._physics_period
        broken = [i for i in near if memory[i, at.ATTITUDE] ** 2 + memory[i, at.ATTITUDE + 1] ** 2 > 0.5]
        for (one, other, surface), speed in touched.items():
            if (one, other, surface) not in self._touching and (alive[one] or (other >= 0 and alive[other])):
                self.contacts.append(Contact(time, one, other, surface, speed))
            if speed > self.crash_speed:
                broken += [one] if other < 0 else [one, other]
        if any(alive[i] for i in broken):
            self._stop(broken)

    def lose(self, agents: Ints) -> State:
        """The rotors of these stop, as when caught.

        Args:
            agents: (K,) indices.

        Returns:
            The state as it is now.
        """
        self._stop(agents.tolist())
        return self._state()

    def place(self, agents: Ints, position: Floats, heading: Floats | None = None) -> State:
        """These are somewhere else now, hovering at rest, and alive.

        Args:
            agents: (K,) indices.
            position: (K, 3) m, where there is room for a hull.
            heading: (K,) yaw in rad to hold; None keeps it.

        Returns:
            The state as it is now.
        """
        client, moved = self._client, set(agents.tolist())
        if heading is None:
            heading = np.arctan2(self._memory[agents, at.HEADING + 1], self._memory[agents, at.HEADING])
        attitude = self._at_rest(agents, np.asarray(heading))
        self._alive = self._alive.copy()
        self._alive[agents] = True
        self._touching = {touch for touch in self._touching if not moved & set(touch[:2])}
        try:
            for agent, there, turn in zip(agents.tolist(), position.tolist(), attitude.tolist(), strict=True):
                pybullet.resetBasePositionAndOrientation(self._bodies[agent], there, turn, client)
                pybullet.resetBaseVelocity(self._bodies[agent], [0.0] * 3, [0.0] * 3, client)
        except pybullet.error as error:
            raise SimulationError(f"PyBullet: {error}") from error
        # Only their part, so that the others fly on to the bit as if nobody had been moved.
        motion, count = self._motion, self.count
        motion[: 3 * count].reshape(count, 3)[agents] = position
        motion[3 * count : 7 * count].reshape(count, 4)[agents] = attitude
        motion[7 * count :].reshape(2, count, 3)[:, agents] = 0.0
        return self._state()

    def _stop(self, agents: list[int]) -> None:
        self._alive = self._alive.copy()
        self._alive[agents] = False
        self._memory[agents, at.ALIVE] = 0.0
        self._memory[agents, at.ROTOR_SPEED : at.ROTOR_SPEED + 4] = 0.0

    def _ask_clearance(self) -> None:
        assert self._world is not None
        position = self._motion[: 3 * self.count].reshape(self.count, 3)
        self._memory[:, at.ANCHOR : at.ANCHOR + 3] = position
        now = self._world.at(self._steps * self._physics_period)
        self._memory[:, at.ANCHOR_CLEARANCE] = now.clearance(position)[0] - self._approach

    def _read(self) -> State:
        client, count = self._client, self.count
        read_pose, read_velocity = pybullet.getBasePositionAndOrientation, pybullet.getBaseVelocity
        positions: list[float] = []
        attitudes: list[float] = []
        velocities: list[float] = []
        spins: list[float] = []
        for body in self._bodies:
            position, attitude = read_pose(body, client)
            velocity, spin = read_velocity(body, client)
            positions += position
            attitudes += attitude
            velocities += velocity
            spins += spin
        motion = np.empty(at.MOTION * count)
        self._pack(motion.data, 0, *positions, *attitudes, *velocities, *spins)
        self._motion = motion
        self._unread = 0
        return self._state()

    def _state(self) -> State:
        # A copy of everything: what a reader does to its arrays must not reach the drones.
        motion, count = self._motion.copy(), self.count
        return State(
            self._steps * self._physics_period,
            motion[: 3 * count].reshape(count, 3),
            motion[7 * count : 10 * count].reshape(count, 3),
            motion[3 * count : 7 * count].reshape(count, 4),
            motion[10 * count :].reshape(count, 3),
            self._alive.copy(),
            self._role,
            self._world_index,
        )

    def __reduce__(self) -> Any:
        raise TypeError("a drone body holds a running physics engine: it can be neither copied nor pickled")

    def close(self) -> None:
        """Let go of the physics client; a second call does nothing."""
        self._finalizer()


def _disconnect(client: int) -> None:
    if pybullet.isConnected(client):
        pybullet.disconnect(client)
