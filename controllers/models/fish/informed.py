"""Informed fish that know where the food is, and those who follow."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from swarm.briefing import Briefing
from swarm.controllers.models.fish.accumulated import Memory
from swarm.controllers.models.fish.school import FishSchool, Positive, Variant, Weight
from swarm.controllers.models.fish.terms import direction, near_terms
from swarm.controllers.models.headings import unit
from swarm.controllers.models.turning_back import turned_back
from swarm.errors import BadInput
from swarm.state import LEADER, Floats
from swarm.view import View

Place = tuple[float, ...]
FOOD: Place = (5.0, 5.0, 5.0)  # m


def place_of(food: Place, dim: int) -> Floats:
    """(D,) m of the food; in the plane without its height.

    Raises:
        BadInput: It has fewer numbers than the world has dimensions.
    """
    if len(food) < dim:
        raise BadInput(f"controller.params.food: expected {dim} numbers, got {len(food)}")
    return np.asarray(food[:dim], float)


@dataclass
class FishFollowers(FishSchool):
    """A fish school that turns to the food within `food_radius` of it::

        d_i' = .1 d + .1 C + .1 A + .1 R + .3 G + .3 H + .5 F_i

    `repaired` takes F as a direction as it does the others. In `literal` .5 (food − p) is added to d before, of which a
    tenth is left; those informed, the leaders, keep for all others the direction that they drew at first, because the
    program never writes down another.

    Source: as `FishSchool`, part 4.3 and program 8.3, whose end is missing; what is missing is taken from 8.1.

    Args:
        food: m.
        food_radius: m.
        food_weight: of F.
    """

    food: Place = FOOD
    food_radius: Weight = 3.0
    food_weight: Weight = 0.5

    def reset(self, briefing: Briefing) -> None:
        """Take the run's random numbers and forget the directions."""
        place_of(self.food, briefing.dim)
        super().reset(briefing)

    def _food(self, view: View) -> tuple[Floats, np.ndarray]:
        """Offsets (A, D) m to the food, and who is near it (A, 1)."""
        offset = view.space.displacement(view.position, place_of(self.food, view.dim))
        return offset, np.sqrt((offset * offset).sum(axis=1))[:, None] <= self.food_radius

    def _decide(self, view: View, before: Floats, terms: dict[str, Floats]) -> tuple[Floats, Floats]:
        offset, near = self._food(view)
        towards = np.where(near, self.food_weight * direction(offset, self.soft), 0.0)
        return direction(self._weighted(terms) + towards), self._pace(view, before)

    def _literal(self, view: View) -> Floats:
        memory = self._remembered(view, 0.0)
        leading = (view.role == LEADER)[:, None]
        at_first = memory.direction
        offset, near = self._food(view)
        memory.direction = np.where(near & ~leading, at_first + self.food_weight * offset, at_first)
        command = super()._literal(view)
        memory.direction = np.where(leading, at_first, memory.direction)
        return command


@dataclass
class FishInformed:
    """Informed fish: slowly to the food, heeding only those too near::

        d_i' = .5 R_i + .5 F_i     at v / 8, until within `arrival` of the food

    `repaired` takes R and F as directions. In `literal` they are metres, so that R, of less than .1, hardly counts, it
    accumulates as `accumulated` says with the fish itself counted, and stays when nobody is near any more.

    Source: as `FishSchool`, part 4.3 and program 8.3.

    Args:
        food: m.
        repulsion_weight, food_weight: of R and F.
        repulsion_radius: m.
        speed: v, m/s, that of the others.
        slowness: How many times slower it is.
        arrival: m.
        soft: m, as in `FishSchool`; `repaired` only.
        variant: `repaired` or `literal`.
    """

    food: Place = FOOD
    repulsion_weight: Weight = 0.5
    food_weight: Weight = 0.5
    repulsion_radius: Weight = 0.1
    speed: Weight = 0.1
    slowness: Positive = 8.0
    arrival: Weight = 0.1
    soft: Positive = 1.0
    variant: Variant = "repaired"

    _memory: Memory | None = field(default=None, init=False, repr=False, compare=False)

    def reset(self, briefing: Briefing) -> None:
        """Check the food against the world of a new run, and forget who was near."""
        place_of(self.food, briefing.dim)
        self._memory = None

    def __call__(self, view: View) -> Floats:
        """Velocity commands (A, D) m/s."""
        offset = view.space.displacement(view.position, place_of(self.food, view.dim))
        hungry = np.sqrt((offset * offset).sum(axis=1)) >= self.arrival
        if self.variant == "literal":
            away = self._kept(view)
        else:
            graph, still = view.neighbours, np.zeros_like(offset)
            away = near_terms(
                graph.indptr, graph.indices, graph.displacement, graph.distance, still, self.repulsion_radius, 0.0
            )[2]
            away, offset = direction(away, max(self.repulsion_radius, 1e-9)), direction(offset, self.soft)
        wanted = unit(self.repulsion_weight * away + self.food_weight * offset, np.zeros_like(offset))
        speed = min(self.speed / self.slowness, view.speed_limit)
        command = np.where(hungry[:, None], wanted * speed, 0.0)
        return command if self.variant == "literal" else turned_back(view, command)

    def _kept(self, view: View) -> Floats:
        """R (A, D) m as the program keeps it."""
        memory = self._memory
        if memory is None or memory.direction.shape != view.position.shape:
            memory = self._memory = Memory.begin(np.zeros_like(view.position), 0.0)
        memory.gather(view.position, view.role, self.repulsion_radius, 0.0, close=True, present=view.alive)
        return memory.repulsion
