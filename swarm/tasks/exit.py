"""Exit: everybody finds the way out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np
from msgspec import Meta

from swarm.errors import BadInput
from swarm.metrics.mission import exit_time
from swarm.state import Bools, Floats, State
from swarm.tasks.scene import Scene
from swarm.tasks.way import Way, margins
from swarm.worlds.world import World
from swarm.worlds.zones import Zone


@dataclass(frozen=True)
class Exit:
    """Met when a share of the living have been at the exit, at whatever time each; who arrived may stay or go on.

    The exit is an area of the world, or what is within `radius` of a target. Where it is not `known`, views show
    neither target nor route.
    """

    kind: ClassVar[str] = "exit"

    exit: str | None = None  # an area of the world
    target: Annotated[tuple[float, ...], Meta(min_length=2, max_length=3)] | None = None  # m, in place of an area
    radius: Annotated[float, Meta(gt=0)] = 1.0  # m, around a target
    share: Annotated[float, Meta(gt=0, le=1)] = 1.0  # of the living
    known: bool = True  # whether the swarm knows where it is, and the way
    ends: bool = True  # whether the run is over then

    def __post_init__(self) -> None:
        if (self.exit is None) == (self.target is None):
            raise BadInput(f"exit: expected either exit or target, got {'neither' if self.exit is None else 'both'}")

    def begin(self, scene: Scene) -> ExitGoal:
        """Find the exit, and the way to it.

        Raises:
            BadInput: There is no such area, its middle is inside something solid, or it cannot be reached.
        """
        zone = None if self.exit is None else scene.zone("exit", self.exit, "area")
        key, middle = ("target", self.target) if zone is None else ("exit", zone.center)
        assert middle is not None
        target = scene.place(key, middle)
        way = None
        if self.known:
            way = Way(scene.world, target, scene.start, margins(scene.radius, None)).checked(f"{scene.where}.{key}")
        return ExitGoal(target, way, zone, self.radius, self.share, self.ends, len(scene.start), scene.world)


class ExitGoal:
    """Who has been at the exit, and when."""

    path = None
    path_speed = None

    def __init__(
        self, place: Floats, way: Way | None, zone: Zone | None, radius: float, share: float, ends: bool, count: int,
        world: World,
    ) -> None:  # fmt: skip
        self.target = None if way is None else place
        self.way = way
        self.ends_run = ends
        self.arrival = np.full(count, np.inf)  # s, of each agent's first arrival
        self._place, self._zone, self._radius, self._share = place, zone, radius, share
        self._space = world.space

    def inside(self, position: Floats) -> Bools:
        """(A,) who of those at positions (A, D) m is at the exit."""
        if self._zone is not None:
            return self._zone.contains(position)
        return np.asarray(self._off(position) <= self._radius)

    def _off(self, position: Floats) -> Floats:
        away = self._space.displacement(position, self._place)
        return np.asarray(np.sqrt((away * away).sum(axis=1)))

    def update(self, world: World, state: State) -> None:
        """Note who has come; seek the way anew where obstacles have moved."""
        come = self.inside(state.position) & state.alive & np.isinf(self.arrival)
        self.arrival[come] = state.time
        if self.way is not None and world.moving:
            self.way.update(world, state.position[state.alive])

    def met(self, state: State) -> bool:
        """Whether enough of the living have been at the exit, and somebody lives."""
        been = np.isfinite(self.arrival) & state.alive
        return bool(state.alive.any() and been.sum() >= self._share * state.alive.sum() - 1e-9)

    def remaining(self, state: State) -> float:
        """Mean straight distance, m, of those who have not been at the exit."""
        left = state.alive & np.isinf(self.arrival)
        return float(self._off(state.position[left]).mean()) if left.any() else 0.0

    def outcomes(self) -> dict[str, float | None]:
        """Metrics of this task by name."""
        return {"exit_time": exit_time(self.arrival)}
