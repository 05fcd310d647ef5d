"""The school: direction from near fish and from the whole, speed from how far those near agree."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Literal

import numpy as np
from msgspec import Meta

from swarm.briefing import Briefing
from swarm.controllers.models.fish.accumulated import Memory
from swarm.controllers.models.fish.terms import direction, near_terms, school_terms, turned
from swarm.controllers.models.headings import any_direction, unit
from swarm.controllers.models.local_order import local_order
from swarm.controllers.models.turning_back import turned_back
from swarm.state import Floats
from swarm.view import View

Weight = Annotated[float, Meta(ge=0)]
Positive = Annotated[float, Meta(gt=0)]
Variant = Literal["repaired", "literal"]


@dataclass
class FishSchool:
    """Fish that keep together, one decision a tick::

        d_i' = .1 d_i + .1 C_i + .1 A_i + .1 R_i + .3 G_i + .3 H_i
        p_i' = p_i + v e^{5 (Φ_i − 1)} d̂_i'
        Φ_i  = ‖Σ_j d_j‖ / Σ_j ‖d_j‖                     over those it sees; 1 where there is nobody

    with C, A, R of the fish about it (see `terms`) and G, H of the whole school, itself among it.

    `repaired`, the default, takes every term as what the text calls it, a direction: d, A and H of length 1, and R, C
    and G of length 1 where longer than `repulsion_radius` or `soft` and in proportion below, so that nobody turns to
    and fro about the centre. (With offsets in metres in their place all swim at the centre from all sides, Φ is 0, and
    so is the speed.) Who would leave the box heads inward along that axis.

    `literal` is the text's program, see `accumulated`: no means but (acc + x) / m neighbour after neighbour; d of any
    length; C, A and R stay until somebody else is near; d turns round at every tick that a fish is outside. A box of
    open ends is what it needs, and a command a tick.

    All decide on the same instant, also where the program goes from fish to fish. A command of another length than a
    tick gets that share of the turn; `literal` takes one for the other. At first d is even over all directions in
    `repaired`, and from the fish to a place drawn in the box in `literal`, for those at rest.

    Source: a text in Chinese on the motion of groups after the Boid model, part 4.1 and program 8.1.

    Args:
        own_weight: of d.
        cohesion_weight, alignment_weight, repulsion_weight: of C, A and R.
        centre_weight, heading_weight: of G and H.
        repulsion_radius, vision: m; vision no more than the perception range.
        speed: v, m/s, the most.
        sharpness: Of the speed by local order.
        soft: m, `repaired` only.
        tick: s.
        variant: `repaired` or `literal`.
    """

    own_weight: Weight = 0.1
    cohesion_weight: Weight = 0.1
    alignment_weight: Weight = 0.1
    repulsion_weight: Weight = 0.1
    centre_weight: Weight = 0.3
    heading_weight: Weight = 0.3
    repulsion_radius: Weight = 0.1
    vision: Weight = 5.0
    speed: Weight = 0.1
    sharpness: Weight = 5.0
    soft: Positive = 1.0
    tick: Positive = 1.0
    variant: Variant = "repaired"

    _rng: np.random.Generator | None = field(default=None, init=False, repr=False, compare=False)
    _memory: Memory | None = field(default=None, init=False, repr=False, compare=False)

    def reset(self, briefing: Briefing) -> None:
        """Take the run's random numbers and forget the directions."""
        self._rng, self._memory = briefing.rng, None

    @property
    def undefined(self) -> int:
        """How many fish are without a direction at present, which the text's program would turn into NaN for good."""
        return 0 if self._memory is None else int(self._memory.undefined.sum())

    def __call__(self, view: View) -> Floats:
        """Velocity commands (A, D) m/s."""
        if self.variant == "literal":
            return self._literal(view)
        before = unit(view.velocity, self._at_first(view))
        terms = self._terms(view, before)
        after, speed = self._decide(view, before, terms)
        after = turned(before, after, min(view.dt / self.tick, 1.0))
        return turned_back(view, after * np.minimum(speed, view.speed_limit)[:, None])

    def _decide(self, view: View, before: Floats, terms: dict[str, Floats]) -> tuple[Floats, Floats]:
        """Headings wanted (A, D), of length 1 or 0, and speeds (A,) m/s."""
        return direction(self._weighted(terms)), self._pace(view, before)

    def _terms(self, view: View, before: Floats) -> dict[str, Floats]:
        """d, C, A, R, G and H as directions, (A, D) each, by the names of their weights."""
        graph = view.neighbours
        towards, along, away = near_terms(
            graph.indptr, graph.indices, graph.displacement, graph.distance, before, self.repulsion_radius, self.vision
        )
        centre, heading = school_terms(view, before)
        return {
            "own": before,
            "cohesion": direction(towards, self.soft),
            "alignment": direction(along),
            "repulsion": direction(away, max(self.repulsion_radius, 1e-9)),
            "centre": direction(centre, self.soft),
            "heading": direction(heading),
        }

    def _weights(self) -> dict[str, float]:
        return {
            "own": self.own_weight,
            "cohesion": self.cohesion_weight,
            "alignment": self.alignment_weight,
            "repulsion": self.repulsion_weight,
            "centre": self.centre_weight,
            "heading": self.heading_weight,
        }

    def _weighted(self, terms: dict[str, Floats], weights: dict[str, float] | None = None) -> Floats:
        """Sum of the terms times their weights, (A, D)."""
        total = np.zeros_like(terms["own"])
        for name, weight in (self._weights() if weights is None else weights).items():
            total += weight * terms[name]
        return total

    def _pace(self, view: View, heading: Floats) -> Floats:
        """Speeds (A,) m/s by local order."""
        graph = view.neighbours
        phi = local_order(
            graph.indptr, graph.indices, graph.distance, heading, self.repulsion_radius, self.vision,
            np.ones(len(heading)),
        )  # fmt: skip
        return np.asarray(self.speed * np.exp(self.sharpness * (phi - 1.0)))

    def _at_first(self, view: View) -> Floats:
        """Headings (A, D) of those at rest: drawn once in a run, then along x."""
        shape = view.position.shape
        if self._rng is None:
            return np.tile(np.eye(1, shape[1]), (shape[0], 1))
        rng, self._rng = self._rng, None
        return any_direction(rng, *shape)

    def _remembered(self, view: View, phi: float) -> Memory:
        """What the program keeps from one tick to the next, begun where this is the first."""
        memory = self._memory
        if memory is None or memory.direction.shape != view.position.shape:
            rng = self._rng or np.random.default_rng(0)
            drawn = view.bounds[0] + rng.random(view.position.shape) * (view.bounds[1] - view.bounds[0])
            memory = self._memory = Memory.begin(drawn - view.position, phi)
        return memory

    def _literal(self, view: View) -> Floats:
        memory = self._remembered(view, 0.0)
        # The program knows no losses: who is lost is not gone over.
        centre, heading = memory.gather(
            view.position, view.role, self.repulsion_radius, self.vision, present=view.alive
        )
        outside = ((view.position >= view.bounds[1]) | (view.position <= view.bounds[0])).any(axis=1)
        after = self._weighted(memory.terms(centre, heading))
        memory.direction = np.where(outside[:, None], -memory.direction, after)
        pace = self.speed * np.exp(self.sharpness * (memory.phi - 1.0))
        return memory.step(pace)
