"""A mission: world + swarm + controller + task + criteria, as one checked description."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from msgspec import Meta

from swarm import formations, tasks
from swarm.bodies import BODIES, Choice
from swarm.bodies.point.motion import Motion
from swarm.criteria import Criterion
from swarm.errors import BadInput
from swarm.formations import Shape
from swarm.roles import ControllerChoice, Role
from swarm.spawn import Point, Spawn
from swarm.state import Floats

if TYPE_CHECKING:
    from swarm.transfer.scale import Scale
    from swarm.worlds.world import World

Positive = Annotated[float, Meta(gt=0)]


@dataclass(frozen=True)
class Perception:
    """What an agent sees of the others and of the obstacles."""

    range: Positive = 5.0  # m
    field_of_view: Annotated[float, Meta(gt=0, le=360)] = 360.0  # degrees, full opening angle about the velocity
    nearest: Annotated[int, Meta(ge=1)] | None = None  # only so many neighbours, the nearest; default: all


@dataclass(frozen=True)
class Swarm:
    """Who flies."""

    count: Annotated[int, Meta(ge=1, le=1_000_000)]  # members; roles come on top
    body: str = "drone"
    engine: str | None = None  # default: the body's first
    model: str | None = None  # default: the body's first
    spawn: Spawn = field(default_factory=Spawn)
    perception: Perception = field(default_factory=Perception)
    physics_hz: Annotated[int, Meta(ge=1, le=10_000)] = 240
    command_hz: Annotated[int, Meta(ge=1, le=10_000)] = 48
    speed_limit: Positive | None = None  # m/s a command can ask for; default: the body's
    motion: Motion | None = None  # of points; default: no limits
    roles: tuple[Role, ...] = ()  # after the members, in order
    flight_scale: Positive | None = None  # m that drones fly for a metre of a mission for points; default: by speed

    @property
    def total(self) -> int:
        """Members and roles together."""
        return self.count + sum(role.count for role in self.roles)

    @property
    def flock(self) -> int:
        """Members and leaders."""
        return self.count + sum(role.count for role in self.roles if role.role != "predator")


@dataclass(frozen=True)
class Formation:
    """The shape the swarm should hold; read by metrics and formation controllers."""

    shape: Shape
    spacing: Annotated[float, Meta(gt=0, le=1e5)] = 1.0  # m
    points: tuple[Point, ...] | None = None  # m


@dataclass(frozen=True)
class Measure:
    """From when on means are taken, and how near is near."""

    from_: Annotated[float, Meta(ge=0)] = 0.0  # s; `from` in the file
    near_miss: Positive | None = None  # m between centres; default three hull radii


@dataclass(frozen=True)
class Safety:
    """A last check on every command, whoever decides."""

    filter: Literal["none", "barrier"] = "none"


@dataclass(frozen=True, eq=False)
class Mission:
    """A checked mission. Build one with `swarm.load_mission`."""

    name: str
    file: str  # as the user knows it, for messages
    folder: Path  # where relative paths start
    duration: float  # s simulated
    seed: int
    world: Mapping[str, Any]  # the [world] table, with the world it uses laid under it
    world_file: str  # where relative paths of the world start
    swarm: Swarm
    body: Choice  # body, engine and model, resolved
    controller: ControllerChoice
    formation: Formation | None
    task: tasks.Task
    measure: Measure
    safety: Safety
    criteria: tuple[Criterion, ...]
    table: Mapping[str, Any]  # as read, with overrides
    seeds: int = 1  # how many runs, from `seed` on, where the caller names none
    transfer: Scale | None = None  # how it is flown by another body than it was made for

    def build_world(self, seed: int, body: str | None = None) -> World:
        """The world of one run.

        Args:
            seed: Makes a generated world and gusts, unless they have a seed of their own.
            body: Who moves in it; None takes the mission's. A torus becomes walls for bodies that cannot wrap,
                and a world of two dimensions without a floor plan a hall for walkers.

        Returns:
            The world; the same object again while nothing has changed.

        Raises:
            BadInput: One line for each fault of the world.
        """
        from swarm.worlds.wind import drawn_by_the_run

        generator = self.world.get("generator")
        fixed = generator is None or (isinstance(generator, dict) and "seed" in generator)
        fixed = fixed and not drawn_by_the_run(self.world)
        label = f"{self.file}: world." if self.world_file == self.own_file else f"{Path(self.world_file).name}: "
        own = tuple(self.table.get("world", ()))
        chosen = body or self.body.body
        world = _cached_world(
            _Frozen(self.world), self.world_file, label, f"{self.file}: world.", own, 0 if fixed else seed, chosen
        )
        return world if self.transfer is None else self.transfer.world(world)

    @property
    def interaction_range(self) -> float:
        """m between centres, up to which two agents count as linked in metrics: the range of the rules' perception."""
        if self.transfer is None:
            return self.swarm.perception.range
        return self.transfer.factor * self.transfer.native.swarm.perception.range

    @property
    def own_file(self) -> str:
        """Path of the mission's own file."""
        return str(self.folder / Path(self.file).name)

    def formation_slots(self, dim: int) -> Floats | None:
        """(N, dim) m slots of the formation for members and leaders, or None where the mission has none."""
        if self.formation is None:
            return None
        chosen = self.formation
        return formations.slots(chosen.shape, self.swarm.flock, chosen.spacing, dim, chosen.points)

    def changed(self, overrides: Mapping[str, Any]) -> Mission:
        """This mission with other values at dotted key paths, checked again."""
        from swarm.mission_file import apply, mission_from_table

        return mission_from_table(apply(self.table, overrides), self.file, self.folder)


class _Frozen(dict[str, Any]):
    """A table as a cache key: two equal tables are one key."""

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(repr(self))


@lru_cache(maxsize=2)
def _cached_world(
    table: _Frozen, world_file: str, label: str, own_label: str, own: tuple[str, ...], seed: int, body: str
) -> World:
    """Faults begin with `label`, or `own_label` for the keys that the mission has put in the world file's place."""
    from swarm.worlds import build_world

    def named(fault: str) -> str:
        rest = fault.removeprefix(f"{world_file}: ")
        if rest == fault:
            return fault
        return (own_label if re.split(r"[.\[:]", rest, maxsplit=1)[0] in own else label) + rest

    try:
        world = build_world(table, world_file, seed)
    except BadInput as error:
        raise BadInput(*map(named, error.faults)) from None
    if BODIES[body].on_cells:
        from swarm.worlds.floor_plan.hall import as_hall

        return as_hall(world)
    return world if BODIES[body].wraps else world.walled()
