"""What a rule and a controller look like to the rest; any callable of this shape will do."""

from __future__ import annotations

from typing import Any, Protocol

from swarm.briefing import Briefing
from swarm.state import Floats
from swarm.view import View


class Rule(Protocol):
    """View to a velocity contribution. A rule or controller with a method `reset(briefing)` is told of each new run."""

    def __call__(self, view: View, /) -> Floats:
        """(A, D) m/s."""


def begin(part: Any, briefing: Briefing) -> None:
    """Tell a rule or controller of a new run if it wants to know."""
    reset = getattr(part, "reset", None)
    if reset is not None:
        reset(briefing)
