"""Leader following: stay behind a leader and out of its way."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np
from msgspec import Meta

from swarm.compiled import kernel
from swarm.state import LEADER, Floats, Ints
from swarm.view import View


@dataclass(frozen=True)
class LeaderFollowing:
    """Arrive at a place behind the nearest leader in sight; who is in its way steps aside instead::

        b = x_l - behind * h_l - x_i,   v_i = v_l + speed * min(1, |b| / slowing) * b / |b|
        in the way, 0 < a = -d . h_l < ahead and |s| < aside:   v_i = speed * s / |s|

    with h_l the leader's heading (+x at rest), d = x_l - x_i, and s = -d - a h_l the agent's place beside that line;
    one on the line steps to the leader's left. Leaders follow nobody. For many followers add separation.

    Source: Reynolds, Steering Behaviors for Autonomous Characters (1999), leader following.

    Args:
        behind: m.
        speed: m/s, on top of the leader's.
        slowing: m from the place, within which to slow down.
        ahead, aside: m in front of a leader and to either side that are its way.
    """

    behind: Annotated[float, Meta(ge=0)] = 1.0
    speed: Annotated[float, Meta(ge=0)] = 1.0
    slowing: Annotated[float, Meta(gt=0)] = 1.0
    ahead: Annotated[float, Meta(ge=0)] = 1.5
    aside: Annotated[float, Meta(ge=0)] = 0.5

    def __call__(self, view: View) -> Floats:
        """Contribution (A, D) m/s."""
        return follow(
            view.neighbours.indptr, view.neighbours.indices, view.neighbours.displacement, view.neighbours.distance,
            view.velocity, view.role, self.behind, self.speed, self.slowing, self.ahead, self.aside,
        )  # fmt: skip


@kernel
def follow(
    indptr: Ints, indices: Ints, displacement: Floats, distance: Floats, velocity: Floats, role: Ints,
    behind: float, most: float, slowing: float, ahead: float, aside: float,
) -> Floats:  # fmt: skip
    """The formula of LeaderFollowing over a neighbour graph, (A, D) m/s."""
    agents, dim = velocity.shape
    total = np.zeros((agents, dim))
    heading, way = np.empty(3), np.empty(3)
    for i in range(agents):
        if role[i] == LEADER:
            continue
        chosen, least = -1, np.inf
        for edge in range(indptr[i], indptr[i + 1]):
            if role[indices[edge]] == LEADER and distance[edge] < least:
                chosen, least = edge, distance[edge]
        if chosen < 0:
            continue
        leader = indices[chosen]
        speed, front = 0.0, 0.0
        for k in range(dim):
            speed += velocity[leader, k] * velocity[leader, k]
        speed = np.sqrt(speed)
        for k in range(dim):
            heading[k] = velocity[leader, k] / speed if speed > 1e-9 else (1.0 if k == 0 else 0.0)
            front -= displacement[chosen, k] * heading[k]
        length = 0.0
        for k in range(dim):
            way[k] = -displacement[chosen, k] - front * heading[k]
            length += way[k] * way[k]
        length = np.sqrt(length)
        if 0.0 < front < ahead and length < aside:
            if length > 1e-9:
                for k in range(dim):
                    total[i, k] = most * way[k] / length
            else:
                level = np.sqrt(heading[0] ** 2 + heading[1] ** 2)
                total[i, 0] = -most * heading[1] / level if level > 1e-9 else 0.0
                total[i, 1] = most * heading[0] / level if level > 1e-9 else most
            continue
        length = 0.0
        for k in range(dim):
            way[k] = displacement[chosen, k] - behind * heading[k]
            length += way[k] * way[k]
        length = np.sqrt(length)
        scale = most * min(1.0, length / slowing) / length if length > 1e-12 else 0.0
        for k in range(dim):
            total[i, k] = velocity[leader, k] + scale * way[k]
    return total
