"""The rule of Hadimassa's walkers as a controller."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Annotated, Literal

import numpy as np
from msgspec import Meta

from swarm.briefing import Briefing
from swarm.chance import word
from swarm.controllers.models.hadimassa.decision import JUST_OUT, Habits, Minds, decide
from swarm.controllers.models.hadimassa.perception import Crowd
from swarm.controllers.models.hadimassa.way import Ways, ways_of
from swarm.state import Floats
from swarm.view import View
from swarm.worlds.floor_plan.places import Ground, ground_of
from swarm.worlds.floor_plan.plan import FloorPlan

Length = Annotated[float, Meta(ge=0)]


@dataclass
class Hadimassa:
    """People on their way from a source to a goal, each of whom knows the way::

        perceived = wall cells and others within collision_radius and field_of_view
        any:   face one of them, step / backup backwards, face as before
        none:  turn by `turn` degrees towards one of the neighbouring cells nearest to the goal, and step

    Wall cells are perceived by their middles, and neighbours are the eight round a cell; distances are Manhattan. Which
    thing is faced, and which of several cells is nearest, is left to chance. Every walker has a step of its own, always
    the same. All decide on what is there at the start of a tick.

    `literal` is the text, with three quirks: a step back looks at nothing, the way to a neighbour may cut the corner
    of a wall, and nobody sees the edge of the plan. Its list of defaults gives 1.1 as the field of view, a copy of the
    radius; the 180 degrees that it names elsewhere are meant. `repaired` is the same with a look behind (no step back
    where a wall cell or somebody is within `behind` on that side), no corners cut, the edge perceived as wall cells,
    and a way out for who would be stuck: whoever backs up for more than `patience` ticks in a row does not face as
    before, but turns past what it faced, to the nearer side, until that is just out of its view.

    On a world without a floor plan nobody knows a way or sees a wall.

    Source: Hadimassa, an assignment on crowd simulation (2020).

    Args:
        variant: repaired or literal.
        mean_step_size: m/s; a tick of the source is 1 s.
        step_spread: Steps are uniform within this share of the mean.
        collision_radius: m, of the personal space.
        field_of_view: degrees, full angle.
        turn: degrees/s.
        backup: How much smaller a step back is.
        behind: m looked behind before a step back; repaired only.
        patience: s of backing up in a row before one turns aside; repaired only.
    """

    variant: Literal["repaired", "literal"] = "repaired"
    mean_step_size: Length = 0.35
    step_spread: Annotated[float, Meta(ge=0, le=1)] = 0.3
    collision_radius: Annotated[float, Meta(ge=0, le=1000)] = 1.1
    field_of_view: Annotated[float, Meta(ge=0, le=360)] = 180.0
    turn: Annotated[float, Meta(ge=0, le=180)] = 2.0
    backup: Annotated[float, Meta(gt=0)] = 8.0
    behind: Annotated[float, Meta(ge=0, le=1000)] = 0.5
    patience: Length = 1.0

    minds: Minds | None = field(default=None, init=False, repr=False, compare=False)
    ticks: int = field(default=0, init=False, repr=False, compare=False)
    _seed: int = field(default=0, init=False, repr=False, compare=False)
    _known: tuple[FloorPlan | None, Ground] | None = field(default=None, init=False, repr=False, compare=False)
    _ways: tuple[Ground, tuple[object, ...], Ways] | None = field(default=None, init=False, repr=False, compare=False)
    _crowd: tuple[tuple[object, ...], Crowd] | None = field(default=None, init=False, repr=False, compare=False)

    def reset(self, briefing: Briefing) -> None:
        """Forget who looked where, and take the run's random numbers."""
        self.minds, self.ticks, self._seed = None, 0, word(briefing.rng)

    def __call__(self, view: View) -> Floats:
        """Velocity commands (A, D) m/s."""
        self.ticks += 1
        position = np.ascontiguousarray(view.position[:, :2])
        command = np.zeros_like(view.position)
        level = np.empty_like(position)
        ground = self.ground(view.floor_plan)
        decide(
            position, view.alive, self.remembered(view), self.habits(view.dt), self.ticks, ground, self.ways(ground),
            self.crowd(ground, len(position)), level,
        )  # fmt: skip
        command[:, :2] = level
        return command

    def resize(self, briefing: Briefing) -> None:
        """Others have joined; whoever was there remembers what it did."""

    def remembered(self, view: View) -> Minds:
        """What walkers remember; at first they look where their bodies do."""
        minds, count = self.minds, len(view.position)
        if minds is None or len(minds.backed) != count:
            yaw = 2.0 * np.arctan2(view.state.attitude[:, 2], view.state.attitude[:, 3])
            heading, backed = np.ascontiguousarray(np.stack([np.cos(yaw), np.sin(yaw)], axis=1)), np.zeros(count, int)
            if minds is not None:
                known = min(count, len(minds.backed))
                heading[:known], backed[:known] = minds.heading[:known], minds.backed[:known]
            minds = self.minds = Minds(heading, backed, self._seed)
        return minds

    @property
    def fastest(self) -> float:
        """m/s, the largest step."""
        return self.mean_step_size * (1.0 + self.step_spread)

    def habits(self, dt: float) -> Habits:
        """The parameters for ticks of dt s."""
        half, turn = math.radians(self.field_of_view) / 2.0, math.radians(self.turn) * dt
        aside = half + JUST_OUT
        return Habits(
            float(self.mean_step_size), float(self.step_spread), float(self.collision_radius), math.cos(half),
            math.cos(turn), math.sin(turn), math.cos(aside), math.sin(aside), float(self.backup),
            self.variant == "repaired", float(self.behind), self.patience / dt,
        )  # fmt: skip

    def ground(self, plan: FloorPlan | None) -> Ground:
        """The plan for compiled code."""
        if self._known is None or self._known[0] is not plan:
            known = FloorPlan(np.zeros((1, 1), np.uint8), 1e9) if plan is None else plan
            self._known = plan, ground_of(known)
        return self._known[1]

    def ways(self, ground: Ground) -> Ways:
        """What walkers know of it."""
        key, known = (float(self.collision_radius), self.variant), self._ways
        if known is None or known[0] is not ground or known[1] != key:
            known = self._ways = ground, key, ways_of(ground, key[0], self.variant == "repaired")
        return known[2]

    def crowd(self, ground: Ground, agents: int) -> Crowd:
        """Room to sort so many walkers in."""
        reach = max(self.collision_radius, self.behind, ground.cell)
        rows, columns = ground.cells.shape
        key = (rows, columns, ground.cell, reach, agents)
        if self._crowd is None or self._crowd[0] != key:
            across, high = (max(1, math.ceil(count * ground.cell / reach)) for count in (columns, rows))
            near = (2 * math.ceil(reach / ground.cell) + 2) ** 2
            self._crowd = key, Crowd(
                reach, across, np.zeros(across * high + 1, np.int64), np.zeros(agents, np.int64),
                np.zeros((agents, 2)), np.zeros((agents + near, 2)),
            )  # fmt: skip
        return self._crowd[1]
