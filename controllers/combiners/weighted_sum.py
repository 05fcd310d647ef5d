"""Weighted sum: every rule has its say, in proportion."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
from msgspec import Meta

from swarm.briefing import Briefing
from swarm.controllers.choice import resolve_rules
from swarm.controllers.combiners.contribution import contribution
from swarm.controllers.interface import begin
from swarm.errors import BadInput
from swarm.state import Floats
from swarm.view import View


@dataclass(frozen=True)
class WeightedSum:
    """The sum of all contributions times their weights, no faster than the body's speed limit::

        v_i = sum_r weight_r * rule_r(view)_i

    Args:
        rules: Rules, or tables such as { use = "separation", radius = 1.5 }.
        weights: One for each rule; None weighs all alike with 1.
    """

    rules: Annotated[Sequence[Any], Meta(min_length=1)]
    weights: Sequence[float] | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "rules", resolve_rules(self.rules, "rules"))
        weights = tuple(1.0 for _ in self.rules) if self.weights is None else tuple(float(w) for w in self.weights)
        if not all(map(math.isfinite, weights)):
            raise BadInput(f"weights: expected finite numbers, got {list(weights)}")
        if len(weights) != len(self.rules):
            raise BadInput(f"weights: expected one for each of the {len(self.rules)} rules, got {len(weights)}")
        object.__setattr__(self, "weights", weights)

    def reset(self, briefing: Briefing) -> None:
        """Tell the rules of a new run."""
        for rule in self.rules:
            begin(rule, briefing)

    def __call__(self, view: View) -> Floats:
        """Velocity commands (A, D) m/s."""
        assert self.weights is not None
        total = np.zeros_like(view.position)
        for rule, weight in zip(self.rules, self.weights):
            if weight != 0.0:
                total += weight * contribution(rule, view)
        speed = np.sqrt((total * total).sum(axis=1))
        total *= np.minimum(1.0, view.speed_limit / np.maximum(speed, 1e-12))[:, None]
        return total
