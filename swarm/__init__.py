"""Drone-swarm simulation: one set of rules, three bodies, one scoreboard.

Example:
    >>> import swarm
    >>> result = swarm.run("five-drone-formation", seed=0)
    >>> result.passed, result.metrics["min_separation"]
"""

from __future__ import annotations

import importlib
import os
from typing import TYPE_CHECKING, Any

# In a checkout worlds, controllers, envs and tests/benchmarks stand beside this folder; installed, they are inside it.
if not os.path.isdir(os.path.join(os.path.dirname(__file__), "envs")):
    __path__ += [os.path.join(os.path.dirname(os.path.dirname(__file__)), part) for part in ("", "tests")]

__version__ = "0.1.0"

if TYPE_CHECKING:
    from swarm import controllers, envs, eyes, metrics, worlds
    from swarm.errors import BadInput, SimulationError
    from swarm.mission import Mission
    from swarm.mission_file import load_mission
    from swarm.result import Result
    from swarm.runner import run
    from swarm.simulation import Simulation
    from swarm.worlds import load_world

# What is imported when it is first asked for: the command line and `import swarm` stay quick.
_HOMES = {
    "BadInput": "swarm.errors",
    "Mission": "swarm.mission",
    "Result": "swarm.result",
    "Simulation": "swarm.simulation",
    "SimulationError": "swarm.errors",
    "load_mission": "swarm.mission_file",
    "load_world": "swarm.worlds",
    "run": "swarm.runner",
}
_PARTS = ("controllers", "envs", "eyes", "metrics", "worlds")

__all__ = [
    "BadInput",
    "Mission",
    "Result",
    "Simulation",
    "SimulationError",
    "controllers",
    "envs",
    "eyes",
    "load_mission",
    "load_world",
    "metrics",
    "run",
    "worlds",
]


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(importlib.import_module(_HOMES[name]), name)
    if name in _PARTS:
        return importlib.import_module(f"swarm.{name}")
    raise AttributeError(f"module 'swarm' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])


from swarm.envs.registration import register_all  # noqa: E402  (the path above must stand first)

register_all()
