"""Prioritised allocation: what matters most is served first, from one budget."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
from msgspec import Meta

from swarm.briefing import Briefing
from swarm.controllers.choice import resolve_rules
from swarm.controllers.combiners.contribution import contribution
from swarm.controllers.interface import begin
from swarm.state import Floats
from swarm.view import View


@dataclass(frozen=True)
class Prioritised:
    """Rules in order of importance take what they ask for until the budget is spent; the last one gets the rest of it::

        v_i = sum_r c_ri * min(1, max(0, budget - sum_{q<r} |c_qi|) / |c_ri|)

    So the result is never longer than the budget, and an agent about to hit something does not average that away.

    Source: Reynolds, Flocks, Herds, and Schools (1987), arbitrating independent behaviours (prioritised acceleration
    allocation, here of velocity).

    Args:
        rules: Rules, or tables such as { use = "separation", radius = 1.5 }, the most important first.
        budget: m/s; None takes the body's speed limit.
    """

    rules: Annotated[Sequence[Any], Meta(min_length=1)]
    budget: Annotated[float, Meta(gt=0)] | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "rules", resolve_rules(self.rules, "rules"))

    def reset(self, briefing: Briefing) -> None:
        """Tell the rules of a new run."""
        for rule in self.rules:
            begin(rule, briefing)

    def __call__(self, view: View) -> Floats:
        """Velocity commands (A, D) m/s."""
        left = np.full(len(view.position), view.speed_limit if self.budget is None else self.budget)
        total = np.zeros_like(view.position)
        for rule in self.rules:
            asked = contribution(rule, view)
            length = np.sqrt((asked * asked).sum(axis=1))
            given = np.minimum(length, left)
            total += asked * (given / np.maximum(length, 1e-12))[:, None]
            left = left - given
            if not left.any():
                break
        return total
