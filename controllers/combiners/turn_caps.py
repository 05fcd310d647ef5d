"""Turn caps: rules take turns at the wheel, and each may turn it only so far."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any

from msgspec import Meta

from swarm.briefing import Briefing
from swarm.controllers.choice import resolve_rules
from swarm.controllers.combiners.contribution import contribution
from swarm.controllers.combiners.turning import turn
from swarm.controllers.interface import begin
from swarm.controllers.models.headings import facing
from swarm.errors import BadInput
from swarm.schema import show
from swarm.state import Floats
from swarm.view import View


@dataclass(frozen=True)
class TurnCaps:
    """Constant speed; rule after rule turns the heading towards its contribution by at most its own angle::

        h_0 = heading of v_i,   h_r = h_{r-1} turned towards rule_r(view)_i by at most max_turn_r dt,   v_i = speed h_R

    The later rule has the last word, the greater cap the louder voice; how long a contribution is does not matter, and
    one of zero turns nothing. All rules see the state at the start of the step.

    Source: Wilensky, NetLogo Flocking model (1998), turn-at-most; Reynolds, Steering Behaviors for Autonomous
    Characters (1999), calls for the same of a vehicle with a turning circle.

    Args:
        rules: Tables such as { use = "separation", max_turn = 1.5, radius = 1.5 }, in turn: a registered rule (from
            Python also any callable), its parameters, and max_turn in degrees/s.
        speed: m/s; None takes the body's speed limit.
    """

    rules: Annotated[Sequence[Any], Meta(min_length=1)]
    speed: Annotated[float, Meta(ge=0)] | None = None

    _caps: tuple[float, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        faults: list[str] = []
        caps, plain = [], []
        for k, given in enumerate(self.rules):
            if not isinstance(given, Mapping):
                faults.append(f"rules[{k}]: expected a table with `use` and `max_turn`, got {show(given)}")
                continue
            table = dict(given)
            cap = table.pop("max_turn", None)
            if isinstance(cap, bool) or not isinstance(cap, (int, float)) or not 0.0 <= cap < math.inf:
                faults.append(f"rules[{k}].max_turn: expected degrees/s, 0 or more, got {show(cap)}")
                continue
            caps.append(math.radians(cap))
            plain.append(table["use"] if callable(table.get("use")) and len(table) == 1 else table)
        if faults:
            raise BadInput(*faults)
        object.__setattr__(self, "rules", resolve_rules(plain, "rules"))
        object.__setattr__(self, "_caps", tuple(caps))

    def reset(self, briefing: Briefing) -> None:
        """Tell the rules of a new run."""
        for rule in self.rules:
            begin(rule, briefing)

    def __call__(self, view: View) -> Floats:
        """Velocity commands (A, D) m/s."""
        direction = facing(view)
        for rule, cap in zip(self.rules, self._caps):
            direction = turn(direction, contribution(rule, view), cap * view.dt)
        return direction * (view.speed_limit if self.speed is None else min(self.speed, view.speed_limit))
