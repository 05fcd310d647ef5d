"""Flock: stay together and alive for the whole duration."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from swarm.state import State
from swarm.tasks.scene import Scene
from swarm.worlds.world import World


@dataclass(frozen=True)
class Flock:
    """No place to go to: the goal is met while every agent lives, and the run lasts its whole duration."""

    kind: ClassVar[str] = "flock"

    def begin(self, scene: Scene) -> FlockGoal:
        """Nothing to prepare."""
        return FlockGoal()


class FlockGoal:
    """Nobody lost."""

    target = None
    way = None
    path = None
    path_speed = None
    ends_run = False
    timed = False  # it is met from the start on, which is no time to target

    def update(self, world: World, state: State) -> None:
        """Nothing to look for."""

    def met(self, state: State) -> bool:
        """Whether every agent lives."""
        return bool(state.alive.all())

    def remaining(self, state: State) -> float:
        """There is no way to go."""
        return 0.0
