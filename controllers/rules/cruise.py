"""Cruise: keep flying, in the direction one flies already."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np
from msgspec import Meta

from swarm.state import Floats
from swarm.view import View


@dataclass(frozen=True)
class Cruise:
    """The own heading at a wanted speed; an agent at rest has no heading and gets zero::

        v_i = speed * v_i / |v_i|

    Source: self-propulsion of Vasarhelyi et al. (2018), eq. 8.

    Args:
        speed: m/s.
    """

    speed: Annotated[float, Meta(ge=0)] = 1.5

    def __call__(self, view: View) -> Floats:
        """Contribution (A, D) m/s."""
        velocity = view.velocity
        pace = np.sqrt((velocity * velocity).sum(axis=1))
        scale = np.where(pace > 1e-9, self.speed / np.maximum(pace, 1e-9), 0.0)
        result: Floats = velocity * scale[:, None]
        return result
