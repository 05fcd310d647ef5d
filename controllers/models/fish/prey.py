"""The school and a predator: flee when it is near, mostly flee when it is in sight."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from swarm.controllers.models.fish.school import FishSchool, Weight
from swarm.controllers.models.headings import unit
from swarm.state import Floats
from swarm.view import View

CANCELS = 1e-5  # share of a way that counts as none


@dataclass
class FishPrey(FishSchool):
    """Fish that know of a predator, the nearest where there are several::

        within danger:   d_i' = E_i + B_i                                                at v
        within sense:    d_i' = .1 C + .1 A + .1 R + .25 E_i + .25 B_i + .1 G + .1 H     at v
        else:            as `FishSchool`

    with E_i away from the predator and B_i against its heading. `repaired` takes both as directions, and of B_i only
    what does not lead towards the predator: else the two cancel for the very fish that it swims at, which would wait
    for it. The dead are in no mean.

    `literal` has that flaw, E and B in metres (B as long as the way from the predator to its nearest fish) and a speed
    in danger of v ‖E + B‖ / 2, which falls as the predator comes nearer. The eaten are put to `eaten_place` and stay
    in G and H, a fish does not count itself there, and a fish outside the box at v turns round unless it is in danger.

    Source: as `FishSchool`, part 4.2 and program 8.2. There 100 fish live in a box of 5 m with `repulsion_radius` 0.01.

    Args:
        danger, sense: m, distances of the predator.
        escape_weight, against_weight: of E and B in sight.
        watchful_cohesion_weight, watchful_alignment_weight, watchful_repulsion_weight, watchful_centre_weight,
            watchful_heading_weight: of C, A, R, G and H in sight.
        eaten_place: m, `literal` only.
    """

    repulsion_radius: Weight = 0.01
    danger: Weight = 1.0
    sense: Weight = 2.5
    escape_weight: Weight = 0.25
    against_weight: Weight = 0.25
    watchful_cohesion_weight: Weight = 0.1
    watchful_alignment_weight: Weight = 0.1
    watchful_repulsion_weight: Weight = 0.1
    watchful_centre_weight: Weight = 0.1
    watchful_heading_weight: Weight = 0.1
    eaten_place: tuple[float, ...] = (-111.0, -11.0, -11.0)

    def _watchful(self) -> dict[str, float]:
        return {
            "cohesion": self.watchful_cohesion_weight,
            "alignment": self.watchful_alignment_weight,
            "repulsion": self.watchful_repulsion_weight,
            "centre": self.watchful_centre_weight,
            "heading": self.watchful_heading_weight,
            "escape": self.escape_weight,
            "against": self.against_weight,
        }

    def _decide(self, view: View, before: Floats, terms: dict[str, Floats]) -> tuple[Floats, Floats]:
        wanted, speed = super()._decide(view, before, terms)
        threat = view.nearest_predator
        aware = threat.distance <= max(self.sense, self.danger)
        if not aware.any():
            return wanted, speed
        escape = unit(np.where(aware[:, None], -threat.displacement, 0.0), before)
        hunting = view.predators.velocity[np.maximum(threat.index, 0)]
        against = -unit(hunting, np.zeros_like(hunting))
        # Only what does not lead towards the predator.
        against = against - np.minimum((against * escape).sum(axis=1), 0.0)[:, None] * escape
        terms = {**terms, "escape": escape, "against": against}
        watchful = unit(self._weighted(terms, self._watchful()), escape)
        fleeing = unit(escape + against, escape)
        in_danger = threat.distance <= self.danger
        in_sight = threat.distance <= self.sense
        wanted = np.where(in_danger[:, None], fleeing, np.where(in_sight[:, None], watchful, wanted))
        return wanted, np.where(in_danger | in_sight, self.speed, speed)

    def _literal(self, view: View) -> Floats:
        memory = self._remembered(view, 1.0)
        eaten = np.array([*self.eaten_place, *[0.0] * view.dim][: view.dim])
        position = np.where(view.alive[:, None], view.position, eaten)
        centre, heading = memory.gather(position, view.role, self.repulsion_radius, self.vision, itself=False)
        outside = ((position >= view.bounds[1]) | (position <= view.bounds[0])).any(axis=1)
        threat = view.nearest_predator
        known = np.isfinite(threat.distance)
        escape = np.where(known[:, None], -threat.displacement, 0.0)
        against = -self._hunting(view, threat.index)
        in_danger, in_sight = threat.distance <= self.danger, threat.distance <= self.sense
        terms = memory.terms(centre, heading)
        watchful = self._weighted({**terms, "escape": escape, "against": against}, self._watchful())
        after = np.where(in_sight[:, None], watchful, self._weighted(terms))
        after = np.where(outside[:, None], -memory.direction, after)
        fleeing = escape + against
        # Velocities have passed as float32: what cancels to rounding cancels.
        waiting = (np.abs(fleeing) <= CANCELS * np.abs(escape).max(axis=1, keepdims=True)).all(axis=1)
        fleeing[waiting] = 0.0
        memory.direction = np.where(in_danger[:, None], fleeing, after)
        pace = self.speed * np.exp(self.sharpness * (memory.phi - 1.0))
        pace = np.where(in_sight | outside, self.speed, pace)
        length = np.sqrt((memory.direction * memory.direction).sum(axis=1))
        return memory.step(np.where(in_danger, 0.5 * length * self.speed, pace))

    def _hunting(self, view: View, index: np.ndarray) -> Floats:
        """(A, D) m: the way from each fish's predator to the fish nearest to it, along that predator's velocity."""
        predators, living = view.predators, view.position[view.alive]
        if not len(predators.position) or not len(living):
            return np.zeros_like(view.position)
        offset = view.space.displacement(predators.position[:, None], living[None])
        nearest = np.sqrt((offset * offset).sum(axis=2)).min(axis=1)
        way = unit(predators.velocity, np.zeros_like(predators.velocity)) * nearest[:, None]
        return np.where((index >= 0)[:, None], way[np.maximum(index, 0)], 0.0)
