"""Chase: a predator goes for one of its prey."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np
from msgspec import Meta

from swarm.compiled import kernel
from swarm.controllers.rules.directions import length, unit
from swarm.controllers.rules.quarry import Quarry, ahead
from swarm.neighbours import nearest
from swarm.state import Bools, Floats, Ints
from swarm.view import View


@dataclass(frozen=True)
class Chase:
    """Straight at the chosen prey, or at where it will be met::

        v_i = speed * unit(x_t + v_t T - x_i + z),   |x_t + v_t T - x_i| = speed T,   T <= horizon
        z = dive upwards while the level distance is more than `stoop`, else 0

    target "nearest" is the nearest living prey; "isolated" the one within `range` whose nearest fellow is farthest (of
    equal ones the nearest to the predator). With a `dive` a predator in three dimensions comes from above: it flies at
    that height over its prey until it is near enough, and then drops on it. Nothing where there is no prey.

    Source: pursuit of Reynolds, Steering Behaviors for Autonomous Characters (1999); the choice of stragglers as in
    Demsar and Lebar Bajec (2014), Simulated predator attacks on flocks.

    Args:
        target: nearest or isolated.
        speed: m/s.
        horizon: s, as far as a prediction is believed; 0 goes for where it is.
        range: m, within which prey is chosen; None is no bound.
        dive: m above the prey from which to dive.
        stoop: m of level distance at which the dive begins.
    """

    target: Literal["nearest", "isolated"] = "nearest"
    speed: Annotated[float, Meta(ge=0)] = 2.0
    horizon: Annotated[float, Meta(ge=0)] = 0.0
    range: Annotated[float, Meta(gt=0)] | None = None
    dive: Annotated[float, Meta(ge=0)] = 0.0
    stoop: Annotated[float, Meta(ge=0)] = 2.0

    def __call__(self, view: View) -> Floats:
        """Contribution (A, D) m/s."""
        reach = np.inf if self.range is None else self.range
        prey, near = view.prey, view.nearest_prey
        index, displacement, distance = near.index, near.displacement, near.distance
        if self.target == "isolated" and len(prey.position) > 1:
            apart = isolation(prey.position, prey.alive, view.space.period)
            index, displacement, distance = straggler(
                view.position, prey.position, prey.alive, apart, view.space.period, reach
            )
        there = (index >= 0) & (distance <= reach)
        if not there.any():
            return np.zeros_like(view.position)
        velocity = np.where(there[:, None], prey.velocity[index], 0.0)
        way = ahead(Quarry(displacement, velocity, there), self.speed, self.horizon)
        if self.dive > 0.0 and view.dim == 3:
            way[:, 2] += np.where(length(displacement[:, :2]) > self.stoop, self.dive, 0.0)
        return np.asarray(np.where(there[:, None], self.speed * unit(way), 0.0))


def isolation(position: Floats, alive: Bools, box: Floats) -> Floats:
    """(P,) m from each living prey to its nearest living fellow; inf for the last one and for the dead."""
    count = len(position)
    found = nearest(position, np.zeros_like(position), alive, np.zeros(count, np.int64), box, 1)
    apart = np.full(count, np.inf)
    seeing = np.diff(found.indptr) > 0
    apart[seeing] = found.distance[found.indptr[:-1][seeing]]
    return apart


@kernel
def straggler(
    position: Floats, prey: Floats, alive: Bools, apart: Floats, box: Floats, reach: float
) -> tuple[Ints, Floats, Floats]:
    """The most isolated living prey within reach of each predator: index or -1, displacement (A, D) m, distance m."""
    agents, dim = position.shape
    index, displacement, distance = np.full(agents, -1), np.zeros((agents, dim)), np.full(agents, np.inf)
    step = np.empty(3)
    for i in range(agents):
        most = -1.0
        for j in range(len(prey)):
            if not alive[j]:
                continue
            square = 0.0
            for k in range(dim):
                step[k] = prey[j, k] - position[i, k]
                if box[k] > 0.0:
                    step[k] -= box[k] * np.floor(step[k] / box[k] + 0.5)
                square += step[k] * step[k]
            away = np.sqrt(square)
            if away <= reach and (apart[j] > most or (apart[j] == most and away < distance[i])):
                most, index[i], distance[i] = apart[j], j, away
                for k in range(dim):
                    displacement[i, k] = step[k]
    return index, displacement, distance
