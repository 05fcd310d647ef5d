"""Leaders: boids that are a little faster, are heeded more, and know where to go."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated

import numpy as np
from msgspec import Meta

from swarm.briefing import Briefing
from swarm.controllers.models.netlogo.boids import Amount, NetLogoBoids
from swarm.errors import BadInput
from swarm.state import Floats
from swarm.view import View


@dataclass
class NetLogoLeader(NetLogoBoids):
    """A NetLogo boid that last of all turns towards a target, or onto a course; others give its heading more weight.

    The text says that leaders fly to the target, not how sharply they turn to it: `max_target_turn` is no number of
    the source, nor is `course`, for leaders that choose different directions. Leaders cannot stop at a target, so they
    circle about it, their headings cancel in align, and the flock passes by; on a course they take it along.

    Args:
        speed: m/s.
        leader_weight: Leaders heed each other as anybody else.
        target: m; None takes the task's, if it has one.
        course: NetLogo degrees to hold where there is no target; None for none: then a leader is a faster boid.
        max_target_turn: degrees/s, to either.
    """

    speed: Amount = 1.2
    leader_weight: Amount = 1.0
    target: Annotated[tuple[float, ...], Meta(min_length=2, max_length=3)] | None = None
    course: float | None = None
    max_target_turn: Amount = 5.0

    def reset(self, briefing: Briefing) -> None:
        """Look at the world, and take the run's random numbers.

        Raises:
            BadInput: The target has another dimension than the world.
        """
        super().reset(briefing)
        if self.target is not None and len(self.target) != briefing.dim:
            raise BadInput(f"controller.params.target: expected {briefing.dim} numbers, got {len(self.target)}")

    def _onward(self, view: View, direction: Floats) -> Floats:
        direction = super()._onward(view, direction)
        target = view.target if self.target is None else np.asarray(self.target, dtype=float)
        if target is not None:
            wish = view.space.displacement(view.position, target)
        elif self.course is not None:
            wish = np.zeros_like(direction)
            wish[:, :2] = np.sin(math.radians(self.course)), np.cos(math.radians(self.course))
        else:
            return direction
        return self._turn(view, direction, wish, self.max_target_turn)
