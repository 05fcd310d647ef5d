"""Pace by order: who sees its neighbours disagree goes slowly."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any

import numpy as np
from msgspec import Meta

from swarm.briefing import Briefing
from swarm.controllers.choice import make_controller
from swarm.controllers.interface import begin
from swarm.controllers.models.headings import unit
from swarm.controllers.models.local_order import local_order
from swarm.errors import BadInput
from swarm.state import Floats
from swarm.view import View


@dataclass
class PaceByOrder:
    """Another controller's commands, slower where neighbours disagree::

        v_i = u_i exp(sharpness (Φ_i − 1)),   Φ_i = ‖Σ_j v̂_j‖ / n over the n neighbours within the radius

    So a swarm in disorder waits until it agrees, and those who agree carry their direction further.

    Source: the variable speed of `fish-school`, part 4.1 of its text; β = 5 in its program.

    Args:
        controller: A controller, or a table with `use` and `params`.
        sharpness: β; 0 leaves the commands as they are.
        radius: m; no more than the perception range counts.
    """

    controller: Any = field(default_factory=lambda: {"use": "boids"})
    sharpness: Annotated[float, Meta(ge=0)] = 5.0
    radius: Annotated[float, Meta(gt=0)] = 5.0

    def __post_init__(self) -> None:
        if callable(self.controller):
            return
        faults: list[str] = []
        table = dict(self.controller) if isinstance(self.controller, Mapping) else {}
        made = make_controller(table.pop("use", ""), table.pop("params", {}), "controller", faults)
        faults += [f"controller.{name}: unknown key; allowed: use, params" for name in table]
        if faults:
            raise BadInput(*faults)
        self.controller = made

    def reset(self, briefing: Briefing) -> None:
        """Tell the controller of a new run."""
        begin(self.controller, briefing)

    def __call__(self, view: View) -> Floats:
        """Velocity commands (A, D) m/s."""
        graph, still = view.neighbours, np.zeros_like(view.velocity)
        phi = local_order(
            graph.indptr, graph.indices, graph.distance, unit(view.velocity, still), 0.0, self.radius,
            np.ones(len(still)),
        )  # fmt: skip
        return np.asarray(self.controller(view) * np.exp(self.sharpness * (phi - 1.0))[:, None])
