"""Formation flight: a rigid frame follows a planned way, and every agent keeps its slot as far as obstacles let it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated

import numpy as np
from msgspec import Meta

from swarm.briefing import Briefing
from swarm.controllers.assignment import assign, reassign
from swarm.controllers.planning.plan import Manner, Plan, make_plans
from swarm.controllers.planning.track import track
from swarm.controllers.planning.winding import both_sides
from swarm.controllers.planning.yielding import give_way
from swarm.controllers.safety.barrier import Barrier
from swarm.errors import SimulationError
from swarm.state import Floats, Ints
from swarm.view import View

if TYPE_CHECKING:
    from swarm.worlds.world import World

Positive = Annotated[float, Meta(gt=0)]
NotNegative = Annotated[float, Meta(ge=0)]
ARRIVED = 0.05  # m before its end at which a plan gives way to the next
GLANCE = 0.1  # s between looks at what moves
HELD = 4.0  # s that the frame waits for a moving obstacle before it looks for a way around
MOVED = 0.25  # m that a target may move before the way is planned anew
RESEAT = 0.5  # s between looks at who should have which slot


@dataclass
class Formation:
    """Fly one swarm to the target, along a task's own path, or hover; in the briefing's formation, else the start's.

    At reset a way of the centre is sought on which slots meet few obstacles; each slot's lane then bends sideways
    around those that are left, and the frame's speed is set so that every agent can follow (see
    swarm.controllers.planning). In flight::

        v_i = velocity of the lane + gain * (lane - x_i),   then the safety barrier

    Args:
        cruise: m/s, where the task names no speed.
        gain: 1/s, velocity per metre off the lane.
        correction: m/s, most that this asks for.
        anticipation: s, by which velocities are asked for early because the body answers late; 0.22 suits the
            quadrotors.
        patience: m behind the lane from which the frame slows down for an agent.
        clearance: m that lanes keep from surfaces where there is room.
        apart: m between the centres of two lanes.
        stiffness: m^4, how far ahead lanes begin to bend.
        toll: 1/m^2, how far round the centre goes so that slots stay clear.
        rounding: m, corners of the centre's way are rounded with this standard deviation.
        turning: m, the formation turns over about twice this way at a corner.
        sideways: m/s^2, acceleration of agents in bends.
        along: m/s^2, acceleration of the frame.
        hysteresis: Share of squared distance that exchanging slots must save.
        barrier: The last stage, with the anticipation as its foresight.
    """

    cruise: Positive = 1.5
    gain: NotNegative = 1.5
    correction: Positive = 0.7
    anticipation: NotNegative = 0.22
    patience: Positive = 0.3
    clearance: NotNegative = 0.35
    apart: NotNegative = 0.6
    stiffness: Positive = 0.02
    toll: NotNegative = 20.0
    rounding: Positive = 0.4
    turning: Positive = 2.0
    sideways: Positive = 4.0
    along: Positive = 1.5
    hysteresis: Annotated[float, Meta(ge=0, lt=1)] = 0.2
    barrier: Barrier = field(default_factory=lambda: Barrier(foresight=0.22))
    _plan: Plan | None = field(default=None, init=False, repr=False, compare=False)

    def reset(self, briefing: Briefing) -> None:
        """Plan the way; the plan is kept for the next reset in the same world."""
        self.barrier.reset(briefing)
        self._briefing = briefing
        self._target, self._path = briefing.target, briefing.path
        start = briefing.position.mean(axis=0)
        line, speed = self._way(start, briefing.path_speed)
        ahead = line[1] - start
        slots = briefing.formation
        if slots is None:
            slots = _turned(briefing.position - start, -np.arctan2(ahead[1], ahead[0]))
        self._slots = slots
        level = np.append(ahead[:2], np.zeros(len(ahead) - 2))
        back = level / max(float(np.hypot(*level[:2])), 1e-9)
        self._held = self._glance = 0.0  # s
        self._most = 1.0  # share of the plan's speed that the frame may have
        self._shown: tuple[Floats | None, Floats | None] | None = None  # path and target of the view last planned for
        self._fly(self._planned(line, speed, [np.stack([start - back, start])]), 0.0, briefing.position)

    def _way(self, start: Floats, speed: Floats | None) -> tuple[Floats, Floats | None]:
        """Start, way-points and end (K, D) m of the way now wanted, and the speed on each leg."""
        way = [start[None]]
        if self._path is not None:
            way.append(self._path)
        else:
            way.append(start[None] if self._target is None else self._target[None])
        if speed is not None:
            speed = np.concatenate([speed[:1], speed])  # the way to the path's beginning goes as its first leg
        return np.concatenate(way), speed

    def _planned(
        self, line: Floats, speed: Floats | None, trails: Sequence[Floats], world: World | None = None
    ) -> tuple[Plan, ...]:
        briefing = self._briefing
        manner = Manner(
            cruise=self.cruise, clearance=self.clearance, apart=self.apart, stiffness=self.stiffness, toll=self.toll,
            rounding=self.rounding, turning=self.turning, surface_margin=self.barrier.surface_margin,
            pair_margin=2.0 * briefing.radius + self.barrier.pair_margin,
            braking=briefing.acceleration_limit, delay=self.barrier.delay(briefing.dt),
            fastest=0.9 * briefing.speed_limit, sideways=self.sideways, along=self.along, radius=briefing.radius,
        )  # fmt: skip
        self._around = briefing.world.still if world is None else world
        return make_plans(
            self._around, self._slots, line, speed, self._path is not None, manner, trails, self._briefing.gates
        )

    def _fly(self, plans: tuple[Plan, ...], time: float, position: Floats) -> None:
        """Begin the first of several plans, with the others to follow."""
        self._plan, self._later = plans[0], plans[1:]
        self._progress = np.zeros(2)
        self._seat: Ints = assign(position, self._plan.lanes[0])
        self._look = time + RESEAT

    @property
    def plan(self) -> Plan:
        """The plan being flown."""
        if self._plan is None:
            raise SimulationError("the formation controller was not reset before its first step")
        return self._plan

    def __call__(self, view: View) -> Floats:
        """Velocity commands (A, D) m/s."""
        plan = self.plan
        if self._shown is None:
            self._shown = view.path, view.target
        elif self._new_orders(view):
            plan = self._replan(view, plan)
        if self._later and self._progress[0] >= plan.spacing * (len(plan.speed) - 1) - ARRIVED:
            self._fly(self._later, view.time, view.position)
            plan = self.plan
            self._reseat(view, plan)
        if view.time >= self._look:
            self._look = view.time + RESEAT
            self._reseat(view, plan)
        if self._briefing.world.moving and view.time >= self._glance:
            self._give_way(view, plan)
            plan = self.plan
        wanted = track(
            view.position, view.alive, self._seat, plan.lanes, plan.speed, plan.spacing, self._progress,
            view.dt, self.anticipation, self.along, self.gain, self.correction, self.patience, self._most,
        )  # fmt: skip
        return self.barrier(view, wanted)

    def _give_way(self, view: View, plan: Plan) -> None:
        """Slow the frame down for what moves; plan anew when held up for long."""
        self._glance = view.time + GLANCE
        world, (place, speed) = self._briefing.world, self._progress
        room = view.radius + self.clearance
        self._most = give_way(world, self._around, view.time, plan, float(place), float(speed), self.along, room)
        if self._most > 0.0 or place >= plan.spacing * (len(plan.speed) - 1) - ARRIVED:
            self._held = view.time
        elif view.time - self._held > HELD:
            self._held = view.time
            self._replan(view, plan, world.at(view.time))

    def _new_orders(self, view: View) -> bool:
        """Whether the task wants something else than what is planned."""
        assert self._shown is not None
        path, target = self._shown
        if view.path is not path:
            return True
        if path is not None or view.target is None or view.target is target:
            return False
        moved = view.target - self._target if self._target is not None else None
        return moved is None or float(np.sqrt((moved * moved).sum())) > MOVED

    def _replan(self, view: View, plan: Plan, world: World | None = None) -> Plan:
        """Plan anew from where the frame is, around what stands in the world; by default around what never moves."""
        self._shown = view.path, view.target
        self._path, self._target = view.path, view.target
        if self._path is not None and view.target is not None:  # what is behind need not be flown again
            here = np.flatnonzero((self._path == view.target).all(axis=1))
            self._path = self._path[here[0] if len(here) else 0 :]
        at = min(int(self._progress[0] / plan.spacing + 0.5), len(plan.speed) - 1)
        trails = both_sides(plan, at)
        line, speed = self._way(trails[0][-1], None)
        self._fly(self._planned(line, speed, trails, world), view.time, view.position)
        self._reseat(view, self.plan)
        return self.plan

    def _reseat(self, view: View, plan: Plan) -> None:
        slots = plan.lanes[min(int(self._progress[0] / plan.spacing + 0.5), len(plan.lanes) - 1)]
        living = np.flatnonzero(view.alive)
        seat = np.full(len(self._seat), -1, np.int64)
        seat[living] = reassign(self._seat[living], view.position[living], slots, self.hysteresis)
        self._seat = seat


def _turned(points: Floats, angle: float) -> Floats:
    """Points turned about z by an angle in rad."""
    turned: Floats = points.copy()
    turned[:, 0] = np.cos(angle) * points[:, 0] - np.sin(angle) * points[:, 1]
    turned[:, 1] = np.sin(angle) * points[:, 0] + np.cos(angle) * points[:, 1]
    return turned
