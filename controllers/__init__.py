"""Who decides: rules, combiners, controllers and safety filters. Nothing compiled loads before it is used.

A controller is any callable `view -> (A, D) m/s`, with an optional `reset(briefing)`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from swarm.controllers.choice import CONTROLLERS, RULES, find, make_controller, make_rule

if TYPE_CHECKING:
    from swarm.controllers.boids import Boids
    from swarm.controllers.combiners.prioritised import Prioritised
    from swarm.controllers.combiners.weighted_sum import WeightedSum
    from swarm.controllers.formation import Formation
    from swarm.controllers.safety.barrier import Barrier

__all__ = [
    "CONTROLLERS",
    "RULES",
    "Barrier",
    "Boids",
    "Formation",
    "Prioritised",
    "WeightedSum",
    "make_controller",
    "make_rule",
]

_CLASSES = {reference.partition(":")[2]: reference for reference in CONTROLLERS.values()}
_CLASSES["Barrier"] = "swarm.controllers.safety.barrier:Barrier"


def __getattr__(name: str) -> Any:
    if name in _CLASSES:
        return find(_CLASSES[name])
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
