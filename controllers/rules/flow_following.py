"""Flow-field following: go where the place says."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
from msgspec import Meta

from swarm.controllers.choice import find
from swarm.controllers.rules.directions import capped
from swarm.errors import BadInput
from swarm.state import Floats
from swarm.view import View


@dataclass(frozen=True)
class FlowFollowing:
    """The flow at the place predicted after `horizon`, times `speed`, no faster than that::

        v_i = F(x_i + v_i horizon) * min(speed, speed / |F|)

    The field "route" is the direction of the way to the target around obstacles, where the agent is.

    Source: Reynolds, Steering Behaviors for Autonomous Characters (1999), flow field following.

    Args:
        field: "route", or a function from places (A, D) m to flow (A, D), 1 standing for full speed; in a file
            "package.module:function".
        speed: m/s.
        horizon: s.
    """

    field: Any = "route"
    speed: Annotated[float, Meta(ge=0)] = 1.5
    horizon: Annotated[float, Meta(ge=0)] = 0.25

    def __post_init__(self) -> None:
        flow = self.field
        if isinstance(flow, str) and flow != "route":
            try:
                flow = find(flow)
            except (Exception, SystemExit) as error:
                raise BadInput(
                    f'field: expected "route" or package.module:function that can be imported, got "{self.field}": '
                    f"{type(error).__name__}: {error}"
                ) from None
            object.__setattr__(self, "field", flow)
        if flow != "route" and not callable(flow):
            raise BadInput(f'field: expected "route" or a function, got {self.field!r}')

    def __call__(self, view: View) -> Floats:
        """Contribution (A, D) m/s."""
        if isinstance(self.field, str):
            return self.speed * view.route_direction
        places = view.space.wrap(view.position + self.horizon * view.velocity)
        flow = np.asarray(self.field(places), np.float64)
        if flow.shape != view.position.shape:
            raise BadInput(f"field: expected a flow of shape {view.position.shape}, got {flow.shape}")
        return capped(self.speed * flow, self.speed)
