"""Wander: keep changing direction, a little at a time."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated

import numpy as np
from msgspec import Meta

from swarm.controllers.rules.directions import along, to_the_left, unit
from swarm.state import Floats
from swarm.view import View

if TYPE_CHECKING:
    from swarm.briefing import Briefing


@dataclass(frozen=True)
class Wander:
    """Towards a point that strolls on a sphere (in the plane a circle) ahead::

        v_i = speed * unit(distance * h + radius * F u),   u <- unit(u + jitter * sqrt(dt) * xi)

    with h the heading, F the frame (heading, left, up), u (D,) a unit vector that is remembered, and xi normal.

             _____
        >---/-----\\---   distance to the middle, radius about it: the larger the radius, the sharper the turns
            \\__u__/

    An agent at rest keeps its last heading; before it ever moved that is drawn, or +x where the rule was not told of
    the run, and then nothing is drawn.

    Source: Reynolds, Steering Behaviors for Autonomous Characters (1999), wander; sqrt(dt) makes it the same stroll at
    any command rate.

    Args:
        speed: m/s.
        distance: m from the agent to the sphere's middle.
        radius: m, of the sphere.
        jitter: 1/sqrt(s), how fast the point strolls.
    """

    speed: Annotated[float, Meta(ge=0)] = 1.0
    distance: Annotated[float, Meta(ge=0)] = 1.4
    radius: Annotated[float, Meta(ge=0)] = 1.0
    jitter: Annotated[float, Meta(ge=0)] = 1.0
    _memory: dict[str, Floats] = field(default_factory=dict, init=False, repr=False, compare=False)
    _rng: list[np.random.Generator] = field(default_factory=list, init=False, repr=False, compare=False)

    def reset(self, briefing: Briefing) -> None:
        """Forget the last run, take its generator, draw headings."""
        self._rng[:] = [briefing.rng]
        drawn = briefing.rng.normal(size=briefing.position.shape)
        self._memory.clear()
        self._memory["heading"] = unit(drawn, along(drawn.shape[1]))
        self._memory["point"] = np.tile(along(drawn.shape[1]), (len(drawn), 1))

    def __call__(self, view: View) -> Floats:
        """Contribution (A, D) m/s."""
        shape, forward = view.position.shape, along(view.dim)
        point, last = (self._memory.get(name) for name in ("point", "heading"))
        if point is None or last is None or point.shape != shape:
            point, last = np.tile(forward, (shape[0], 1)), np.tile(forward, (shape[0], 1))
        heading = unit(view.velocity, last)
        if self._rng:
            point = unit(point + self.jitter * np.sqrt(view.dt) * self._rng[0].normal(size=shape), forward)
        self._memory["point"], self._memory["heading"] = point, heading
        left = to_the_left(heading)
        offset = point[:, :1] * heading + point[:, 1:2] * left
        if view.dim == 3:
            offset = offset + point[:, 2:] * np.cross(heading, left)
        return self.speed * unit(self.distance * heading + self.radius * offset, heading)
