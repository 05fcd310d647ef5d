"""Flee predators: away from all of them that are near, the more the nearer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np
from msgspec import Meta

from swarm.compiled import kernel
from swarm.state import Bools, Floats
from swarm.view import View


@dataclass(frozen=True)
class FleePredators:
    """Every living predator nearer than `radius` drives away along the line between the two, up to `speed` in all::

        v_i = c min(1, speed / |c|),   c = speed * sum_p max(0, 1 - d_ip / radius) ^ falloff * (x_i - x_p) / d_ip

    With falloff 0 an agent flees at full speed as soon as it is within the radius. From a predator at its very place it
    flees along +x.

    Source: flee of Reynolds, Steering Behaviors for Autonomous Characters (1999), summed over predators.

    Args:
        radius: m, within which a predator is noticed.
        speed: m/s.
        falloff: Power of the nearness.
    """

    radius: Annotated[float, Meta(gt=0)] = 5.0
    speed: Annotated[float, Meta(ge=0)] = 2.0
    falloff: Annotated[float, Meta(ge=0)] = 1.0

    def __call__(self, view: View) -> Floats:
        """Contribution (A, D) m/s."""
        others = view.predators
        return driven(
            view.position, others.position, others.alive, view.space.period, self.radius, self.speed, self.falloff
        )


@kernel
def driven(
    position: Floats, predators: Floats, alive: Bools, box: Floats, radius: float, most: float, falloff: float
) -> Floats:
    """The formula of FleePredators, (A, D) m/s; box (D,) m is the period of each axis, 0 where it does not wrap."""
    agents, dim = position.shape
    total = np.zeros((agents, dim))
    step = np.empty(3)
    for i in range(agents):
        for j in range(len(predators)):
            if not alive[j]:
                continue
            square = 0.0
            for k in range(dim):
                step[k] = position[i, k] - predators[j, k]
                if box[k] > 0.0:
                    step[k] -= box[k] * np.floor(step[k] / box[k] + 0.5)
                square += step[k] * step[k]
            apart = np.sqrt(square)
            if apart >= radius:
                continue
            push = most * (1.0 - apart / radius) ** falloff
            if apart > 0.0:
                for k in range(dim):
                    total[i, k] += push * step[k] / apart
            else:
                total[i, 0] += push
        length = 0.0
        for k in range(dim):
            length += total[i, k] * total[i, k]
        length = np.sqrt(length)
        if length > most:
            for k in range(dim):
                total[i, k] *= most / length
    return total
